"""The encoding that the property CA names for the bytes of a game tree."""

from __future__ import annotations

import io
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from pontedeldiavolo.records import boardspace, sgf
from pontedeldiavolo.records.sgf.tree import _KNOWN, encoding_named
from support.checks import refused, told

KNOWN = sorted(_KNOWN)
ASCII = "".join(map(chr, range(32, 127))) + "\n\t\r"
NAMES = {
    "latin_1": ("ISO-8859-1", "iso8859-1", "Latin 1"),
    "utf_8": ("UTF-8", "utf8"),
    "ascii": ("US-ASCII",),
    "cp1252": ("windows-1252", "CP1252"),
    "iso8859_15": ("ISO-8859-15",),
    "shift_jis": ("Shift_JIS", "SJIS"),
    "cp932": ("Windows-31J",),
    "euc_jp": ("EUC-JP",),
    "gb2312": ("GB2312",),
    "gbk": ("GBK",),
    "gb18030": ("GB18030",),
    "big5": ("Big5",),
    "euc_kr": ("EUC-KR",),
    "koi8_r": ("KOI8-R",),
}
# Python knows these, and no text of a game is in them.
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
    assert {encoding_named(name) for name in NAMES[encoding]} == {encoding}


@pytest.mark.parametrize("name", STRANGE)
def test_other_encodings_are_refused(name: str) -> None:
    assert encoding_named(name) is None
    octets = b"(;FF[4]\nCA[" + name.encode() + b"]EV[\xe9])"
    error = refused(sgf.loads, octets)
    assert "an encoding that is read here, not '" in error.expected
    assert name[:40].isascii() <= (repr(name[:40]) in error.expected)
    assert (error.line, error.column) == (2, 4)
    assert len(str(error)) < 200
    # A text that is known needs no encoding.
    assert tagged(octets.decode(errors="replace")) == "\ufffd"
    # Nor does one in ASCII, but where ASCII means other letters as well.
    plain = b"(;FF[4]CA[" + name[:9].encode("ascii", "ignore") + b"]EV[e])"
    if name.lower().startswith(("utf-7", "utf-16", "utf-32", "iso-2022", "iso2022", "hz")):
        assert "an encoding that is read here" in refused(sgf.loads, plain).expected
    else:
        assert tagged(plain) == "e"


@pytest.mark.parametrize("encoding", KNOWN)
def test_a_byte_of_ascii_is_its_character(encoding: str) -> None:
    # None has two states, or sequences that stand for something else.
    text = f'{ASCII} +AGE- ~{{<:Ky!#~}} \\u0041 &#65; \x1b$B$"\x1b(B \x0e\x0f'
    assert text.encode().decode(encoding) == text
    for octets in (b"\r\n", b"\n\r", b"\xff\n"):
        assert octets.decode(encoding, "replace").count("\n") == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("ISO-8859-1", "Zoë in Köln"), ("windows-1252", "“Zoë” – 5 €"), ("ISO-8859-15", "5 €")),
        *(("UTF-8", "Zoë 山田 \U0001f309"), ("Shift_JIS", "山田 ｱｲｳ"), ("EUC-JP", "ソ連 表示 十")),
        *(("GB2312", "棋谱"), ("GB18030", "棋谱 \U0001f309"), ("Big5", "棋譜"), ("EUC-KR", "기보")),
        *(("KOI8-R", "партия"), ("windows-1251", "партия"), ("TIS-620", "หมากรุก")),
    ],
)
def test_texts_are_in_the_encoding_that_the_game_names(name: str, text: str) -> None:
    octets = tree(text, name)
    assert tagged(octets) == tagged(octets.decode(name)) == text
    for source in (octets, io.BytesIO(octets)):
        (game,) = records.read(source)
        assert isinstance(game, pdd.Game)
        assert game.tags["Event"] == text
    # With text the name says nothing any more.
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
    # Nor does a property that another program has invented, or one in a text.
    assert tagged(octets.replace(b"EV", b"XCA[UTF-8]CAX[UTF-8]EV")) == "é"
    assert tagged(octets.replace(b"EV", b"C[ CA[UTF-8\\]]EV")) == "é"
    # The first value counts, wherever in the root it stands, and however it is written.
    assert tagged(octets.replace(b"\xe9]", b"\xc5\x82]\n CA\n [ utf-8 ][KOI8-R]")) == "ł"


def test_each_game_is_in_its_own_encoding() -> None:
    texts = {
        "ISO-8859-1": "é",
        "UTF-8": "łé",
        "Shift_JIS": "山",
        "KOI8-R": "п",
        "windows-1252": "€",
    }
    octets = b"\n".join(tree(text, name) for name, text in texts.items())
    found = [game.tags["Event"] for game in sgf.iter_games(octets)]
    assert found == list(texts.values())
    one_line = octets.replace(b"\n", b"") + b"(;EV[\xe9])" + "(;EV[Zoë])".encode()
    found = [game.tags["Event"] for game in sgf.iter_games(one_line)]
    assert found == [*texts.values(), "é", "Zoë"]


def test_a_game_that_is_not_in_its_encoding_does_not_end_the_stream() -> None:
    good, bad = tree("é", "UTF-8"), tree("ok\n \xe9\xe9", "UTF-8", "latin-1")
    one, error, other = sgf.iter_results(good + b"\n" + bad + good)
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
        (error,) = [each for each in sgf.iter_results(written) if not isinstance(each, pdd.Game)]
        assert " in it: decode the file first" in error.expected
    # As text it is read.
    assert tagged(octets.decode(name)) == text
    with io.TextIOWrapper(io.BytesIO(octets), encoding=name) as file:
        assert sgf.load(file).tags["Event"] == text


def test_a_byte_order_mark_is_safer_than_a_name() -> None:
    # An editor that saves a file in UTF-8 leaves the name as it was.
    octets = b"\xef\xbb\xbf" + tree("é", "windows-1252", "utf-8")
    assert tagged(octets) == "é"
    games = sgf.iter_games(octets + tree("é", "windows-1252") + b"(;EV[\xe9])")
    assert [each.tags["Event"] for each in games] == ["é"] * 3


def test_records_of_boardspace_may_name_an_encoding() -> None:
    octets = b'(;GM[PonteDelDiavolo]CA[KOI8-R]P0[id "' + "Иван".encode("koi8-r") + b'"])'
    assert boardspace.loads(octets).tags["Second"] == "Иван"


def test_bytes_without_a_game_have_no_encoding() -> None:
    assert list(sgf.iter_results(b"\xff\xfe\xfd (no game) CA[zip] \x80\x81")) == []
    assert refused(sgf.loads, b"(;CA[UTF-8 \xe9").expected == "']' to end the value"


@cache
def letters_of(encoding: str) -> list[str]:
    """Return letters that an encoding has, among them all it has below 5,000."""
    found = []
    for number in (*range(32, 5_000), *range(0x4E00, 0x5200), *range(0xAC00, 0xB000)):
        letter = chr(number)
        written = letter.encode(encoding, "ignore")
        if written and written.decode(encoding) == letter and letter.isprintable():
            found.append(letter)
    return found


@given(st.sampled_from(KNOWN), st.data())
def test_a_game_in_any_encoding_is_read(encoding: str, data: st.DataObject) -> None:
    letters = st.sampled_from(letters_of(encoding))
    text = data.draw(st.text(letters, max_size=20)).strip()
    game = pdd.Game.new(tags={"Event": text} if text else {}).play("d4,g7").with_comment(text)
    written = sgf.dumps(game).replace("CA[UTF-8]", f"CA[{encoding}]")
    (found,) = sgf.iter_results(written.encode(encoding))
    if isinstance(found, pdd.RecordError):
        assert found.expected.endswith("decode the file first")
        assert any(special in text.encode(encoding) for special in b"\\]")
    else:
        assert found == game
