"""``render`` and ``show``: pictures in files, of moments and of games, in every format."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, Game, svg
from pontedeldiavolo.base.install import PLACE, install_command
from pontedeldiavolo.records import Format
from support.commands import ROUND_TRIPS, invoke, lines_of, refusal, saved
from support.diagrams import state_of
from support.games import SMALL, random_game
from support.paths import DATA
from support.pictures import parse, parts, position_in

STATE = state_of("w w w w . r r .", Color.RED)
FAULTY = "w r w\nbridges a1-c1\n"


def rendered(path: Path, *arguments: str | Path, keys: str = "") -> bytes:
    """Render to a new file, and return its content."""
    lines = lines_of(invoke("render", *arguments, "-o", path, keys=keys))
    said = "Bild in {} geschrieben." if "de" in arguments else "Picture written to {}."
    assert lines == [said.format(path)]
    return path.read_bytes()


def game_in(path: Path) -> pdd.Game:
    return pdd.records.loads(path.read_text(encoding="utf-8"))


def test_pictures_and_pages_in_german(record: Path, tmp_path: Path) -> None:
    catalog = pdd.messages.LANGUAGES["de"]
    game = game_in(record)
    page = rendered(tmp_path / "game.html", record, "--lang", "de").decode()
    assert page == f"{pdd.html.replay(game, catalog=catalog)}\n"
    picture = rendered(tmp_path / "game.svg", record, "--lang", "de").decode()
    assert picture == f"{svg.render(game, catalog=catalog)}\n"


def test_a_record_in_png(record: Path, tmp_path: Path) -> None:
    game = game_in(record)
    assert rendered(tmp_path / "end.PNG", record) == pdd.raster.png(game)


@pytest.mark.parametrize("name", ["apng", "gif"])
def test_a_record_that_moves(record: Path, tmp_path: Path, name: str) -> None:
    game = game_in(record)
    path = tmp_path / f"game.{name}"
    data = rendered(path, record, "--seconds", "0.5", "--size", "192", "--theme", "dark")
    assert data == pdd.raster.animation(game, name, seconds=0.5, size=192, theme=svg.DARK)


@pytest.mark.parametrize("name", ["svg", "png", "apng", "gif"])
def test_standard_output_has_the_picture_alone(record: Path, tmp_path: Path, name: str) -> None:
    for output in ([], ["-o", "-"]):
        result = invoke("render", record, "--format", name, *output, "--size", "60")
        assert (result.exit_code, result.stderr) == (0, "")
        path = tmp_path / f"{name}{len(output)}.any"
        assert rendered(path, record, "--format", name, "--size", "60") == result.stdout_bytes


def test_render_takes_the_same_inputs_as_show(tmp_path: Path) -> None:
    text = pdd.format_state(STATE)
    for number, arguments in enumerate(([text], ["-"])):
        data = rendered(tmp_path / f"{number}.png", *arguments, keys=text)
        assert data == pdd.raster.png(STATE)
    diagram = rendered(tmp_path / "diagram.svg", "-", keys=FAULTY).decode("utf-8")
    assert diagram == f"{svg.render(pdd.parse_setup(FAULTY))}\n"
    empty = pdd.GameState.initial(pdd.parse_rules(SMALL))
    assert rendered(tmp_path / "empty.png", "--rules", SMALL) == pdd.raster.png(empty)


def test_a_turn_is_drawn_with_its_action(record: Path) -> None:
    game = game_in(record)
    first = parse(invoke("render", record, "--format", "svg", "--turn", "1").stdout)
    assert len(parts(first, "last")) == 2
    assert parts(parse(invoke("render", "*", "--format", "svg").stdout), "last") == []
    turn = game.state.turn + 1
    why = refusal(invoke("render", record, "--format", "svg", "--turn", str(turn)), 1)
    assert why == f"no turn {turn}, the game has 0 to {game.state.turn}"


def test_options_for_the_look_of_pictures(record: Path) -> None:
    def root_of(*options: str) -> str:
        return invoke("render", record, "--format", "svg", "--turn", "3", *options).stdout

    plain = parse(root_of())
    assert parts(plain, "labels")
    assert not parts(plain, "target")
    assert not parts(plain, "network")
    assert "width" not in plain.attrib
    bare = parse(root_of("--no-coordinates", "--networks", "--targets", "--size", "300"))
    assert not parts(bare, "labels")
    assert parts(bare, "target")
    assert max(bare.attrib["width"], bare.attrib["height"]) == "300"
    for name, theme in (("light", svg.LIGHT), ("dark", svg.DARK), ("print", svg.PRINT)):
        (paper,) = parts(parse(root_of("--theme", name)), "paper")
        assert paper.attrib["fill"] == theme.paper
    islands = "w w w w . w w w w\nbridges d1-f1"
    networks = invoke("render", "-", "--format", "svg", "--networks", keys=islands).stdout
    assert parts(parse(networks), "points")


def test_pixels_look_as_asked_for(tmp_path: Path) -> None:
    text = pdd.format_state(STATE)
    options = ("--theme", "print", "--size", "332", "--no-coordinates", "--targets")
    expected = pdd.raster.png(STATE, theme=svg.PRINT, size=332, coordinates=False, targets=True)
    assert rendered(tmp_path / "state.png", text, *options) == expected


def test_an_animation_has_a_largest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pontedeldiavolo.raster.animator.MAX_PIXELS", 20_000)
    large = invoke("render", "d4,g7", "--format", "gif", "--size", "101")
    assert refusal(large, 1) == "with 2 frames, the size of an animation is at most 100, not 101"


@pytest.mark.parametrize("name", ["png", "gif"])
def test_formats_may_need_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    for module in [each for each in sys.modules if each.startswith("pontedeldiavolo.raster")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = invoke("render", "d4,g7", "-o", tmp_path / f"picture.{name}")
    why = f"pontedeldiavolo.raster needs Pillow and resvg-py: {install_command('png')}{PLACE}"
    assert refusal(result, 2) == why
    assert [*tmp_path.iterdir()] == []
    assert rendered(tmp_path / "picture.svg", "d4,g7").startswith(b"<svg")


@pytest.mark.parametrize("suffix", [".svg", ".png", ".apng", ".gif"])
def test_force_replaces_a_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"old{suffix}"
    path.write_text("precious")
    assert lines_of(invoke("render", "d4,g7", "-o", path, "--force"))
    assert path.stat().st_size > 100
    assert [*tmp_path.iterdir()] == [path]


GAMES = tuple(random_game("abstract-play-8", seed) for seed in (2, 3, 4))


@pytest.fixture(params=[*ROUND_TRIPS.items()], ids=[*ROUND_TRIPS])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    name, suffix = request.param
    path = tmp_path / f"games{suffix}"
    pdd.records.write(GAMES, path, Format(name))
    return path


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return saved(tmp_path / "games.pdd", *GAMES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "pictures"
    found.mkdir()
    return found


def position_of(path: Path) -> pdd.Position:
    return position_in(parse(path.read_text("utf-8")))


def test_games_of_every_format_are_drawn(archive: Path, folder: Path) -> None:
    for number, game in enumerate(GAMES, 1):
        path = folder / f"{number}.svg"
        lines_of(invoke("render", archive, "--game", str(number), "-o", path))
        text = path.read_text("utf-8")
        assert text == f"{svg.render(game.with_tags({}), last=game.actions[-1])}\n"


def test_games_of_every_format_come_from_standard_input(archive: Path) -> None:
    keys = archive.read_bytes()
    second = position_in(parse(svg.render(GAMES[1])))
    form = pdd.records.detect(archive)
    assert form is not None
    # An option names the format if the beginning does not, as in a list of moves without tags.
    for options in ([], ["--from", form.value]):
        arguments = ("render", "-", "--format", "svg", "--game", "2", *options)
        assert position_in(parse(invoke(*arguments, keys=keys).stdout)) == second


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


def test_other_text_may_follow_a_game(tmp_path: Path) -> None:
    path = saved(tmp_path / "game.pdd", GAMES[0])
    with path.open("ab") as file:
        file.write(b'\n[Event "?"]\n\n\xff')
    *_, last = lines_of(invoke("replay", path, "--only-end"))
    assert last == "The file has more games: --game 2 shows the next one."


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


def test_every_turn_gets_a_file(records: Path, folder: Path) -> None:
    pattern = folder / "turn-{turn}.svg"
    done = lines_of(invoke("render", records, "--game", "2", "-o", pattern))
    last = GAMES[1].state.turn
    assert done == [f"{last + 1} pictures written to {pattern}."]
    names = {f"turn-{turn}.svg" for turn in range(last + 1)}
    assert {path.name for path in folder.iterdir()} == names
    single = invoke("render", records, "--game", "2", "--turn", "3", "--format", "svg").stdout
    assert (folder / "turn-3.svg").read_text("utf-8") == single


def test_every_game_gets_a_file(records: Path, folder: Path) -> None:
    pattern = folder / "game-{game}.svg"
    (line,) = lines_of(invoke("render", records, "-o", pattern))
    assert line == f"3 pictures written to {pattern}."
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
    expected = pdd.raster.animation(GAMES[2].with_tags({}), "gif", seconds=1.0)
    assert (folder / "3.gif").read_bytes() == expected


def test_all_games_make_one_page(records: Path, folder: Path) -> None:
    path = folder / "all.html"
    games = [game for game in pdd.records.read(records) if isinstance(game, Game)]
    assert lines_of(invoke("render", records, "-o", path)) == [f"Picture written to {path}."]
    assert path.read_text("utf-8") == f"{pdd.html.replay(games)}\n"
    lines_of(invoke("render", records, "-o", path, "--force", "--game", "2"))
    assert path.read_text("utf-8") == f"{pdd.html.replay(games[1])}\n"
    lines_of(invoke("render", records, "-o", folder / "{game}.html"))
    assert (folder / "2.html").read_text("utf-8") == f"{pdd.html.replay(games[1])}\n"


def test_a_turn_that_one_game_lacks_leaves_no_files(records: Path, folder: Path) -> None:
    turns = [game.state.turn for game in GAMES]
    shortest = turns.index(min(turns))
    assert turns.count(turns[shortest]) == 1
    wanted = turns[shortest] + 1
    result = invoke("render", records, "--turn", str(wanted), "-o", folder / "{game}.svg")
    why = f"game {shortest + 1}: no turn {wanted}, the game has 0 to {turns[shortest]}"
    assert refusal(result, 1) == why
    assert [*folder.iterdir()] == []
