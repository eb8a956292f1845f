"""Whole pages: games, an index of them, and what makes them work."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import final

from attrs import field, frozen

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.checks import instance_of, require_type
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.messages import Catalog, result
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.html.colors import rules_of_colors
from pontedeldiavolo.html.sections import name_of, section
from pontedeldiavolo.html.words import Words
from pontedeldiavolo.svg.markup import escaped
from pontedeldiavolo.svg.view import view_of
from pontedeldiavolo.svg.words import NAME


@final
@frozen(order=False)
class Html(ImmutableValue):
    """A page: its text is a whole HTML document, to be written to a file in UTF-8.

    Notebooks show it in a frame.

    Attributes:
        text: The document.

    Raises:
        TypeError: If *text* is not a string.
    """

    text: str = field(validator=instance_of(str))

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        # In a frame of its own, a page can neither read nor change the notebook around it.
        return (
            f'<iframe title="{NAME}" sandbox="allow-scripts" width="100%" height="720"'
            f' style="border:0" srcdoc="{escaped(self.text)}"></iframe>'
        )


def replay(
    games: Game | Iterable[Game], *, title: str | None = None, catalog: Catalog = ENGLISH
) -> Html:
    """Return a page to go through games turn by turn, which needs no other file and no network.

    It is light or dark as its reader's device is, and has a list of all moves, with variations,
    comments, glyphs and times. A link to ``#game-2-turn-17`` shows that turn of the second game.

    Args:
        games: A game, or several, which get an index.
        title: What the page is called; by default what the game says of itself.
        catalog: Where its words are from, in the language of that catalogue.

    Raises:
        TypeError: If an argument is not of its type.
        PonteError: If there is no game, or the catalogue lacks a word of the page.
    """
    require_type(games, (Game, Iterable), "games")
    require_type(title, (str, type(None)), "title")
    require_type(catalog, Mapping, "catalog")
    shown = [games] if isinstance(games, Game) else list(games)
    for game in shown:
        require_type(game, Game, "an item of games")
    if not shown:
        raise PonteError("a page has at least one game")
    return Html("".join(_page(shown, title, Words(catalog))))


def _page(games: list[Game], title: str | None, words: Words) -> Iterator[str]:
    """The whole document."""
    style, script = f"{rules_of_colors()}{_file('replay.css')}", _file("replay.js")
    names = [name_of(game, place, words) for place, game in enumerate(games, 1)]
    heading = NAME if title is None else title
    if title is not None:
        called = title
    elif len(games) == 1:
        called = f"{NAME}: {names[0]}"
    else:
        called = f"{NAME}: {words('page-games', count=len(games))}"
    yield (
        f'<!DOCTYPE html>\n<html lang="{escaped(words("page-language"))}"><head>'
        f'<meta charset="utf-8">{_policy(style, script)}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escaped(called)}</title><style>{style}</style></head><body>"
        f'<header><h1 dir="auto">{escaped(heading)}</h1>'
    )
    if len(games) > 1:
        yield from _index(games, names, words)
    yield "</header><main>"
    for place, game in enumerate(games, 1):
        board = game.rules.board
        view = view_of(Symmetry(board.width, board.height), coordinates=True)
        yield from section(game, place, names[place - 1], view, words)
    yield f"</main><script>{script}</script></body></html>\n"


def _index(games: list[Game], names: list[str], words: Words) -> Iterator[str]:
    """Links to all games, each with how it came out."""
    yield f'<nav class="index" aria-label="{escaped(words("page-index"))}"><ol>'
    for place, (game, name) in enumerate(zip(games, names, strict=True), 1):
        told = escaped(result(game, words.catalog))
        yield (
            f'<li><a href="#game-{place}"><bdi>{escaped(name)}</bdi></a>'
            f' <span class="result">{told}</span></li>'
        )
    yield "</ol></nav>"


def _policy(style: str, script: str) -> str:
    """Return what the page may do: nothing but its own style and its own script.

    So whatever a comment brings in could not run, and nothing is asked of any network.
    """
    parts = (
        "default-src 'none'",
        f"style-src '{_digest(style)}'",
        f"script-src '{_digest(script)}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(parts)}">'


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _file(name: str) -> str:
    """Return a file that lies beside this one, with the same ends of lines everywhere."""
    text = files("pontedeldiavolo.html").joinpath(name).read_text("utf-8")
    return "\n".join(text.splitlines())
