"""The timeline of a game: every piece, group and network that ever was there, with its turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from math import inf
from typing import Generic, NamedTuple, TypeVar

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
    view_of,
)
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.islands import group_around
from pontedeldiavolo.position.networks import first_cell
from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, PlaceTiles
from pontedeldiavolo.state.state import GameState

T = TypeVar("T", GroupView, NetworkView)


class Mark(NamedTuple):
    """A moment of a timeline: the turn, the pieces, and the lengths of everything that grows."""

    turn: int
    mover: int
    tiles: tuple[int, ...]
    bridges: tuple[int, ...]
    placed: int
    built: int
    groups: tuple[int, int]
    networks: tuple[int, int]


class Timeline:
    """A line of play as far as it has been followed.

    Turns have the numbers of :class:`Turn`; what lies there at the start has that of the start.
    """

    def __init__(self, start: GameState, *, networks: bool) -> None:
        pieces, view = start._pieces, view_of(start)
        self.geometry: Geometry = pieces.geometry
        self.has_networks: bool = networks
        self.turn: int = start.turn
        self.mover: int = 0 if start.to_move is Color.WHITE else 1
        self.tiles: list[int] = [side.tiles for side in pieces.sides]
        self.bridges: list[int] = [side.bridges for side in pieces.sides]
        self.placed: list[TileView] = [each._replace(turn=self.turn) for each in view.tiles]
        self.built: list[BridgeView] = [each._replace(turn=self.turn) for each in view.bridges]
        self.groups: History[GroupView] = History()
        self.networks: History[NetworkView] = History()
        for color in (0, 1):
            self._update_groups(color, self.tiles[color])

    @property
    def view(self) -> BoardView:
        """The view of everything so far."""
        board = Board(*self.geometry.size)
        return BoardView(board, self.placed, self.groups.all, self.built, self.networks.all)

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
                ends = self._groups_of(self.mover, cells)
                self._update_networks(self.mover, sum(group.cells for group in ends))
        self.mover = 1 - self.mover

    # Variations follow the same timeline and take it back: they cost only what they change.

    def mark(self) -> Mark:
        """Return this moment, to come back to."""
        return Mark(
            self.turn,
            self.mover,
            tuple(self.tiles),
            tuple(self.bridges),
            len(self.placed),
            len(self.built),
            (len(self.groups.all), len(self.groups.ended)),
            (len(self.networks.all), len(self.networks.ended)),
        )

    def since(self, mark: Mark) -> BoardView:
        """Return the view of everything newer than a mark; no cell is blocked again."""
        old = 0
        for number in bits(mark.bridges[0] | mark.bridges[1]):
            old |= self.geometry.beneath(number)
        built = [each._replace(beneath=each.beneath & ~old) for each in self.built[mark.built :]]
        (groups, _), (networks, _) = mark.groups, mark.networks
        return BoardView(
            Board(*self.geometry.size),
            self.placed[mark.placed :],
            self.groups.all[groups:],
            built,
            self.networks.all[networks:],
        )

    def rewind(self, mark: Mark) -> None:
        """Go back to a mark."""
        self.turn, self.mover = mark.turn, mark.mover
        self.tiles, self.bridges = [*mark.tiles], [*mark.bridges]
        del self.placed[mark.placed :], self.built[mark.built :]
        self.groups.rewind(*mark.groups)
        self.networks.rewind(*mark.networks)

    def _update_groups(self, color: int, cells: int) -> None:
        """Note the groups and networks of new tiles: nothing far from them changes."""
        found = self._groups_of(color, cells)
        cells = sum(group.cells for group in found)
        self.groups.end(color, cells, self.turn)
        self.groups.begin(found, self.turn)
        self._update_networks(color, cells)

    def _groups_of(self, color: int, cells: int) -> list[GroupView]:
        found = set()
        while cells:
            group = group_around(self.geometry, self.tiles[color], cells & -cells)
            found.add(group)
            cells &= ~group
        return [GroupView(group, color) for group in sorted(found, key=first_cell)]

    def _update_networks(self, color: int, cells: int) -> None:
        """Note the networks around some groups."""
        if not self.has_networks:
            return
        ended = self.networks.end(color, cells, self.turn)
        for each in ended:
            cells |= cells_of(each)
        ends = self.geometry.ends
        numbers = [each for each in bits(self.bridges[color]) if cells >> ends(each)[0] & 1]
        bridges = sum(1 << number for number in numbers)
        now = network_views(self.geometry, cells, bridges, color)
        self.networks.begin(self._tinted(color, now, ended), self.turn)

    def _tinted(
        self, color: int, now: list[NetworkView], ended: list[NetworkView]
    ) -> Iterator[NetworkView]:
        """Give networks their tints: that of their oldest island, or else the first free one.

        A tint is free while no other network of its colour has it.
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
        """Return the place of the oldest island, and the tint for networks of sandbanks."""
        places = self.groups.places(network.color, {*network.islands})
        return min(places, default=inf), network.tint


class History(Generic[T]):
    """All groups, or all networks, that ever were there."""

    def __init__(self) -> None:
        self.all: list[T] = []
        self.ended: list[int] = []
        """The places in :attr:`all` of those that are gone, in the order in which they went."""
        self._living: tuple[dict[int, int], dict[int, int]] = ({}, {})
        """For each colour the cells of what is there now, by its place in :attr:`all`."""

    def living(self, color: int) -> list[T]:
        """Return what a colour has now."""
        return [self.all[place] for place in sorted(self._living[color])]

    def places(self, color: int, wanted: set[int]) -> list[int]:
        """Return the places in :attr:`all` of what a colour has on some sets of cells."""
        return [place for place, cells in self._living[color].items() if cells in wanted]

    def end(self, color: int, cells: int, turn: int) -> list[T]:
        """End what has a part of some cells; return it."""
        living = self._living[color]
        places = [place for place, members in living.items() if members & cells]
        for place in places:
            del living[place]
            self.all[place] = self.all[place]._replace(until=turn)
        self.ended += places
        return [self.all[place] for place in places]

    def begin(self, now: Iterable[T], turn: int) -> None:
        """Begin what is there now."""
        for each in now:
            self._living[each.color][len(self.all)] = cells_of(each)
            self.all.append(each._replace(since=turn))

    def gone_since(self, mark: tuple[int, int]) -> list[T]:
        """Return what was there at a mark and is gone."""
        length, ended = mark
        return [self.all[place] for place in sorted(self.ended[ended:]) if place < length]

    def rewind(self, length: int, ended: int) -> None:
        """Go back to when there were this many, of which this many were gone."""
        for living in self._living:
            for place in range(length, len(self.all)):
                living.pop(place, None)
        del self.all[length:]
        for place in self.ended[ended:]:
            if place < length:
                old = self.all[place] = self.all[place]._replace(until=None)
                self._living[old.color][place] = cells_of(old)
        del self.ended[ended:]


def cells_of(each: GroupView | NetworkView) -> int:
    """Return the cells of a group or a network."""
    return each.cells if isinstance(each, GroupView) else sum(each.groups)


def view_of_game(game: Game, *, networks: bool) -> BoardView:
    """Return the view of everything that was ever there in the main line of a game."""
    timeline = Timeline(game.start, networks=networks)
    for action in game.actions:
        timeline.play(action)
    return timeline.view
