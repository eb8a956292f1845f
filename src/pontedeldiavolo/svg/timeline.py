"""The timeline of a game: every piece, group and network that ever existed, with its turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from itertools import count
from math import inf
from typing import Generic, TypeVar

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.game import board_view
from pontedeldiavolo.game.board_view import BoardView, BridgeView, GroupView, NetworkView, TileView
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.networks import first_cell
from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, PlaceTiles
from pontedeldiavolo.state.state import GameState

T = TypeVar("T", GroupView, NetworkView)


class Timeline:
    """All that a line of play has shown so far, each with the turn in which it appeared.

    The line is played action by action. Turns are numbered as in :class:`Ply`; pieces that are
    there at the start get the number of the start's turn.
    """

    def __init__(self, start: GameState, *, networks: bool) -> None:
        pieces = start.pieces
        view = board_view.view_of(start)
        self.geometry: Geometry = pieces.geometry
        self.has_networks: bool = networks
        self.turn: int = start.turn
        self.mover: int = 0 if start.to_move is Color.WHITE else 1
        self.tiles: list[int] = [pieces.tiles(color) for color in (0, 1)]
        self.bridges: list[int] = [pieces.bridges_of(color) for color in (0, 1)]
        self.placed: list[TileView] = [each._replace(turn=self.turn) for each in view.tiles]
        self.built: list[BridgeView] = [each._replace(turn=self.turn) for each in view.bridges]
        self.groups: History[GroupView] = History()
        self.networks: History[NetworkView] = History()
        for color in (0, 1):
            self._update_groups(color, self.tiles[color])

    def mark(self) -> Timeline:
        """Return a copy, which shows this moment after the original has gone on."""
        found = copy(self)
        found.tiles = self.tiles.copy()
        found.bridges = self.bridges.copy()
        found.placed = self.placed.copy()
        found.built = self.built.copy()
        found.groups = self.groups.copy()
        found.networks = self.networks.copy()
        return found

    @property
    def view(self) -> BoardView:
        """The view of all pieces, groups and networks so far."""
        board = Board(*self.geometry.size)
        return BoardView(board, self.placed, self.groups.all, self.built, self.networks.all)

    def play(self, action: Action) -> None:
        """Follow an action."""
        if isinstance(action, ChooseColor):
            # Red is to move, regardless of the chosen colour.
            self.mover = 1
            return
        self.turn += 1
        if isinstance(action, PlaceTiles | BuildBridge):
            a = self.geometry.index(action.a)
            b = self.geometry.index(action.b)
            cells = 1 << a | 1 << b
            if isinstance(action, PlaceTiles):
                self.placed += [TileView(cell, self.mover, self.turn) for cell in (a, b)]
                self.tiles[self.mover] |= cells
                self._update_groups(self.mover, cells)
            else:
                number = self.geometry.bridge_number(a, b)
                self.bridges[self.mover] |= 1 << number
                bridge = board_view.bridge_view(self.geometry, number, self.mover, self.turn)
                self.built.append(bridge)
                ends = self._groups_of(self.mover, cells)
                self._update_networks(self.mover, sum(group.cells for group in ends))
        self.mover = 1 - self.mover

    def since(self, mark: Timeline) -> BoardView:
        """Return the view of everything after a mark; cells already blocked are left out."""
        old = mark.view.blocked
        return BoardView(
            Board(*self.geometry.size),
            self.placed[len(mark.placed) :],
            self.groups.all[len(mark.groups.all) :],
            [each._replace(beneath=each.beneath & ~old) for each in self.built[len(mark.built) :]],
            self.networks.all[len(mark.networks.all) :],
        )

    def _update_groups(self, color: int, cells: int) -> None:
        """Update the groups and networks around new tiles; others do not change."""
        found = self._groups_of(color, cells)
        cells = sum(group.cells for group in found)
        self.groups.end(color, cells, self.turn)
        self.groups.begin(found, self.turn)
        self._update_networks(color, cells)

    def _groups_of(self, color: int, cells: int) -> list[GroupView]:
        found = set()
        while cells:
            group = self.geometry.group_around(self.tiles[color], cells & -cells)
            found.add(group)
            cells &= ~group
        return [GroupView(group, color) for group in sorted(found, key=first_cell)]

    def _update_networks(self, color: int, cells: int) -> None:
        """Update the networks around some groups."""
        if not self.has_networks:
            return
        ended = self.networks.end(color, cells, self.turn)
        for each in ended:
            cells |= cells_of(each)
        ends = self.geometry.ends
        numbers = [each for each in bits(self.bridges[color]) if cells >> ends(each)[0] & 1]
        bridges = sum(1 << number for number in numbers)
        now = board_view.network_views(self.geometry, cells, bridges, color)
        self.networks.begin(self._tinted(color, now, ended), self.turn)

    def _tinted(
        self, color: int, now: list[NetworkView], ended: list[NetworkView]
    ) -> Iterator[NetworkView]:
        """Yield networks with tints: the tint of the oldest island, or else the first free one.

        A tint is free if no other network of the colour has it.
        """
        oldest = sorted(ended, key=self._age)
        tints = [
            next((old.tint for old in oldest if cells_of(old) & cells_of(each)), None)
            for each in now
        ]
        taken = {*tints, *(each.tint for each in self.networks.living(color))}
        free = (tint for tint in count() if tint not in taken)
        for each, tint in zip(now, tints, strict=True):
            yield each._replace(tint=next(free) if tint is None else tint)

    def _age(self, network: NetworkView) -> tuple[float, int]:
        """Return the index of the oldest island (infinite without islands), and the tint."""
        places = self.groups.places(network.color, {*network.islands})
        return min(places, default=inf), network.tint


class History(Generic[T]):
    """All groups, or all networks, that ever existed in a line of play."""

    def __init__(self) -> None:
        self.all: list[T] = []
        self._living: tuple[dict[int, int], ...] = ({}, {})
        """For each colour the cells of existing items, by their indices in :attr:`all`."""

    def copy(self) -> History[T]:
        """Return a copy, which does not change when the original does."""
        found = History[T]()
        found.all = self.all.copy()
        found._living = tuple(map(dict.copy, self._living))
        return found

    def living(self, color: int) -> list[T]:
        """Return the existing items of a colour."""
        return [self.all[place] for place in self._living[color]]

    def places(self, color: int, wanted: set[int]) -> list[int]:
        """Return the indices in :attr:`all` of a colour's existing items with given cells."""
        return [place for place, cells in self._living[color].items() if cells in wanted]

    def end(self, color: int, cells: int, turn: int) -> list[T]:
        """End the items that contain any of some cells; return them."""
        living = self._living[color]
        places = [place for place, members in living.items() if members & cells]
        for place in places:
            del living[place]
            self.all[place] = self.all[place]._replace(until=turn)
        return [self.all[place] for place in places]

    def begin(self, now: Iterable[T], turn: int) -> None:
        """Add items that begin in a turn."""
        for each in now:
            self._living[each.color][len(self.all)] = cells_of(each)
            self.all.append(each._replace(since=turn))

    def gone_since(self, mark: History[T]) -> list[T]:
        """Return the items that existed at a mark and have ended since."""
        places = sorted(place for living in mark._living for place in living)
        return [self.all[place] for place in places if self.all[place].until is not None]


def cells_of(each: GroupView | NetworkView) -> int:
    """Return the cells of a group or a network."""
    return each.cells if isinstance(each, GroupView) else sum(each.groups)


def view_of_game(game: Game, *, networks: bool) -> BoardView:
    """Return the view of everything that ever existed in the main line of a game."""
    timeline = Timeline(game.start, networks=networks)
    for action in game.actions:
        timeline.play(action)
    return timeline.view
