"""The page of error codes has every code, once."""

from __future__ import annotations

import runpy
from collections import Counter
from itertools import chain

import pytest

from pontedeldiavolo.base.language_files import tables_of
from support.paths import ROOT


def test_every_code_is_in_one_group() -> None:
    pytest.importorskip("sphinx", reason="not installed: nox -s docs")
    groups = runpy.run_path(str(ROOT / "docs" / "error_codes.py"))["groups"]()
    tables = tables_of("en")
    assert Counter(chain(*groups.values())) == Counter([*tables["errors"], *tables["rules"]])
    assert all(groups.values())


def test_sentences_are_shown_without_formats() -> None:
    pytest.importorskip("sphinx", reason="not installed: nox -s docs")
    sentence = runpy.run_path(str(ROOT / "docs" / "error_codes.py"))["sentence"]
    assert sentence("at most {most:,} of {name!a}: '}}'") == (
        "at most {most} of {name}: '}'",
        ["most", "name"],
    )
