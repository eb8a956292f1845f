"""Write test data in Boardspace's dialect, as the records of people and robots there are."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from attrs import define, field

import pontedeldiavolo as pdd

TIME = 1234
"""The milliseconds that each token of a player takes."""

# The directions of bridges from the upper or right end to the other, in the site's order.
DIRECTIONS = {
    30: (-2, -1),
    45: (-2, -2),
    60: (-1, -2),
    90: (0, -2),
    120: (1, -2),
    135: (2, -2),
    150: (2, -1),
    180: (-2, 0),
}


def at(cell: pdd.Cell) -> str:
    """Return a cell in the form of records."""
    return f"{'ABCDEFGHIJ'[cell.column]} {cell.row + 1}"


def record(*tokens: str, header: str = "", start: int = 0) -> str:
    """Return a record with tokens such as ``0 Pick W; 0 Done``, each with the player's number."""
    head = f'(;GM[PonteDelDiavolo]VV[1]SU[ponte 1 2]{header}P0[id "alice"]P1[id "bob"]\n'
    nodes = [f"; P{start}[0 Start P{start}]"]
    for index, token in enumerate("; ".join(tokens).split("; ") if tokens else (), 1):
        player, _, rest = token.partition(" ")
        value, _, more = rest.partition("|")
        nodes.append(f"; P{player}[{index} {value}]{more}")
    return head + "\n".join(nodes) + "\n)"


def tiles(player: int, color: str, *cells: str) -> list[str]:
    """Return the tokens of a person's turn that places tiles."""
    tokens = []
    for cell in cells:
        tokens += [f"{player} Pick {color}", f"{player} Dropb {at(pdd.parse_cell(cell))}"]
    return [*tokens, f"{player} Done"]


OPENING = tiles(0, "W", "d5", "e7")


def anchor_and_direction(bridge: pdd.BuildBridge) -> tuple[pdd.Cell, int]:
    """Return the upper end of a bridge, or the right one if it is horizontal, and its direction."""
    a = bridge.a
    b = bridge.b
    anchor, far = (a, b) if (a.row, a.column) > (b.row, b.column) else (b, a)
    span = (far.column - anchor.column, far.row - anchor.row)
    return anchor, next(name for name, each in DIRECTIONS.items() if each == span)


def last_legal(state: pdd.GameState, anchor: pdd.Cell) -> pdd.BuildBridge:
    """Return the bridge that a player drops on a cell before turning it."""
    found = None
    for columns, rows in DIRECTIONS.values():
        column = anchor.column + columns
        row = anchor.row + rows
        if column >= 0 and row >= 0:
            bridge = pdd.BuildBridge(anchor, pdd.Cell(column, row))
            found = bridge if state.is_legal(bridge) else found
    assert found is not None
    return found


@define
class Writer:
    """Writes records as a robot, or as a person who sometimes changes his mind."""

    rng: Random
    robot: bool = False
    fickle: bool = False
    old: bool = False
    times: list[int | None] = field(factory=list, init=False)
    """The milliseconds of each action of the last game."""

    def text(self, game: pdd.Game, names: tuple[str, str] = ("alice", "bob")) -> str:
        """Return the record of a game that the dialect can represent in full."""
        starter = self.rng.randrange(2)
        people = names if starter == 0 else names[::-1]
        lines = ["(;", "GM[PonteDelDiavolo]VV[1]"]
        if not self.old:
            lines += ["CM[0,1]", "TC[None]"]
        lines += ["SU[ponte 123456 2]", "DT[]", f"GN[PD-{people[0]}-{people[1]}-2014-11-18-1234]"]
        lines += [f'P{player}[id "{name}"]' for player, name in enumerate(people)]
        lines.append(f"; P{starter}[0 Start P{starter}]")
        used = [0, 0]
        for index, (player, token) in enumerate(self.tokens(game, starter), 1):
            value = f"{index} {token.lower() if self.old else token}"
            used[player] += TIME
            time = "" if self.old else f"TM[{used[player]}]"
            lines.append(f"; P{player}[{value}]{time}")
        lines += [";", "P0[time 0:05:10 ]", "P1[time 0:04:02 ]", ")"]
        return "\n".join(lines) + "\n"

    def tokens(self, game: pdd.Game, starter: int) -> Iterator[tuple[int, str]]:
        """Yield the tokens of a game with their players."""
        self.times = []
        for state, action in zip(game.states(), game.actions, strict=False):
            player = starter if state.seat_to_move is pdd.Seat.FIRST else 1 - starter
            tokens = []
            if action == pdd.ChooseColor(pdd.Color.WHITE):
                tokens = [*self.doubts(), "Swap", "Done"]
            elif state.to_move is pdd.Color.RED and state.legal_actions[:2] == (pdd.Pass(),):
                pass  # Red can only pass: the site ends the game without asking.
            elif state.to_move is not None:
                tokens = [*self.turn(state, action)]
            # Old records do not say how long an action took.
            self.times.append(len(tokens) * TIME if tokens and not self.old else None)
            yield from ((player, token) for token in tokens)
        if game.ending in (pdd.Ending.RESIGNATION, pdd.Ending.TIME):
            player = starter if game.state.seat_to_move is pdd.Seat.FIRST else 1 - starter
            words = ["WinOnTime"] if game.ending is pdd.Ending.TIME else ["Resign", "Done"]
            yield from ((player, word) for word in words)

    def doubts(self) -> tuple[str, ...]:
        """Return the tokens of swapping colours twice, or none, at random."""
        return ("Swap", "Swap") if self.fickle and self.rng.random() < 0.5 else ()

    def turn(self, state: pdd.GameState, action: pdd.Action) -> Iterator[str]:
        """Yield the tokens of a turn."""
        color = "W" if state.to_move is pdd.Color.WHITE else "R"
        pool = "White_Chip_Pool" if color == "W" else "Red_Chip_Pool"
        if self.fickle and self.rng.random() < 0.3:
            yield f"Pick {color}"
            yield f"Drop {color}"
        if isinstance(action, pdd.PlaceTiles):
            for cell in self.rng.sample(action.cells, 2):
                if self.robot:
                    yield f"Tile {pool} {at(cell)}"
                else:
                    yield f"Pick {color}"
                    yield f"Dropb {at(cell)}"
                    if self.fickle and self.rng.random() < 0.3:
                        yield f"Pickb {at(cell)}"
                        yield f"Dropb {at(cell)}"
        elif isinstance(action, pdd.BuildBridge):
            yield from self.bridge(state, action)
        elif self.robot or self.rng.random() < 0.5:
            yield "Pass"
        yield "Done"

    def bridge(self, state: pdd.GameState, action: pdd.BuildBridge) -> Iterator[str]:
        """Yield the tokens that build a bridge."""
        anchor, direction = anchor_and_direction(action)
        if self.robot:
            yield f"Bridge Bridge_{direction} {at(anchor)}"
            return
        yield "Pick X_30"
        yield f"Dropb {at(anchor)}"
        if last_legal(state, anchor) != action or self.fickle:
            far = action.a if action.b == anchor else action.b
            yield f"BridgeEnd {at(far)}"


def robot(game: pdd.Game) -> list[str]:
    """Return the tokens of a robot for a game that player 0 begins."""
    tokens = Writer(Random(0), robot=True).tokens(game, 0)
    return [f"{player} {token}" for player, token in tokens]
