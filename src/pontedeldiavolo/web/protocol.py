"""Clicks, without HTTP: what a page asks, and what it is told.

It needs attrs alone, so that it also runs in a worker of the reader's browser.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from typing import Final, final

from attrs import evolve

from pontedeldiavolo.base.enums import Color, Seat
from pontedeldiavolo.base.errors import NotationError, PonteError
from pontedeldiavolo.base.messages import LANGUAGES, explain
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.json import snapshot
from pontedeldiavolo.notation import parse_action, parse_cell, parse_rules, parse_setup, parse_state
from pontedeldiavolo.records.pdd import dumps
from pontedeldiavolo.rules import presets
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.violations import IllegalActionError, InvalidPositionError
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.web.exchange import (
    TEXT_TYPE,
    Answer,
    Asked,
    Fields,
    RefusedError,
    page_texts,
)
from pontedeldiavolo.web.opponents import MOST_CELLS, with_answers
from pontedeldiavolo.web.seats import EVERYBODY, hashed, seats_of, steps_back
from pontedeldiavolo.web.store import (
    DamagedError,
    FullError,
    OutdatedError,
    SeatTakenError,
    Store,
    Stored,
    StoreError,
    UnknownGameError,
    UnwritableError,
)
from pontedeldiavolo.web.views import Board, explained, game_view, half_view

SEATS: Final = {seat.value: seat for seat in Seat}
NOBODY: Final = "none"
BOTH: Final = "both"
MOVERS: Final = {color.value: color for color in Color}
GAMES: Final = "/games"

_GAME = re.compile(r"/games/([^/]+)(?:/([a-z-]+))?")
_STORE: Final[Mapping[type[StoreError], tuple[int, str]]] = {
    UnknownGameError: (404, "no-such-game"),
    OutdatedError: (409, "gone-on"),
    SeatTakenError: (409, "seat-taken"),
    FullError: (403, "too-many-games"),
    DamagedError: (500, "damaged"),
    UnwritableError: (503, "unwritable"),
}

_Handler = Callable[[Asked, str], Answer]


def _seed() -> int:
    return secrets.randbits(32)


@final
class Site:
    """Answers whatever a page can ask.

    Args:
        store: Where the games are kept.
        seeds: What the dice of players of this library begin with.
    """

    def __init__(self, store: Store, *, seeds: Callable[[], int] = _seed) -> None:
        self._store = store
        self._seeds = seeds
        self._handlers: dict[str, dict[str, _Handler]] = {
            "": {"GET": self._show},
            "seats": {"POST": self._join},
            "clicks": {"POST": self._click},
            "actions": {"POST": self._act},
            "why": {"GET": self._why},
            "take-back": {"POST": self._take_back},
            "resignation": {"POST": self._resign},
            "record": {"GET": self._record},
        }

    def answer(self, asked: Asked) -> Answer:
        """Return the answer: whatever is asked, nothing is raised."""
        language = asked.language
        try:
            return self._handled(asked)
        except RefusedError as error:
            return error.answer(language)
        except StoreError as error:
            status, code = _STORE[type(error)]
            return RefusedError(status, code).answer(language)
        except (IllegalActionError, InvalidPositionError) as error:
            broken = error.faults if isinstance(error, InvalidPositionError) else error.violations
            violations = explained(broken, language)
            text = " ".join(str(each["text"]) for each in violations)
            return Answer.json({"error": text, "code": error.code, "violations": violations}, 422)
        except PonteError as error:
            status = 400 if isinstance(error, NotationError) else 422
            text = explain(error, language.catalog)
            return Answer.json({"error": text, "code": error.code}, status)

    def _handled(self, asked: Asked) -> Answer:
        handlers, name = self._found(asked.path)
        # Whoever asks for the head alone gets it from what carries the answer.
        handler = handlers.get("GET" if asked.method == "HEAD" else asked.method)
        if handler is None:
            refused = RefusedError(405, "no-such-method", method=asked.method)
            return evolve(
                refused.answer(asked.language), headers={"Allow": ", ".join(sorted(handlers))}
            )
        return handler(asked, name)

    def _found(self, path: str) -> tuple[Mapping[str, _Handler], str]:
        """Return what can be done at a path, and the game that it names."""
        if path == "/words":
            return {"GET": self._words}, ""
        if path == GAMES:
            return {"POST": self._create}, ""
        parts = _GAME.fullmatch(path)
        if parts is None or (parts[2] or "") not in self._handlers:
            raise RefusedError(404, "no-such-page")
        return self._handlers[parts[2] or ""], parts[1]

    def _words(self, asked: Asked, _name: str) -> Answer:
        """Return what stands on the page, and what a game can begin with."""
        return Answer.json(
            {
                "words": page_texts(asked.language),
                "languages": {code: each.name for code, each in LANGUAGES.items()},
                "rules": [*presets.names()],
            }
        )

    def _create(self, asked: Asked, _name: str) -> Answer:
        """Begin a game; whoever does sits down."""
        fields = asked.fields()
        start = _start(fields)
        computer, own = _seating(fields, start)
        # What cannot be shown is refused now and not for ever after.
        snapshot(start)
        names = {seat.value.capitalize(): name.capitalize() for seat, name in computer.items()}
        game = with_answers(Game.new(tags=names, start=start), computer, self._seeds)
        token = secrets.token_urlsafe(24)
        stored = self._store.create(
            game, seats=dict.fromkeys(own, hashed(token)), computer=computer
        )
        view = game_view(stored, evolve(asked, token=token))
        return Answer.json({**view, "token": token}, 201, {"Location": f"{GAMES}/{stored.id}"})

    def _join(self, asked: Asked, name: str) -> Answer:
        """Sit down on a free seat; a token that sits there already gets the other seat, too."""
        seat = asked.fields().choice("seat", SEATS)
        sits = seats_of(self._store.load(name), asked.token)
        token = asked.token if sits else secrets.token_urlsafe(24)
        stored = self._store.take_seat(name, seat, hashed(token))
        view = game_view(stored, evolve(asked, token=token))
        return Answer.json({**view, "seat": seat.value, "token": token}, 201)

    def _show(self, asked: Asked, name: str) -> Answer:
        """Show a game to anybody; nothing, if it is as it was when they looked last."""
        stored = self._store.load(name)
        seen = asked.query.get("after"), asked.query.get("taken", str(len(stored.seats)))
        if seen == (str(stored.version), str(len(stored.seats))):
            return Answer(204)
        return Answer.json(game_view(stored, asked))

    def _record(self, _asked: Asked, name: str) -> Answer:
        stored = self._store.load(name)
        headers = {"Content-Disposition": f'attachment; filename="{stored.id}.pdd"'}
        return Answer(200, dumps(stored.game).encode(), TEXT_TYPE, headers)

    def _why(self, asked: Asked, name: str) -> Answer:
        """Say why one tile or a whole action is not legal; nothing is played."""
        state, query = self._store.load(name).game.state, asked.query
        if not {"cell", "action"} & query.keys():
            raise RefusedError(400, "bad-query")
        step = (
            PlaceTile(parse_cell(query["cell"]))
            if "cell" in query
            else parse_action(query["action"])
        )
        return Answer.json({"violations": explained(state.violations(step), asked.language)})

    def _click(self, asked: Asked, name: str) -> Answer:
        """Take a click; nothing is stored for the first one."""
        fields = asked.fields()
        stored = self._to_move(asked, name, fields)
        state = stored.game.state
        cell = parse_cell(fields.get("cell", str))
        board = Board(state, stored.game.actions[-1] if stored.game.actions else None, is_live=True)
        if "first" not in fields:
            return Answer.json(half_view(_clicked(board, state, cell), asked))
        first = parse_cell(fields.get("first", str))
        if first == cell:
            return Answer.json({**half_view(board, asked), "first": None, "second": []})
        has_tile = _has_tile(state, first)
        action = BuildBridge(first, cell) if has_tile else PlaceTiles(first, cell)
        return self._played(asked, stored, action)

    def _act(self, asked: Asked, name: str) -> Answer:
        """Play a whole action: the choice of a colour, a pass, or any other."""
        fields = asked.fields()
        stored = self._to_move(asked, name, fields)
        return self._played(asked, stored, parse_action(fields.get("action", str)))

    def _played(self, asked: Asked, stored: Stored, action: Action) -> Answer:
        game = with_answers(stored.game.play(action), stored.computer, self._seeds)
        return self._changed(asked, stored, game)

    def _take_back(self, asked: Asked, name: str) -> Answer:
        stored, mine = self._sitting(asked, name, asked.fields())
        count = steps_back(stored, mine)
        if count is None:
            raise RefusedError(409, "nothing-to-take-back")
        return self._changed(asked, stored, stored.game.take_back(count))

    def _resign(self, asked: Asked, name: str) -> Answer:
        """Give up, in one's turn or not; whoever has both seats says which."""
        fields = asked.fields()
        stored, mine = self._sitting(asked, name, fields)
        _require_going_on(stored)
        seat = fields.choice("seat", SEATS) if "seat" in fields else None
        if seat is None and len(mine) > 1:
            raise RefusedError(400, "bad-field", name="seat")
        if seat is not None and seat not in mine:
            raise RefusedError(403, "not-your-seat")
        [seat] = mine if seat is None else [seat]
        return self._changed(asked, stored, stored.game.resign(seat))

    def _changed(self, asked: Asked, old: Stored, game: Game) -> Answer:
        return Answer.json(game_view(self._store.replace(old, game), asked))

    def _sitting(self, asked: Asked, name: str, fields: Fields) -> tuple[Stored, frozenset[Seat]]:
        """Return the game that somebody has seen, and where they sit."""
        stored = self._store.load(name)
        mine = seats_of(stored, asked.token)
        if not mine:
            raise RefusedError(403, "no-seat")
        if fields.get("version", int) != stored.version:
            raise RefusedError(409, "gone-on")
        return stored, mine

    def _to_move(self, asked: Asked, name: str, fields: Fields) -> Stored:
        stored, mine = self._sitting(asked, name, fields)
        _require_going_on(stored)
        if stored.game.state.seat_to_move not in mine:
            raise RefusedError(403, "not-your-turn")
        return stored


def _require_going_on(stored: Stored) -> None:
    if stored.game.ending is not None:
        raise RefusedError(409, "has-ended")


def _start(fields: Fields) -> GameState:
    """Return what a game begins with: a set-up is played with the supplies of the rules.

    A set-up does not say who is to move: a field does.
    """
    mover = fields.choice("to_move", MOVERS) if "to_move" in fields else Color.WHITE
    text = fields.get("start", str) if "start" in fields else ""
    if "rows=" in text.lower():
        return parse_state(text)
    rules = parse_rules(fields.get("rules", str))
    if not text.strip():
        return GameState.initial(rules)
    setup = parse_setup(text)
    rules = evolve(rules, board=setup.board)
    return GameState.from_position(setup.position(), rules=rules, to_move=mover)


def _seating(fields: Fields, start: GameState) -> tuple[dict[Seat, str], frozenset[Seat]]:
    """Return which seats players of this library have, and which whoever begins the game."""
    opponent = NOBODY
    if "opponent" in fields:
        opponent = fields.choice("opponent", {each: each for each in (NOBODY, *MOST_CELLS)})
    own: dict[str, frozenset[Seat]] = {name: frozenset([seat]) for name, seat in SEATS.items()}
    if opponent == NOBODY:
        mine = {**own, BOTH: EVERYBODY}
        return {}, fields.choice("seat", mine) if "seat" in fields else EVERYBODY
    board, most = start.rules.board, MOST_CELLS[opponent]
    if board.width * board.height > most:
        raise RefusedError(422, "too-large-a-board", most=most)
    seats = fields.choice("seat", own)
    return dict.fromkeys(EVERYBODY - seats, opponent), seats


def _has_tile(state: GameState, cell: Cell) -> bool:
    return any(cell in state.position.tiles(color) for color in Color)


def _clicked(board: Board, state: GameState, cell: Cell) -> Board:
    """Return the board after the first click of a turn, on a tile or on water."""
    bridges = state.legal_actions.bridges_from(cell)
    if bridges:
        ends = tuple(each.b if each.a == cell else each.a for each in bridges)
        return evolve(board, first=cell, seconds=ends)
    if state.to_move is not None and cell in state.position.tiles(state.to_move):
        raise RefusedError(422, "no-bridge", cell=cell)
    half = state.step(PlaceTile(cell))
    return evolve(board, node=half, first=half.first)
