"""Replace every value of a report and of a document by values of every JSON type."""

from __future__ import annotations

import json

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import LANGUAGES, explain
from pontedeldiavolo.records import Format, abstract_play
from support.documents import GAME
from support.games import actions_of
from support.json_nodes import ODDITIES, TYPES, texts_with
from support.samples import REPORTS, Report, new_report

GERMAN = LANGUAGES["de"]


def full_report() -> Report:
    """Return a report with every member that the reader knows."""
    report = new_report("d4,g7", "c3,c5", "resign", results=(1, 0))
    header = report["header"]
    header |= {"event": "League", "round": "3", "unrated": True, "pie-invoked": False}
    header |= {"pied": False, "pontedeldiavolo-tags": {"Note": "x", "Date": None}}
    header["site"]["gameid"] = 1234
    header["players"][0] |= {"userid": "u-1", "is_ai": False, "score": 1.25}
    report["moves"][0][1] = {"move": "c3,c5", "sequence": 1, "result": [{"type": "place"}]}
    return report


def require_documented(text: str, form: Format, good: str, what: str) -> None:
    """Require that a text gives a game or errors, and that the valid game after it is read."""
    is_object = text.startswith("{")
    # The reader decides by the beginning that a file has reports.
    before = "" if is_object else f"{good}\n"
    found = list(pdd.records.read(f"{before}{text}\n{good}", format=form))
    assert isinstance(found.pop(), pdd.Game), what
    if is_object:
        assert len(found) == 1, what
    else:
        assert isinstance(found.pop(0), pdd.Game), what
    line = before.count("\n") + 1
    for number, result in enumerate(found, line):
        if isinstance(result, pdd.RecordError):
            assert (result.number, result.line) == (number, line), what
            assert 1 <= result.column <= len(text) + 1, what
            assert "expected" in str(result), what
            assert "erwartet" in explain(result, GERMAN), what
        else:
            assert pdd.records.loads(pdd.records.dumps(result)) == result, what


def sweep_reports(report: Report, values: dict[str, str]) -> None:
    good = json.dumps(new_report("a1,b1"))
    for what, text in texts_with(report, values):
        require_documented(text, Format.ABSTRACT_PLAY, good, what)


def test_every_type_in_a_report() -> None:
    assert actions_of(abstract_play.loads(json.dumps(full_report()))) == ["d4,g7", "red", "c3,c5"]
    sweep_reports(full_report(), TYPES)


def test_an_error_names_a_path_once() -> None:
    [error] = pdd.records.read(json.dumps({"header": [], "moves": []}))
    assert isinstance(error, pdd.RecordError)
    assert explain(error) == "Game 1, line 1, column 1: expected an object (header)."
    assert explain(error.reason) == "An object (header)."
    assert explain(error.reason, GERMAN) == "Ein Objekt (header)."


@pytest.mark.slow
def test_odd_values_in_a_report() -> None:
    sweep_reports(full_report(), ODDITIES)


@pytest.mark.slow
def test_every_type_in_a_stored_report() -> None:
    sweep_reports(json.loads((REPORTS / "pie-8x8.json").read_text("utf-8")), TYPES)


@pytest.mark.slow
@pytest.mark.parametrize("values", [TYPES, ODDITIES], ids=["types", "oddities"])
def test_every_type_in_a_stream_of_documents(values: dict[str, str]) -> None:
    good = pdd.json.dumps(pdd.Game.new())
    for what, text in texts_with(pdd.json.to_json(GAME), values):
        require_documented(text, Format.JSON, good, what)
