"""Views of a game for the page: the picture, the state, and a name for each cell."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from threading import Lock
from typing import Any, Final, cast, final

from attrs import asdict

from pontedeldiavolo import svg
from pontedeldiavolo.base import messages
from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.base.errors import NotationError, PonteError
from pontedeldiavolo.game.board_view import cell_names, cell_views, cells_of
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.sentences import action_text, state_of_play
from pontedeldiavolo.html.growing import Addition, GrowingGame
from pontedeldiavolo.html.moves import SIGNS, untitled
from pontedeldiavolo.html.page import parts
from pontedeldiavolo.json.snapshots import choices, last_sentence
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.players.player import Analysis
from pontedeldiavolo.rules.actions import Action, PlaceTiles
from pontedeldiavolo.rules.violations import (
    MAX_NAMED_VIOLATIONS,
    IllegalActionError,
    InvalidPositionError,
    Violation,
)
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg import layers
from pontedeldiavolo.svg.layout import Layout
from pontedeldiavolo.svg.outlines import CELL
from pontedeldiavolo.svg.timeline import Timeline

from .answers import Failure
from .requests import Request, Response, SiteError, page_text
from .store import StoredGame, name_tag
from .thinkers import AnalysisJob

Table = dict[str, Any]
MAX_PLIES: Final = 10_000
"""The maximum number of plies whose parts are kept in memory, about two kilobytes each."""


def _names(state: GameState, cells: int, language: messages.Language) -> dict[str, str]:
    """Return descriptions of some cells, for screen readers."""
    names = cell_names(*state.pieces.geometry.size)
    text = partial(page_text, language)
    colors = [messages.word(color, language.catalog) for color in Color]
    named = {}
    for place, cell in cell_views(state.pieces, cells):
        name = names[place]
        what = text("blocked" if cell.is_blocked else "water")
        if cell.group is not None:
            kind = "island" if cell.group.is_island else "sandbank"
            what = text(kind, color=colors[cell.group.color])
        for end in cell.bridges_to:
            what = text("end", what=what, cell=names[end])
        named[name] = text("cell", cell=name, what=what)
    return named


def _document(drawn: Iterable[str], context: layers.Context) -> str:
    """Return a picture to be laid over the picture of the game."""
    box = f'viewBox="0 0 {context.layout.width} {context.layout.height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{untitled("".join(drawn))}</svg>'


def analysis_view(job: AnalysisJob, catalog: messages.Catalog) -> dict[str, object]:
    """Return the result of an analysis, with values for the first player."""
    found = job.found
    state = job.state
    if isinstance(found, Game):
        picture, moves = parts(found, catalog)
        mistakes = _mistakes(job.game, found, catalog)
        return {"svg": picture, "moves": moves, "values": _values(found), "mistakes": mistakes}
    if found is None:
        return {}
    sign = 1 if state.seat_to_move is Seat.FIRST else -1
    lines = [
        {"value": sign * line.value, "text": _line_text(line.actions, catalog)}
        for line in found.lines
    ]
    context = layers.upright(state.rules.board, catalog)
    picture = _document(_expected(state, found, context), context)
    return {"ply": job.ply, "value": sign * found.value, "lines": lines, "svg": picture}


def _line_text(actions: Iterable[Action], catalog: messages.Catalog) -> str:
    """Return the actions of a line."""
    return " ".join(action_text(action, catalog) for action in actions)


def _values(game: Game) -> list[float | None]:
    """Return the values after the actions of a game, for the first player."""
    values = (move.annotations.get("eval") for move in game.line.moves)
    return [None if value is None else float(value) for value in values]


def _mistakes(before: Game, game: Game, catalog: messages.Catalog) -> list[dict[str, object]]:
    """Return the actions that lost value, the worst first, each with a better line."""
    found: list[dict[str, object]] = []
    moves = zip(game.plies, before.line.moves, game.line.moves, strict=True)
    for number, (ply, old, move) in enumerate(moves, 1):
        if len(move.variations) > len(old.variations):
            better = move.variations[-1]
            values = [float(each.annotations["eval"]) for each in (move, better.moves[0])]
            loss = abs(values[1] - values[0])
            found.append(
                {
                    "ply": number,
                    "turn": ply.turn,
                    "seat": ply.seat.value,
                    "side": ply.color and ply.color.value,
                    "action": action_text(ply.action, catalog),
                    "sign": "".join(SIGNS[nag] for nag in move.nags if nag in SIGNS),
                    "better": [action_text(each, catalog) for each in better.actions],
                    "loss": round(loss, 2),
                }
            )
    return sorted(found, key=lambda each: -cast(float, each["loss"]))


def _expected(state: GameState, found: Analysis, context: layers.Context) -> Iterator[str]:
    """Yield a heat map of the visits of cells, and the numbered pieces of each line."""
    index = state.rules.board.index
    visits = Counter[int]()
    for choice in found.actions:
        if isinstance(choice.action, PlaceTiles):
            visits.update(dict.fromkeys(map(index, cells_of(choice.action)), choice.visits))
    yield from layers.heat(visits, context)
    for place, line in enumerate(found.lines):
        timeline = Timeline(state, networks=False)
        mark = timeline.mark()
        yield f'<g class="line" data-line-number="{place}">'
        for action in line.actions:
            timeline.play(action)
        view = timeline.since(mark)
        yield from (*layers.tiles(view, context), *layers.bridges(view, context))
        yield '<g fill="none" stroke-linecap="round" stroke-linejoin="round">'
        for number, action in enumerate(line.actions, 1):
            for x, y in map(context.layout.middle, map(index, cells_of(action))):
                yield layers.plate(str(number), x, y, svg.LIGHT.paper, svg.LIGHT.text)
        yield "</g></g>"


def _grid(layout: Layout) -> dict[str, float]:
    """Return the places of the cells in the picture, so that the page need not compute them."""
    return {
        "columns": layout.columns,
        "rows": layout.rows,
        "left": layout.margin / layout.width,
        "top": layout.far / layout.height,
        "width": CELL * layout.columns / layout.width,
        "height": CELL * layout.rows / layout.height,
        "ratio": layout.width / layout.height,
    }


@final
class ShownGame:
    """A game in a language, as pages show it: its parts are drawn once, move by move.

    Threads may share it.
    """

    def __init__(self, game: Game, language: messages.Language) -> None:
        self._language = language
        self._lock = Lock()
        self._begin(game)

    def _begin(self, game: Game) -> None:
        self._growing = GrowingGame(game, self._language.catalog)
        self._plies = [self._ply(self._growing.start)]

    def __len__(self) -> int:
        return len(self._plies)

    def plies(self, game: Game, kept: int) -> dict[str, object]:
        """Return the parts of a game without the first *kept* of its plies.

        The first ply is the start. The controls are left out if they have not changed.
        """
        moves = game.line.moves
        with self._lock:
            known = self._growing.moves
            if [*moves[: len(known)]] != known:
                self._begin(game)
            for move in moves[len(self._growing.moves) :]:
                self._plies.append(self._ply(self._growing.play(move)))
            found: dict[str, object] = {"kept": kept, "plies": self._plies[kept:]}
            if kept == 0 or self._growing.has_values:
                found["controls"] = self._growing.controls()
            return found

    def _ply(self, addition: Addition) -> dict[str, object]:
        """Return the parts of a page that one move adds or changes."""
        return {
            "move": addition.item,
            "pieces": addition.pieces,
            "ended": addition.ended,
            "cells": _names(self._growing.state, addition.changed, self._language),
        }

    def frame(self) -> dict[str, object]:
        """Return the parts of the page that stay the same during a game."""
        return self._growing.frame()


@final
class ShownGames:
    """The games that pages have asked for last, within a bound. Threads may share it."""

    def __init__(self, max_plies: int = MAX_PLIES) -> None:
        self._max_plies = max_plies
        self._games: OrderedDict[tuple[str, str], ShownGame] = OrderedDict()
        self._lock = Lock()

    def find(self, stored: StoredGame, language: messages.Language) -> ShownGame:
        """Return a game, and forget those that were not asked for longest."""
        key = (stored.id, language.code)
        with self._lock:
            found = self._games.pop(key, None) or ShownGame(stored.game, language)
            self._games[key] = found
            while len(self._games) > 1 and sum(map(len, self._games.values())) > self._max_plies:
                self._games.popitem(last=False)
        return found


def game_view(
    stored: StoredGame,
    request: Request,
    times: Mapping[Seat, float],
    failure: Failure | None = None,
) -> dict[str, object]:
    """Return a game for the page of a request, without its board.

    Args:
        stored: The game.
        request: The request, with the language and the token.
        times: The seconds that people have left.
        failure: Why the player of the library whose turn it is does not answer.
    """
    game = stored.game
    language = request.language
    catalog = language.catalog
    mine = stored.seats_of(request.token)
    is_live = game.ending is None and game.state.seat_to_move in mine
    people = {seat: "person" if seat in stored.seats else "free" for seat in Seat}
    return {
        "id": stored.id,
        "version": stored.version,
        "language": language.code,
        "taken": len(stored.seats),
        "result": game.result,
        "ending": game.ending.value if game.ending else None,
        "sentence": messages.result(game, catalog),
        "seats": {seat.value: stored.computer.get(seat, people[seat]) for seat in Seat},
        "yours": [seat.value for seat in Seat if seat in mine],
        "is_thinking": stored.is_thinking and failure is None,
        "failure": failure and {**problem(failure.error, language), "number": failure.number},
        "can_undo": stored.undo_count(mine) is not None,
        "clocks": {seat.value: round(left, 3) for seat, left in times.items()},
        "running": stored.running and stored.running.value,
        "draw_offer": stored.draw_offer and stored.draw_offer.value,
        "undo_request": stored.undo_request and stored.undo_request.value,
        "can_request_undo": len(mine) == 1 and stored.request_count(*mine) is not None,
        "can_give_time": stored.can_give_time(mine),
        "declined": stored.declined
        and {**asdict(stored.declined), "seat": stored.declined.seat.value},
        "players": [_player(stored, seat, language) for seat in Seat],
        "table": _table(game, catalog),
        **_choices(game.state, catalog, is_live=is_live),
    }


def _table(game: Game, catalog: messages.Catalog) -> dict[str, object]:
    """Return whose turn it is, with sentences: fields that snapshots of games have as well."""
    state = game.state
    is_over = game.ending is not None
    last = game.line.moves[-1].action if game.line.moves else None
    over = messages.sentence(catalog, "state-over")
    return {
        "phase": Phase.OVER.value if is_over else state.phase.value,
        "turn": state.turn,
        "seat_to_move": None if is_over else state.seat_to_move and state.seat_to_move.value,
        "to_move": None if is_over else state.to_move and state.to_move.value,
        "bridges_left": state.bridges_left,
        "last": last and format_action(last),
        "sentences": {
            "state": over if is_over else state_of_play(state, catalog),
            "last": last and last_sentence(state, last, catalog),
            "result": messages.result(game, catalog) if is_over else None,
        },
        "winning_seat": game.winning_seat and game.winning_seat.value,
    }


def board_view(
    shown: ShownGame, stored: StoredGame, language: messages.Language, kept: int | None
) -> dict[str, object]:
    """Return the board and the list of moves of a game: the plies that a page does not have.

    Args:
        shown: The game with the parts that were drawn before.
        stored: The game.
        language: The language of the page.
        kept: The number of plies that the page has; ``None`` for a page that has nothing.
    """
    parts = shown.plies(stored.game, kept or 0)
    if kept is not None:
        return parts
    board = stored.game.rules.board
    names = cell_names(board.width, board.height)
    rows = [names[start : start + board.width] for start in range(0, len(names), board.width)]
    grid = _grid(layers.upright(board, language.catalog).layout)
    rules = format_rules(stored.game.rules)
    frame = {**shown.frame(), "grid": grid, "rows": rows[::-1], "rules": rules}
    return {**parts, "frame": frame}


def _choices(state: GameState, catalog: messages.Catalog, *, is_live: bool) -> dict[str, object]:
    """Return all data that a page needs to show the next two clicks without a request.

    Lists of cells are written in one text, which is shorter.
    """
    if not is_live:
        return {"others": [], "choices": None}
    found = cast(Table, choices(state, is_over=False))
    others = [*map(format_action, found["others"])]
    if state.to_move is None:
        return {"others": others, "choices": None}
    color = state.to_move
    player = cast(Seat, state.seat_to_move)
    sentence = partial(messages.sentence, catalog, color=color, player=player, cell="{cell}")
    offered = {
        "targets": " ".join(found["targets"]),
        "conflicts": {cell: " ".join(others) for cell, others in found["conflicts"].items()},
        "buildable": " ".join(found["buildable"]),
        "tile": sentence("state-second-tile"),
        "bridge": sentence("state-bridge", ends="{ends}"),
    }
    return {"others": others, "choices": offered}


def _player(stored: StoredGame, seat: Seat, language: messages.Language) -> dict[str, object]:
    """Return a row of the score table; before the colour choice it has only a name."""
    state = stored.game.state
    color = state.color_of(seat)
    name = player_name(stored, seat, language)
    if color is None:
        return {"name": name}
    return {
        "name": name,
        "color": messages.word(color, language.catalog),
        "side": color.value,
        **asdict(state.score(color)),
        "tiles_left": state.tiles_left(color),
    }


def player_name(stored: StoredGame, seat: Seat, language: messages.Language) -> str:
    """Return the name of a person or of a level; for a person without a name, that of the seat."""
    if seat not in stored.computer:
        return stored.game.tags.get(name_tag(seat), messages.word(seat, language.catalog))
    # The label of its level without the explanation.
    level = page_text(language, f"opponent-{stored.computer[seat]}").partition(":")[0]
    return level[:1].upper() + level[1:]


def refusal(error: PonteError, language: messages.Language) -> Response:
    """Return the response for an error, with its sentence, its code, and the broken rules."""
    content = problem(error, language)
    status = 422
    match error:
        case SiteError():
            status = error.status
        case NotationError():
            status = 400
        # Limit the list: a short text can break a rule in ten thousand places.
        case InvalidPositionError(violations=broken) | IllegalActionError(violations=broken):
            content["violations"] = explained(broken[:MAX_NAMED_VIOLATIONS], language)
    return Response(content, status)


def problem(error: PonteError, language: messages.Language) -> dict[str, object]:
    """Return an error for a page: its sentence, and its code for programs."""
    return {"error": messages.explain(error, language.catalog), "code": error.code}


def explained(
    violations: Iterable[Violation], language: messages.Language
) -> list[Mapping[str, object]]:
    """Return violations with their sentences, and cells by their roles."""
    return [
        {
            "code": each.code,
            "text": messages.explain(each, language.catalog),
            "cells": {role: [*map(str, cells)] for role, cells in each.roles.items()},
            "bridges": [*map(str, each.bridges)],
        }
        for each in violations
    ]
