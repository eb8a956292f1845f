"""Types of overloads, unions and protocols, as type checkers infer them."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal, assert_type

import cattrs
import numpy as np
import numpy.typing as npt

import pontedeldiavolo as pdd
from pontedeldiavolo.game.board_view import Drawable
from pontedeldiavolo.json.kinds import Value

A1 = pdd.Cell(0, 0)
C1 = pdd.Cell(2, 0)
Other = pdd.BuildBridge | pdd.ChooseColor | pdd.Pass
state = pdd.GameState.initial()
game = pdd.Game.new(tags={"Event": "A test"}).play("d4,g7").play(pdd.ChooseColor(pdd.Color.RED))

# Sets of cells

cells = pdd.Board().cell_set([A1])
assert_type(cells & {A1, "d4"}, pdd.CellSet)
assert_type(cells - {A1}, pdd.CellSet)
assert_type(cells | cells, AbstractSet[pdd.Cell])
assert_type(cells | {"d4"}, AbstractSet[pdd.Cell | str])
assert_type(cells ^ {1}, AbstractSet[pdd.Cell | int])
as_a_set: AbstractSet[pdd.Cell] = cells
assert_type(frozenset(cells), frozenset[pdd.Cell])

# Actions and steps

symmetry = pdd.Board().symmetries[1]
assert_type(A1.transform(symmetry), pdd.Cell)
assert_type(pdd.PlaceTiles(A1, C1).transform(symmetry), pdd.PlaceTiles)
actions: list[pdd.Action] = [pdd.PlaceTiles(A1, C1), pdd.BuildBridge(A1, C1), pdd.Pass()]
steps: list[pdd.Step] = [pdd.PlaceTile(A1), pdd.BuildBridge(A1, C1), pdd.Pass()]
assert_type(sorted(actions), list[pdd.Action])
assert_type(sorted(steps), list[pdd.Step])


def match_exhausts_actions(action: pdd.Action) -> pdd.Cell | pdd.Color | None:
    match action:
        case pdd.PlaceTiles(a, _) | pdd.BuildBridge(a, _):
            assert_type(a, pdd.Cell)
            return a
        case pdd.ChooseColor(color):
            assert_type(color, pdd.Color)
            return color
        case pdd.Pass():
            return None


def isinstance_narrows_steps(step: pdd.Step) -> pdd.Cell | None:
    if isinstance(step, pdd.PlaceTile):
        return step.cell
    assert_type(step, Other)
    return None


def colors_have_two_members(color: pdd.Color) -> Literal["light", "dark"]:
    return "light" if color is pdd.Color.WHITE else "dark"


def step_gives_the_node_of_its_argument(step: pdd.Step, other: Other) -> None:
    assert_type(state.step(step), pdd.GameState | pdd.HalfTurn)
    assert_type(state.step(other), pdd.GameState)
    assert_type(state.step(pdd.PlaceTile(A1)), pdd.HalfTurn)
    assert_type(state.step(pdd.PlaceTile(A1)).step(pdd.PlaceTile(C1)), pdd.GameState)


def isinstance_narrows_nodes(node: pdd.Node) -> pdd.GameState:
    return node.state if isinstance(node, pdd.HalfTurn) else node


# Legal actions and steps

legal = state.legal_actions
legal_steps = state.legal_steps
assert_type(legal[0], pdd.Action)
assert_type(legal[:2], tuple[pdd.Action, ...])
assert_type(random.Random(1).choice(legal), pdd.Action)
assert_type(legal.pairs[0], pdd.PlaceTiles)
assert_type(legal.pairs[-2:], tuple[pdd.PlaceTiles, ...])
assert_type(iter(legal.others), Iterator[Other])
assert_type(legal_steps[0], pdd.Step)
assert_type(legal_steps[:2], tuple[pdd.Step, ...])
as_a_sequence: Sequence[pdd.Action] = legal

# Values that may be missing, errors and messages

assert_type(state.outcome, pdd.Outcome | None)
assert_type(state.to_move, pdd.Color | None)
assert_type(game.line.at((0,)), pdd.Line | pdd.Move)
violation = pdd.Violation(
    pdd.ViolationCode.OCCUPIED, (A1,), values={"count": 1}, roles={"new": [A1]}
)
as_a_mapping: Mapping[str, int | str] = violation.values
assert_type(violation.roles["new"], tuple[pdd.Cell, ...])
assert_type(pdd.PonteError("no").reason.code, str)
errors: list[type[pdd.PonteError]] = [pdd.NotationError, pdd.RecordError, pdd.InvalidRulesError]
nothing = pdd.Score(0, 0, 0)
drawn = pdd.Outcome(None, None, pdd.DecidedBy.NOTHING, nothing, nothing)
by_code = {pdd.ViolationCode.OCCUPIED: "Belegt."}
by_text = {"occupied": "Belegt."}
assert_type(pdd.messages.explain(violation, by_code), str)
assert_type(pdd.messages.explain(violation, by_text), str)
assert_type(pdd.messages.explain(pdd.RecordError(1, 2, "a tag")), str)
assert_type(pdd.messages.explain([violation, pdd.PonteError("no")]), str)
assert_type(pdd.messages.word(pdd.Color.RED), str)
assert_type(pdd.messages.result(game, "de"), str)
assert_type(pdd.messages.result(drawn), str)

# Pictures, records and documents


def every_drawable(
    state: pdd.GameState, half: pdd.HalfTurn, position: pdd.Position, setup: pdd.Setup
) -> list[Drawable]:
    return [state, half, position, setup, game]


for drawable in (state, state.position, state.position.setup(), game):
    assert_type(pdd.svg.render(drawable, heat={A1: 1, C1: 0.5}), pdd.svg.Svg)
text = pdd.records.dumps(game)
for source in (text, text.encode(), io.StringIO(text), io.BytesIO(text.encode()), [text]):
    assert_type(pdd.records.load(source), pdd.Game)
    assert_type(pdd.records.iter_records(source), Iterator[pdd.records.Record | pdd.RecordError])
assert_type(pdd.records.iter_games([text]), Iterator[pdd.Game])
assert_type(pdd.records.iter_games([text], on_error="skip"), Iterator[pdd.Game])
assert_type(pdd.records.sgf.iter_games([text], "skip"), Iterator[pdd.Game])
assert_type(pdd.records.iter_games([text], "yield"), Iterator[pdd.Game | pdd.RecordError])
assert_type(pdd.records.sgf.iter_games([text], "yield"), Iterator[pdd.Game | pdd.RecordError])
document = pdd.json.dumps(state, indent=2)
assert_type(pdd.json.loads(document), Value)
assert_type(pdd.json.loads(document, pdd.GameState), pdd.GameState)
assert_type(pdd.json.from_json(pdd.json.to_json(game), pdd.Game), pdd.Game)
assert_type(pdd.json.register_cattrs_hooks(cattrs.Converter()), None)

# Players

player: pdd.players.Player = pdd.players.RandomPlayer(seed=1)
assert_type(pdd.players.GreedyPlayer().for_game(7), pdd.players.GreedyPlayer)


def analysts_are_players(analyst: pdd.players.Analyst) -> pdd.players.Player:
    assert_type(analyst.for_game(7), pdd.players.Player)
    return analyst


analysts_are_players(pdd.players.MctsPlayer(0.5, 100, threads=2, seed=1))

# Batches

games = pdd.batch.GameBatch.initial(size=2)
assert_type(games[0], pdd.GameState | pdd.HalfTurn)
assert_type(games[:1], pdd.batch.GameBatch)
assert_type(list(games), list[pdd.GameState | pdd.HalfTurn])
assert_type(games.planes(), npt.NDArray[np.uint8])
assert_type(games.planes(pdd.Color.RED, dtype=np.float32), npt.NDArray[np.float32])
assert_type(games.planes(dtype=np.dtype(np.float16)), npt.NDArray[np.float16])
assert_type(pdd.batch.planes(state), npt.NDArray[np.uint8])
assert_type(pdd.batch.planes(state, dtype=np.float32), npt.NDArray[np.float32])


def frameworks_are_typed() -> None:
    agents = pdd.adapters.pettingzoo.raw_env(max_cycles=9, render_mode="rgb_array", render_size=400)
    assert_type(agents.node, pdd.GameState | pdd.HalfTurn)
    seen = agents.observe("first")
    assert_type(seen, dict[str, npt.NDArray[np.generic]] | npt.NDArray[np.generic])
    alone = pdd.adapters.gymnasium.PonteEnv(opponent=player, on_illegal="raise", render_mode="ansi")
    _, reward, terminated, truncated, info = alone.step(1)
    assert_type((reward, terminated, truncated), tuple[float, bool, bool])
    assert_type(info, dict[str, npt.NDArray[np.int8] | str])
    many = pdd.adapters.gymnasium.PonteVectorEnv(2, autoreset_mode="SameStep", copy=False)
    assert_type(many.step(many.sample())[1], npt.NDArray[np.float64])
