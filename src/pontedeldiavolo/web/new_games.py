"""Handlers that start games and seat people: what the form for a new game says."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final, cast

from attrs import evolve

from pontedeldiavolo import records
from pontedeldiavolo.base.enums import Color, Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.install import install_command
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.json import snapshot
from pontedeldiavolo.notation.rules import parse_rules
from pontedeldiavolo.notation.setups import parse_setup
from pontedeldiavolo.notation.states import parse_state
from pontedeldiavolo.records.reading import value_of
from pontedeldiavolo.state.state import GameState

from . import offers
from .names import level_name
from .requests import Fields, Request, Response, SiteError
from .site import Site
from .store import (
    BOTH_SEATS,
    StoredGame,
    TimeControl,
    hash_token,
    id_of,
    name_tag,
    new_id,
)
from .thinkers import LEVELS, Level
from .views import error_response

SEATS: Final = {seat.value: seat for seat in Seat}
COLORS: Final = {color.value: color for color in Color}
KEY: Final = re.compile(r"[A-Za-z0-9_-]{32,64}")
"""The form of the key of a request that may be repeated."""
_RECORD: Final = re.compile(r"\s*(\[|\d+\.)")
"""The beginning of a record of this library, faulty or not."""
_DIAGRAM: Final = re.compile(r"\s*(\d+\s+)?[.wrx]+(\s|$)", re.IGNORECASE)
"""The beginning of a diagram, faulty or not: the row on the far side of the board."""
MAX_NAME: Final = 40
"""The maximum length of the name of a person."""
BLANKS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols that look like spaces: the fillers of Hangul, and braille without dots."""
INVISIBLE_CATEGORIES: Final = frozenset(["Cf", "Mc", "Me", "Mn", "Zl", "Zp", "Zs"])
"""The Unicode categories of formats, marks and spaces; tags refuse control characters."""
TOKEN_BYTES: Final = 24
"""The random bytes of a token."""
OWN_TAGS: Final = "Serve"
"""The beginning of the names of tags in the files of stored games."""


def create(site: Site, request: Request) -> Response:
    """Create a game, with the person who requests it in one seat or both."""
    fields = request.fields
    try:
        game = _opened_game(fields)
    except PonteError as error:
        refused = error_response(error, request.language)
        # The page marks the field, if it is not empty.
        where = {"field": "start"} if fields.get("start", "") else {}
        return evolve(refused, content={**cast(Mapping[str, object], refused.content), **where})
    board = game.rules.board
    if max(board.width, board.height) > site.max_side:
        raise SiteError("side-too-long", 422, max=site.max_side)
    levels, own = _seating(fields, game.state)
    # A state that has no snapshot is refused now, before it is stored.
    snapshot(game.state)
    time_control = _time_control(fields, game)
    key = _key(fields)
    token = key or secrets.token_urlsafe(TOKEN_BYTES)
    game_id = new_id() if key is None else id_of(key)
    if key is not None and site.store.has(game_id):
        # A request that is repeated because its response was lost succeeds even at a limit.
        stored = site.store.load(game_id)
        site.think(stored, request.client)
    else:
        names = _names(fields, own) | names_of_levels(levels)
        game = game.with_tags({**_date_tag(site), **game.tags, **names})
        new = StoredGame(
            game_id,
            1,
            site.with_immediate_answers(game, levels, request.client),
            token_hashes=dict.fromkeys(own, hash_token(token)),
            levels=levels,
            time_control=time_control,
        )
        stored = site.start(request.client, lambda: site.store.create(new))
    view = site.view(evolve(request, token=token), stored)
    return Response({**view, "token": token}, 201, {"Location": f"/games/{stored.id}"})


def take_seat(site: Site, request: Request) -> Response:
    """Take a free seat; a token that already has one seat gets the other one, too."""
    fields = request.fields
    seat = fields.choice("seat", SEATS)
    key = _key(fields)
    stored = site.store.load(request.game)
    if key is not None and seat in stored.seats_of(key):
        # A request that is repeated because its response was lost succeeds again.
        token = key
    else:
        has_other_seat = bool(stored.seats_of(request.token))
        token = request.token if has_other_seat else key or secrets.token_urlsafe(TOKEN_BYTES)
        names = _names(fields, [seat])
        stored = site.store.take_seat(request.game, seat, hash_token(token), names)
    view = site.view(evolve(request, token=token), stored)
    return Response({**view, "seat": seat.value, "token": token}, 201)


def rename(site: Site, request: Request) -> Response:
    """Change the name of a person; a person with both seats may name one of them.

    The version stays, so that nobody's next request is refused. The response has no board:
    people with a seat have loaded it already.
    """
    stored, own = site.load_as_player(request)
    fields = request.fields
    seat = fields.choice("seat", SEATS) if "seat" in fields else None
    if seat is not None and seat not in own:
        raise SiteError("not-your-seat", 403)
    name = _name(fields)
    changed = site.store.rename(stored.id, dict.fromkeys(own if seat is None else [seat], name))
    return Response(site.view(request, changed, changed.version))


def rematch(site: Site, request: Request) -> Response:
    """Ask for a rematch, accept the other person's request, or return the rematch that exists.

    It begins from the same start with exchanged seats; against a player of this library, and for a
    person with both seats, at once. With ``answer: decline``, the other person's request is
    declined, and with ``answer: withdraw`` the sender's own one is withdrawn.
    """
    stored, own = site.load_as_player(request)
    version = request.version
    game_id = site.rematch_id(stored)
    asking = None if game_id is not None else stored.rematch_request
    answer = offers.answer_of(request, ("decline", "withdraw"))
    if answer is not None:
        if version != stored.version:
            raise SiteError("outdated", 409)
        return offers.end(site, request, stored, own, what="rematch", asking=asking, answer=answer)
    if game_id is not None:
        return Response({"id": game_id}, 201)
    # Two people who ask at the same time agree. If another request has claimed the rematch just
    # now, its version is another one, too.
    is_accepted = asking is not None and asking not in own
    if version != stored.version and stored.next_id is None and not is_accepted:
        raise SiteError("outdated", 409)
    if stored.game.ending is None:
        raise SiteError("game-not-ended", 409)
    if len(own) == 1 and len(stored.token_hashes) == len(BOTH_SEATS) and not is_accepted:
        return _ask_for_rematch(site, request, stored, next(iter(own)))
    fresh = stored.rematch()
    dated = fresh.game.with_tags({**_date_tag(site), **fresh.game.tags})
    game = site.with_immediate_answers(dated, fresh.levels, request.client)
    new = evolve(fresh, game=game)
    begun = site.start(request.client, lambda: site.store.create_next(stored, new))
    return Response({"id": begun.id}, 201)


def _ask_for_rematch(site: Site, request: Request, stored: StoredGame, seat: Seat) -> Response:
    """Ask the other person for a rematch."""
    # Somebody who asks twice must not make the other player's answer outdated.
    if stored.rematch_request is seat:
        return Response(site.view(request, stored, stored.version))
    offers.require_may_ask(stored, seat, "rematch")
    return offers.announce(site, request, stored, rematch_request=seat)


def _date_tag(site: Site) -> dict[str, str]:
    """Return the tag with today's date for a new game; an opened record may have its own."""
    return {"Date": f"{site.today():%Y.%m.%d}"}


def _key(fields: Fields) -> str | None:
    """Return the key of a request that may be repeated; it becomes the token of the seat."""
    if "key" not in fields:
        return None
    key = fields.require("key", str)
    if not KEY.fullmatch(key):
        raise SiteError("bad-field", 400, name="key")
    return key


def _names(fields: Fields, seats: Iterable[Seat]) -> dict[str, str]:
    """Return tags with the name of the person who takes *seats*; no tags if no name was given."""
    name = _name(fields) if "name" in fields else ""
    return {name_tag(seat): name for seat in seats if name}


def _name(fields: Fields) -> str:
    """Return the name of a person; an empty one stands for no name.

    Raises:
        SiteError: If no character of the name can be seen.
    """
    name = fields.require("name", str).strip()[:MAX_NAME]
    if name and not any(map(_is_visible, name)):
        raise SiteError("invisible-name", 400)
    return name


def _is_visible(character: str) -> bool:
    """Return whether a character can be seen without others: marks are part of another one."""
    is_blank = character in BLANKS
    return not is_blank and unicodedata.category(character) not in INVISIBLE_CATEGORIES


def _time_control(fields: Fields, game: Game) -> TimeControl | None:
    """Return the time of the players; ``None`` for a game without clocks.

    Raises:
        SiteError: If the field cannot be read, or the game has clock readings already: they would
            be taken for readings of the new clocks.
    """
    if "time_control" not in fields:
        return None
    found = TimeControl.parse(fields.require("time_control", str))
    has_readings = any(move.clock is not None for move in game.line.moves)
    if found is None or has_readings:
        raise SiteError("bad-field", 400, name="time_control")
    return found


def _opened_game(fields: Fields) -> Game:
    """Return the game to continue: from a record of any format, or a new one.

    Raises:
        RecordError: If the first game of the record is faulty.
    """
    text = fields.require("start", str) if "start" in fields else ""
    source = records.detect(text)
    if source is None and _RECORD.match(text):
        # The fault is reported as that of a record, although no format was recognised.
        source = records.Format.PDD
    if source is None:
        return Game.new(start=_start(fields, text))
    game = value_of(next(records.read(text, format=source)))
    # The file of a stored game says who sat there; the new game has seats of its own.
    tags = {name: value for name, value in game.tags.items() if not name.startswith(OWN_TAGS)}
    return game.with_tags(tags)


def _start(fields: Fields, text: str) -> GameState:
    """Return the start of a game: from a state, from a set-up, or from the rules alone.

    A set-up uses the supplies of the chosen rules. It does not say who moves; the field
    ``to_move`` does.
    """
    to_move = fields.choice("to_move", COLORS) if "to_move" in fields else Color.WHITE
    if "rows=" in text.lower():
        return parse_state(text)
    rules = parse_rules(fields.require("rules", str))
    if not text.strip():
        return GameState.initial(rules)
    if not _DIAGRAM.match(text):
        raise SiteError("unknown-start", 400)
    setup = parse_setup(text)
    rules = evolve(rules, board=setup.board)
    return GameState.from_position(setup.position(), rules=rules, to_move=to_move)


def _seating(fields: Fields, start: GameState) -> tuple[dict[Seat, str], frozenset[Seat]]:
    """Return the seats of players of this library, and the seats of the person."""
    level = fields.choice("opponent", {"none": None, **LEVELS}) if "opponent" in fields else None
    one = {name: frozenset([seat]) for name, seat in SEATS.items()}
    if level is None:
        any_seats = {**one, "both": BOTH_SEATS}
        return {}, fields.choice("seat", any_seats) if "seat" in fields else BOTH_SEATS
    _require_playable(level, start)
    own = fields.choice("seat", one)
    return levels_of(fields, start, own), own


def levels_of(fields: Fields, state: GameState, own: frozenset[Seat]) -> dict[Seat, str]:
    """Return the level that a field names, for the seats of players of this library.

    Raises:
        SiteError: If it cannot be played.
    """
    _require_playable(fields.choice("opponent", LEVELS), state)
    return dict.fromkeys(BOTH_SEATS - own, fields.require("opponent", str))


def names_of_levels(levels: Mapping[Seat, str]) -> dict[str, str]:
    """Return the tags with the names of players of this library."""
    return {name_tag(seat): level_name(level) for seat, level in levels.items()}


def _require_playable(level: Level, state: GameState) -> None:
    """Refuse a level whose packages are missing, or which takes too long on a board.

    Raises:
        SiteError: If it cannot be played.
    """
    if not level.is_available:
        raise SiteError("opponent-unavailable", 422, command=install_command("batch"))
    if len(state.rules.board) > level.max_cells:
        raise SiteError("board-too-large", 422, max=level.max_cells)
