"""Types of what the lazy submodules define."""

from __future__ import annotations

import io
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import assert_type

import cattrs
import numpy as np
import numpy.typing as npt

import pontedeldiavolo as pdd

state = pdd.GameState.initial()
game = pdd.Game.new(tags={"Event": "A test"}).play("d4,g7")

# Presets

assert_type(pdd.presets.ORIGINAL, pdd.Rules)
assert_type(pdd.presets.BOARDSPACE, pdd.Rules)
assert_type(pdd.presets.BOARD_GAME_ARENA, pdd.Rules)
assert_type(pdd.presets.BRETTSPIELNETZ, pdd.Rules)
assert_type(pdd.presets.YOUR_TURN_MY_TURN, pdd.Rules)
assert_type(pdd.presets.WIKIPEDIA, pdd.Rules)
assert_type(pdd.presets.ABSTRACT_PLAY, pdd.Rules)
assert_type(pdd.presets.ABSTRACT_PLAY_8, pdd.Rules)
assert_type(pdd.presets.ABSTRACT_PLAY_12, pdd.Rules)
assert_type(pdd.presets.by_name("original"), pdd.Rules)
assert_type(pdd.presets.names(), tuple[str, ...])
assert_type(pdd.presets.names_of(pdd.Rules()), tuple[str, ...])

# Messages

violation = pdd.Violation(pdd.Rule.GAME_OVER)
assert_type(pdd.messages.ENGLISH, Mapping[Hashable, str])
assert_type(pdd.messages.GERMAN, pdd.messages.Catalog)
assert_type(pdd.messages.explain(violation), str)
assert_type(pdd.messages.explain(violation, pdd.messages.GERMAN), str)
assert_type(pdd.messages.explain(violation, {pdd.Rule.GAME_OVER: "Fini."}), str)
assert_type(pdd.messages.explain_all([violation]), str)
assert_type(pdd.messages.explain_all([violation], pdd.messages.GERMAN), str)
explainable: pdd.messages.HasRule = violation
coded: pdd.messages.HasCode = pdd.RecordError(1, 2, "a tag")
assert_type(pdd.messages.explain(coded), str)
shown: pdd.messages.Word = pdd.Ending.TIME
assert_type(pdd.messages.word(shown), str)
assert_type(pdd.messages.word(pdd.Color.RED, pdd.messages.GERMAN), str)
played: pdd.messages.HasEnding = game
assert_type(pdd.messages.result(game), str)
nothing = pdd.Score(0, 0, 0)
counted: pdd.messages.HasOutcome = pdd.Outcome(None, None, pdd.DecidedBy.NOTHING, nothing, nothing)
assert_type(pdd.messages.result(counted, {"drawn-scored": "Drawn."}), str)

# Players

rival: pdd.players.Player = pdd.players.RandomPlayer(seed=1)
greedy: pdd.players.Player = pdd.players.GreedyPlayer()


def ask(player: pdd.players.Player) -> None:
    """Take any player, whoever wrote it."""
    assert_type(player.name, str)
    assert_type(player.choose(state), pdd.Action)
    assert_type(player.for_game(7), pdd.players.Player)


ask(rival)
ask(greedy)
assert_type(pdd.players.RandomPlayer().for_game(7), pdd.players.RandomPlayer)
assert_type(pdd.players.GreedyPlayer().for_game(7), pdd.players.GreedyPlayer)
assert_type(pdd.players.by_name("greedy"), pdd.players.Player)
mcts: pdd.players.Analyst = pdd.players.MctsPlayer(0.5, 100, threads=2, seed=1, guided=False)
assert_type(pdd.players.MctsPlayer(simulations=10).for_game(7), pdd.players.MctsPlayer)
assert_type(pdd.players.MctsPlayer().analyse(pdd.GameState.initial()), pdd.players.Analysis)
assert_type(pdd.players.MctsPlayer().choose(pdd.GameState.initial()), pdd.Action)
assert_type(pdd.players.MctsPlayer().name, str)
assert_type(pdd.players.names(), tuple[str, ...])

small = pdd.Rules(pdd.Board(2, 2))
match = pdd.players.match(rival, greedy, 2, rules=small, seed=1, processes=1, sprt=(0, 50.5))
assert_type(match, pdd.players.Match)
assert_type(match.a, str)
assert_type(match.b, str)
assert_type(match.wins, int)
assert_type(match.draws, int)
assert_type(match.losses, int)
assert_type(match.games, int)
assert_type(match.pairs, tuple[int, int, int, int, int])
assert_type(match.score, float)
assert_type(match.score_interval, tuple[float, float])
assert_type(match.elo, float)
assert_type(match.interval, tuple[float, float])
assert_type(match.los, float)
assert_type(match.sprt, pdd.players.SequentialTest | None)
tested = pdd.players.SequentialTest(0, 50)
assert_type(tested.elo0, float)
assert_type(tested.elo1, float)
assert_type(tested.llr, float)
assert_type(tested.accepted, float | None)


def matches_are_kept(folder: Path, stood: list[pdd.players.Match]) -> None:
    pdd.players.match(rival, greedy, folder=folder, on_pair=stood.append)
    pdd.players.match(rival, greedy, folder=str(folder), rules=None, sprt=None)


failed = pdd.players.PlayerError("Ada", "fell asleep", game)
assert_type(failed.player, str)
assert_type(failed.problem, str)
assert_type(failed.game, pdd.Game)
assert_type(failed.reason, pdd.Reason)

looked_at = pdd.players.Choice(pdd.Pass(), 3, 0.5)
assert_type(looked_at.action, pdd.Action)
assert_type(looked_at.visits, int)
assert_type(looked_at.value, float)
thought = pdd.players.Analysis(pdd.Pass(), 0.5, (looked_at,), (pdd.Pass(),))
assert_type(thought.best, pdd.Action)
assert_type(thought.value, float)
assert_type(thought.actions, tuple[pdd.players.Choice, ...])
assert_type(thought.line, tuple[pdd.Action, ...])


def think(analyst: pdd.players.Analyst, numbers: list[int]) -> None:
    """Take any player that says what it thinks."""
    ask(analyst)
    assert_type(analyst.analyse(state), pdd.players.Analysis)
    words = pdd.messages.GERMAN
    said = pdd.players.annotate(game, analyst, catalog=words, on_move=numbers.append)
    assert_type(said, pdd.Game)


# Pictures in text

style = pdd.text.Style.ASCII
assert_type(pdd.text.render(state, coordinates=False, last=pdd.Pass(), style=style), str)
assert_type(pdd.text.render(state.position), str)
assert_type(pdd.text.render(state.step(pdd.PlaceTile(pdd.Cell(0, 0))), targets=True), str)
assert_type(pdd.text.legend(half_turns=True), str)
picture = pdd.text.layout(state.position.setup())
assert_type(picture, tuple[tuple[pdd.text.Span, ...], ...])
assert_type(picture[0][0].text, str)
assert_type(picture[0][0].role, pdd.text.Role)
assert_type(list(pdd.text.Role), list[pdd.text.Role])

# Pages

assert_type(pdd.html.replay(game), pdd.html.Html)
assert_type(pdd.html.replay([game, game], title="Two", catalog=pdd.messages.GERMAN).text, str)

# Pictures in SVG

shown_last = pdd.PlaceTile(pdd.Cell(0, 0))
drawing = pdd.svg.render(
    state.step(shown_last),
    last=shown_last,
    highlights=state.rules.board.cells[:2],
    targets=True,
    arrows=[pdd.svg.Arrow(pdd.Cell(0, 0), pdd.Cell(1, 1), "#123456")],
    heat={pdd.Cell(0, 0): 1, pdd.Cell(1, 0): 0.5},
    coordinates=False,
    networks=True,
    symmetry=pdd.symmetries(state.rules.board)[1],
    theme=pdd.svg.DARK,
    size=400,
    catalog=pdd.messages.GERMAN,
)
assert_type(drawing, pdd.svg.Svg)
assert_type(drawing.text, str)
for every_scene in (state, state.position, state.position.setup(), game):
    assert_type(pdd.svg.render(every_scene), pdd.svg.Svg)
arrow = pdd.svg.Arrow(pdd.Cell(0, 0), pdd.Cell(1, 1))
assert_type(arrow.start, pdd.Cell)
assert_type(arrow.end, pdd.Cell)
assert_type(arrow.color, str | None)
theme = pdd.svg.Theme(water="#123456")
assert_type(pdd.svg.LIGHT, pdd.svg.Theme)
assert_type(pdd.svg.PRINT, pdd.svg.Theme)
assert_type(theme.paper, str)
assert_type(theme.text, str)
assert_type(theme.water, str)
assert_type(theme.grid, str)
assert_type(theme.white, str)
assert_type(theme.red, str)
assert_type(theme.edge, str)
assert_type(theme.white_land, str)
assert_type(theme.red_land, str)
assert_type(theme.white_shoal, str)
assert_type(theme.red_shoal, str)
assert_type(theme.bridge, str)
assert_type(theme.rail, str)
assert_type(theme.shadow, str)
assert_type(theme.blocked, str)
assert_type(theme.last, str)
assert_type(theme.highlight, str)
assert_type(theme.target, str)
assert_type(theme.fault, str)
assert_type(theme.arrow, str)
assert_type(theme.heat, str)
assert_type(theme.cold, str)
assert_type(theme.tints, tuple[str, ...])

# Pictures in pixels

assert_type(pdd.raster.png(state, last=shown_last, size=20, catalog=pdd.messages.GERMAN), bytes)
assert_type(pdd.raster.animation(game, size=20), bytes)
assert_type(pdd.raster.animation(game, "gif", seconds=2, theme=pdd.svg.PRINT, size=20), bytes)

# Records

text = pdd.records.dumps(game)
errors: list[pdd.RecordError] = []
assert_type(text, str)
assert_type(pdd.records.loads(text), pdd.Game)
assert_type(pdd.records.loads(text, errors), pdd.Game)
assert_type(pdd.records.loads(text.encode()), pdd.Game)
assert_type(pdd.records.load(io.StringIO(text)), pdd.Game)
assert_type(pdd.records.load(io.BytesIO(text.encode())), pdd.Game)
assert_type(pdd.records.iter_games([text], on_error="skip"), Iterator[pdd.Game])
records = pdd.records.iter_records([text], errors)
assert_type(records, Iterator[pdd.records.Record | pdd.RecordError])
headers = pdd.records.iter_headers(text.encode())
assert_type(headers, Iterator[pdd.records.Header | pdd.RecordError])
pdd.records.dump(game, io.StringIO())
assert_type(pdd.records.iter_results([text]), Iterator[pdd.Game | pdd.RecordError])
assert_type(pdd.records.pdd.loads(pdd.records.pdd.dumps(game)), pdd.Game)
assert_type(pdd.records.pdd.losses(game), tuple[str, ...])
assert_type(list(pdd.records.Format), list[pdd.records.Format])
assert_type(pdd.records.detect(text.encode()), pdd.records.Format | None)
assert_type(
    pdd.records.read(io.BytesIO(text.encode()), format=pdd.records.Format.PDD),
    Iterator[pdd.Game | pdd.RecordError],
)
assert_type(pdd.records.losses(game, pdd.records.Format.SGF), tuple[str, ...])
pdd.records.write([game], io.BytesIO(), pdd.records.Format.SGF)


def records_have_parts(record: pdd.records.Record, header: pdd.records.Header) -> None:
    assert_type(record.start, pdd.GameState)
    assert_type(record.rules, pdd.Rules)
    assert_type(record.line, pdd.Line)
    assert_type(record.actions, tuple[pdd.Action, ...])
    assert_type(record.result, str)
    assert_type(record.termination, pdd.Ending | None)
    assert_type(record.number, int)
    assert_type(record.tags["Event"], str)
    assert_type(record.game(), pdd.Game)
    assert_type(header.line, int)
    assert_type(header.end_line, int)
    assert_type(header.offset, int)
    assert_type(header.text, str)
    assert_type(header.number, int)
    assert_type(header.tags["Event"], str)
    assert_type(header.record(errors), pdd.records.Record)


for record, header in zip(records, headers, strict=True):
    if not isinstance(record, pdd.RecordError) and not isinstance(header, pdd.RecordError):
        records_have_parts(record, header)

assert_type(pdd.records.sgf.loads(pdd.records.sgf.dumps(game)), pdd.Game)
assert_type(pdd.records.sgf.load([pdd.records.sgf.dumps(game)]), pdd.Game)
assert_type(pdd.records.sgf.iter_games([], "raise"), Iterator[pdd.Game])
assert_type(pdd.records.sgf.iter_results([]), Iterator[pdd.Game | pdd.RecordError])
assert_type(pdd.records.sgf.losses(game), tuple[str, ...])
pdd.records.sgf.dump(game, io.StringIO())
finished = game.play("red").end(pdd.Ending.RESIGNATION, winner=pdd.Seat.FIRST)
assert_type(pdd.records.abstract_play.loads(pdd.records.abstract_play.dumps(finished)), pdd.Game)
assert_type(pdd.records.abstract_play.load([pdd.records.abstract_play.dumps(finished)]), pdd.Game)
assert_type(pdd.records.abstract_play.iter_games([], "skip"), Iterator[pdd.Game])
assert_type(pdd.records.abstract_play.iter_results([]), Iterator[pdd.Game | pdd.RecordError])
assert_type(pdd.records.abstract_play.losses(finished), tuple[str, ...])
pdd.records.abstract_play.dump(finished, io.StringIO())
assert_type(pdd.records.boardspace.iter_games([], "skip"), Iterator[pdd.Game])
assert_type(pdd.records.boardspace.iter_results([]), Iterator[pdd.Game | pdd.RecordError])


def boardspace_is_read(text: str, path: Path) -> None:
    assert_type(pdd.records.boardspace.loads(text), pdd.Game)
    assert_type(pdd.records.boardspace.loads(path.read_bytes()), pdd.Game)
    assert_type(pdd.records.boardspace.load(path), pdd.Game)
    assert_type(pdd.records.sgf.iter_games(path), Iterator[pdd.Game])
    with path.open("rb") as file:
        assert_type(pdd.records.boardspace.iter_results(file), Iterator[pdd.Game | pdd.RecordError])


# JSON

document = pdd.json.dumps(state, indent=2)
assert_type(document, str)
assert_type(pdd.json.loads(document), pdd.json.Value)
assert_type(pdd.json.loads(document, pdd.GameState), pdd.GameState)
assert_type(pdd.json.loads(document.encode()), pdd.json.Value)
assert_type(pdd.json.from_json(pdd.json.to_json(game), pdd.Game), pdd.Game)
data: pdd.json.JSON = pdd.json.to_json(game)
assert_type(pdd.json.schema(), dict[str, pdd.json.JSON])
assert_type(pdd.json.default(pdd.Seat.FIRST), object)
assert_type(pdd.json.snapshot(state), dict[str, pdd.json.JSON])
snapshot = pdd.json.snapshot(game.state, last=game.actions[-1], catalog=pdd.messages.GERMAN)
assert_type(pdd.json.register_hooks(cattrs.Converter()), None)
marks: tuple[str, int] = (pdd.json.FORMAT, pdd.json.VERSION)
json_error = pdd.json.JsonError("value", "a number")
assert_type(json_error.path, str)
assert_type(json_error.expected, str)
assert_type(json_error.code, str)
assert_type(json_error.reason, pdd.Reason)
assert_type(json_error.below("value"), pdd.json.JsonError)

# Batches

games = pdd.batch.GameBatch.initial(pdd.Rules(), size=2)
assert_type(games, pdd.batch.GameBatch)
assert_type(pdd.batch.GameBatch.from_states([state]), pdd.batch.GameBatch)
assert_type(games.rules, pdd.Rules)
assert_type(games.space, pdd.StepSpace)
assert_type(games.size, int)
assert_type(len(games), int)
assert_type(games.tiles, npt.NDArray[np.int8])
assert_type(games.is_over, npt.NDArray[np.bool_])
assert_type(games.to_move, npt.NDArray[np.int8])
assert_type(games.seat_to_move, npt.NDArray[np.int8])
assert_type(games.states(), tuple[pdd.GameState | pdd.HalfTurn, ...])
assert_type(games.take([0]), pdd.batch.GameBatch)
assert_type(games.phase, npt.NDArray[np.int8])
assert_type(games.white_owner, npt.NDArray[np.int8])
assert_type(games.first, npt.NDArray[np.int16])
assert_type(games[0], pdd.GameState | pdd.HalfTurn)
assert_type(games[:1], pdd.batch.GameBatch)
assert_type(list(games), list[pdd.GameState | pdd.HalfTurn])
assert_type(pdd.batch.GameBatch.concat([games, games]), pdd.batch.GameBatch)
assert_type(games.replaced([1], games[:1]), pdd.batch.GameBatch)
assert_type(games.restarted([True, False]), pdd.batch.GameBatch)
assert_type(games.copies(3), pdd.batch.GameBatch)
assert_type(games.packed(), npt.NDArray[np.uint8])
assert_type(games.hashes(), npt.NDArray[np.uint64])
assert_type(games.canonical(), pdd.batch.GameBatch)
turning = pdd.symmetries(pdd.Board())[1]
assert_type(games.transform(turning), pdd.batch.GameBatch)
assert_type(games.transform([0, 7]), pdd.batch.GameBatch)
assert_type(games.planes(), npt.NDArray[np.uint8])
assert_type(games.planes([0, 1]), npt.NDArray[np.uint8])
assert_type(games.planes(pdd.Color.RED, dtype=np.float32), npt.NDArray[np.float32])
assert_type(games.planes(dtype=np.dtype(np.float16)), npt.NDArray[np.float16])
assert_type(pdd.batch.PLANES, tuple[str, ...])
assert_type(pdd.batch.PLANES_VERSION, int)
assert_type(pdd.batch.planes(state), npt.NDArray[np.uint8])
assert_type(pdd.batch.planes(state, pdd.Color.RED), npt.NDArray[np.uint8])
assert_type(pdd.batch.planes(state, dtype=np.float32), npt.NDArray[np.float32])
assert_type(pdd.batch.transform_planes(games.planes(), turning), npt.NDArray[np.uint8])
assert_type(pdd.batch.permutation(games.space, turning), npt.NDArray[np.int32])
assert_type(pdd.batch.permutation(pdd.ActionSpace(pdd.Board()), turning), npt.NDArray[np.int32])
assert_type(pdd.batch.step_codes(pdd.ActionSpace(pdd.Board())), npt.NDArray[np.int32])


def batches_are_played(games: pdd.batch.GameBatch, codes: npt.NDArray[np.int32]) -> None:
    """What would compile kernels, were it run."""
    assert_type(games.scores, npt.NDArray[np.int32])
    assert_type(games.points, npt.NDArray[np.int32])
    assert_type(games.winner, npt.NDArray[np.int8])
    assert_type(games.winning_seat, npt.NDArray[np.int8])
    assert_type(games.rewards, npt.NDArray[np.int8])
    assert_type(games.legal_mask(), npt.NDArray[np.uint8])
    assert_type(games.step(codes), pdd.batch.GameBatch)
    assert_type(games.step([1, 2]), pdd.batch.GameBatch)
    assert_type(games.step(codes, threads=2), pdd.batch.GameBatch)
    mask = games.legal_mask(packed=True, threads=2)
    assert_type(mask, npt.NDArray[np.uint8])
    assert_type(games.legal_mask(mask, packed=True), npt.NDArray[np.uint8])
    seen = games.planes(threads=2)
    assert_type(games.planes(out=seen), npt.NDArray[np.uint8])
    as_floats = games.planes(dtype=np.float32)
    assert_type(games.planes(dtype=np.float32, out=as_floats, threads=2), npt.NDArray[np.float32])
    assert_type(games.sample_steps(7), npt.NDArray[np.int32])
    assert_type(games.sample_steps(7, games.legal_mask(), threads=2), npt.NDArray[np.int32])
    played = games.playout(seed=7, threads=2)
    assert_type(played, pdd.batch.Playouts)
    assert_type(played.turns, npt.NDArray[np.int32])
    assert_type(played.points, npt.NDArray[np.int32])
    assert_type(played.winner, npt.NDArray[np.int8])
    assert_type(played.winning_seat, npt.NDArray[np.int8])
    assert_type(played.rewards, npt.NDArray[np.int8])
    replays = pdd.batch.replay([game])
    assert_type(replays, pdd.batch.Replays)
    assert_type(replays.points, npt.NDArray[np.int32])
    assert_type(replays.winner, npt.NDArray[np.int8])
    assert_type(replays.is_over, npt.NDArray[np.bool_])
    assert_type(replays.illegal_at, npt.NDArray[np.int32])


def pools_are_played(games: pdd.batch.GameBatch, rules: pdd.Rules) -> None:
    """What would compile kernels, were it run."""
    pool = pdd.batch.GamePool(rules, 4, seed=1, threads=2, restart=False, planes=True)
    assert_type(pool, pdd.batch.GamePool)
    assert_type(pdd.batch.GamePool(), pdd.batch.GamePool)
    assert_type(
        pdd.batch.GamePool.from_games(games, seed=1, threads=2, restart=False, planes=True),
        pdd.batch.GamePool,
    )
    assert_type(pool.rules, pdd.Rules)
    assert_type(pool.space, pdd.StepSpace)
    assert_type(pool.size, int)
    assert_type(len(pool), int)
    assert_type(pool.mask, npt.NDArray[np.uint8])
    assert_type(pool.planes, npt.NDArray[np.uint8])
    assert_type(pool.seat_to_move, npt.NDArray[np.int8])
    assert_type(pool.is_over, npt.NDArray[np.bool_])
    assert_type(pool.rewards, npt.NDArray[np.int8])
    assert_type(pool.points, npt.NDArray[np.int32])
    assert_type(pool.turns, npt.NDArray[np.int32])
    assert_type(pool.final_planes, npt.NDArray[np.uint8])
    assert_type(pool.games, pdd.batch.GameBatch)
    assert_type(pool.sample(), npt.NDArray[np.int32])
    assert_type(pool.sample(pool.mask), npt.NDArray[np.int32])
    assert_type(pool.step(pool.sample()), None)
    assert_type(pool.restart(pool.is_over), None)
    try:
        pool.step([1, 2, 3, 4])
    except pdd.batch.RowError as error:
        assert_type(error.row, int)
        assert_type(error.problem, str)


# Adapters of frameworks


def frameworks_are_played() -> None:
    """What needs them, were it run."""
    pdd.adapters.pettingzoo.env(pdd.Rules(), on_illegal="lose", max_cycles=9, render_mode="human")
    agents = pdd.adapters.pettingzoo.raw_env(max_cycles=9, render_mode="rgb_array", render_size=400)
    assert_type(agents.rules, pdd.Rules)
    assert_type(agents.node, pdd.GameState | pdd.HalfTurn)
    assert_type(agents.reset(seed=1, options={"start": state}), None)
    assert_type(agents.step(np.int64(1)), None)
    assert_type(agents.observe("first"), dict[str, npt.NDArray[np.generic]])
    assert_type(agents.state(), npt.NDArray[np.uint8])
    assert_type(agents.close(), None)
    alone = pdd.adapters.gymnasium.PonteEnv(
        opponent=rival, seat=None, on_illegal="raise", render_mode="ansi"
    )
    seen, info = alone.reset(seed=1)
    assert_type(seen, dict[str, npt.NDArray[np.generic]])
    _, reward, terminated, truncated, info = alone.step(1)
    assert_type((reward, terminated, truncated), tuple[float, bool, bool])
    assert_type(info, dict[str, npt.NDArray[np.int8] | str])
    assert_type(alone.seat, pdd.Seat)
    many = pdd.adapters.gymnasium.PonteVectorEnv(
        2, pdd.Rules(), autoreset_mode="SameStep", copy=False
    )
    assert_type(many.pool, pdd.batch.GamePool)
    assert_type(many.sample(), npt.NDArray[np.int32])
    _, rewards, ends, _, infos = many.step(many.sample())
    assert_type(rewards, npt.NDArray[np.float64])
    assert_type(ends, npt.NDArray[np.bool_])
    assert_type(infos, dict[str, npt.NDArray[np.generic]])
    assert_type(pdd.adapters.openspiel.game_string(pdd.presets.ORIGINAL), str)
    pdd.adapters.openspiel.PlayoutEvaluator(16, seed=1)
