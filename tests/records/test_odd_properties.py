"""Replace every value of a property in SGF and Boardspace files by odd values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from pontedeldiavolo.messages import LANGUAGES, explain
from pontedeldiavolo.records import Format
from support.samples import FILES

GERMAN = LANGUAGES["de"]

VALUES = [
    *(
        "",
        " ",
        "0",
        "-1",
        "1.5",
        "1e999",
        "NaN",
        "9" * 5_000,
        "\u0661",
        "abc",
        "a1,b1",
        "W+",
        "B+R",
    ),
    *("\ud800", "\ufeff", "\x00", "\u2028", "\\", "\\]", "(;", "[", "64x64", "65x65", "2026-13-45"),
    *("0 Pick W", "1 Done", "P0", "id \ud800", "UTF-16", "idna", "rot13", "zlib", "x:y", "Clk:1"),
    *("8x8 tiles=1 bridges=0 tiebreaks=none", "pass", "red", "1:2:3", "999999:99:99"),
]
ENCODINGS = [
    *("utf-8", "UTF-16", "utf-32", "utf-7", "idna", "punycode", "rot13", "zlib", "hex", "base64"),
    *("bz2", "uu", "quopri", "raw_unicode_escape", "unicode_escape", "undefined", "mbcs", "oem"),
    *("shift_jis", "cp1252", "x" * 5_000, "a b", "../utf-8", "utf_8_sig", "charmap", "palmos"),
]
VALUE = re.compile(r"\[[^\]\\]*\]")
TREES = [
    pytest.param(form, path, id=path.stem)
    for form, path in FILES
    if form in (Format.SGF, Format.BOARDSPACE)
]
MAX_VALUES = 20
"""The number of values that are replaced in a file; later ones are similar."""


def variants(text: str) -> Iterator[str]:
    for found in list(VALUE.finditer(text))[:MAX_VALUES]:
        for value in VALUES:
            yield f"{text[: found.start()]}[{value}]{text[found.end() :]}"


def require_documented(source: str | bytes, form: Format) -> None:
    for result in records.read(source, format=form):
        if isinstance(result, pdd.RecordError):
            assert "erwartet" in explain(result, GERMAN)
        else:
            assert records.loads(records.dumps(result)) == result


@pytest.mark.slow
@pytest.mark.parametrize(("form", "path"), TREES)
def test_odd_values_of_properties(form: Format, path: Path) -> None:
    text = path.read_text("utf-8", "replace")
    for each in variants(text[:20_000]):
        require_documented(each, form)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*ENCODINGS, *VALUES[:8]])
def test_odd_names_of_encodings(name: str) -> None:
    require_documented(f"(;FF[4]CA[{name}]C[\xe9\xff]PB[\xe4])".encode("latin-1"), Format.SGF)
    tree = f"(;GM[pontedeldiavolo]CA[{name}]VV[1]P0[id \xe9]P1[id b];P0[0 Start P0])"
    require_documented(tree.encode("latin-1"), Format.BOARDSPACE)
