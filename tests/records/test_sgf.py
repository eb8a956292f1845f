"""Write and read SGF files, including those of other programs and in other encodings."""

from __future__ import annotations

import io
import re
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from sgfmill import sgf_grammar  # type: ignore[import-untyped]

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from pontedeldiavolo.records import Format, boardspace, sgf, unsupported
from pontedeldiavolo.records.sgf.tree import _ENCODINGS, encoding_named
from pontedeldiavolo.testing.strategies import perhaps_ended
from support.checks import refused, told
from support.games import actions_of
from support.paths import STORED
from support.strategies import Player, play_out, share, tag_values
from support.trees import annotated_games

FOLDER = STORED / "sgf"


def without_version(text: str) -> str:
    """Return an SGF text without the version of the library that wrote it."""
    return re.sub(r"AP\[[^]]*\]", "AP[]", text)


def moves(*actions: str, root: str = "", rest: str = "") -> str:
    return f"(;{root}" + "".join(f";PD[{action}]" for action in actions) + f"{rest})"


@pytest.mark.parametrize("name", ["annotated", "last-turns"])
def test_games_are_written_as_the_files_have_them(name: str) -> None:
    game = pdd.records.loads((FOLDER / f"{name}.pdd").read_text("utf-8"))
    text = (FOLDER / f"{name}.sgf").read_text("utf-8")
    assert without_version(sgf.dumps(game)) == without_version(text)
    assert pdd.__version__ in sgf.dumps(game).splitlines()[0]


def test_saving_in_another_program_loses_nothing() -> None:
    original = pdd.records.loads((FOLDER / "annotated.pdd").read_text("utf-8"))
    resaved = sgf.loads((FOLDER / "resaved.sgf").read_text("utf-8"))
    assert resaved == original.with_tags({**original.tags, "SGF_KM": "[0.00]"})
    assert "\nKM[0.00]\n" in sgf.dumps(resaved)


def tags() -> SearchStrategy[dict[str, str]]:
    days = st.sampled_from(["2026.05.17", "2026.05.??", "2026.??.??", "????.??.??", "a day"])
    known = ["First", "Second", "Event", "Site", "Round", "GameName", "Annotator", "Source"]
    foreign = st.dictionaries(
        st.sampled_from(["SGF_KM", "SGF_ABCD", "SGF_PD", "SGF_TE", "SGF_x", "SGF_"]),
        st.sampled_from(["[6.5]", "[a][b\\]]", "[", "[a]b", "[\\\\]", "", "[]"]),
    )
    free = st.dictionaries(st.sampled_from([*known, "Odd_1"]), tag_values())
    dated = st.fixed_dictionaries({}, optional={"Date": days})
    return st.builds(lambda *parts: parts[0] | parts[1] | parts[2], foreign, free, dated)


def games() -> SearchStrategy[pdd.Game]:
    """Return games with variations, with any start and any ending."""
    return st.builds(pdd.Game.with_tags, annotated_games(), tags()).flatmap(perhaps_ended)


@given(games())
def test_texts_round_trip(game: pdd.Game) -> None:
    text = sgf.dumps(game)
    assert sgf.loads(text) == game
    assert unsupported(game, Format.SGF) == ()
    assert sgf.dumps(sgf.loads(text)) == text


@share(0.5)
@given(games())
def test_another_parser_reads_the_same_tree(game: pdd.Game) -> None:
    tree = sgf_grammar.parse_sgf_game(sgf.dumps(game).encode())
    found = list(sgf_grammar.main_sequence_iter(tree))
    assert [each["PD"][0].decode() for each in found if "PD" in each] == actions_of(game)
    # The other program saves the same game with different line breaks.
    assert sgf.loads(sgf_grammar.serialise_game_tree(tree).decode()) == game
    names = (name for each in found for name in each)
    assert all(sgf_grammar.is_valid_property_identifier(name) for name in names)


def test_a_variation_is_a_sibling_of_the_move_it_replaces() -> None:
    game = pdd.Game.from_actions(pdd.presets.ABSTRACT_PLAY_8, ("a1,b1", "red", "h8,h7"))
    game = game.with_variation((1,), ["white", "g8,g7"]).with_variation((1, 0, 0), ["red"])
    game = game.with_variation((0,), ["c1,c2"], "quiet").with_variation((2,), ["d1,d2"])
    assert sgf.dumps(game).splitlines()[2:] == [
        *("(;PD[a1,b1]", "(;PD[red]", "(;PD[h7,h8])", "(;PD[d1,d2]))", "(;", "(;PD[white]"),
        *(";PD[g7,g8])", "(;PD[red])))", "(;C[quiet]", ";PD[c1,c2]))"),
    ]
    assert sgf.loads(sgf.dumps(game)) == game


def test_nodes_without_an_action_belong_to_the_action_before_them() -> None:
    text = moves("a1,b1", rest="(;C[said](;PD[red]N[one];;C[two])(;PD[white]))(;C[instead];;)(;;)")
    line = sgf.loads(text).line
    assert actions_of(line) == ["a1,b1", "red"]
    assert [move.comment for move in line.moves] == ["said", "instead\none\ntwo"]
    assert [actions_of(each) for each in line.moves[1].variations] == [["white"]]
    # If the main line ends at a node without an action, the line beside it continues the game.
    line = sgf.loads(moves("a1,b1", rest="(;C[nothing])(;PD[red];PD[c3,c4])(;PD[white])")).line
    assert actions_of(line) == ["a1,b1", "red", "c3,c4"]
    assert [actions_of(each) for each in line.moves[1].variations] == [["white"]]
    # The root, too, may have an action.
    line = sgf.loads("(;PD[a1,b1]C[here](;PD[red])(;PD[white]))").line
    assert (actions_of(line), line.comment) == (["a1,b1", "red"], "")
    assert line.moves[0].comment == "here"
    # Comments before the first move belong to the game.
    assert sgf.loads("(;C[a];N[b]TE[1];PD[a1,b1])").line.comment == "a\nb"


def test_evaluations_of_other_programs_become_nags() -> None:
    rest = "TE[1];PD[red]BM[2]PDNAGS[14];PD[c3,c4]DO[]IT[];PD[e5,e6]TE[9]BM[1]"
    line = sgf.loads(moves("a1,b1", rest=rest)).line
    assert [move.nags for move in line.moves] == [(1,), (14, 4), (5, 6), (2,)]


@pytest.mark.parametrize("name", ["TE", "BM", "DO", "IT"])
def test_a_judgement_in_a_root_without_an_action_is_a_tag(name: str) -> None:
    game = sgf.loads(f"(;FF[4]{name}[1];PD[a1,b1])")
    assert game.tags == {f"SGF_{name}": "[1]"}
    assert game.line.moves[0].nags == ()
    assert f"\n{name}[1]\n" in sgf.dumps(game)
    assert sgf.loads(sgf.dumps(game)) == game
    # With an action in the root, it judges that action.
    assert sgf.loads(f"(;PD[a1,b1]{name}[1])").tags == {}
    assert sgf.loads("(;PD[a1,b1]TE[1])").line.moves[0].nags == (1,)


@pytest.mark.parametrize(
    ("root", "ending", "winner", "result"),
    [
        *((root, None, None, "*") for root in ("", "RE[?]", "RE[Void]", "RE[]")),
        ("RE[W+R]", "resignation", "second", "white"),
        ("RE[b+resign]", "resignation", "first", "red"),
        ("RE[W+Time]", "time", "second", "white"),
        ("RE[B+F]", "adjudication", "first", "red"),
        ("RE[0]", "agreement", None, "draw"),
        ("RE[Draw]PDENDING[adjudication]", "adjudication", None, "draw"),
        ("RE[W+]PDENDING[agreement]", "agreement", "second", "white"),
        ("RE[W+R]PDENDING[time]", "time", "second", "white"),
    ],
)
def test_results(root: str, ending: str | None, winner: str | None, result: str) -> None:
    game = sgf.loads(moves("a1,b1", "white", root=root))
    found = game.ending and game.ending.value, game.winning_seat and game.winning_seat.value
    assert (*found, game.result) == (ending, winner, result)


def test_players_are_written_by_colour() -> None:
    tags = {"First": "Ada", "Second": "Bo"}
    for actions, white in (((), "Ada"), (("a1,b1", "red"), "Ada"), (("a1,b1", "white"), "Bo")):
        game = pdd.Game.from_actions(None, actions, tags=tags)
        assert f"\nPW[{white}]\n" in sgf.dumps(game)
        assert sgf.loads(sgf.dumps(game)) == game
    undecided = sgf.loads(moves("a1,b1", root="PW[Ada]PB[Bo]RE[B+T]"))
    assert (dict(undecided.tags), undecided.winning_seat) == (tags, pdd.Seat.SECOND)


def test_a_played_out_board_has_its_own_result() -> None:
    rules = pdd.presets.ABSTRACT_PLAY_8
    game = play_out(rules, Player(Random(5), builder=True, settler=True))
    text = sgf.dumps(game)
    found = re.search(r"RE\[(W|B)\+[0-9]+\]", text)
    assert found
    for same in ("", "PDENDING[scored]"):
        assert sgf.loads(text.replace(found.group(), same)) == game
    board = f"the result '{game.result}', as the board has it"
    scored = "no ending but 'scored'"
    for other, expected in (("RE[0]", board), ("RE[W+T]PDENDING[time]", scored)):
        said = refused(sgf.loads, text.replace(found.group(), other)).expected
        assert said.removesuffix(": the game is played out") == expected


def test_the_result_of_a_tie_break_has_no_margin() -> None:
    rules = pdd.Rules(pdd.Board(4, 4))
    games = (play_out(rules, Player(Random(seed), builder=True)) for seed in range(200))
    by = pdd.DecidedBy.BRIDGES
    game = next(
        each for each in games if each.state.outcome and each.state.outcome.decided_by is by
    )
    assert re.search(r"\nRE\[[WB]\+\]\n", sgf.dumps(game))
    assert "PDENDING" not in sgf.dumps(game)
    assert sgf.loads(sgf.dumps(game)) == game


@pytest.mark.parametrize(
    ("value", "date", "written"),
    [
        ("2026-11-05", "2026.11.05", "DT[2026-11-05]"),
        ("2026-11", "2026.11.??", "DT[2026-11]"),
        ("2026", "2026.??.??", "DT[2026]"),
        ("2026/11/05", "2026.11.05", "DT[2026-11-05]"),
        ("2026-11-05,06", "2026-11-05,06", "DT[2026-11-05,06]"),
        ("2026-11-30,12-01", "2026-11-30,12-01", "DT[2026-11-30,12-01]"),
        ("2026-11-05 14:00", "2026-11-05 14:00", r"PDTAGS[Date:2026-11-05 14\:00]"),
        ("before 2026-11-05", "before 2026-11-05", "PDTAGS[Date:before 2026-11-05]"),
        ("autumn", "autumn", "PDTAGS[Date:autumn]"),
        ("2026-11-31", "2026-11-31", "PDTAGS[Date:2026-11-31]"),
    ],
)
def test_dates(value: str, date: str, written: str) -> None:
    game = sgf.loads(f"(;DT[{value}])")
    assert game.tags == {"Date": date}
    assert f"\n{written})\n" in sgf.dumps(game)
    assert sgf.loads(sgf.dumps(game)) == game


@given(st.from_regex(r"[0-9]{1,4}(?:[-.?,/ ][0-9?]{1,4}){0,4}", fullmatch=True))
def test_any_date_is_restored(date: str) -> None:
    game = pdd.Game.new(tags={"Date": date})
    assert sgf.loads(sgf.dumps(game)) == game


def test_older_files_and_other_layouts() -> None:
    text = "\ufeffmail header\r\n( ;FF[3]GM[1]\r\nEVent[A\r\nB\tC]KM[6.5]KM[x]foo[bar]P0[x]\r\n"
    text += "Comment[one\r\ntwo \\\r\nthree\x07];PD[a1\\, b1 ] )\r\nmail footer"
    game = sgf.loads(text)
    assert game.tags == {"Event": "A B C", "SGF_KM": "[6.5][x]"}
    assert game.line.comment == "one\ntwo three"
    assert actions_of(game) == ["a1,b1"]


def test_text_without_a_tree_is_passed_over() -> None:
    game = pdd.Game.from_actions(pdd.presets.ABSTRACT_PLAY_8, ("a1,b1", "red"))
    good = sgf.dumps(game)
    old = "(\n;\nPD[a1,b1])"
    letter = f"Dear Bo :( how are you?\n{good}(see\nbelow) {good}"
    for text in (letter, f"((({good}{good}", f"a (b (c\n{good}) {good}"):
        assert list(sgf.iter_games(text)) == [game] * 2
    (found,) = sgf.iter_games(f"a :( b\n{old}")
    assert actions_of(found) == ["a1,b1"]
    # Several games in an invalid part are numbered consecutively.
    text = "(;FF[4];PD[a1,b1]\n" * 2 + good
    *errors, last = sgf.iter_games(f"(;FF[4](;FF[4];PD[a1] {text}", "yield")
    assert [getattr(each, "number", 0) for each in errors] == [1, 2, 3, 4]
    assert last == game


KNOWN = sorted(_ENCODINGS)
ASCII = "".join(map(chr, range(32, 127))) + "\n\t\r"
NAMES = {
    "latin_1": "ISO-8859-1 iso8859-1 Latin_1",
    "utf_8": "UTF-8 utf8",
    "ascii": "US-ASCII",
    "cp1252": "windows-1252 CP1252",
    "iso8859_15": "ISO-8859-15",
    "koi8_r": "KOI8-R",
    "shift_jis": "Shift_JIS SJIS",
    "cp932": "Windows-31J",
    "euc_jp": "EUC-JP",
    "gb2312": "GB2312",
    "gbk": "GBK",
    "gb18030": "GB18030",
    "big5": "Big5",
    "euc_kr": "EUC-KR",
}
# Python has these codecs, but no game is encoded with them.
STRANGE = [
    *("zip", "rot13", "hex", "base64", "bz2", "uu", "quopri", "idna", "punycode", "undefined"),
    *("unicode_escape", "raw-unicode-escape", "utf-7", "utf-16", "UTF-16LE", "utf-32", "utf-8-sig"),
    *("iso-2022-jp", "iso2022_kr", "hz", "cp037", "cp500", "mbcs", "oem", "johab"),
    *("shift_jisx0213", "aliases", "..", "os", "a" * 1_000, "\u0130so-8859-1", "klingon", "?"),
]


def tagged(octets: bytes | str) -> str:
    return sgf.loads(octets).tags["Event"]


def tree(text: str, name: str, encoding: str | None = None) -> bytes:
    octets = text.encode(encoding or name)
    return b"(;FF[4]CA[" + name.encode() + b"]EV[" + octets + b"];PD[d4,g7])"


@pytest.mark.parametrize("encoding", NAMES)
def test_names_of_encodings(encoding: str) -> None:
    for name in NAMES[encoding].split():
        assert encoding_named(name) == encoding_named(name.replace("_", " ")) == encoding


@pytest.mark.parametrize("name", STRANGE)
def test_other_encodings_are_refused(name: str) -> None:
    assert encoding_named(name) is None
    octets = b"(;FF[4]\nCA[" + name.encode() + b"]EV[\xe9])"
    error = refused(sgf.loads, octets)
    assert "an encoding that is read here, not '" in error.expected
    assert name[:40].isascii() <= (repr(name[:40]) in error.expected)
    assert (error.line, error.column) == (2, 4)
    assert len(str(error)) < 200
    # A text needs no encoding.
    assert tagged(octets.decode(errors="replace")) == "\ufffd"
    # ASCII needs none either, except where its bytes also mean other letters.
    plain = b"(;FF[4]CA[" + name[:9].encode("ascii", "ignore") + b"]EV[e])"
    if name.lower().startswith(("utf-7", "utf-16", "utf-32", "iso-2022", "iso2022", "hz")):
        assert "an encoding that is read here" in refused(sgf.loads, plain).expected
    else:
        assert tagged(plain) == "e"


@pytest.mark.parametrize("encoding", KNOWN)
def test_a_byte_of_ascii_is_its_character(encoding: str) -> None:
    # No encoding here has shift states or escape sequences.
    text = f'{ASCII} +AGE- ~{{<:Ky!#~}} \\u0041 &#65; \x1b$B$"\x1b(B \x0e\x0f'
    assert text.encode().decode(encoding) == text
    for octets in (b"\r\n", b"\n\r", b"\xff\n"):
        assert octets.decode(encoding, "replace").count("\n") == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("windows-1252", "“Zoë” – 5 €"), ("Shift_JIS", "山田 ｱｲｳ"), ("TIS-620", "หมากรุก")),
        *(("GB18030", "棋谱 \U0001f309"), ("windows-1251", "партия")),
    ],
)
def test_texts_are_in_the_encoding_that_the_game_names(name: str, text: str) -> None:
    octets = tree(text, name)
    assert tagged(octets) == tagged(octets.decode(name)) == text
    for source in (octets, io.BytesIO(octets)):
        (game,) = records.read(source)
        assert isinstance(game, pdd.Game)
        assert game.tags["Event"] == text
    # For a text, the name of the encoding is ignored.
    assert tagged(octets.decode(name).encode("utf-16")) == text
    assert tagged(tree(text, "KOI8-R", "utf-8").decode()) == text


def test_without_a_name_it_is_utf_8_or_else_latin_1_line_by_line() -> None:
    octets = "(;FF[4]EV[Zoë]\n".encode() + "PC[Köln]\n".encode("latin-1") + "RO[é])".encode()
    for name in (b"", b"CA[]", b"CA[ ]", b"C[CA[KOI8-R\\]]"):
        game = sgf.loads(octets.replace(b"FF[4]", b"FF[4]" + name))
        assert game.tags == {"Event": "Zoë", "Site": "Köln", "Round": "é"}
        (same,) = records.read(octets)
        assert getattr(same, "tags", None) == game.tags


def test_only_the_root_names_an_encoding() -> None:
    octets = "(;FF[4]EV[é];PD[d4,g7]CA[UTF-8])".encode("latin-1")
    assert tagged(octets) == "é"
    # A property of another program, or one inside a text, is ignored as well.
    assert tagged(octets.replace(b"EV", b"XCA[UTF-8]CAX[UTF-8]EV")) == "é"
    assert tagged(octets.replace(b"EV", b"C[ CA[UTF-8\\]]EV")) == "é"
    # The first value in the root counts, however its property is written.
    assert tagged(octets.replace(b"\xe9]", b"\xc5\x82]\n CA\n [ utf-8 ][KOI8-R]")) == "ł"


@pytest.mark.parametrize(
    "prop", ["CA[", "CA [", "CA\n[", "CA\r\n\t[", "CodedA[", "CApital [", "CaseA\n["]
)
@pytest.mark.parametrize("name", ["utf-7", "ISO-2022-JP", "hz"])
def test_an_encoding_is_found_however_its_property_is_written(prop: str, name: str) -> None:
    plain = f"(;FF[4]PB[+AGE-]{prop}{name}];PD[d4,g7])".encode()
    assert "an encoding that is read here" in refused(sgf.loads, plain).expected
    assert "an encoding that is read here" in refused(boardspace.loads, plain).expected
    octets = f"(;FF[4]{prop}KOI8-R]EV[".encode() + "Партия".encode("koi8-r") + b"])"
    assert tagged(octets) == "Партия"


def test_each_game_is_in_its_own_encoding() -> None:
    texts = {"ISO-8859-1": "é", "UTF-8": "łé", "Shift_JIS": "山", "windows-1252": "€"}
    octets = b"\n".join(tree(text, name) for name, text in texts.items())
    found = [game.tags["Event"] for game in sgf.iter_games(octets)]
    assert found == list(texts.values())
    one_line = octets.replace(b"\n", b"") + b"(;EV[\xe9])" + "(;EV[Zoë])".encode()
    found = [game.tags["Event"] for game in sgf.iter_games(one_line)]
    assert found == [*texts.values(), "é", "Zoë"]


def test_a_game_that_is_not_in_its_encoding_does_not_end_the_stream() -> None:
    good = tree("é", "UTF-8")
    bad = tree("ok\n \xe9\xe9", "UTF-8", "latin-1")
    one, error, other = sgf.iter_games(good + b"\n" + bad + good, "yield")
    assert isinstance(one, pdd.Game)
    assert one == other
    assert told(error) == (2, 3, 2, "text in 'UTF-8'")
    cause = getattr(error, "__cause__", None)
    assert isinstance(cause, pdd.NotationError)
    assert cause.text[cause.offset - 1 : cause.offset + 2] == " \ufffd\ufffd"
    assert str(error).isascii()
    for octets in (tree("\x81", "windows-1252", "latin-1"), tree("é", "US-ASCII", "utf-8")):
        assert refused(sgf.loads, octets).expected.startswith("text in '")


@pytest.mark.parametrize(("name", "text"), [("Shift_JIS", "ソ"), ("GBK", "俓"), ("Big5", "功能")])
def test_a_letter_with_the_byte_of_a_bracket_is_refused(name: str, text: str) -> None:
    octets = tree(text, name)
    assert b"\\" in octets or b"\x5d" in text.encode(name)
    for written in (octets, octets.replace(b"\\", b"\\\\")):
        (error,) = [
            each for each in sgf.iter_games(written, "yield") if not isinstance(each, pdd.Game)
        ]
        assert " in it: decode the file first" in error.expected
    # The same content is read as text.
    assert tagged(octets.decode(name)) == text
    with io.TextIOWrapper(io.BytesIO(octets), encoding=name) as file:
        assert sgf.load(file).tags["Event"] == text


def test_a_byte_order_mark_is_safer_than_a_name() -> None:
    # An editor that saves a file as UTF-8 does not change the name in it.
    octets = b"\xef\xbb\xbf" + tree("é", "windows-1252", "utf-8")
    assert tagged(octets) == "é"
    games = sgf.iter_games(octets + tree("é", "windows-1252") + b"(;EV[\xe9])")
    assert [each.tags["Event"] for each in games] == ["é"] * 3


def test_records_of_boardspace_may_name_an_encoding() -> None:
    octets = b'(;GM[PonteDelDiavolo]CA[KOI8-R]P0[id "' + "Иван".encode("koi8-r") + b'"])'
    assert boardspace.loads(octets).tags["Second"] == "Иван"


def test_bytes_without_a_game_have_no_encoding() -> None:
    (error,) = sgf.iter_games(b"\xff\xff\xfd (no game) CA[zip] \x80\x81", "yield")
    assert told(error) == (1, 1, 1, "a game tree")
    assert refused(sgf.loads, b"(;CA[UTF-8 \xe9").expected == "']' to end the value"


TREE = "(;FF[4];PD[a1,b1])"
NO_GAMES = {
    "a page": "<!DOCTYPE html>\n<p>Not found (404); see [1]</p>",
    "words": "\n \n\ufeff  Dear Bo (this is\na letter)",
    "a parenthesis": "(",
    "nodes": ";FF[4];PD[d4,g7])",
    "zeros": "\0" * 100_000,
}


@pytest.mark.parametrize("text", NO_GAMES.values(), ids=NO_GAMES)
@pytest.mark.parametrize("module", [sgf, boardspace])
def test_a_file_of_something_else_is_an_error(text: str, module: Any) -> None:
    for source in (text, text.encode(), text.splitlines(keepends=True)):
        (error,) = module.iter_games(source, "yield")
        number, line, column, expected = told(error)
        assert (number, expected) == (1, "a game tree")
        before = text.splitlines()[line - 1][: column - 1]
        assert not before.strip(" \ufeff")
        with pytest.raises(pdd.RecordError, match="expected a game tree"):
            list(module.iter_games(source))
        with pytest.warns(UserWarning, match="^1 bad game skipped$"):
            assert list(module.iter_games(source, "skip")) == []


@pytest.mark.parametrize(
    ("fragment", "before"),
    [
        *((";FF[4];PD[d4,g7])", ""), ("FF[4]PB[Bo]\n;PD[d4,g7])", "FF[4]PB[Bo]\n")),
        *(
            ("PD[d4,g7])", ""),
            ("PD [d4,g7]\n)", ""),
            (" C[a\nb]\n)", " "),
            ("a ] ;\nPD\n[a1,b1]", "a ] "),
        ),
        *(("(\nno tree; PD[a1,b1])", "(\nno tree"), ("x;PDNAGS[1]", "x")),
    ],
)
@pytest.mark.parametrize("size", [1, 5, 1 << 16])
def test_a_part_of_a_tree_is_not_skipped(
    fragment: str, before: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pontedeldiavolo.records.splitting.CHUNK_CHARACTERS", size)
    game = sgf.loads(TREE)
    words = "Dear Bo,\n\n"
    files = {
        f"{words}{fragment}\n\n{TREE}\n": (0, words),
        f"{TREE}{words}{fragment}\n{TREE}": (1, f"{TREE}{words}"),
        f"{TREE}\n{fragment}": (1, f"{TREE}\n"),
    }
    for text, (index, start) in files.items():
        for source in (text, text.encode(), text.splitlines()):
            results = [*sgf.iter_games(source, "yield")]
            lines = (start + before).split("\n")
            place = (len(lines), len(lines[-1]) + 1)
            assert told(results.pop(index)) == (index + 1, *place, "a game tree"), source
            assert results == [game] * text.count(TREE)


@pytest.mark.parametrize(
    "words",
    [
        *("From: ada@example.com\nSubject: RE[2]: our game\n", "(see [1]; {x})", "Bo :) ;-) [ok]"),
        *("NOTE[1] says so, [2] too;\n", "\x00\x01", "]) )", "é" * 1_000, "-- \nAda (Graz)\n"),
    ],
)
def test_words_around_trees_are_skipped(words: str) -> None:
    game = sgf.loads(TREE)
    for text in (f"{words}{TREE}", f"{TREE}{words}", f"{TREE}{words}{TREE}"):
        assert list(sgf.iter_games(text)) == [game] * text.count(TREE)


@cache
def letters_of(encoding: str) -> list[str]:
    """Return letters of an encoding, including all below code point 5,000."""
    numbers = (*range(32, 5_000), *range(0x4E00, 0x5200), *range(0xAC00, 0xB000))
    letters = [letter for letter in map(chr, numbers) if letter.isprintable()]
    return [each for each in letters if each.encode(encoding, "ignore").decode(encoding) == each]


@given(st.sampled_from(KNOWN), st.data())
def test_a_game_in_any_encoding_is_read(encoding: str, data: st.DataObject) -> None:
    letters = st.sampled_from(letters_of(encoding))
    text = data.draw(st.text(letters, max_size=20)).strip()
    game = pdd.Game.new(tags={"Event": text} if text else {}).play("d4,g7").with_comment(text)
    written = sgf.dumps(game).replace("CA[UTF-8]", f"CA[{encoding}]")
    (found,) = sgf.iter_games(written.encode(encoding), "yield")
    if isinstance(found, pdd.RecordError):
        assert found.expected.endswith("decode the file first")
        assert any(special in text.encode(encoding) for special in b"\\]")
    else:
        assert found == game


def test_a_draw_that_was_agreed_on_needs_no_property() -> None:
    text = sgf.dumps(pdd.Game.new().end(pdd.Ending.AGREEMENT, None))
    assert text.endswith("RE[0])\n")
    assert sgf.loads(text).ending is pdd.Ending.AGREEMENT
