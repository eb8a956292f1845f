"""The search of the pages: German words."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from support.paths import ROOT

SCRIPT = (ROOT / "docs" / "assets" / "search.js").read_text("utf-8")
PARTS = (
    r"^const UMLAUTS = .*?;$",
    r"^const ENDINGS = .*?;$",
    r"^const MIN_GERMAN = .*?;$",
    r"^function foldGerman.*?^}$",
)
"""The parts of the script that reduce German words."""

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def folded(words: list[str]) -> list[str]:
    """Reduce words as the script does."""
    found = [re.search(part, SCRIPT, re.DOTALL | re.MULTILINE) for part in PARTS]
    code = "\n".join(each[0] for each in found if each)
    code += f"\nconsole.log(JSON.stringify({json.dumps(words)}.map(foldGerman)));"
    node = shutil.which("node") or ""
    done = subprocess.run([node, "-e", code], check=True, capture_output=True, text=True)
    return [str(each) for each in json.loads(done.stdout)]


@pytest.mark.parametrize(
    "forms",
    [
        ["Zug", "Züge", "Zügen", "ZUG"],
        ["Brücke", "Brücken"],
        ["Insel", "Inseln"],
        ["Stein", "Steine", "Steinen"],
        ["spielen", "spielst", "spielt", "Spiele"],
        ["gewinnen", "gewinnt", "gewinne"],
    ],
)
def test_forms_of_a_german_word_are_one_word(forms: list[str]) -> None:
    assert len({*folded(forms)}) == 1


def test_different_german_words_stay_different() -> None:
    words = ["Insel", "Stein", "Brücke", "Zug", "Uhr", "Remis", "es", "Tee", "Fuß"]
    assert len({*folded(words)}) == len(words)
