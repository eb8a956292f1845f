"""The page on which readers play: what its files say."""

from __future__ import annotations

import sys

from support.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import playing  # the path to it is set above


def test_the_notice_names_the_licence_of_everything_that_the_page_loads() -> None:
    found = playing.notice()
    for text in (
        *(playing.VERSION, "Mozilla Public License 2.0"),
        *("Python Software Foundation License", "Copyright (c) 2001 Python Software Foundation"),
        *("Hynek Schlawack", "Permission is hereby granted, free of charge"),
    ):
        assert text in found
