"""Views of a game for the page: the picture, the state, and a name for each cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, cast

from attrs import asdict, evolve

from pontedeldiavolo import svg
from pontedeldiavolo.base import messages
from pontedeldiavolo.base.enums import Color, Seat
from pontedeldiavolo.base.errors import NotationError, PonteError
from pontedeldiavolo.board.geometry import geometry
from pontedeldiavolo.game.board_view import BoardView, TileView, bridge_view, cells_of, view_of
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.sentences import action_text
from pontedeldiavolo.html.moves import SIGNS, untitled
from pontedeldiavolo.html.page import parts
from pontedeldiavolo.json import snapshot
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.players.player import Analysis
from pontedeldiavolo.rules.actions import Action, PlaceTiles
from pontedeldiavolo.rules.violations import (
    NAMED,
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


def _named_cells(state: GameState, language: messages.Language) -> list[list[dict[str, str]]]:
    """Return the rows of cells with their descriptions, for screen readers."""
    view = view_of(state)
    text = partial(page_text, language)
    colors = [messages.word(color, language.catalog) for color in Color]
    named = []
    for name, cell in zip(view.names, view.cells(), strict=True):
        what = text("blocked" if cell.is_blocked else "water")
        if cell.group is not None:
            kind = "island" if cell.group.is_island else "sandbank"
            what = text(kind, color=colors[cell.group.color])
        for end in cell.bridges_to:
            what = text("end", what=what, cell=view.names[end])
        named.append({"cell": name, "name": text("cell", cell=name, what=what)})
    width = view.board.width
    return [named[start : start + width] for start in reversed(range(0, len(named), width))]


def _ghosts(state: GameState, catalog: messages.Catalog) -> str:
    """Return pictures of pieces that the next action can add: a tile on the first cell, bridges."""
    board = state.rules.board
    color = cast(Color, state.to_move)
    context = layers.upright(board, catalog)
    empty = BoardView(board, [], [], [], [])
    tile = evolve(empty, tiles=[TileView(0, color.index, None)])
    drawn = [f'<g class="ghost" data-ghost="tile">{"".join(layers.tiles(tile, context))}</g>']
    table = geometry(board.width, board.height)
    for each in state.legal_actions.bridges:
        view = bridge_view(table, table.number_of(each), color.index)
        arch = "".join(layers.bridges(evolve(empty, bridges=[view]), context))
        drawn.append(f'<g class="ghost" data-ghost="{format_action(each)}">{arch}</g>')
    return _document(drawn, context)


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


def game_view(
    stored: StoredGame,
    request: Request,
    times: Mapping[Seat, float],
    failure: Failure | None = None,
) -> dict[str, object]:
    """Return a game for the page of a request.

    Args:
        stored: The game.
        request: The request, with the language and the token.
        times: The seconds that people have left.
        failure: Why the player of the library whose turn it is does not answer.
    """
    game = stored.game
    language = request.language
    state = game.state
    catalog = language.catalog
    mine = stored.seats_of(request.token)
    is_live = game.ending is None and state.seat_to_move in mine
    table = cast(Table, snapshot(game, catalog=catalog)["value"])
    picture, moves = parts(game, catalog)
    people = {seat: "person" if seat in stored.seats else "free" for seat in Seat}
    return {
        "id": stored.id,
        "version": stored.version,
        "taken": len(stored.seats),
        "rules": format_rules(game.rules),
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
        "others": table["others"] if is_live else [],
        "players": [_player(stored, seat, language) for seat in Seat],
        "table": table,
        "svg": picture,
        "moves": moves,
        "grid": _grid(layers.upright(state.rules.board, catalog).layout),
        "cells": _named_cells(state, language),
        "clicks": _clicks(state, table, catalog) if is_live and state.to_move else None,
    }


def _clicks(state: GameState, table: Table, catalog: messages.Catalog) -> dict[str, object]:
    """Return all data that a page needs to show the next two clicks without a request."""
    ends = {end: None for bridge in table["buildable"] for end in bridge.split("-")}
    color = cast(Color, state.to_move)
    player = cast(Seat, state.seat_to_move)
    sentence = partial(messages.sentence, catalog, color=color, player=player, cell="{cell}")
    return {
        "targets": [*table["targets"], *ends],
        "ghosts": _ghosts(state, catalog),
        "tile": sentence("state-second-tile"),
        "bridge": sentence("state-bridge", ends="{ends}"),
    }


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
            content["violations"] = explained(broken[:NAMED], language)
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
