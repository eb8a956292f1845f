"""A small game site: JSON over HTTP, on Starlette and SQLite.

Run from a clone, where the package, starlette and uvicorn are installed:

    python -m uvicorn --app-dir examples --factory server:create_app

The environment variable PONTE_GAMES names the file of the database, games.sqlite3 by default.
With --workers 4 it runs in four processes: between two requests nothing is kept in memory but
games that were read a moment ago.

A game is a row: the text of its record, and a version that every change counts up. A process that
reads a text for the first time judges every action in it. A request that changes the game says
which version it has seen, and comes too late if that is no longer the one stored.
"""

import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from time import sleep
from typing import TypeVar, cast

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

import pontedeldiavolo as pdd

MAX_SIDE = 26
MAX_BODY = 2_000  # bytes
MAX_UPLOAD = 65_536  # bytes
LIMITS = pdd.Limits(side=MAX_SIDE, games=100)  # of one upload; bad games count
MAX_FAULTS = 10  # that an answer lists

SCHEMA = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, version INTEGER NOT NULL, record TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS seats (
    game TEXT NOT NULL, seat TEXT NOT NULL, token_hash TEXT NOT NULL, PRIMARY KEY (game, seat)
);
"""

T = TypeVar("T")
E = TypeVar("E", bound=Enum)
Handler = Callable[[Request, bytes], Response]


class SiteError(pdd.PonteError):
    """A refused request: its code has a sentence in every catalogue of the library."""

    def __init__(self, status: int, code: str, **values: int | str) -> None:
        super().__init__(pdd.Reason(code, values))
        self.status = status


@dataclass(frozen=True)
class Stored:
    """A game as it was when it was read."""

    id: str
    version: int
    game: pdd.Game


class Store:
    """The database. Threads and processes share the file, so each call has its connection."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for tries_left in reversed(range(100)):
            try:
                with closing(self._connect()) as db:
                    db.executescript(SCHEMA)
                break
            except sqlite3.OperationalError:
                # For the change to WAL SQLite does not wait, and other workers start, too.
                if not tries_left:
                    raise
                sleep(0.05)

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=10)

    def create(self, games: Iterable[pdd.Game]) -> list[Stored]:
        """Store new games, which can be shown: all of them or none."""
        stored = [Stored(secrets.token_urlsafe(9), 1, game) for game in games]
        rows = [(each.id, each.version, pdd.records.dumps(each.game)) for each in stored]
        with closing(self._connect()) as db, db:
            db.executemany("INSERT INTO games VALUES (?, ?, ?)", rows)
        return stored

    def load(self, name: str) -> Stored:
        """Read a game; whatever was uploaded and stored can be read."""
        with closing(self._connect()) as db:
            rows = db.execute("SELECT version, record FROM games WHERE id = ?", [name]).fetchall()
        if not rows:
            raise SiteError(404, "no-such-game")
        [(version, record)] = rows
        try:
            return Stored(name, version, judged(record))
        except pdd.RecordError as error:
            # Not the caller's fault: somebody has changed the database by hand.
            raise SiteError(500, "game-damaged") from error

    def replace(self, old: Stored, game: pdd.Game) -> Stored:
        """Store what became of a game: of two who replace the same version, one comes too late."""
        with closing(self._connect()) as db, db:
            done = db.execute(
                "UPDATE games SET record = ?, version = version + 1 WHERE id = ? AND version = ?",
                [pdd.records.dumps(game), old.id, old.version],
            )
        if done.rowcount != 1:
            raise SiteError(409, "outdated")
        return Stored(old.id, old.version + 1, game)

    def take_seat(self, name: str, seat: pdd.Seat) -> str:
        """Give a free seat away, and return the token of the player who sits there now."""
        token = secrets.token_urlsafe(24)
        try:
            with closing(self._connect()) as db, db:
                db.execute("INSERT INTO seats VALUES (?, ?, ?)", [name, seat.value, _hash(token)])
        except sqlite3.IntegrityError as error:
            raise SiteError(409, "seat-taken") from error
        return token

    def seat_of(self, name: str, token: str) -> pdd.Seat:
        """Return where the owner of a token sits in a game."""
        with closing(self._connect()) as db:
            rows = db.execute(
                "SELECT seat FROM seats WHERE game = ? AND token_hash = ?", [name, _hash(token)]
            ).fetchall()
        if not rows:
            raise SiteError(403, "no-seat")
        return pdd.Seat(rows[0][0])


@lru_cache(maxsize=100)
def judged(record: str) -> pdd.Game:
    """Return the game of a stored record, which has more blanks than what was uploaded."""
    return pdd.records.loads(record, limits=LIMITS.for_rereading())


def _hash(token: str) -> str:
    # Whoever gets hold of a copy of the database cannot play for others with it.
    return sha256(token.encode()).hexdigest()


class Site:
    """A function for each thing that can be asked for. They run in threads."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def create(self, request: Request, body: bytes) -> Response:
        """Begin a game; the rules are a preset's name or a text of rules."""
        rules = pdd.parse_rules(_field(_object(body), "rules", str))
        if max(rules.board.width, rules.board.height) > MAX_SIDE:
            raise SiteError(422, "side-too-long", most=MAX_SIDE)
        game = pdd.Game.new(rules)
        # What cannot be shown is refused now: it would never be shown.
        pdd.json.snapshot(game.state)
        [stored] = self.store.create([game])
        return JSONResponse(view(stored, request), 201, {"Location": f"/games/{stored.id}"})

    def upload(self, request: Request, body: bytes) -> Response:
        """Store the games of a file in any format, and say what is wrong with the others."""
        named = request.query_params.get("format")
        known = None if named is None else _choice("format", named, pdd.records.Format)
        games: list[pdd.Game] = []
        errors: list[str] = []
        try:
            for result in pdd.records.read(body, format=known, limits=LIMITS):
                if isinstance(result, pdd.RecordError):
                    errors.append(sentence(result, request))
                    continue
                try:
                    pdd.json.snapshot(result.state)
                    games.append(result)
                except pdd.PonteError as error:
                    errors.append(sentence(error, request))
        except UnicodeDecodeError as error:
            expected = pdd.Reason("text-in-encoding", {"name": error.encoding})
            errors.append(sentence(pdd.RecordError(1, 1, expected), request))
        if not games and not errors:
            errors.append(sentence(pdd.RecordError(1, 1, pdd.Reason("game")), request))
        stored = self.store.create(games)
        answer = {"games": [each.id for each in stored], "errors": errors}
        return JSONResponse(answer, 201 if stored else 422)

    def show(self, request: Request, _body: bytes) -> Response:
        """Show a game to anybody."""
        return JSONResponse(view(self._load(request), request))

    def record(self, request: Request, _body: bytes) -> Response:
        """Return the record, for other programs."""
        return PlainTextResponse(pdd.records.dumps(self._load(request).game))

    def why(self, request: Request, _body: bytes) -> Response:
        """Say why one tile or a whole action is not legal; nothing is played."""
        asked = request.query_params
        step = (
            pdd.PlaceTile(pdd.parse_cell(asked["cell"]))
            if "cell" in asked
            else pdd.parse_action(asked.get("action", ""))
        )
        violations = self._load(request).game.state.violations(step)
        return JSONResponse({"violations": explained(violations, request)})

    def join(self, request: Request, body: bytes) -> Response:
        """Sit down. The token that is returned is to be kept secret."""
        seat = _choice("seat", _field(_object(body), "seat", str), pdd.Seat)
        name = self._load(request).id
        return JSONResponse({"seat": seat.value, "token": self.store.take_seat(name, seat)}, 201)

    def click(self, request: Request, body: bytes) -> Response:
        """Take a click: the first one shows where the second may go, the second one plays.

        Nothing is stored for a first click: the browser sends it again with the second one. A
        second click on the same cell takes the first one back.
        """
        data = _object(body)
        stored = self._to_move(request, data)
        state = stored.game.state
        cell = pdd.parse_cell(_field(data, "cell", str))
        if "first" not in data:
            return JSONResponse({"first": str(cell), "second": _names(targets(state, cell))})
        first = pdd.parse_cell(_field(data, "first", str))
        if first == cell:
            return JSONResponse({"first": None, "second": []})
        has_tile = any(first in state.position.tiles(color) for color in pdd.Color)
        action = pdd.BuildBridge(first, cell) if has_tile else pdd.PlaceTiles(first, cell)
        return self._play(request, stored, action)

    def act(self, request: Request, body: bytes) -> Response:
        """Play a whole action as text: the choice of a colour, a pass, or any other."""
        data = _object(body)
        stored = self._to_move(request, data)
        return self._play(request, stored, pdd.parse_action(_field(data, "action", str)))

    def resign(self, request: Request, body: bytes) -> Response:
        """Give up, in one's turn or not."""
        stored, seat = self._sitting(request, _object(body))
        new = self.store.replace(stored, stored.game.resign(seat))
        return JSONResponse(view(new, request))

    def _load(self, request: Request) -> Stored:
        return self.store.load(request.path_params["id"])

    def _sitting(self, request: Request, data: Mapping[str, object]) -> tuple[Stored, pdd.Seat]:
        """Return the game that the caller has seen, and where the caller sits."""
        stored = self._load(request)
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        seat = self.store.seat_of(stored.id, token)
        if _field(data, "version", int) != stored.version:
            raise SiteError(409, "outdated")
        if stored.game.ending is not None:
            raise SiteError(409, "game-ended")
        return stored, seat

    def _to_move(self, request: Request, data: Mapping[str, object]) -> Stored:
        stored, seat = self._sitting(request, data)
        if seat is not stored.game.state.seat_to_move:
            raise SiteError(403, "not-your-turn")
        return stored

    def _play(self, request: Request, stored: Stored, action: pdd.Action) -> Response:
        new = self.store.replace(stored, stored.game.play(action))
        return JSONResponse(view(new, request))


def targets(state: pdd.GameState, first: pdd.Cell) -> Iterable[pdd.Cell]:
    """Return where a second click may go: ends of bridges from a tile, or second tiles."""
    bridges = state.legal_actions.bridges_from(first)
    if bridges:
        return [bridge.b if bridge.a == first else bridge.a for bridge in bridges]
    return state.step(pdd.PlaceTile(first)).second_tiles


def view(stored: Stored, request: Request) -> dict[str, object]:
    """Return a game for a browser, with all that its board needs until the next turn."""
    game, catalog = stored.game, catalog_of(request)
    last = game.actions[-1] if game.actions else None
    return {
        "id": stored.id,
        "version": stored.version,
        "result": game.result,
        "ending": game.ending.value if game.ending else None,
        "sentence": pdd.messages.result(game, catalog),
        "table": pdd.json.snapshot(game.state, last=last, catalog=catalog)["value"],
    }


def catalog_of(request: Request) -> pdd.messages.Catalog:
    """Return the words of the language that is asked for."""
    is_german = request.query_params.get("lang") == "de"
    return pdd.messages.GERMAN if is_german else pdd.messages.ENGLISH


def sentence(error: pdd.PonteError, request: Request) -> str:
    """Return what is wrong, in the language that is asked for."""
    return pdd.messages.explain(error, catalog_of(request))


def explained(violations: Iterable[pdd.Violation], request: Request) -> list[dict[str, object]]:
    """Return sentences for people, and cells by their roles to be coloured."""
    return [
        {
            "rule": each.rule.value,
            "text": pdd.messages.explain(each, catalog_of(request)),
            "cells": {role: _names(cells) for role, cells in each.roles.items()},
            "bridges": [str(bridge) for bridge in each.bridges],
        }
        for each in islice(violations, MAX_FAULTS)
    ]


def _names(cells: Iterable[pdd.Cell]) -> list[str]:
    return [str(cell) for cell in cells]


def _object(body: bytes) -> Mapping[str, object]:
    try:
        data: object = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise SiteError(400, "not-json") from error
    if not isinstance(data, dict):
        raise SiteError(400, "not-object")
    return data


def _field(data: Mapping[str, object], name: str, kind: type[T]) -> T:
    value = data.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise SiteError(400, "bad-field", name=name)
    return value


def _choice(name: str, text: str, kind: type[E]) -> E:
    """Return the member of an enumeration that a text names."""
    try:
        return kind(text)
    except ValueError as error:
        choices = ", ".join(each.value for each in kind)
        raise SiteError(400, "bad-choice", name=name, choices=choices) from error


async def _read(request: Request, limit: int) -> bytes:
    """Return the body, or refuse it before more than the limit is in memory."""
    too_large = SiteError(413, "body-too-long", most=limit)
    declared = request.headers.get("Content-Length", "0")
    if len(declared) > len(str(limit)) or int(declared) > limit:
        raise too_large
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > limit:
            raise too_large
    return bytes(body)


def _route(method: str, path: str, handler: Handler, limit: int = MAX_BODY) -> Route:
    async def endpoint(request: Request) -> Response:
        body = await _read(request, limit)
        # In a thread: a long upload must not keep everybody waiting.
        return await run_in_threadpool(handler, request, body)

    return Route(path, endpoint, methods=[method])


def refusal(request: Request, error: pdd.PonteError) -> Response:
    """Return an error as an answer: a sentence for people, and a code for programs."""
    content: dict[str, object] = {"error": sentence(error, request), "code": error.code}
    status, headers = 400, {}
    if isinstance(error, SiteError):
        status = error.status
    if isinstance(error, pdd.IllegalActionError):
        status = 422
        content["violations"] = explained(error.violations, request)
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        # The rest of the body is not read, so no request can follow it.
        headers["Connection"] = "close"
    return JSONResponse(content, status, headers)


async def _refused(request: Request, error: Exception) -> Response:
    return refusal(request, cast(pdd.PonteError, error))


async def _unrouted(request: Request, error: Exception) -> Response:
    """Answer where there is no such page, or another method."""
    headers = cast(HTTPException, error).headers
    if headers is None:
        return refusal(request, SiteError(404, "no-such-page"))
    answer = refusal(request, SiteError(405, "no-such-method", method=request.method))
    answer.headers.update(headers)
    return answer


def create_app() -> Starlette:
    """Return the application; every worker process makes its own."""
    site = Site(Store(Path(os.environ.get("PONTE_GAMES", "games.sqlite3"))))
    return Starlette(
        routes=[
            _route("POST", "/games", site.create),
            _route("POST", "/uploads", site.upload, MAX_UPLOAD),
            _route("GET", "/games/{id}", site.show),
            _route("GET", "/games/{id}/record", site.record),
            _route("GET", "/games/{id}/why", site.why),
            _route("POST", "/games/{id}/seats", site.join),
            _route("POST", "/games/{id}/clicks", site.click),
            _route("POST", "/games/{id}/actions", site.act),
            _route("POST", "/games/{id}/resignation", site.resign),
        ],
        exception_handlers={HTTPException: _unrouted, pdd.PonteError: _refused},
    )
