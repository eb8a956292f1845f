"""Handlers for sharing a game: its record, a picture, a replay page, an animation."""

from __future__ import annotations

from importlib.util import find_spec
from threading import Lock
from typing import Final

from pontedeldiavolo import html, records, svg
from pontedeldiavolo.base.catalogs import LanguageCatalog
from pontedeldiavolo.base.enums import Ending
from pontedeldiavolo.base.install import install_command
from pontedeldiavolo.game.game import Game

from . import trials
from .names import player_name, with_names
from .pictures import MEDIA_TYPE, THEMES, picture
from .requests import Request, Response, SiteError
from .site import Site
from .store import StoredGame, name_tag
from .thinkers import LEVELS

PICTURE_SIZE: Final = 1_000
"""The longer side of a picture to be passed on, in pixels."""
ANIMATION_SIZE: Final = 480
"""The longer side of an animation, in pixels."""
MAX_ANIMATED_ACTIONS: Final = 200
"""The maximum number of actions of a game with an animation: each takes time to draw."""
MAX_DIGITS: Final = 5
"""The maximum number of digits of a ply: no game is longer."""
_DRAWING: Final = Lock()
"""Held while an animation is drawn: one at a time, so that other requests find a processor."""


def animation_obstacle() -> SiteError | None:
    """Return why no animation can be drawn: the packages of the extra ``png`` may be missing."""
    if all(map(find_spec, ("PIL", "resvg_py"))):
        return None
    return SiteError("no-animation", 422, command=install_command("png"))


def show_record(site: Site, request: Request) -> Response:
    """Return the record of a game as a file."""
    stored = site.store.load(request.game)
    headers = {"Content-Disposition": f'attachment; filename="{stored.id}.pdd"'}
    return Response(records.dumps(_shared(site, request, stored)), headers=headers)


def show_picture(site: Site, request: Request) -> Response:
    """Return a picture of a game as a file.

    Without the query ``ply``, it is small and shows the latest state. With it, it is large, has
    coordinates, and marks the last of that many actions, or of the tried ones that follow them; the
    end of a game has its networks, too.
    """
    stored = site.store.load(request.game)
    theme = THEMES.get(request.query.get("theme", ""), svg.LIGHT)
    headers = {"Content-Type": MEDIA_TYPE}
    if "ply" not in request.query:
        return Response(picture(stored.game.state, theme), headers=headers)
    ply = _ply(request, stored.game)
    if "tried" in request.query:
        game, _ = trials.share(site, request, stored, ply)
    else:
        game = stored.game.undo(len(stored.game.actions) - ply)
    drawn = svg.render(
        game.state,
        last=game.actions[-1] if game.actions else None,
        networks=game.ending is Ending.SCORED,
        theme=theme,
        size=PICTURE_SIZE,
        catalog=request.language,
    )
    return Response(drawn.text, headers=headers)


def show_replay(site: Site, request: Request) -> Response:
    """Return a page that replays a game, as a file."""
    stored = site.store.load(request.game)
    game = _shared(site, request, stored)
    page = html.replay(game, catalog=with_names(stored, request.language))
    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Disposition": f'attachment; filename="{stored.id}.html"',
    }
    return Response(page.text, headers=headers)


def show_animation(site: Site, request: Request) -> Response:
    """Return an animation of a game, as a GIF.

    Raises:
        SiteError: If the packages for it are missing, the game is too long, or another animation
            is being drawn.
    """
    stored = site.store.load(request.game)
    if (obstacle := animation_obstacle()) is not None:
        raise obstacle
    if len(stored.game.actions) > MAX_ANIMATED_ACTIONS:
        raise SiteError("animation-too-long", 422, max=MAX_ANIMATED_ACTIONS)
    from pontedeldiavolo import raster  # noqa: PLC0415 - its packages may be missing

    if not _DRAWING.acquire(blocking=False):
        raise SiteError("server-busy", 503)
    try:
        catalog = request.language
        drawn = raster.animation(stored.game, "gif", size=ANIMATION_SIZE, catalog=catalog)
    finally:
        _DRAWING.release()
    return Response(drawn, headers={"Content-Type": "image/gif"})


def _ply(request: Request, game: Game) -> int:
    """Return the number of actions that a query names.

    Raises:
        SiteError: If the game has no such state.
    """
    text = request.query.get("ply", "")
    is_number = text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
    if not is_number or int(text) > len(game.actions):
        raise SiteError("bad-field", 400, name="ply")
    return int(text)


def _shared(site: Site, request: Request, stored: StoredGame) -> Game:
    """Return a game with its names, and with the tried actions of a query as a variation."""
    game = _named(stored, request.language)
    if "tried" not in request.query:
        return game
    _, varied = trials.share(site, request, stored, _ply(request, game))
    return varied.with_tags(game.tags)


def _named(stored: StoredGame, language: LanguageCatalog) -> Game:
    """Return a game with the players' names as the page shows them.

    A player of the library has its name in the library, too. A person who has entered no name has
    none in the record.
    """
    tags = dict(stored.game.tags)
    for seat, level in stored.levels.items():
        tags[name_tag(seat)] = f"{player_name(stored, seat, language)} ({LEVELS[level].spec})"
    return stored.game.with_tags(tags)
