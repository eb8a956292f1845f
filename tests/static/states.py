"""The types of positions, states, legal actions and numberings, as type checkers see them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import assert_type

import pontedeldiavolo as pdd

WHITE = pdd.Color.WHITE
A1, B1, C1, G7 = pdd.Cell(0, 0), pdd.Cell(1, 0), pdd.Cell(2, 0), pdd.Cell(6, 6)
Other = pdd.BuildBridge | pdd.ChooseColor | pdd.Pass

# What lies on the board

setup = pdd.Setup(pdd.Board(), white=[A1], red={G7}, bridges=())
assert_type(setup.board, pdd.Board)
assert_type(setup.white, tuple[pdd.Cell, ...])
assert_type(setup.red, tuple[pdd.Cell, ...])
assert_type(setup.bridges, tuple[pdd.Bridge, ...])
assert_type(setup.faults(), tuple[pdd.Violation, ...])
assert_type(setup.position(), pdd.Position)

position = pdd.Position.from_pieces(pdd.Board(), [A1, C1], bridges=[pdd.Bridge(A1, C1)])
assert_type(position, pdd.Position)
assert_type(pdd.Position.from_setup(setup), pdd.Position)
assert_type(position.setup(), pdd.Setup)
assert_type(position.board, pdd.Board)
assert_type(position.color_at(A1), pdd.Color | None)
assert_type(position.tiles(WHITE), pdd.CellSet)
assert_type(position.bridges(WHITE), tuple[pdd.Bridge, ...])
assert_type(position.blocked, pdd.CellSet)
assert_type(position.groups(WHITE), tuple[pdd.Group, ...])
assert_type(position.islands(WHITE), tuple[pdd.Group, ...])
assert_type(position.networks(WHITE), tuple[pdd.Network, ...])
assert_type(position.group_at(A1), pdd.Group | None)
assert_type(position.open_cells(WHITE), pdd.CellSet)
assert_type(position.open_bridges(WHITE), tuple[pdd.Bridge, ...])
assert_type(position.score(WHITE), pdd.Score)

group, network = position.groups(WHITE)[0], position.networks(WHITE)[0]
assert_type(group.color, pdd.Color)
assert_type(group.cells, pdd.CellSet)
assert_type(group.is_island, bool)
assert_type(network.color, pdd.Color)
assert_type(network.groups, tuple[pdd.Group, ...])
assert_type(network.bridges, tuple[pdd.Bridge, ...])
assert_type(network.islands, tuple[pdd.Group, ...])
assert_type(network.points, int)

# States

state = pdd.GameState.initial()
assert_type(state, pdd.GameState)
assert_type(pdd.GameState.initial(pdd.Rules()), pdd.GameState)
assert_type(
    pdd.GameState.from_position(
        position, rules=None, to_move=WHITE, white_owner=pdd.Seat.FIRST, phase=pdd.Phase.PLAY
    ),
    pdd.GameState,
)
assert_type(state.rules, pdd.Rules)
assert_type(state.position, pdd.Position)
assert_type(state.phase, pdd.Phase)
assert_type(state.to_move, pdd.Color | None)
assert_type(state.seat_to_move, pdd.Seat | None)
assert_type(state.owner(WHITE), pdd.Seat | None)
assert_type(state.color_of(pdd.Seat.FIRST), pdd.Color | None)
assert_type(state.turn, int)
assert_type(state.tiles_left(WHITE), int | None)
assert_type(state.bridges_left, int | None)
assert_type(state.is_over, bool)
assert_type(state.outcome, pdd.Outcome | None)
assert_type(state.score(WHITE), pdd.Score)
assert_type(state.packed(), bytes)
assert_type(state.canonical(), pdd.GameState)
assert_type(state.canonical_symmetry(), pdd.Symmetry)
assert_type(state.transform(state.canonical_symmetry()), pdd.GameState)
assert_type(pdd.perft(state, 1), int)

pair = pdd.PlaceTiles(A1, C1)
assert_type(state.is_legal(pair), bool)
assert_type(state.is_legal(pdd.PlaceTile(A1)), bool)
assert_type(state.violations(pdd.PlaceTile(A1)), tuple[pdd.Violation, ...])
assert_type(state.apply(pair), pdd.GameState)
assert_type(state.apply_unchecked(pair), pdd.GameState)
assert_type(
    state.apply(pair).apply(pdd.ChooseColor(pdd.Color.RED)).with_to_move(WHITE), pdd.GameState
)

effects = state.effects(pair)
assert_type(effects, pdd.Effects)
assert_type(effects.tiles, pdd.CellSet)
assert_type(effects.bridge, pdd.Bridge | None)
assert_type(effects.blocked, pdd.CellSet)
assert_type(effects.islands, tuple[pdd.Group, ...])
assert_type(effects.networks, tuple[pdd.Network, ...])
assert_type(effects.score, pdd.Score | None)

# Tile by tile

half = state.step(pdd.PlaceTile(A1))
assert_type(half, pdd.HalfTurn)
assert_type(state.apply(pair).step(pdd.ChooseColor(WHITE)), pdd.GameState)
assert_type(half.state, pdd.GameState)
assert_type(half.first, pdd.Cell)
assert_type(half.second_tiles, pdd.CellSet)
assert_type(half.rules, pdd.Rules)
assert_type(half.to_move, pdd.Color | None)
assert_type(half.seat_to_move, pdd.Seat | None)
assert_type(half.is_over, bool)
assert_type(half.legal_steps, pdd.LegalSteps)
assert_type(half.is_legal(pdd.PlaceTile(C1)), bool)
assert_type(half.violations(pdd.Pass()), tuple[pdd.Violation, ...])
assert_type(half.step(pdd.PlaceTile(C1)), pdd.GameState)


def steps_lead_to_nodes(state: pdd.GameState, step: pdd.Step, other: Other) -> None:
    assert_type(state.step(step), pdd.GameState | pdd.HalfTurn)
    assert_type(state.step(other), pdd.GameState)


def nodes_are_told_apart(node: pdd.Node) -> pdd.GameState:
    return node.state if isinstance(node, pdd.HalfTurn) else node


assert_type(nodes_are_told_apart(half), pdd.GameState)

# Legal actions and steps

legal = state.legal_actions
rng = random.Random(1)
assert_type(legal, pdd.LegalActions)
assert_type(len(legal), int)
assert_type(pair in legal, bool)
assert_type(legal[0], pdd.Action)
assert_type(legal[:2], tuple[pdd.Action, ...])
assert_type(iter(legal), Iterator[pdd.Action])
assert_type(legal.sample(rng), pdd.Action)
assert_type(rng.choice(legal), pdd.Action)
assert_type(legal.index(pair), int)
assert_type(legal.count(pair), int)
assert_type(legal.first_tiles, pdd.CellSet)
assert_type(legal.second_tiles(A1), pdd.CellSet)
assert_type(legal.bridges, tuple[pdd.BuildBridge, ...])
assert_type(legal.bridges_from(A1), tuple[pdd.BuildBridge, ...])
assert_type(legal.pairs[0], pdd.PlaceTiles)
assert_type(legal.pairs[-2:], tuple[pdd.PlaceTiles, ...])
assert_type(legal.pairs.sample(rng), pdd.PlaceTiles)
assert_type(iter(legal.others), Iterator[Other])
assert_type(legal.others[:1], tuple[Other, ...])
as_a_sequence: Sequence[pdd.Action] = legal

steps = state.legal_steps
assert_type(steps, pdd.LegalSteps)
assert_type(steps[0], pdd.Step)
assert_type(steps[:2], tuple[pdd.Step, ...])
assert_type(iter(steps), Iterator[pdd.Step])
assert_type(steps.sample(rng), pdd.Step)
assert_type(steps.index(pdd.PlaceTile(A1)), int)
assert_type(steps.count(pdd.PlaceTile(A1)), int)
assert_type(steps.tile_mask, int)
assert_type(iter(steps.others), Iterator[Other])

# Numberings

space, step_space = pdd.ActionSpace(pdd.Board()), pdd.StepSpace(pdd.Board())
symmetry = pdd.symmetries(pdd.Board())[1]
assert_type(space.board, pdd.Board)
assert_type(len(space), int)
assert_type(space.encode(pair), int)
assert_type(space.decode(0), pdd.Action)
assert_type(space.transform(0, symmetry), int)
assert_type(space.mask(state), bytes)
assert_type(step_space.board, pdd.Board)
assert_type(step_space.encode(pdd.PlaceTile(A1)), int)
assert_type(step_space.decode(0), pdd.Step)
assert_type(step_space.transform(0, symmetry), int)
assert_type(step_space.mask(state), bytes)
assert_type(step_space.mask(half), bytes)

# What is broken, and errors

violation = pdd.Violation(
    pdd.Rule.OCCUPIED, (A1,), values={"count": 1, "color": "white"}, roles={"new": [A1]}
)
assert_type(violation.rule, pdd.Rule)
assert_type(violation.cells, tuple[pdd.Cell, ...])
assert_type(violation.bridges, tuple[pdd.Bridge, ...])
assert_type(violation.values["count"], int | str)
as_a_mapping: Mapping[str, int | str] = violation.values
assert_type(violation.roles["new"], tuple[pdd.Cell, ...])

root: type[ValueError] = pdd.PonteError
errors: list[type[pdd.PonteError]] = [
    pdd.IllegalActionError,
    pdd.InvalidPositionError,
    pdd.InvalidRulesError,
    pdd.NotationError,
    pdd.RecordError,
]
reason = pdd.PonteError("no").reason
assert_type(reason, pdd.Reason)
assert_type(reason.code, str | pdd.Rule)
assert_type(reason.values["text"], int | str | pdd.Tiebreak | pdd.Reason | tuple[pdd.Reason, ...])
assert_type(violation.reason, pdd.Reason)
for error in (
    pdd.PonteError("no"),
    pdd.IllegalActionError([violation]),
    pdd.InvalidPositionError([violation]),
    pdd.InvalidRulesError("no"),
    pdd.NotationError("a", 0, reason),
    pdd.RecordError(1, 2, reason),
):
    assert_type(error.code, str)
    assert_type(error.reason, pdd.Reason)
illegal = pdd.IllegalActionError([violation])
assert_type(illegal.violations, tuple[pdd.Violation, ...])
assert_type(illegal.row, int | None)
assert_type(pdd.InvalidPositionError([violation]).faults, tuple[pdd.Violation, ...])
notation = pdd.NotationError("a", 0, "a cell")
assert_type(notation.text, str)
assert_type(notation.offset, int)
assert_type(notation.expected, str)
record = pdd.RecordError(1, 2, "a tag")
assert_type(record.line, int)
assert_type(record.column, int)
assert_type(record.expected, str)
assert_type(record.number, int)

# Half turns, bytes and keys

half = state.step(pdd.PlaceTile(A1))
assert_type(half.position, pdd.Position)
assert_type(half.outcome, pdd.Outcome | None)
assert_type(half.transform(pdd.Symmetry(10, 10)), pdd.HalfTurn)
assert_type(half.canonical(), pdd.HalfTurn)
assert_type(half.canonical_symmetry(), pdd.Symmetry)
assert_type(half.packed(owners=False), bytes)
assert_type(state.canonical_packed(owners=False), bytes)
assert_type(pdd.HalfTurn.unpack(state.rules, half.packed()), pdd.HalfTurn)
assert_type(pdd.GameState.unpack(state.rules, state.packed()), pdd.GameState)
assert_type(pdd.Rules().most_turns, int)
assert_type(pdd.Rules().most_steps, int)
assert_type(pdd.format_step(pdd.Pass()), str)
assert_type(pdd.parse_step("d4"), pdd.Step)
assert_type(pdd.format_half_turn(half), str)
assert_type(pdd.parse_half_turn(pdd.format_half_turn(half)), pdd.HalfTurn)
assert_type(pdd.parse_node(pdd.format_state(state)), pdd.Node)
