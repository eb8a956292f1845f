"""The journeys of the page *Architecture*: the files that a reader opens."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from support.paths import ROOT, SOURCE

PAGE = ROOT / "docs" / "explanation" / "architecture.md"
HEADING = "### A click on the page\n"


def test_the_table_of_a_click_lists_the_files_of_its_journey() -> None:
    command = [sys.executable, str(ROOT / "tools" / "journeys.py"), "click"]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    walked = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    files = re.findall(r"^    (\S+)$", walked.stdout, re.MULTILINE)
    _, _, text = PAGE.read_text("utf-8").partition(HEADING)
    section = text.partition("\n#")[0]
    rows = re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)
    assert len(rows) > 1
    assert sorted(rows) == sorted(files)
