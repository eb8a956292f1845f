"""The size of the page's files, and the length of short refusals."""

from __future__ import annotations

import gzip

import pytest

from pontedeldiavolo.html.page import COMMENTS
from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.web.pages import SHARED, page_files
from support.paths import SOURCE

MAX_SENT = 78_000
"""The most bytes of scripts, styles and text that a browser receives, compressed."""
MAX_CHARACTERS = 45
"""The most characters of a short refusal: one line on a phone."""
SHORT = "page.refused-"


def test_the_page_is_light() -> None:
    files = page_files()
    sent = {name: len(gzip.compress(content, 9)) for name, content in files.items()}
    without_pictures = sum(size for name, size in sent.items() if not name.endswith(".svg"))
    assert without_pictures <= MAX_SENT


def words_of(text: str) -> str:
    """Return a text without blanks, line ends, and semicolons that separate nothing."""
    return "".join(text.split()).replace(";}", "}")


def test_only_comments_and_blanks_are_left_out() -> None:
    sent = page_files()
    sources = [
        *(SOURCE / "pontedeldiavolo" / "web" / "static").iterdir(),
        *(SOURCE / "pontedeldiavolo" / "html" / name for name in SHARED),
    ]
    commented = 0
    for path in sources:
        text = path.read_text("utf-8")
        if path.suffix not in (".js", ".css"):
            assert sent[path.name] == path.read_bytes()
            continue
        for comment in COMMENTS.finditer(text):
            commented += 1
            # Nothing in a text between backticks is a comment.
            assert COMMENTS.sub("", text[: comment.start()]).count("`") % 2 == 0
            assert "*/" not in comment[0].rstrip().removesuffix("*/")
        code = COMMENTS.sub("", text)
        # No text has several lines, whose indents would belong to it.
        assert all(line.count("`") % 2 == 0 for line in code.splitlines())
        left = sent[path.name].decode().splitlines()
        beginnings = ("//", "* ") if path.suffix == ".js" else ("/*",)
        assert [line for line in left if line.lstrip().startswith(beginnings)] == []
        assert words_of(code) == words_of(sent[path.name].decode())
    assert commented > 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_short_refusals_are_short_and_stand_for_rules(language: str) -> None:
    catalog = LANGUAGES[language]
    short = {str(key): text for key, text in catalog.items() if str(key).startswith(SHORT)}
    assert len(short) > 1
    for key, text in short.items():
        assert len(text) <= MAX_CHARACTERS, key
        # The whole sentence is longer, and belongs to a rule.
        assert len(catalog[key.removeprefix(SHORT)]) > 0
