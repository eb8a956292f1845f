"""The conformance vectors and their JSON Schema; ``tools/stored_files.py`` writes both.

The answers to whole games and to perft come from the independent implementation in ``tests/data``;
all others come from this library, through ``examples/conformance.py``.
"""

from __future__ import annotations

import json
import runpy
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pontedeldiavolo as pdd
from support.reference import COLORS
from support.strategies import Player, play_out

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
ANSWER = runpy.run_path(str(ROOT / "examples" / "conformance.py"))
REFERENCE = runpy.run_path(str(ROOT / "tests" / "rules" / "test_against_reference.py"))
MAX_PERFT = 3_000_000
READ_SHARE = 0.2
"""The share of states whose text is also read in a form that people write."""
CELLS_FOR_ACTIONS = 25
CELLS_FOR_STEPS = 36
"""The largest boards whose legal actions and steps are listed."""

VERSION = 1
"""The version of the file."""

Request = dict[str, Any]
Schema = dict[str, Any]
SHAPES = (
    *((1, 1, None, None), (2, 2, None, None), (3, 3, None, None), (4, 3, 5, 1), (9, 1, None, None)),
    *((5, 4, None, 2), (5, 5, 7, 2), (6, 6, None, None), (8, 8, 18, 4), (10, 10, 20, 6)),
    *((10, 10, 40, 15), (30, 4, None, None)),
)
TEXTS = ("", "10x10", "3x3 tiles=1", "d4,g7", "3X3 TILES=unlimited bridges=unlimited")
PLAYING = "rows={rows} built={built} phase=play to-move=white white=first"
FREE = "{size} tiles=unlimited bridges=unlimited tiebreaks=none"
BOARDS = (
    *((FREE, "4x3", "4/4/4", "-"), (FREE, "4x3", "4/w1w1/4", "-"), (FREE, "2x2", "w1/1r", "-")),
    *((FREE, "1x1", "1", "-"), (FREE, "4x3", "w1rr/4/w1w1", "a1-a3")),
    ("{size} tiles=2 bridges=1 tiebreaks=none", "4x3", "w1rr/4/4", "-"),
)
"""Positions that are combined with every phase, colour to move and owner."""
NODES = (
    *(("brettspielnetz", "10/10/10/10/10/10/10/10/10/10", "-"),),
    *((f"{name} tiebreaks=bridges", "12/" * 11 + "12", "-") for name in ("modern", "12x12")),
    *(("original", "10/" * 9 + "10", "-"), ("none-such", "10/" * 9 + "10", "-")),
    *(("03x3 tiles=unlimited bridges=unlimited tiebreaks=none", "3/3/3", "-"),),
    *(("3x3 tiles=09 bridges=unlimited tiebreaks=none", "3/3/3", "-"),),
    *(("3x3 tiles=9007199254740991 bridges=1234567890 tiebreaks=none", "3/3/3", "-"),),
    *(("3x3\ttiles=unlimited\r\nbridges=unlimited\ntiebreaks=none", "3/3/3", "-"),),
    *(("3x3\xa0tiles=unlimited bridges=unlimited tiebreaks=none", "3/3/3", "-"),),
    *((FREE.format(size="3x3"), rows, "-") for rows in ("W2/3/2R", "3/3", "3/3/4", "2/3/3")),
    *((FREE.format(size="3x3"), rows, "-") for rows in ("03/3/3", "111/21/3", "3/3/3/", "")),
    *(
        (FREE.format(size="5x3"), "w1w1w/5/w1w1r", built)
        for built in (
            *("a1-a3", "a3-a1", "c1-a1,a1-a3,c3-a3", "a1-a3,a1-a3", "a1-a3,a3-a1", "c1-a3"),
            *("a1-c3", "a1-b3", "c1-e1", "a1-a4", "a3-e3", "A1-A3", "a1-c1,", "a01-a3"),
        )
    ),
    *((FREE.format(size="6x3"), rows, "-") for rows in ("wwww2/6/6", "www1ww/w5/6", "www2r/2w3/6")),
    *(
        (FREE.format(size="6x3"), rows, "-")
        for rows in ("wwwww1/6/6", "wwww2/4w1/6", "rrrr2/4r1/6")
    ),
    (FREE.format(size="5x3"), "wwwr1/w4/5", "-"),
    *(("3x3 tiles=1 bridges=0 tiebreaks=none", rows, "-") for rows in ("w1w/3/3", "r2/3/w2")),
    ("4x3 tiles=9 bridges=0 tiebreaks=none", "w1w1/4/4", "a3-c3"),
)
"""Rules, rows and bridges of states that are valid, or have one fault."""
OVERLAP = f"{FREE.format(size='4x2')} {PLAYING.format(rows='4/w1ww', built='a1-c1')}"
FIRST = ("a1", "b1", "d1", "d3", "c2", "e1", "A1", "a01", "a1,b1", "")
TIES = 4
"""The number of finished games of each kind in which the two tie-breaks disagree."""
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
    "3 w . . .\n2 . . . .\n1 w . w .\nbridges a1-a3 a1-c1\n",
    "3 w . w\n2 . . .\n1 w . w\nbridges a1-a3 a1-c1 c1-c3 a3-c3\n",
    "3 w . w\n2 . . .\n1 w . w\nbridges a1-c3 a3-c1\n",
    "4 w w w w\n3 . . . .\n2 w w . .\n1 . . . .\n",
    "4 w w w w\n3 . . . w\n2 . . . .\n1 . . . .\n",
    "4 w w w w\n3 . . . .\n2 . . . w\n1 w w w w\n",
    "4 w w w w\n3 . . . .\n2 w w w .\n1 . . . w\n",
    "4 r r r r\n3 w w w w\n2 . . . .\n1 r . . .\n",
    "2 w x\n1 . .\n",
    "2 w .\n1 . .\nred a2 b1\n",
    "2 w .\n1 . .\nwhite a2 b1 c1 a99\n",
    "2 w .\n1 . .\nred c3\nbridges a2-c2\n",
    "3 w . w\n2 . . .\n1 . . .\nbridges a3-c3\nbridges c3-a3 a3-c3\n",
    "3 w . w\n2 . . .\n1 . . .\nbridges a3-c3 a1-c1\n",
    "3 w . .\n2 . . .\n1 . . r\nbridges a3-c1 a3-a1\n",
    "3 w . .\n2 . w .\n1 . . w\nbridges a3-c1\n",
    "5 w . . . w\n4 . . . . .\n3 . . . . .\n2 . . . . .\n1 w . . . w\nbridges a1-e5 a1-a5 a1-b5\n",
    "3 w w w\n2 . . .\n1 w w w\nbridges a1-a3 b1-b3 a1-b3 b1-a3\n",
    "3 . . w\n2 . x .\n1 w . .\nbridges a1-c3\n",
    "1 w w w w\nbridges a1-c1 b1-d1\n",
    "4 . . . w\n3 . . w .\n2 . w . .\n1 w . . .\nbridges a1-c3 d4-b2\n",
    "3 . w .\n2 . . .\n1 w w w\nbridges a1-c1 b1-b3\n",
)


def games() -> Iterator[pdd.Game]:
    """Yield finished games on boards of every shape, by players of every kind."""
    for number, (width, height, tiles, bridges) in enumerate(SHAPES):
        for kind in range(4):
            orders = REFERENCE["TIEBREAKS"]
            order = tuple(map(pdd.Tiebreak, orders[(number + kind) % len(orders)]))
            rules = pdd.Rules(pdd.Board(width, height), tiles, bridges, order)
            yield play_out(rules, Player(Random(8 * number + kind), kind % 2 > 0, kind > 1))


def of_state(state: pdd.GameState, rng: Random) -> Iterator[Request]:
    """Yield requests about a state."""
    text = pdd.format_state(state)
    cells = len(state.rules.board)
    yield {"do": "count", "state": text}
    yield {"do": "score", "state": text}
    if rng.random() < READ_SHARE:
        yield {"do": "read", "text": text.replace(" ", "  ").replace("tiles", "TILES")}
    if cells <= CELLS_FOR_ACTIONS:
        yield {"do": "legal", "state": text}
    if state.legal_actions:
        action = pdd.format_action(state.legal_actions.sample(rng))
        yield {"do": "apply", "state": text, "action": action}
    attempts = [REFERENCE["some_attempt"](state, rng) for _ in range(5)]
    for attempt in (*attempts, *REFERENCE["narrow_attempts"](state)[:6]):
        yield {"do": "violations", "state": text, "action": pdd.format_action(attempt)}
    nodes: list[pdd.Node] = [state]
    if state.legal_steps:
        found = state.step(state.legal_steps.sample(rng))
        yield {"do": "step", "node": text, "step": pdd.format_action(state.legal_steps[0])}
        nodes += [found] * isinstance(found, pdd.HalfTurn)
    for node in nodes:
        text = pdd.format_state(node)
        yield {"do": "canonical", "node": text}
        yield {"do": "keys", "node": text}
        yield {"do": "hash", "node": text}
        if cells <= CELLS_FOR_STEPS:
            yield {"do": "steps", "node": text}
        if isinstance(node, pdd.HalfTurn):
            yield {"do": "step", "node": text, "step": pdd.format_action(node.legal_steps[-1])}


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
    yield from (
        {"do": "violations", "state": OVERLAP, "action": each} for each in ("b1-d1", "d1-b1")
    )
    yield from ({"do": "record", "text": text} for text in RECORDS)
    yield from ({"do": "read", "text": text} for text in (*TEXTS, *node_texts()))
    yield from ({"do": "score", "state": text} for text in ties())
    yield from ({"do": "setup", "text": text} for text in SETUPS)


def node_texts() -> Iterator[str]:
    """Yield texts of states and half turns, many of which are not valid."""
    for rules, size, rows, built in BOARDS:
        start = f"{rules.format(size=size)} rows={rows} built={built}"
        for phase, color, owner in product(pdd.Phase, ("-", "white", "red"), ("-", "first")):
            yield f"{start} phase={phase.value} to-move={color} white={owner}"
    for rules, rows, built in NODES:
        yield f"{rules} {PLAYING.format(rows=rows, built=built)}"
    for rows, cell in product(("4/4/w1w1", "2rr/4/4", "w1w1/w1w1/1wrr"), FIRST):
        start = FREE.format(size="4x3")
        yield f"{start} {PLAYING.format(rows=rows, built='-')} placed={cell}"


def ties() -> Iterator[str]:
    """Yield ends with equal points on which the tie-breaks disagree, with all tie-breaks."""
    found: Counter[tuple[int, ...]] = Counter()
    orders = [",".join(order) or "none" for order in REFERENCE["TIEBREAKS"]]
    for seed in range(3_000):
        rules = pdd.Rules(pdd.Board(6 + seed % 2, 6))
        state = [*play_out(rules, Player(Random(seed), builder=True, settler=True)).states()][-1]
        white, red = map(state.score, pdd.Color)
        leads = white.islands - red.islands, white.bridges - red.bridges
        kind = tuple((lead > 0) - (lead < 0) for lead in leads)
        if white.points == red.points and kind[0] != kind[1] and found[kind] < TIES:
            found[kind] += 1
            before, _, after = pdd.format_state(state).partition("islands,bridges")
            yield from (f"{before}{order}{after}" for order in orders)


def vectors() -> Iterator[dict[str, Request]]:
    """Yield all requests with their answers."""
    for row in json.loads((DATA / "perft.json").read_text("utf-8"))["perft"]:
        if row["nodes"] <= MAX_PERFT:
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


def text() -> str:
    """Return the content of ``conformance.json``, with one vector per line."""
    lines = ",\n".join(json.dumps(each) for each in vectors())
    return f'{{"version": {VERSION}, "vectors": [\n{lines}\n]}}\n'


# The schema

TEXT: Schema = {"type": "string"}
LIST_OF_TEXTS: Schema = {"type": "array", "items": TEXT}
NUMBER: Schema = {"type": "integer", "minimum": 0}
LIST_OF_NUMBERS: Schema = {"type": "array", "items": NUMBER}
SCORE: Schema = {**LIST_OF_NUMBERS, "minItems": 3, "maxItems": 3}
"""Points, islands and bridges."""
WINNER: Schema = {"enum": [*(color.value for color in pdd.Color), "draw", None]}
DECIDED_BY: Schema = {"enum": [*(each.value for each in pdd.DecidedBy), None]}
ERROR: Schema = {"error": {"const": True}}
SCORES: Schema = {**{color.value: SCORE for color in pdd.Color}, "winner": WINNER}
FIELDS: dict[str, tuple[Schema, tuple[Schema, ...]]] = {
    "count": ({"state": TEXT}, ({"count": NUMBER},)),
    "legal": ({"state": TEXT}, ({"actions": LIST_OF_TEXTS},)),
    "steps": (
        {"node": TEXT},
        ({"steps": LIST_OF_TEXTS, "codes": LIST_OF_NUMBERS, "size": NUMBER},),
    ),
    "violations": ({"state": TEXT, "action": TEXT}, ({"violations": LIST_OF_TEXTS},)),
    "apply": ({"state": TEXT, "action": TEXT}, ({"state": TEXT},)),
    "step": ({"node": TEXT, "step": TEXT}, ({"node": TEXT},)),
    "score": ({"state": TEXT}, ({**SCORES, "decided_by": DECIDED_BY},)),
    "game": ({"rules": TEXT, "actions": LIST_OF_TEXTS}, ({"counts": LIST_OF_NUMBERS, **SCORES},)),
    "perft": ({"rules": TEXT, "depth": NUMBER}, ({"count": NUMBER},)),
    "solve": ({"state": TEXT}, ({"value": {"enum": [-1, 0, 1]}, "best": LIST_OF_TEXTS},)),
    "read": ({"text": TEXT}, ({"node": TEXT}, ERROR)),
    "setup": ({"text": TEXT}, ({"violations": LIST_OF_TEXTS}, ERROR)),
    "record": (
        {"text": TEXT},
        (
            {
                "rules": TEXT,
                "tags": {"type": "object", "additionalProperties": TEXT},
                "actions": LIST_OF_TEXTS,
                "state": TEXT,
                "result": TEXT,
            },
            ERROR,
        ),
    ),
    "canonical": ({"node": TEXT}, ({"node": TEXT},)),
    "keys": ({"node": TEXT}, ({"packed": TEXT, "canonical": TEXT, "without_owners": TEXT},)),
    "hash": ({"node": TEXT}, ({"hash": {"type": "string", "pattern": "^[0-9a-f]{16}$"}},)),
}
"""The fields of the request and of each possible answer, by the kind of the request."""


def object_with(fields: Schema) -> Schema:
    """Return the schema of objects with these fields and no others."""
    return {
        "type": "object",
        "properties": fields,
        "required": [*fields],
        "additionalProperties": False,
    }


def schema() -> Schema:
    """Return the JSON Schema of ``conformance.json``."""
    definitions = {}
    for kind, (request, answers) in FIELDS.items():
        forms = [object_with(fields) for fields in answers]
        definitions[kind] = object_with(
            {
                "request": object_with({"do": {"const": kind}, **request}),
                "answer": forms[0] if len(forms) == 1 else {"oneOf": forms},
            }
        )
    any_kind = {"oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in definitions]}
    document = object_with(
        {"version": {"const": VERSION}, "vectors": {"type": "array", "items": any_kind}}
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Conformance vectors of Ponte del Diavolo, version {VERSION}",
        **document,
        "$defs": definitions,
    }
