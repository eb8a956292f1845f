"""``render`` and ``show`` with games of every format, and pictures of all turns and games."""

from __future__ import annotations

from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Game, svg
from pontedeldiavolo.records import Format
from support.commands import ROUND_TRIPS, invoke, lines_of, refusal, saved
from support.games import random_game
from support.paths import DATA
from support.pictures import parse, position_in

GAMES = tuple(random_game("abstract-play-8", seed) for seed in (2, 3, 4))


@pytest.fixture(params=[*ROUND_TRIPS.items()], ids=[*ROUND_TRIPS])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file with three games, in each format that is written."""
    name, suffix = request.param
    path = tmp_path / f"games{suffix}"
    pdd.records.write(GAMES, path, Format(name))
    return path


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A file with them in one format."""
    path = tmp_path / "games.pdd"
    pdd.records.write(GAMES, path, Format.PDD)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where pictures go."""
    found = tmp_path / "pictures"
    found.mkdir()
    return found


def position_of(path: Path) -> pdd.Position:
    return position_in(parse(path.read_text("utf-8")))


# Every format


def test_games_of_every_format_are_drawn(archive: Path, folder: Path) -> None:
    for number, game in enumerate(GAMES, 1):
        path = folder / f"{number}.svg"
        lines_of(invoke("render", archive, "--game", str(number), "-o", path))
        text = path.read_text("utf-8")
        assert text == f"{svg.render(game.with_tags({}), last=game.actions[-1])}\n"


def test_games_of_every_format_come_from_standard_input(archive: Path) -> None:
    keys = archive.read_bytes()
    second = position_in(parse(svg.render(GAMES[1])))
    # What a beginning does not tell, an option does; a list of moves may begin at once.
    for options in ([], ["--from", _format_of(archive)]):
        arguments = ("render", "-", "--format", "svg", "--game", "2", *options)
        assert position_in(parse(invoke(*arguments, keys=keys).stdout)) == second


def _format_of(archive: Path) -> str:
    found = pdd.records.detect(archive)
    assert found is not None
    return found.value


def test_an_option_names_the_format_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("d4,e5 c3,f6\n", "utf-8")
    assert lines_of(invoke("show", path))[0] == lines_of(invoke("show", path, "--from", "moves"))[0]


def test_games_of_every_format_are_shown(archive: Path) -> None:
    shown = lines_of(invoke("show", archive, "--ascii"))
    wanted = lines_of(invoke("show", "-", "--ascii", keys=pdd.records.dumps(GAMES[0])))
    assert len(wanted) > 20
    assert shown == wanted
    svg_text = invoke("show", archive, "--svg", "--game", "3").stdout
    assert position_in(parse(svg_text)) == GAMES[2].state.position
    legal = lines_of(invoke("moves", "--record", archive))
    assert legal == lines_of(invoke("moves", archive))
    assert "0 legal actions in all." in legal


def test_games_of_every_format_are_replayed(archive: Path) -> None:
    for number, more in ((1, True), (3, False)):
        lines = lines_of(invoke("replay", archive, "--only-end", "--game", str(number)))
        assert ("The file has more games" in lines[-1]) == more
    assert len(lines_of(invoke("replay", archive))) > 200


def test_other_text_may_follow_a_game(tmp_path: Path) -> None:
    path = saved(tmp_path / "game.pdd", GAMES[0])
    with path.open("ab") as file:
        file.write(b'\n[Event "?"]\n\n\xff')
    assert lines_of(invoke("replay", path, "--only-end"))[-1] == (
        "The file has more games: --game 2 shows the next one."
    )


def test_records_of_boardspace_are_drawn() -> None:
    path = DATA / "boardspace" / "people.sgf"
    game = next(iter(pdd.records.read(path)))
    assert isinstance(game, Game)
    drawn = invoke("render", path, "--format", "svg", "--turn", "5").stdout
    after = [each for each in game.states() if each.turn == 5][-1]
    assert position_in(parse(drawn)) == after.position


def test_a_record_may_begin_with_a_comment(tmp_path: Path) -> None:
    text = pdd.records.dumps(GAMES[0])
    for number, before in enumerate(("% a remark\n", "; another\n", "\n%\n")):
        path = tmp_path / f"{number}.pdd"
        path.write_text(before + text, "utf-8")
        drawn = invoke("render", path, "--format", "svg").stdout
        assert position_in(parse(drawn)) == GAMES[0].state.position


def test_states_and_diagrams_may_be_in_files_of_any_name(tmp_path: Path) -> None:
    for name in ("a.txt", "a.pdd", "a", "a.xyz"):
        for text in (pdd.format_state(GAMES[0].state), "w . r\nbridges a1-c1\n"):
            path = tmp_path / name
            path.write_text(text, "utf-8")
            assert "<svg" in invoke("render", path, "--format", "svg").stdout


# All turns, all games


def test_every_turn_gets_a_file(records: Path, folder: Path) -> None:
    pattern = folder / "turn-{turn}.svg"
    done = lines_of(invoke("render", records, "--game", "2", "-o", pattern))
    last = GAMES[1].state.turn
    assert done == [f"{last + 1} pictures written to {pattern}."]
    assert {path.name for path in folder.iterdir()} == {
        f"turn-{turn}.svg" for turn in range(last + 1)
    }
    for turn in range(last + 1):
        path = folder / f"turn-{turn}.svg"
        single = invoke(
            *("render", records, "--game", "2", "--turn", str(turn), "--format", "svg")
        ).stdout
        assert path.read_text("utf-8") == single
        after = {state.turn: state for state in GAMES[1].states()}[turn]
        assert position_of(path) == after.position


def test_every_game_gets_a_file(records: Path, folder: Path) -> None:
    pattern = folder / "game-{game}.svg"
    assert lines_of(invoke("render", records, "-o", pattern)) == [
        f"3 pictures written to {pattern}."
    ]
    for number, game in enumerate(GAMES, 1):
        assert position_of(folder / f"game-{number}.svg") == game.state.position
    lines_of(invoke("render", records, "--turn", "3", "-o", folder / "{game}-at-{turn}.svg"))
    for number, game in enumerate(GAMES, 1):
        third = {state.turn: state for state in game.states()}[3]
        assert position_of(folder / f"{number}-at-3.svg") == third.position


def test_every_turn_of_every_game_gets_a_file(records: Path, folder: Path) -> None:
    lines_of(invoke("render", records, "-o", folder / "{game}-{turn}.svg"))
    found = {path.name: position_of(path) for path in folder.iterdir()}
    assert found == {
        f"{number}-{turn}.svg": state.position
        for number, game in enumerate(GAMES, 1)
        for turn, state in {each.turn: each for each in game.states()}.items()
    }


def test_one_of_many_gets_its_name(records: Path, folder: Path) -> None:
    done = lines_of(invoke("render", records, "--game", "3", "-o", folder / "{game}.gif"))
    assert done == [f"1 picture written to {folder / '{game}.gif'}."]
    assert [path.name for path in folder.iterdir()] == ["3.gif"]
    assert (folder / "3.gif").read_bytes() == pdd.raster.animation(
        GAMES[2].with_tags({}), "gif", seconds=1.0
    )


def test_all_games_make_one_page(records: Path, folder: Path) -> None:
    path = folder / "all.html"
    games = [game for game in pdd.records.read(records) if isinstance(game, Game)]
    assert lines_of(invoke("render", records, "-o", path)) == [f"Picture written to {path}."]
    assert path.read_text("utf-8") == f"{pdd.html.replay(games)}\n"
    lines_of(invoke("render", records, "-o", path, "--force", "--game", "2"))
    assert path.read_text("utf-8") == f"{pdd.html.replay(games[1])}\n"
    lines_of(invoke("render", records, "-o", folder / "{game}.html"))
    assert (folder / "2.html").read_text("utf-8") == f"{pdd.html.replay(games[1])}\n"


# Nothing half written


def test_a_turn_that_one_game_lacks_leaves_no_files(records: Path, folder: Path) -> None:
    turns = [game.state.turn for game in GAMES]
    shortest = turns.index(min(turns))
    assert turns.count(turns[shortest]) == 1
    wanted = turns[shortest] + 1
    result = invoke("render", records, "--turn", str(wanted), "-o", folder / "{game}.svg")
    assert refusal(result, 1) == (
        f"game {shortest + 1}: no turn {wanted}, the game has 0 to {turns[shortest]}"
    )
    assert [*folder.iterdir()] == []
