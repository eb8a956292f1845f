"""Write the conformance vectors: ``PYTHONPATH=src:tests python benchmarks/conformance_vectors.py``.

The answers to whole games and to perft are those of the independent implementation in
``tests/data``; all others are those of this library, by ``examples/conformance.py``.
"""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pontedeldiavolo as pdd
from support.reference import COLORS
from support.strategies import Player, play_out

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
TARGET = DATA / "compatibility" / "0.1.0" / "conformance.json"
ANSWER = runpy.run_path(str(ROOT / "examples" / "conformance.py"))
REFERENCE = runpy.run_path(str(ROOT / "tests" / "rules" / "test_against_reference.py"))
MOST_PERFT = 3_000_000

Request = dict[str, Any]
SHAPES = (
    *((1, 1, None, None), (2, 2, None, None), (3, 3, None, None), (4, 3, 5, 1), (9, 1, None, None)),
    *((5, 4, None, 2), (5, 5, 7, 2), (6, 6, None, None), (8, 8, 18, 4), (10, 10, 20, 6)),
    *((10, 10, 40, 15), (30, 4, None, None)),
)
TEXTS = ("", "10x10", "3x3 tiles=1", "d4,g7", "3X3 TILES=unlimited bridges=unlimited")
RECORDS = (
    '[Rules "brettspielnetz"]\n\n1. d4,g7 red 2. a1,b1 *\n',
    (
        '[First "Ada"]\n[Rules "3x3 tiles=9 bridges=0 tiebreaks=none"]\n\n'
        "1. b2,a1 white {a comment} 2. c3,a3 $1 (2. c1,c2) *\n"
    ),
    "; a comment\n1. d4,g7 red 2. d5,d6 white-wins\n",
    '[Termination "time"]\n\n1. d4,g7 red first-wins\n',
    "1. d4,g7 red 2. d4,e4 *\n",
    "1. d4,d4 *\n",
    "1. d4,g7 2. a1,b1 *\n",
    '[Event "no end\n\n1. d4,g7 *\n',
    "",
)
SETUPS = (
    "3 . . .\n2 . w .\n1 w . r\n",
    "3 . w w\n2 w w .\n1 w . r\n",
    "4 w . . r\n3 w . r .\n2 . w . .\n1 w w . r\nbridges a4-b2 c3-d1\n",
    "3 w . w\n2 . r .\n1 w . w\nbridges a1-c3 a3-c1\n",
    "3 w . r\n2 . . .\n1 r . .\nbridges a3-c3 a1-a2\n",
)


def games() -> Iterator[pdd.Game]:
    """Yield played out games of every shape, by players of every kind."""
    for number, (width, height, tiles, bridges) in enumerate(SHAPES):
        for kind in range(4):
            orders = REFERENCE["TIEBREAKS"]
            order = tuple(map(pdd.Tiebreak, orders[(number + kind) % len(orders)]))
            rules = pdd.Rules(pdd.Board(width, height), tiles, bridges, order)
            yield play_out(rules, Player(Random(8 * number + kind), kind % 2 > 0, kind > 1))


def of_state(state: pdd.GameState, rng: Random) -> Iterator[Request]:
    """Yield requests about a state."""
    text, cells = pdd.format_state(state), len(state.rules.board)
    yield {"do": "count", "state": text}
    yield {"do": "score", "state": text}
    if rng.random() < 0.2:
        yield {"do": "read", "text": text.replace(" ", "  ").replace("tiles", "TILES")}
    if cells <= 25:
        yield {"do": "legal", "state": text}
    if state.legal_actions:
        action = pdd.format_action(state.legal_actions.sample(rng))
        yield {"do": "apply", "state": text, "action": action}
    attempts = [REFERENCE["some_attempt"](state, rng) for _ in range(5)]
    for attempt in (*attempts, *REFERENCE["narrow_attempts"](state)[:6]):
        yield {"do": "violations", "state": text, "action": ANSWER["format_either"](attempt)}
    nodes: list[pdd.Node] = [state]
    if state.legal_steps:
        found = state.step(state.legal_steps.sample(rng))
        yield {"do": "step", "node": text, "step": pdd.format_step(state.legal_steps[0])}
        nodes += [found] * isinstance(found, pdd.HalfTurn)
    for node in nodes:
        text = ANSWER["node_text"](node)
        yield {"do": "canonical", "node": text}
        yield {"do": "keys", "node": text}
        yield {"do": "hash", "node": text}
        if cells <= 36:
            yield {"do": "steps", "node": text}
        if isinstance(node, pdd.HalfTurn):
            yield {"do": "step", "node": text, "step": pdd.format_step(node.legal_steps[-1])}


def requests() -> Iterator[Request]:
    """Yield the requests that this library answers."""
    rng = Random(24)
    for game in games():
        states = [*game.states()]
        for state in dict.fromkeys((*rng.sample(states, min(5, len(states))), *states[-2:])):
            yield from of_state(state, rng)
        yield {"do": "record", "text": pdd.records.dumps(game)}
    for size in ((2, 2), (3, 2), (3, 3), (4, 3)):
        rules = pdd.Rules(pdd.Board(*size))
        for seed in range(8):
            states = [*play_out(rules, Player(Random(seed), builder=True)).states()][1:-1]
            yield {"do": "solve", "state": pdd.format_state(rng.choice(states))}
    yield from ({"do": "record", "text": text} for text in RECORDS)
    yield from ({"do": "read", "text": text} for text in TEXTS)
    yield from ({"do": "setup", "text": text} for text in SETUPS)


def vectors() -> Iterator[dict[str, Request]]:
    """Yield all requests with their answers."""
    for row in json.loads((DATA / "perft.json").read_text("utf-8"))["perft"]:
        if row["nodes"] <= MOST_PERFT:
            rules = pdd.format_rules(pdd.Rules(pdd.Board(row["w"], row["h"])))
            asked = {"do": "perft", "rules": rules, "depth": row["depth"]}
            yield {"request": asked, "answer": {"count": row["nodes"]}}
    for line in (DATA / "games.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        rules = pdd.format_rules(pdd.Rules(pdd.Board(*row["size"]), row["tiles"], row["bridges"]))
        triples = zip(row["points"], row["islands"], row["bridge_counts"], strict=True)
        scores = dict(zip(COLORS, map(list, triples), strict=True))
        answer = {"counts": row["legal_counts"], **scores, "winner": row["winner"]}
        asked = {"do": "game", "rules": rules, "actions": row["moves"]}
        yield {"request": asked, "answer": answer}
    known = {json.dumps(asked): asked for asked in requests()}
    for asked in sorted(known.values(), key=lambda each: each["do"]):
        yield {"request": asked, "answer": ANSWER["answer"](asked)}


def main() -> None:
    """Write the file, one vector a line."""
    lines = ",\n".join(json.dumps(each) for each in vectors())
    TARGET.write_text(f'{{"version": 1, "vectors": [\n{lines}\n]}}\n', "utf-8")


if __name__ == "__main__":
    main()
