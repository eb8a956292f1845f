"""The command line as a whole: help, colours, and progress."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

import pontedeldiavolo as pdd
from pontedeldiavolo import players
from pontedeldiavolo.base.errors import printable
from pontedeldiavolo.cli.main import COMMANDS, main
from support.commands import TERMINAL, invoke, lines_of
from support.diagrams import state_of
from support.games import random_game

STATE = pdd.format_state(state_of("w w w w . r"))
TINY = "3x3 tiles=unlimited bridges=unlimited tiebreaks=none"


def test_without_a_command_it_helps() -> None:
    lines = lines_of(invoke())
    assert lines[0].startswith("Usage: ")
    for name in COMMANDS:
        assert any(line.strip().startswith(name) for line in lines)
        assert invoke(name, "--help").exit_code == 0
    assert all(any(name in line for line in lines) for name in pdd.presets.names())
    assert lines == lines_of(invoke("-h"))


def test_version() -> None:
    for word in ("--version", "-V"):
        assert lines_of(invoke(word))[0].endswith(f"version {pdd.__version__}")


def test_names_from_outside_are_printed_without_harm() -> None:
    assert printable("Zoë \u202e\x1b[31m\n\udcff") == r"Zoë \u202e\x1b[31m\n\udcff"


def test_colours_are_for_terminals() -> None:
    assert "\x1b" not in invoke("show", STATE).stdout
    colored = invoke("show", STATE, env=TERMINAL).stdout
    assert "\x1b[" in colored
    # Tiles have background colours there, without shades.
    assert "░" not in colored
    assert "□" in colored


def test_colours_can_be_switched_off() -> None:
    result = invoke("show", STATE, env={**TERMINAL, "NO_COLOR": "1"})
    assert "░□░░░□░░░□░░░□░" in result.stdout
    # Bold and dim text is allowed, colours are not.
    codes = {part.split("m")[0] for part in result.stdout.split("\x1b[")[1:]}
    assert codes <= {"0", "1", "2"}


def test_terminals_with_few_colours_get_few() -> None:
    few = invoke("show", STATE, env={**TERMINAL, "TERM": "xterm", "COLORTERM": ""}).stdout
    many = invoke("show", STATE, env=TERMINAL).stdout
    assert "38;5;" not in few
    assert "48;5;" in many


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("s", ["serve", "show", "stats"]),
        ("show --rules abstract-play-", ["abstract-play-8", "abstract-play-12"]),
        ("match gr", ["greedy"]),
        ("match random r", ["random"]),
        ("analyse x --player m", ["mcts"]),
        ("play --opponent pe", ["person"]),
        ("convert --to s", ["sgf"]),
        ("convert --to b", []),
        ("convert --from b", ["boardspace"]),
        *((f"{line} x", [""]) for line in ("show", "replay", "stats", "convert", "render -o")),
    ],
)
def test_completion(line: str, found: list[str]) -> None:
    *words, start = line.split()
    items = ShellComplete(main, {}, "pontedeldiavolo", "").get_completions(words, start)
    if found == [""]:
        assert [(each.value, each.type) for each in items] == [(start, "file")]
    else:
        assert [each.value for each in items] == found


# Progress messages on a terminal
PROGRESS = [
    ("perft --rules '2x2 tiles=1 bridges=0 tiebreaks=none' --depth 2", ["depth 2"]),
    ("validate games.pdd", ["checking"]),
    ("stats games.pdd", ["counting"]),
    ("convert games.pdd bad.pdd -o a.sgf", ["converting", "3 games written"]),
    ("analyse games.pdd --player thinker -o a.pdd", ["game 1", "game 2"]),
    (f"match greedy random --games 4 --rules '{TINY}' --sprt 0,50", ["greedy against random"]),
]


@pytest.mark.usefixtures("thinker")
@pytest.mark.parametrize(("line", "words"), PROGRESS)
def test_terminals_see_progress(
    line: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The terminal would cut a long path.
    monkeypatch.chdir(tmp_path)
    games = [random_game(TINY, seed) for seed in range(3)]
    Path("games.pdd").write_text("\n".join(map(pdd.records.dumps, games)), "utf-8")
    Path("bad.pdd").write_text("1. a1", "utf-8")
    shown = invoke(*shlex.split(line), env={**TERMINAL, "TTY_INTERACTIVE": "1"}).stdout
    assert all(word in shown for word in words)
    assert "\x1b" in shown
    plain = invoke(*shlex.split(line.replace(" -o a.", " -o b."))).stdout
    assert not any(word in plain for word in words if "written" not in word)
    assert "\x1b" not in plain


@pytest.mark.parametrize(
    "line", ["validate --quiet games.pdd", "stats --json games.pdd", "convert games.pdd --to pdd"]
)
def test_data_has_no_progress(line: str, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(archive.parent)
    words = shlex.split(line)
    assert invoke(*words, env=TERMINAL).stdout == invoke(*words).stdout


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("shwo", "No such command 'shwo'. Did you mean 'show'?"),
        ("Sow", "No such command 'Sow'. Did you mean 'show'?"),
        ("reply", "No such command 'reply'. (Did you mean one of: 'play', 'replay'?)"),
        ("xyzzy", "No such command 'xyzzy'."),
        ("", "No such command ''."),
    ],
)
def test_a_mistyped_command_gets_a_suggestion(typed: str, problem: str) -> None:
    result = invoke(typed)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == f"Error: {problem}"


NARROW = (
    "analyse game.pdd --player thinker -o analysed.pdd --force",
    "convert game.pdd -o game.sgf --force",
    "match greedy random --games 2 --rules 4x4",
    "moves --limit 3",
    "perft --depth 1",
    "play --opponent person",
    "replay game.pdd --delay 0",
    "rules",
    "show game.pdd",
    "stats game.pdd",
    "validate game.pdd",
)


@pytest.mark.usefixtures("thinker")
@pytest.mark.parametrize("command", NARROW)
def test_no_line_is_longer_than_a_narrow_terminal(
    command: str, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(record.parent)
    for columns in (40, 80):
        env = {**TERMINAL, "COLUMNS": str(columns), "LINES": "24"}
        result = invoke(*command.split(), env=env, keys="d4,g7\nwhite\nscore\nzz\n")
        assert result.exit_code == 0, result.output
        # Movements of the cursor go back to the beginning of a line.
        lines = re.split(r"\n|\r|\x1b\[[0-9]*[AGK]|> ", result.stdout)
        shown = [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line) for line in lines]
        assert max(map(len, shown)) <= columns, max(shown, key=len)


def test_a_file_without_a_command_can_be_shown(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(record.parent)
    result = invoke("game.pdd")
    assert result.exit_code == 2
    problem = "Error: No such command 'game.pdd'. Did you mean 'show game.pdd'?"
    assert result.stderr.splitlines()[-1] == problem


def options_with_words() -> Iterator[tuple[str, str, list[str]]]:
    """Iterate over the options of commands that take one of some words."""
    context = click.Context(main)
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        for option in command.params:
            if isinstance(option, click.Option) and isinstance(option.type, click.Choice):
                yield name, option.opts[0], [*map(str, option.type.choices)]
    for name, typed in (("analyse", "--player"), ("play", "--opponent"), ("match", "")):
        yield name, typed, [*players.names()]
    for name in ("match", "moves", "perft", "play", "render", "show", "warm-up"):
        yield name, "--rules", [*pdd.presets.names()]
    yield "play", "--opponent", ["person"]


def test_a_mistyped_word_gets_a_suggestion() -> None:
    swept = set[str]()
    for command, option, choices in options_with_words():
        for word in choices:
            # Two letters change places; in words of two letters that would be another word.
            typed = f"{word[:1]}{word[2]}{word[1]}{word[3:]}" if len(word) > 2 else f"{word}x"
            if typed in choices:
                continue
            others = ["x.pdd"] if command in ("analyse", "convert", "replay", "stats") else []
            given = [option, typed] if option else [typed, "random"]
            result = invoke(command, *others, *given)
            assert result.exit_code == 2
            said = result.stderr.splitlines()[-1]
            assert f"{word!r}" in said.partition("Did you mean")[2], (command, option, said)
            swept.add(option)
    assert swept == {
        "",
        *[
            "--lang",
            "--from",
            "--to",
            "--format",
            "--theme",
            "--seat",
            "--player",
            "--opponent",
            "--rules",
        ],
    }


@pytest.mark.parametrize(
    ("words", "suggestion"), [(["--shwo"], ""), (["play", "--opponnet", "random"], "--opponent")]
)
def test_a_mistyped_option_is_named(words: list[str], suggestion: str) -> None:
    """Do not compare the exact words, which differ between versions of click."""
    result = invoke(*words)
    assert result.exit_code == 2
    last = result.stderr.splitlines()[-1]
    assert last.startswith("Error: No such option")
    assert {option for option in words if option.startswith("-")} <= set(re.findall(r"--\w+", last))
    assert suggestion in last
