"""Views of a game for the page: the picture, the table, and a name for each cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final, cast, final

from attrs import frozen

from pontedeldiavolo import svg
from pontedeldiavolo.base import messages
from pontedeldiavolo.base.enums import Color, Seat
from pontedeldiavolo.base.messages import Language
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.game.board_view import view_of
from pontedeldiavolo.json import snapshot
from pontedeldiavolo.notation import format_rules
from pontedeldiavolo.rules.actions import Action, PlaceTile
from pontedeldiavolo.rules.violations import Violation
from pontedeldiavolo.state.state import GameState, Node
from pontedeldiavolo.svg.layout import layout_of
from pontedeldiavolo.svg.outlines import CELL
from pontedeldiavolo.web.requests import Request, page_text
from pontedeldiavolo.web.store import Stored

THEMES: Final = {"light": svg.LIGHT, "dark": svg.DARK}

Table = dict[str, Any]


@final
@frozen
class BoardPage:
    """A board as it is to be shown.

    Attributes:
        node: The state or half turn.
        last: The last action.
        first: The cell of the first click.
        seconds: Where the second click of a bridge may go.
        is_live: Whether its viewer may click.
    """

    node: Node
    last: Action | PlaceTile | None = None
    first: Cell | None = None
    seconds: tuple[Cell, ...] = ()
    is_live: bool = False

    def shown(self, request: Request) -> Table:
        """Return the board for the page of a request."""
        language = request.language
        document = snapshot(self.node, last=self.last, catalog=language.catalog)
        table = cast(Table, document["value"])
        targets = [*self._targets(table)]
        board = self.node.rules.board
        return {
            "table": table,
            "svg": self._picture(
                THEMES.get(request.query.get("theme", ""), svg.LIGHT), language.catalog
            ),
            "grid": _grid(board.width, board.height),
            "cells": self._named_cells({*targets}, language),
            "targets": targets,
        }

    def _targets(self, table: Table) -> Iterator[str]:
        """Return where the next click may go, in the order of the board's cells."""
        if self.seconds:
            yield from map(str, self.seconds)
        elif self.is_live:
            yield from table["targets"]
            ends = {end: None for bridge in table["buildable"] for end in bridge.split("-")}
            yield from ends

    def _named_cells(self, targets: set[str], language: Language) -> list[list[dict[str, str]]]:
        """Return the rows of cells with their names, for people who cannot see the picture."""
        view, text = view_of(self.node), partial(page_text, language)
        colors = [messages.word(color, language.catalog) for color in Color]
        named = []
        for name, cell in zip(view.names, view.cells(), strict=True):
            what = text("blocked" if cell.is_blocked else "water")
            if cell.group is not None:
                kind = "island" if cell.group.is_island else "sandbank"
                what = text(kind, color=colors[cell.group.color])
            for end in cell.bridges_to:
                what = text("end", what=what, cell=view.names[end])
            if name == str(self.first):
                what = text("first", what=what)
            elif name in targets:
                what = text("target", what=what)
            named.append({"cell": name, "name": text("cell", cell=name, what=what)})
        width = view.board.width
        return [named[start : start + width] for start in reversed(range(0, len(named), width))]

    def _picture(self, theme: svg.Theme, catalog: messages.Catalog) -> str:
        marks = () if self.first is None or not self.seconds else (self.first, *self.seconds)
        targets = self.is_live and not marks and self.node.to_move is not None
        drawn = svg.render(
            self.node,
            last=self.last,
            highlights=marks,
            targets=targets,
            theme=theme,
            catalog=catalog,
        )
        return drawn.text


def _grid(width: int, height: int) -> dict[str, float]:
    """Return where the cells are in the picture, so that the page need not know."""
    layout = layout_of(Symmetry(width, height), coordinates=True)
    return {
        "columns": width,
        "rows": height,
        "left": layout.margin / layout.width,
        "top": layout.far / layout.height,
        "width": CELL * width / layout.width,
        "height": CELL * height / layout.height,
        "ratio": layout.width / layout.height,
    }


def game_view(stored: Stored, request: Request) -> dict[str, object]:
    """Return a game for the page of a request."""
    game, language = stored.game, request.language
    mine = stored.seats_of(request.token)
    is_live = game.ending is None and game.state.seat_to_move in mine
    last = game.actions[-1] if game.actions else None
    board = BoardPage(game.state, last, is_live=is_live).shown(request)
    return {
        "id": stored.id,
        "version": stored.version,
        "taken": len(stored.seats),
        "rules": format_rules(game.rules),
        "result": game.result,
        "ending": game.ending.value if game.ending else None,
        "sentence": messages.result(game, language.catalog),
        "seats": {seat.value: _sitting(stored, seat) for seat in Seat},
        "yours": [seat.value for seat in Seat if seat in mine],
        "can_take_back": stored.undo_count(mine) is not None,
        "others": board["table"]["others"] if is_live else [],
        "players": [_player(game.state, seat, language) for seat in Seat],
        **board,
    }


def _sitting(stored: Stored, seat: Seat) -> str:
    if seat in stored.computer:
        return stored.computer[seat]
    return "person" if seat in stored.seats else "free"


def _player(state: GameState, seat: Seat, language: Language) -> dict[str, object]:
    """Return a row of the score table; before the choice nobody has a colour."""
    color = state.color_of(seat)
    row: dict[str, object] = {"name": messages.word(seat, language.catalog)}
    if color is None:
        return row
    score = state.score(color)
    return row | {
        "color": messages.word(color, language.catalog),
        "points": score.points,
        "islands": score.islands,
        "bridges": score.bridges,
    }


def half_view(board: BoardPage, request: Request) -> dict[str, object]:
    """Return the view after the first click of a turn: the targets of the second one."""
    shown = board.shown(request)
    return {"first": str(board.first), "second": shown["targets"], **shown}


def explained(violations: Iterable[Violation], language: Language) -> list[Mapping[str, object]]:
    """Return sentences for people, and cells by their roles."""
    return [
        {
            "rule": each.rule.value,
            "text": messages.explain(each, language.catalog),
            "cells": {role: [*map(str, cells)] for role, cells in each.roles.items()},
            "bridges": [*map(str, each.bridges)],
        }
        for each in violations
    ]
