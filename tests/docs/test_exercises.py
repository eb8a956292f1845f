"""The exercises of the rules: their verdicts are those of the library, in both languages."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import pontedeldiavolo as pdd
from support.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

pytest.importorskip("sphinx", reason="not installed: nox -s docs")

# mypy does not follow this import: the directives of Sphinx have no types.
exercises: Any = import_module("exercises")

PAGES = {"en": "game/rules", "de": "de/regeln"}
FENCE = re.compile(r"^```\{exercise\} (\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
OPTION = re.compile(r":([\w-]+): (.*)")
COVERED = {"tiles", "closed", "bridges", "actions", "points", "result", "next"}


def tasks_of(page: str) -> Iterator[Any]:
    """Yield the exercises of a page."""
    text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    for kind, content in FENCE.findall(text):
        lines = content.splitlines()
        given = filter(None, map(OPTION.fullmatch, lines))
        spec = exercises.Exercise.option_spec
        options = {each[1]: spec[each[1]](each[2]) for each in given}
        diagram = "\n".join(line for line in lines if not OPTION.match(line))
        yield exercises.task_of(kind, diagram, options)


TASKS = list(tasks_of(PAGES["en"]))


def test_both_languages_have_the_same_exercises() -> None:
    assert list(tasks_of(PAGES["de"])) == TASKS
    assert len(TASKS) >= 20
    assert {task.kind for task in TASKS} == COVERED == {*exercises.KINDS}


@pytest.mark.parametrize("number", range(len(TASKS)))
def test_verdicts_are_those_of_the_legal_actions(number: int) -> None:
    task = TASKS[number]
    right = {answer.label for answer in task.answers("en") if answer.is_right}
    legal = {pdd.format_action(action) for action in task.state.legal_actions if task.state.to_move}
    first_tiles = {str(cell) for cell in task.state.legal_actions.first_tiles}
    match task.kind:
        case "tiles" if task.first is None:
            assert right == first_tiles
        case "tiles":
            assert right == {str(cell) for cell in task.drawable.second_tiles}
        case "closed":
            after = {str(cell) for cell in task.drawable.second_tiles}
            assert right == first_tiles - after - {str(task.first)}
        case "bridges":
            assert right == {text for text in legal if "-" in text}
        case "actions":
            asked = {pdd.format_action(pdd.parse_action(text)): text for text in task.asked}
            assert right == {text for action, text in asked.items() if action in legal}
        case "points":
            assert right == {str(task.state.score(task.color).points)}
        case "result":
            scores = [task.state.score(color) for color in pdd.Color]
            winner, _ = task.state.rules.decide(*scores)
            assert right == {f"{winner.value.title()} wins"}
        case _:
            owner = {pdd.Seat.FIRST: 1, pdd.Seat.SECOND: 2}[task.state.seat_to_move]
            assert right == {f"Player {owner} moves, with {task.state.to_move.value}."}


@pytest.mark.parametrize("number", range(len(TASKS)))
def test_every_exercise_has_right_answers_and_words_for_all(number: int) -> None:
    task = TASKS[number]
    for language in PAGES:
        answers = task.answers(language)
        assert any(answer.is_right for answer in answers)
        assert all(answer.sentence for answer in answers)
        assert "{" not in task.question(language)
    # The languages differ in words only.
    english = [answer.is_right for answer in task.answers("en")]
    assert english == [answer.is_right for answer in task.answers("de")]


@pytest.mark.parametrize("language", PAGES)
def test_the_page_has_every_sentence_once(language: str) -> None:
    sentences: dict[str, int] = {}
    found = [exercises.packed(task, language, sentences) for task in TASKS]
    table = [*sentences]
    for task, data in zip(TASKS, found, strict=True):
        for answer, digit in zip(task.answers(language), data["verdicts"], strict=True):
            text = table[data["sentences"][exercises.DIGITS.index(digit)]]
            assert text[0] == ("+" if answer.is_right else "-")
            assert text[1:].replace(exercises.PLACE, answer.label) == answer.sentence
    size = len(json.dumps([table, found], ensure_ascii=False))
    assert size < 400 * len(TASKS)


def test_an_exercise_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="no kind of exercise: riddles"):
        exercises.task_of("riddles", "3 . .", {})
