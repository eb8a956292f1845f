"""The size of the page's files, and the length of short refusals."""

from __future__ import annotations

import gzip

import pytest

from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.web.pages import COMMENTS, page_files
from support.paths import SOURCE

MAX_SENT = 75_000
"""The most bytes of scripts, styles and text that a browser receives, compressed."""
MAX_CHARACTERS = 45
"""The most characters of a short refusal: one line on a phone."""
SHORT = "page.refused-"


def test_the_page_is_light() -> None:
    files = page_files()
    sent = {name: len(gzip.compress(content, 9)) for name, content in files.items()}
    without_pictures = sum(size for name, size in sent.items() if not name.endswith(".svg"))
    assert without_pictures <= MAX_SENT


def test_only_comments_and_indentation_are_left_out() -> None:
    sent = page_files()
    sources = [*(SOURCE / "pontedeldiavolo" / "web" / "static").iterdir()]
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
        left = sent[path.name].decode().splitlines()
        lines = COMMENTS.sub("", text).splitlines()
        assert left == [line.lstrip(" ") for line in lines]
        # No text spans lines, so the spaces before a line mean nothing.
        assert [line for line in lines if line.count("`") % 2] == []
        beginnings = ("//", "* ") if path.suffix == ".js" else ("/*",)
        assert [line for line in left if line.lstrip().startswith(beginnings)] == []
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
