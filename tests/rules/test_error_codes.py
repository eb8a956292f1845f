"""Every error code has a message in the catalogues, and every message has a code."""

from __future__ import annotations

import ast
import json
import pickle
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import messages
from pontedeldiavolo.base.catalogs import tables_of
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.messages import LANGUAGES
from support.checks import error_of, fields, wrong_type
from support.paths import DATA

ENGLISH = LANGUAGES["en"]
GERMAN = LANGUAGES["de"]

SOURCE = Path(pdd.__file__).parent
TEMPLATES = tables_of("en")["errors"]


TREES = {
    path.relative_to(SOURCE): ast.parse(path.read_text("utf-8")) for path in SOURCE.rglob("*.py")
}


def codes(node: ast.expr) -> list[str]:
    """Return the codes that an expression can have, if they are literals."""
    if isinstance(node, ast.IfExp):
        return [*codes(node.body), *codes(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def test_every_code_has_a_template_for_its_values() -> None:
    wrong = []
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and node.args):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in ("fail", "reason", "_note_at"):
                given = {each.arg for each in node.keywords}
                wrong += [
                    f"{path}:{node.lineno}: {code}"
                    for code in codes(node.args[0])
                    if code not in TEMPLATES
                    or not (None in given or fields(TEMPLATES[code]) <= given)
                ]
    assert wrong == []


def test_every_template_has_a_code_in_the_source() -> None:
    texts = {
        node.value
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    # Some codes begin with the literal part of an f-string.
    heads = tuple(text for text in texts if text.endswith("-") and len(text) > 1)
    assert [
        code for code in map(str, TEMPLATES) if code not in texts and not code.startswith(heads)
    ] == []


def test_only_places_use_the_names_of_places() -> None:
    places = {"line", "offset", "path", "row"}
    found = {code for code in TEMPLATES if places & fields(TEMPLATES[code])}
    assert found == {"in-document", "in-record", "in-row", "json-path"}


# Errors without a code

PLAIN_ERRORS = DATA / "plain_errors.txt"
ERRORS = {"PonteError", "error"} | {
    node.name
    for tree in TREES.values()
    for node in ast.walk(tree)
    if isinstance(node, ast.ClassDef) and "PonteError" in map(ast.unparse, node.bases)
}


def is_plain(error: ast.expr) -> bool:
    """Return whether an expression creates an error from a sentence."""
    if not (isinstance(error, ast.Call) and ast.unparse(error.func).rpartition(".")[2] in ERRORS):
        return False
    return any(
        isinstance(each, ast.JoinedStr)
        or (isinstance(each, ast.Constant) and isinstance(each.value, str) and " " in each.value)
        for argument in error.args
        if not isinstance(argument, ast.Call)
        for each in ast.walk(argument)
    )


def plain_errors_in(tree: ast.AST, place: str) -> Iterator[str]:
    """Yield the functions that raise an error with a sentence and without a code."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            name = f"{place}.{node.name}" if ":" in place else f"{place}:{node.name}"
            yield from plain_errors_in(node, name)
        else:
            if isinstance(node, ast.Raise) and node.exc and is_plain(node.exc):
                yield place
            yield from plain_errors_in(node, place)


def test_errors_that_data_can_cause_have_codes() -> None:
    found = {
        place
        for path, tree in TREES.items()
        for place in plain_errors_in(tree, ".".join(path.with_suffix("").parts))
    }
    lines = PLAIN_ERRORS.read_text("utf-8").splitlines()
    listed = dict(line.split(" - ", 1) for line in lines if not line.startswith("#"))
    assert all(listed.values())
    # A module alone stands for all its functions.
    found = {module if (module := each.partition(":")[0]) in listed else each for each in found}
    add = "\n".join(f"{place} - why its error needs no code" for place in sorted(found - {*listed}))
    remove = "\n".join(f"{place} - {listed[place]}" for place in sorted({*listed} - found))
    assert (add, remove) == ("", ""), f"add to {PLAIN_ERRORS}:\n{add}\nremove:\n{remove}"


CELL = {"format": "pontedeldiavolo", "version": 1, "kind": "cell"}
refusal = partial(error_of, pdd.PonteError)
STATE = pdd.GameState.initial()
CASES: dict[str, tuple[Callable[[], object], str, str, str]] = {
    "a text": (
        lambda: pdd.parse_action("a1;b2"),
        "comma-or-dash",
        "Expected ',' or '-', at character 3 of 'a1;b2'.",
        "Erwartet bei Zeichen 3 von 'a1;b2': ',' oder '-'.",
    ),
    "a number": (
        lambda: pdd.parse_cell("a065"),
        "no-leading-zero",
        "Expected a row from 1 to 64 without a leading zero, at character 2 of 'a065'.",
        "Erwartet bei Zeichen 2 von 'a065': eine Reihe von 1 bis 64 ohne führende Null.",
    ),
    "a record": (
        lambda: pdd.records.loads("1. a1,b1\na1,c1"),
        "legal-action",
        f"Game 1, line 2, column 1: expected a legal action: {ENGLISH['wrong-phase']}",
        f"Partie 1, Zeile 2, Spalte 1: erwartet: {GERMAN['legal-action']}".format(
            violations=GERMAN["wrong-phase"]
        ),
    ),
    "a document": (
        lambda: pdd.json.from_json({**CELL, "value": 5}),
        "json-text",
        "value: expected a text.",
        "value: erwartet: ein Text.",
    ),
    "a whole document": (
        lambda: pdd.json.loads("[]"),
        "json-object",
        "The document: expected an object.",
        "Das Dokument: erwartet: ein Objekt.",
    ),
    "an action": (
        lambda: STATE.apply(pdd.Pass()),
        "illegal-action",
        "Passing is not allowed while a legal pair of tiles exists.",
        "Passen ist nicht erlaubt, solange sich zwei Steine legen lassen.",
    ),
    "an action of a batch": (
        lambda: raised(pdd.IllegalActionError(STATE.violations(pdd.Pass()), row=3)),
        "illegal-action",
        "Row 3: Passing is not allowed while a legal pair of tiles exists.",
        "Zeile 3: Passen ist nicht erlaubt, solange sich zwei Steine legen lassen.",
    ),
    "a set-up": (
        lambda: pdd.parse_setup("x . .").position(),
        "invalid-position",
        "Already taken by a tile: a1.",
        "Schon mit einem Stein belegt: a1.",
    ),
    "rules": (
        lambda: pdd.Rules(tiebreaks=[pdd.Tiebreak.ISLANDS] * 2),
        "repeated-tiebreak",
        "A tie-break is repeated: islands.",
        "Ein Stichentscheid ist doppelt angegeben: Inseln.",
    ),
    "any value": (
        lambda: pdd.Cell(-1, 0),
        "negative-cell",
        "A cell has no negative coordinates: (-1, 0).",
        "Ein Feld hat keine negativen Koordinaten: (-1, 0).",
    ),
}


def raised(error: Exception) -> None:
    raise error


@pytest.mark.parametrize("name", CASES)
def test_errors_in_both_languages(name: str) -> None:
    call, code, english, german = CASES[name]
    error = refusal(call)
    for each in (error, pickle.loads(pickle.dumps(error))):
        assert each.code == code
        assert messages.explain(each) == english
        assert messages.explain(each, GERMAN) == german
        assert messages.explain([each, each], GERMAN) == f"{german} {german}"


def test_the_end_of_a_stream_has_a_code_of_its_own() -> None:
    for text, limits, german in (
        ('[A "b"]\n\n*\n\n', pdd.Limits(games=2), "die Höchstzahl der Partien ist 2."),
        ('[A "b]\n\n*\n\n', pdd.Limits(errors=2), ""),
    ):
        *_, last = pdd.records.read(text * 3, limits=limits)
        assert isinstance(last, pdd.RecordError)
        assert (last.code, last.values["max"]) == ("limit", 2)
        assert messages.explain(last, GERMAN).endswith(german)


def test_values_have_the_place() -> None:
    notation = {"offset": 2, "character": 3, "excerpt": "'a1;b2'"}
    assert refusal(pdd.parse_action, "a1;b2").values == notation
    assert refusal(pdd.records.loads, "1. a1").values == {"line": 1, "column": 6, "number": 1}
    assert pdd.json.JsonError("value", "a number").values == {"text": "a number", "path": "value"}


def test_a_text_is_shown_unchanged() -> None:
    error = pdd.RecordError(1, 2, "a {brace}")
    assert (error.code, error.expected) == ("value", "a {brace}")
    assert messages.explain(error) == "Game 1, line 1, column 2: expected a {brace}."
    assert messages.explain(pdd.PonteError("Really?")) == "Really?"


def test_reasons_are_values() -> None:
    one = pdd.Reason("cell")
    two = pdd.Reason("range", {"what": one, "lowest": 1, "highest": 2})
    assert str(two) == "a cell such as 'c4' from 1 to 2"
    assert two == pickle.loads(pickle.dumps(two))
    assert hash(two) == hash(pdd.Reason("range", dict(two.values)))
    assert two != one
    assert str(pdd.Reason("unheard-of")) == "unheard-of"
    assert str(pdd.Reason("off-board")) == "off-board"
    assert pdd.Reason(pdd.ViolationCode.OFF_BOARD) == pdd.Reason("off-board")
    assert messages.explain(one) == "A cell such as 'c4'."


def test_reasons_are_of_their_types() -> None:
    wrong: Any = 5
    with wrong_type("code"):
        pdd.Reason(wrong)
    with wrong_type("values"):
        pdd.Reason("cell", wrong)
    with wrong_type("expected"):
        pdd.NotationError("", 0, wrong)


def test_a_catalogue_without_the_code() -> None:
    error = refusal(pdd.parse_cell, "")
    catalogs: list[Catalog] = [{}, {"cell": "{none}"}, {"cell": "a cell"}]
    for catalog in catalogs:
        with pytest.raises(pdd.PonteError, match=r"cannot explain (cell|empty-text)"):
            messages.explain(error, catalog)
    assert messages.explain(error, {**ENGLISH, "cell": "CELL"}).startswith("Expected CELL, at")


def test_long_names_are_cut() -> None:
    text = json.dumps({**CELL, "value": {}, "a" * 100_000: 1})
    assert len(str(refusal(pdd.json.loads, text))) < 200
