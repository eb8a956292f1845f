"""What a whole game shows: every piece once, and all land and networks that there ever were."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import TypeVar

from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.islands import groups
from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, PlaceTiles
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg.scenery import Land, Net, Scenery, Span, Tile, nets_of, span_of
from pontedeldiavolo.vocabulary import Color

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
        self.lands: list[Land] = []
        self.nets: list[Net] = []
        for color in (0, 1):
            self.placed += [Tile(cell, color, self.turn) for cell in bits(self.tiles[color])]
            for number in bits(self.bridges[color]):
                self.built.append(span_of(self.geometry, number, color, self.turn))
            self.change_land(color)

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
        other.lands = [each for each in self.lands if each.until is None]
        other.nets = [each for each in self.nets if each.until is None]
        return other

    def place(self, action: PlaceTiles) -> None:
        """Go on with two tiles."""
        for cell in map(self.geometry.index, action.cells):
            self.tiles[self.mover] |= 1 << cell
            self.placed.append(Tile(cell, self.mover, self.turn))
        self.change_land(self.mover)

    def build(self, action: BuildBridge) -> None:
        """Go on with a bridge."""
        index = self.geometry.index
        number = self.geometry.bridge_number(index(action.a), index(action.b))
        self.bridges[self.mover] |= 1 << number
        self.built.append(span_of(self.geometry, number, self.mover, self.turn))
        self.change_networks(self.mover)

    def change_land(self, color: int) -> None:
        """See which groups have come and gone."""
        now = [Land(group, color) for group in groups(self.geometry, self.tiles[color])]
        self.lands = changed(self.lands, now, color, self.turn)
        self.change_networks(color)

    def change_networks(self, color: int) -> None:
        """See which networks have come and gone."""
        if self.networks:
            now = nets_of(self.geometry, self.tiles[color], self.bridges[color], color)
            self.nets = changed(self.nets, now, color, self.turn)


def changed(known: list[T], now: Iterable[T], color: int, turn: int) -> list[T]:
    """Return what was known of a colour, ended if it is no more, and what is new."""
    there = set(now)
    found: list[T] = []
    for each in known:
        if each.color == color and each.until is None:
            same = each._replace(since=None)
            if same in there:
                there.discard(same)
            else:
                found.append(each._replace(until=turn))
                continue
        found.append(each)
    return found + [each._replace(since=turn) for each in now if each in there]


def of_game(game: Game, *, networks: bool) -> Scenery:
    """Return everything that was ever there in the main line of a game."""
    line = Timeline(game.start, networks=networks)
    for action in game.actions:
        line.play(action)
    return Scenery(game.rules.board, line.placed, line.lands, line.built, line.nets)
