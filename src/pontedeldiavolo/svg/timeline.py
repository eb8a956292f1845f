"""What a whole game shows: every piece once, and all land and networks that there ever were."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Generic, TypeVar

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.islands import group_around
from pontedeldiavolo.position.networks import first_cell
from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, PlaceTiles
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg.scenery import Land, Net, Scenery, Span, Tile, nets_of, span_of

T = TypeVar("T", Land, Net)


class Timeline:
    """A course of play as far as it has been followed.

    Turns have the numbers of :class:`Turn`; what lies there at the start has that of the start.
    """

    def __init__(self, start: GameState, *, networks: bool) -> None:
        pieces = start._pieces
        self.geometry: Geometry = pieces.geometry
        self.networks: bool = networks
        self.turn: int = start.turn
        self.mover: int = 0 if start.to_move is Color.WHITE else 1
        self.tiles: list[int] = [side.tiles for side in pieces.sides]
        self.bridges: list[int] = [side.bridges for side in pieces.sides]
        self.placed: list[Tile] = []
        self.built: list[Span] = []
        self._lands: Course[Land] = Course()
        self._nets: Course[Net] = Course()
        for color in (0, 1):
            self.placed += [Tile(cell, color, self.turn) for cell in bits(self.tiles[color])]
            for number in bits(self.bridges[color]):
                self.built.append(span_of(self.geometry, number, color, self.turn))
            self.change(color, self.tiles[color])

    @property
    def lands(self) -> list[Land]:
        """All groups so far."""
        return self._lands.all

    @property
    def nets(self) -> list[Net]:
        """All networks so far, if they are wanted."""
        return self._nets.all

    def play(self, action: Action) -> None:
        """Go on with an action."""
        if isinstance(action, ChooseColor):
            # Red goes on from here, whoever that is.
            self.mover = 1
            return
        self.turn += 1
        if isinstance(action, PlaceTiles):
            self.place(action)
        elif isinstance(action, BuildBridge):
            self.build(action)
        self.mover = 1 - self.mover

    def branch(self) -> Timeline:
        """Return a course that goes on from here with nothing but what is there now."""
        other = copy(self)
        other.tiles, other.bridges = [*self.tiles], [*self.bridges]
        other.placed, other.built = [], []
        other._lands, other._nets = self._lands.branch(), self._nets.branch()
        return other

    def place(self, action: PlaceTiles) -> None:
        """Go on with two tiles."""
        cells = 0
        for cell in map(self.geometry.index, action.cells):
            cells |= 1 << cell
            self.placed.append(Tile(cell, self.mover, self.turn))
        self.tiles[self.mover] |= cells
        self.change(self.mover, cells)

    def build(self, action: BuildBridge) -> None:
        """Go on with a bridge."""
        index = self.geometry.index
        a, b = index(action.a), index(action.b)
        number = self.geometry.bridge_number(a, b)
        self.bridges[self.mover] |= 1 << number
        self.built.append(span_of(self.geometry, number, self.mover, self.turn))
        self.change_networks(self.mover, 1 << a | 1 << b)

    def change(self, color: int, cells: int) -> None:
        """See what groups and networks new tiles make: nothing far from them changes."""
        groups = groups_with(self.geometry, self.tiles[color], cells)
        now = [Land(group, color) for group in groups]
        self._lands.change(color, sum(groups), now, self.turn)
        self.change_networks(color, sum(groups))

    def change_networks(self, color: int, cells: int) -> None:
        """See what networks there are where something has changed."""
        if self.networks:
            cells = self._nets.touched(color, cells)
            numbers = [
                number
                for number in bits(self.bridges[color])
                if cells >> self.geometry.ends[number][0] & 1
            ]
            bridges = sum(1 << number for number in numbers)
            now = nets_of(self.geometry, cells, bridges, color)
            self._nets.change(color, cells, now, self.turn)


def groups_with(geometry: Geometry, tiles: int, cells: int) -> list[int]:
    """Return the groups that some cells are in, by their first cells."""
    found = set()
    while cells:
        group = group_around(geometry, tiles, cells & -cells)
        found.add(group)
        cells &= ~group
    return sorted(found, key=first_cell)


class Course(Generic[T]):
    """All groups, or all networks, that ever were: those that are there now are at hand."""

    def __init__(self) -> None:
        self.all: list[T] = []
        self._now: tuple[dict[int, int], dict[int, int]] = ({}, {})
        """For each colour the cells of what is there now, by its place among all."""

    def touched(self, color: int, cells: int) -> int:
        """Return some cells, with all cells of what has a part of them."""
        found = cells
        for members in self._now[color].values():
            if members & cells:
                found |= members
        return found

    def change(self, color: int, cells: int, there: Iterable[T], turn: int) -> None:
        """Put down what there is on some cells now, and that what it took in has ended."""
        now = self._now[color]
        # Whatever has a part of these cells has grown: none of it is as it was.
        for place in [place for place, members in now.items() if members & cells]:
            self.all[place] = self.all[place]._replace(until=turn)
            del now[place]
        for each in there:
            now[len(self.all)] = cells_of(each)
            self.all.append(each._replace(since=turn))

    def branch(self) -> Course[T]:
        """Return a course that goes on with what is there now."""
        other: Course[T] = Course()
        for color in (0, 1):
            other._now[color].update(self._now[color])
        places = sorted({*other._now[0], *other._now[1]})
        number = {place: n for n, place in enumerate(places)}
        other.all = [self.all[place] for place in places]
        for now in other._now:
            kept = {number[place]: members for place, members in now.items()}
            now.clear()
            now.update(kept)
        return other


def cells_of(each: Land | Net) -> int:
    """Return the cells that something takes."""
    return each.cells if isinstance(each, Land) else sum(each.groups)


def of_game(game: Game, *, networks: bool) -> Scenery:
    """Return everything that was ever there in the main line of a game."""
    line = Timeline(game.start, networks=networks)
    for action in game.actions:
        line.play(action)
    return Scenery(game.rules.board, line.placed, line.lands, line.built, line.nets)
