"""Tags and annotations with odd values are refused by readers, or stay plain text.

Writers, pictures, pages and commands accept them.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from click.testing import CliRunner

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from pontedeldiavolo.cli.main import main
from pontedeldiavolo.game.tags import DERIVED_TAGS, ROSTER
from pontedeldiavolo.records import Format
from pontedeldiavolo.records.abstract_play.reader import MEMBERS, PLAYER_MEMBERS
from support.checks import error_of

KNOWN = [
    *(*ROSTER, *MEMBERS, "MatchSeed", "TimeControl", "GameName", "GameSpeed", "Variant"),
    *(seat + suffix for seat in ("First", "Second") for suffix in (*PLAYER_MEMBERS, "Rating")),
]
"""The tags that this library reads or writes."""
ODD = [
    *("", " ", "abc", "0", "-1", "1.5", "1e999", "NaN", "inf", "9" * 5_000, "\u0661\u0662", "*"),
    *("300", "300+", "+5", "0+0", "300+5", "99999999999999+1", "2026.13.45", "????.??.??", "0000"),
    *("2026-02-30T25:61:61Z", "true", "null", "[]", "{}", "<b>&amp;</b>", "\u202e", "\U0001f600"),
    *(
        "'\\\\",
        ")(",
        ";",
        "1. a1,b1",
        "../../etc/passwd",
        "%s{0}{player}",
        "[red]x[/red]",
        "(;FF[4])",
    ),
]
SOME = [
    each if number % 9 == 2 else pytest.param(each, marks=pytest.mark.slow)
    for number, each in enumerate(ODD)
]
"""The values as parameters; most are slow."""
READ_ONLY = (Format.BOARDSPACE,)
MOVES = "1. a1,b1 {{[%clk {0}][%emt {0}][%eval {0}] text}} red {{[%clk {0}]}} 2. c3,d4 *"


def record_of(value: str) -> str:
    """Return a record in which all known tags and annotations have the same value."""
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    tags = [f'[{name} "{quoted}"]' for name in dict.fromkeys(KNOWN)]
    clean = value.replace("]", "").replace("}", "").replace("\\", "")
    return "\n".join([*tags, '[Rules "8x8"]', "", MOVES.format(clean), ""])


@pytest.mark.parametrize("value", SOME, ids=range(len(ODD)))
def test_odd_values_of_tags_are_plain_text(value: str) -> None:
    text = record_of(value).replace('"8x8"', f'"{pdd.format_rules(pdd.presets.ABSTRACT_PLAY_8)}"')
    game = records.loads(text)
    assert {game.tags[name] for name in KNOWN} == {value}
    assert records.loads(records.dumps(game)) == game
    move = game.line.moves[0]
    assert move.clock is None or move.clock >= 0
    assert move.elapsed is None or move.elapsed >= 0
    ended = game.resign(pdd.Seat.FIRST)
    for form in Format:
        if form in READ_ONLY:
            continue
        file = io.StringIO()
        lost = records.unsupported(ended, form)
        records.write([ended], file, form)
        [again] = records.read(file.getvalue(), format=form)
        assert isinstance(again, pdd.Game)
        if not lost:
            assert again == ended
    assert game.state.outcome is None
    assert pdd.messages.result(ended, "de")
    assert str(pdd.html.replay(game))
    assert str(pdd.svg.render(game))
    player_error = pdd.players.PlayerError("Ada", "fell asleep", game)
    assert str(player_error)


@pytest.mark.slow
@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_every_command_takes_odd_tags(tmp_path: Path, value: str) -> None:
    path = tmp_path / "game.pdd"
    rules = pdd.format_rules(pdd.presets.ABSTRACT_PLAY_8)
    text = record_of(value).replace('"8x8"', f'"{rules}"')
    path.write_text(text, "utf-8")
    commands: list[list[str | Path]] = [["show", path], ["validate", path], ["replay", path]]
    commands += [["stats", path], ["stats", "--json", path]]
    commands += [["render", path, "-o", tmp_path / name] for name in ("game.svg", "game.html")]
    commands += [["convert", path, "--to", form.value] for form in Format if form not in READ_ONLY]
    for command in commands:
        result = CliRunner().invoke(main, [str(word) for word in command])
        assert result.exception is None or isinstance(result.exception, SystemExit), command
        # Exit status 2 would mean a wrong command line.
        assert result.exit_code in (0, 1), (command, result.output)
        assert "Traceback" not in result.output, command


@pytest.mark.parametrize("name", DERIVED_TAGS)
@pytest.mark.parametrize("value", SOME, ids=range(len(ODD)))
def test_odd_values_of_tags_with_a_meaning_are_refused(name: str, value: str) -> None:
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    text = f'[{name} "{quoted}"]\n\n1. a1,b1 *\n'
    if (name, value) == ("Result", "*"):
        assert records.loads(text).result == "*"
        return
    error = error_of(pdd.RecordError, records.loads, text)
    assert (error.line, error.number) == (1, 1)
    # A lenient reader lists the error, or refuses a game without rules and a start.
    errors: list[pdd.RecordError] = []
    for result in records.iter_games(text, "yield", errors):
        errors += [result] if isinstance(result, pdd.RecordError) else []
        if isinstance(result, pdd.Game):
            assert records.loads(records.dumps(result)) == result
    assert errors
