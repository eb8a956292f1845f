"""The conformance vectors, the answers of library and reference, and the program that checks."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pontedeldiavolo.testing import conformance
from support.json_nodes import ODDITIES, TYPES, texts_with
from support.paths import ROOT, STORED, example
from support.reference import COLORS, Reference, parse_action, parse_cell

FILE = STORED / "conformance.json"
SCHEMA = json.loads((STORED / "conformance.schema.json").read_text("utf-8"))
VECTORS = conformance.load(FILE)
KINDS = sorted(SCHEMA["$defs"])
FEW = 5_000
"""The largest perft count that is not slow."""

Answer = dict[str, Any]


def of_kind(kind: str) -> list[conformance.Vector]:
    return [each for each in VECTORS if each.request["do"] == kind]


def test_vectors_are_small_and_keep_to_the_schema() -> None:
    assert FILE.stat().st_size < 2_000_000
    assert {each.request["do"] for each in VECTORS} == {*KINDS}
    document = json.loads(FILE.read_text("utf-8"))
    some = {**document, "vectors": document["vectors"][::25]}
    jsonschema.validate(some, SCHEMA)


@pytest.mark.parametrize("kind", ["hash", "perft", "solve"])
def test_the_library_passes(kind: str) -> None:
    answer = example("conformance")["answer"]
    for vector in of_kind(kind):
        count = vector.answer.get("count", 0) if kind == "perft" else 0
        if isinstance(count, int) and count < FEW:
            assert answer(vector.request) == vector.answer, vector.request


@pytest.mark.parametrize("values", [TYPES, pytest.param(ODDITIES, marks=pytest.mark.slow)])
def test_files_with_other_values_are_refused(tmp_path: Path, values: dict[str, str]) -> None:
    row = {"request": {"do": "cells", "board": [3, 3]}, "answer": {"cells": ["a1"]}}
    path = tmp_path / "vectors.json"
    refused = 0
    for what, text in texts_with({"version": 1, "vectors": [row]}, values):
        path.write_text(text, "utf-8")
        try:
            vectors = conformance.load(path)
        except ValueError:
            refused += 1
        else:
            assert all(isinstance(each.request["do"], str) for each in vectors), what
    assert refused > 0


def reference_of(text: str) -> Reference:
    """Return the reference in the state of a text."""
    size, *parts = text.split()
    of = dict(part.split("=") for part in parts)
    supply = (of[name] for name in ("tiles", "bridges"))
    tiles, bridges = (None if each == "unlimited" else int(each) for each in supply)
    width, height = map(int, size.split("x"))
    orders = [] if of["tiebreaks"] == "none" else of["tiebreaks"].split(",")
    found = Reference(width, height, tiles, bridges, orders)
    for row, line in enumerate(reversed(of["rows"].split("/"))):
        column = 0
        for run in re.findall(r"\d+|w|r", line):
            if not run.isdigit():
                found.placed["white" if run == "w" else "red"].add((column, row))
            column += int(run) if run.isdigit() else 1
    found.built = [] if of["built"] == "-" else [bridge_of(each) for each in of["built"].split(",")]
    found.phase = of["phase"]
    found.to_move = None if of["to-move"] == "-" else of["to-move"]
    found.white_owner = {"-": None, "first": 0, "second": 1}[of["white"]]
    return found


def bridge_of(text: str) -> tuple[tuple[int, int], tuple[int, int]]:
    one, two = map(parse_cell, text.split("-"))
    return one, two


def parts_of(reference: Reference) -> dict[str, object]:
    return {**vars(reference), "built": sorted(reference.built)}


def scores_of(reference: Reference) -> Answer:
    counts = reference.points, reference.island_count, reference.bridge_count
    scores: Answer = {color: [count(color) for count in counts] for color in COLORS}
    over = reference.phase == "over"
    return {**scores, "winner": reference.winner() if over else None}


def of_reference(asked: Any, answer: Answer) -> Answer:
    """Return the answer of the reference; equal states count as equal answers."""
    if asked["do"] == "game":
        size, tiles, bridges, *_ = asked["rules"].split()
        state = "rows=- built=- phase=opening to-move=white white=-"
        played = reference_of(f"{size} {tiles} {bridges} tiebreaks=islands,bridges {state}")
        for text in asked["actions"]:
            played.play(text)
        return {"counts": answer["counts"], **scores_of(played)}
    reference = reference_of(asked["state"])
    match asked["do"]:
        case "count":
            return {"count": len(reference.legal())}
        case "legal":
            return {"actions": reference.legal()}
        case "score":
            over = reference.phase == "over"
            decided = {"decided_by": reference.decided_by() if over else None}
            return {**scores_of(reference), **decided}
        case "violations":
            text = asked["action"]
            alone = re.fullmatch(r"[a-z]+\d+", text)
            kind, cells = ("tile", [parse_cell(text)]) if alone else parse_action(text)
            return {"violations": sorted(reference.broken(kind, *cells))}
    reference.play(asked["action"])
    assert parts_of(reference) == parts_of(reference_of(answer["state"]))
    return answer


@pytest.mark.parametrize("kind", ["apply", "count", "game", "legal", "score", "violations"])
def test_the_reference_passes(kind: str) -> None:
    compared = 0
    for vector in of_kind(kind):
        asked: Any = vector.request
        width, height = map(int, (asked.get("state") or asked["rules"]).split()[0].split("x"))
        if width * height <= (36 if kind in {"count", "game"} else 120):
            compared += 1
            assert of_reference(asked, dict(vector.answer)) == vector.answer, asked
    assert compared > 30


ECHO = "import sys\nfor line in sys.stdin: print({answer}, flush=True)"
PROGRAMS: dict[str, tuple[str, list[Any], int]] = {
    "right": (ECHO.format(answer="""'{"count": 36}'"""), [{"count": 36}] * 2, 0),
    "wrong": (ECHO.format(answer="""'{"count": true}'"""), [{"count": True}] * 2, 1),
    "unsupported": (
        ECHO.format(answer="""'{"unsupported": true}'"""),
        [{"unsupported": True}] * 2,
        0,
    ),
    "no JSON": (ECHO.format(answer="'36'*9**8"), [None], 1),
    "silent": ("import time\ntime.sleep(60)", [None], 1),
    "gone": ("", [None], 1),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_answers_requests(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answers, status = PROGRAMS[name]
    asked = {"do": "perft", "rules": "3x3", "depth": 1}
    vectors = [{"request": asked, "answer": {"count": 36}}] * 2
    (tmp_path / "vectors.json").write_text(json.dumps({"version": 1, "vectors": vectors}), "utf-8")
    words = ["--seconds=5", str(tmp_path / "vectors.json"), sys.executable, "-c", code]
    if name == "silent":
        words[0] = "--seconds=0.2"
    assert conformance.main(words) == status
    lines = capsys.readouterr().out.splitlines()
    *failures, table = [each for each in lines if each]
    assert [json.loads(each)["answer"] for each in failures] == (answers if status else [])
    verdict = {0: "unsupported" if name == "unsupported" else "passed", 1: "failed"}[status]
    assert table.split() == ["perft", verdict, str(len(answers))]


def test_the_example_passes_as_a_program() -> None:
    program = [sys.executable, str(ROOT / "examples" / "conformance.py")]
    found = conformance.run(program, VECTORS[:3])
    assert [vector.verdict(answer) for vector, answer in found] == ["passed"] * 3


def test_the_program_of_the_page_runs(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    page = (ROOT / "docs" / "howto" / "reimplement.md").read_text("utf-8")
    program = tmp_path / "rules.mjs"
    program.write_text(page.partition("```javascript\n")[2].partition("```")[0], "utf-8")
    found = conformance.run([node, str(program)], VECTORS[:3])
    assert [vector.verdict(answer) for vector, answer in found] == ["unsupported"] * 3


def test_other_versions_are_refused(tmp_path: Path) -> None:
    (tmp_path / "later.json").write_text('{"version": 2, "vectors": []}', "utf-8")
    with pytest.raises(ValueError, match="expected vectors of version 1: 2"):
        conformance.load(tmp_path / "later.json")
