"""The rows that ``tools.strength`` adds to the table of ideas."""

from __future__ import annotations

import shlex

import pytest
from tools import strength
from tools.strength import conditions_of, parsed, repeating_command

import pontedeldiavolo as pdd


@pytest.mark.parametrize(
    ("arguments", "conditions"),
    [
        ("mcts:simulations=3000", "3,000 simulations, random openings"),
        ("mcts:simulations=3000 --openings 0 --rules 7x7", "3,000 simulations, 7×7"),
        ("mcts:seconds=0.05,threads=2 --openings 0", "0.05 seconds"),
        (
            "mcts:simulations=2830 --against mcts:simulations=3000",
            "2,830 simulations against 3,000 simulations, random openings",
        ),
    ],
)
def test_conditions_of_a_match_are_written_in_words(arguments: str, conditions: str) -> None:
    assert conditions_of(parsed(["HEAD", *arguments.split()])) == conditions


def test_a_row_has_a_command_that_plays_the_same_match_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(strength, "commit_of", {"HEAD": "12345678"}.get)
    arguments = ["HEAD", "greedy", "--candidate=HEAD", "--sprt", "0", "30", "--seed", "7"]
    arguments += ["--rules", "7x7", "--idea", "an idea", "--kept"]
    asked = parsed(arguments)
    command = repeating_command(asked)
    again = parsed(shlex.split(command.removeprefix("python -m tools.strength ")))
    assert again.commit == again.candidate == "12345678"
    assert again.rules == asked.rules == pdd.parse_rules("7x7")
    names = ("player", "against", "games", "seed", "openings", "sprt")
    assert [getattr(again, name) for name in names] == [getattr(asked, name) for name in names]


def test_an_idea_needs_a_commit(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed(["HEAD", "greedy", "--idea", "an idea"])
    assert "--idea needs --candidate" in capsys.readouterr().err
