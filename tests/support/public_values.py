"""A value of every public class, including errors."""

from __future__ import annotations

import sys
from pathlib import Path

import pontedeldiavolo as pdd
from pontedeldiavolo import html, svg, text
from support.documents import EXAMPLES
from support.documents import STATE as BUILT
from support.public_api import submodules

A1 = pdd.Cell(0, 0)
C3 = pdd.Cell(2, 2)
PAIR = pdd.PlaceTiles(A1, C3)
STATE = pdd.GameState.initial()
GAME = pdd.Game.new(tags={"Event": "A test"}).play(PAIR).with_variation((0,), ["a1,b1"])
POSITION = STATE.apply(PAIR).position
STUB = Path(__file__).with_name("stub_engine.py")
RECORD = pdd.records.dumps(GAME)


def closed_engine() -> pdd.players.ExternalPlayer:
    """Return a player whose process has not been started."""
    with pdd.players.ExternalPlayer([sys.executable, "-IS", str(STUB)]) as player:
        return player


VALUES: list[object] = [
    *(pdd.Board(), A1, pdd.Board().cell_set([A1]), pdd.Board().symmetries[1], pdd.Rules()),
    *(POSITION.pieces, pdd.Board().geometry),
    *(pdd.PlaceTile(A1), PAIR, POSITION, pdd.ActionSpace(pdd.Board()), pdd.StepSpace(pdd.Board())),
    *(STATE, STATE.step(pdd.PlaceTile(A1)), STATE.legal_actions, STATE.legal_steps),
    *(BUILT.position.groups(pdd.Color.WHITE)[0], BUILT.position.networks(pdd.Color.WHITE)[0]),
    *(STATE.effects(PAIR), GAME, GAME.line, GAME.move_at((0,)), GAME.plies[0]),
    *(pdd.Limits(side=26), pdd.records.Format.SGF),
    pdd.players.AnalysisLine((PAIR,), 0.5, 0.1, 3, 2, proven=False),
    pdd.players.Analysis(PAIR, 0.5, (pdd.players.ActionStats(PAIR, 3, 0.5),), (PAIR,)),
    pdd.players.ActionStats(PAIR, 3, 0.5),
    pdd.players.Book(pdd.Rules(pdd.Board(2, 2)), {}),
    pdd.players.Clock(60, 58.5, 1),
    pdd.players.EngineError(pdd.Reason("engine-late", {"engine": "Lagoon"}), pdd.Ending.TIME),
    closed_engine(),
    *(pdd.players.GreedyPlayer(1), pdd.players.RandomPlayer(1)),
    pdd.players.MctsPlayer(simulations=10),
    pdd.players.Match("Ada", "Bo", 1, 1, 0, (0, 0, 0, 1, 0), pdd.players.SequentialTest(0, 50)),
    pdd.players.MatchWarning(pdd.Reason("openings-used-up", {"pairs": 3})),
    pdd.players.PlayerError("Ada", "fell asleep", GAME),
    pdd.players.SequentialTest(0, 50),
    pdd.IllegalActionError([pdd.Violation(pdd.ViolationCode.OCCUPIED)], 3),
    pdd.InvalidPositionError([pdd.Violation(pdd.ViolationCode.OCCUPIED)]),
    *(pdd.InvalidRulesError("no such rules"), pdd.NotationError("a", 1, "a row")),
    *(pdd.PonteError("no"), pdd.RecordError(1, 2, "a tag", 3), pdd.Reason("cell")),
    next(iter(pdd.records.iter_headers(RECORD.splitlines(keepends=True)))),
    *(html.replay(GAME), svg.Arrow(A1, C3), svg.render(POSITION), svg.DARK),
    *(text.Role.LABEL, text.Span("a", text.Role.LABEL), text.Style.ASCII),
    pdd.testing.conformance.Vector({"do": "perft"}, {"count": 1}),
    *EXAMPLES.values(),
]
"""A value of every public class; those with documents come last."""

if "batch" in submodules():
    VALUES += [
        pdd.batch.GameBatch.from_states([STATE, STATE.apply(PAIR)]),
        pdd.batch.GamePool(size=0, planes=True),
        pdd.batch.GameBatch.initial(size=0).playout(seed=1),
        pdd.batch.RowError(3, "no such code"),
        pdd.batch.replay([]),
        pdd.players.BatchedSearch(pdd.batch.GameBatch.initial(size=0), simulations=1),
        pdd.players.Solution(1, (PAIR,), 3),
        pdd.players.Solver(max_nodes=1),
        pdd.players.Tablebase.bundled(pdd.Rules(pdd.Board(2, 2))),
    ]
if "json" in submodules():
    VALUES.append(pdd.json.JsonError("value", "a number"))
