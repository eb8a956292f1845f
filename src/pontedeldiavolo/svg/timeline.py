"""The timeline of a game: every piece, group and network that ever was there, with its turns."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Generic, TypeVar

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.game.board_view import (
    BoardView,
    BridgeView,
    GroupView,
    NetworkView,
    TileView,
    bridge_view,
    network_views,
)
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.islands import group_around
from pontedeldiavolo.position.networks import first_cell
from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, PlaceTiles
from pontedeldiavolo.state.state import GameState

T = TypeVar("T", GroupView, NetworkView)


class Timeline:
    """A line of play as far as it has been followed.

    Turns have the numbers of :class:`Turn`; what lies there at the start has that of the start.
    """

    def __init__(self, start: GameState, *, networks: bool) -> None:
        pieces = start._pieces
        self.geometry: Geometry = pieces.geometry
        self.has_networks: bool = networks
        self.turn: int = start.turn
        self.mover: int = 0 if start.to_move is Color.WHITE else 1
        self.tiles: list[int] = [side.tiles for side in pieces.sides]
        self.bridges: list[int] = [side.bridges for side in pieces.sides]
        self.placed: list[TileView] = []
        self.built: list[BridgeView] = []
        self.groups: History[GroupView] = History()
        self.networks: History[NetworkView] = History()
        for color in (0, 1):
            self.placed += [TileView(cell, color, self.turn) for cell in bits(self.tiles[color])]
            for number in bits(self.bridges[color]):
                self.built.append(bridge_view(self.geometry, number, color, self.turn))
            self._update_groups(color, self.tiles[color])

    @property
    def view(self) -> BoardView:
        """The view of everything so far."""
        board = Board(*self.geometry.size)
        return BoardView(board, self.placed, self.groups.all, self.built, self.networks.all)

    @property
    def blocked(self) -> int:
        """The cells under all bridges that stand now."""
        found = 0
        for number in bits(self.bridges[0] | self.bridges[1]):
            found |= self.geometry.beneath[number]
        return found

    def play(self, action: Action) -> None:
        """Follow an action."""
        if isinstance(action, ChooseColor):
            # Red plays on, whichever colour was chosen.
            self.mover = 1
            return
        self.turn += 1
        if isinstance(action, PlaceTiles | BuildBridge):
            a, b = self.geometry.index(action.a), self.geometry.index(action.b)
            cells = 1 << a | 1 << b
            if isinstance(action, PlaceTiles):
                self.placed += [TileView(cell, self.mover, self.turn) for cell in (a, b)]
                self.tiles[self.mover] |= cells
                self._update_groups(self.mover, cells)
            else:
                number = self.geometry.bridge_number(a, b)
                self.bridges[self.mover] |= 1 << number
                self.built.append(bridge_view(self.geometry, number, self.mover, self.turn))
                self._update_networks(self.mover, cells)
        self.mover = 1 - self.mover

    def branch(self) -> Timeline:
        """Return a timeline that starts here, with the groups and networks that are there now."""
        other = copy(self)
        other.tiles, other.bridges = [*self.tiles], [*self.bridges]
        other.placed, other.built = [], []
        other.groups, other.networks = self.groups.branch(), self.networks.branch()
        return other

    def _update_groups(self, color: int, cells: int) -> None:
        """Note the groups and networks of new tiles: nothing far from them changes."""
        found = set()
        rest = cells
        while rest:
            group = group_around(self.geometry, self.tiles[color], rest & -rest)
            found.add(group)
            rest &= ~group
        now = [GroupView(group, color) for group in sorted(found, key=first_cell)]
        self.groups.replace(color, sum(found), now, self.turn)
        self._update_networks(color, sum(found))

    def _update_networks(self, color: int, cells: int) -> None:
        """Note the networks around some cells."""
        if self.has_networks:
            cells = self.networks.touched(color, cells)
            ends = self.geometry.ends
            numbers = [each for each in bits(self.bridges[color]) if cells >> ends[each][0] & 1]
            bridges = sum(1 << number for number in numbers)
            now = network_views(self.geometry, cells, bridges, color)
            self.networks.replace(color, cells, now, self.turn)


class History(Generic[T]):
    """All groups, or all networks, that ever were there."""

    def __init__(self) -> None:
        self.all: list[T] = []
        self._now: tuple[dict[int, int], dict[int, int]] = ({}, {})
        """For each colour the cells of what is there now, by its place in :attr:`all`."""

    def touched(self, color: int, cells: int) -> int:
        """Return some cells, with all cells of each group or network that has one of them."""
        found = cells
        for members in self._now[color].values():
            if members & cells:
                found |= members
        return found

    def replace(self, color: int, cells: int, by: Iterable[T], turn: int) -> None:
        """End what has a part of some cells, and begin what is there now."""
        now = self._now[color]
        for place in [place for place, members in now.items() if members & cells]:
            self.all[place] = self.all[place]._replace(until=turn)
            del now[place]
        for each in by:
            now[len(self.all)] = _cells_of(each)
            self.all.append(each._replace(since=turn))

    def branch(self) -> History[T]:
        """Return a history that starts with what is there now."""
        other: History[T] = History()
        places = sorted({*self._now[0], *self._now[1]})
        other.all = [self.all[place] for place in places]
        number = {place: n for n, place in enumerate(places)}
        for kept, now in zip(other._now, self._now, strict=True):
            kept.update((number[place], members) for place, members in now.items())
        return other


def _cells_of(each: GroupView | NetworkView) -> int:
    return each.cells if isinstance(each, GroupView) else sum(each.groups)


def view_of_game(game: Game, *, networks: bool) -> BoardView:
    """Return the view of everything that was ever there in the main line of a game."""
    timeline = Timeline(game.start, networks=networks)
    for action in game.actions:
        timeline.play(action)
    return timeline.view
