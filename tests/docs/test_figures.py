"""The pages take measured figures from files: nobody types them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.paths import ROOT

DOCS = ROOT / "docs"
PAGES = {
    path.relative_to(DOCS).with_suffix("").as_posix(): path
    for path in sorted(DOCS.rglob("*.md"))
    if "_build" not in path.parts and path.name != "speed_table.md"
}
CODE = re.compile(r"^( *)(`{3,})(?!\{(?:note|tip|warning)).*?^ *\2 *$", re.DOTALL | re.MULTILINE)
"""A block that is not text; the tests of the blocks check what the pages say that it prints."""
MARK = re.compile(r"@(?:figure|measured) [^@]*@")
INLINE = re.compile(r"!\[[^]]*\]|`[^`\n]*`|\]\([^)\n]*\)")
"""Names, addresses, and texts that say what a picture shows."""
UNITS = (
    r"seconds?|minutes?|hours?|ms|µs|(?:milli|micro)seconds?|Sekunden?|Minuten?|Stunden?|"
    r"[kMG]B|[kKMG]iB|bytes|Bytes|megabytes|Megabyte|Elo|%|million|Millionen"
)
COUNTED = r"games|Partien|decisions|samples|weights|wins|draws"
NUMBERS = (
    r"two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|half an?|hundred|thousand|"
    r"zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwanzig|dreißig|hundert|tausend"
)
FIGURE = re.compile(
    rf"(?<![\w.×^])[+-]?\d[\d,.]*(?:(?: to | bis |–)\d[\d,.]*)? ?(?:{UNITS}|{COUNTED})(?!\w)"
    rf"|\b(?:{NUMBERS}) (?:{UNITS}|times|hour)(?!\w)",
)
RESULTS = re.compile(
    r"^\|[^\n]*(?:won|drawn|lost|Elo|score)[^\n]*\|\n\|[-:| ]+\|\n\|", re.MULTILINE
)
"""A table of results with typed rows."""
ESTIMATES = ("## Games on a GPU", "## Published figures of other projects")
"""Parts of the page about speed with estimates, and with figures that others published."""
NOT_MEASURED = {
    # Numbers of the rules, of formats and of mathematics.
    "explanation/correctness": {"95 %"},
    "game/solved": {"95 %"},
    "de/strategie": {"100 %"},
    "game/strategy": {"95 %", "100 %"},
    "howto/analyse": {"10 %", "20 %", "30 %", "60 %", "95 %"},
    "howto/match": {
        *("four times", "50 %", "99 %", "5 %", "100 Elo", "0 Elo", "60 seconds", "50 milliseconds")
    },
    "howto/integers": {"eight times"},
    "howto/solve": {"16 bytes", "64 MiB"},
    "start/first-bot": {"75 %", "four times", "twenty minutes"},
    # Limits and settings, which the code has.
    "explanation/measurements": {"2 %"},
    "game/solved settings": {"1 GiB"},
    "howto/engine": {"ten minutes"},
    "howto/network-search": {"4 GiB"},
    "de/spielen": {
        "zwei Sekunden",
        "fünf Sekunden",
        "zehn Sekunden",
        "10 Sekunden",
        "15 Sekunden",
        "16.384 Bytes",
    },
    "howto/play": {
        "10 %",
        "20 %",
        "30 %",
        "two seconds",
        "five seconds",
        "ten seconds",
        "10 seconds",
        "15 seconds",
        "16,384 bytes",
    },
    "howto/player": {"two seconds", "80 %", "30 %", "eight million", "270 MB", "16 MB"},
    "howto/reimplement": {"60 seconds"},
    "howto/show": {"4 seconds"},
    "howto/store": {"seven times"},
    "howto/train": {"200 games", "64 games"},
    "howto/uploads": {"64 kB"},
    "howto/web-service": {"20 seconds"},
    "reference/batch": {"256 games", "512 games"},
    "reference/cli": {"two seconds", "16 MB", "10 seconds", "32 games"},
    "reference/engine-protocol": {
        "100,000 bytes",
        "50 milliseconds",
        "half a second",
        "ten minutes",
    },
    "reference/serve": {
        "4,000 bytes",
        "15 seconds",
        "20 seconds",
        "1 second",
        "30 seconds",
    },
    # The time that a tutorial takes.
    "start/first-game": {"ten minutes"},
    "start/first-web-game": {"thirty minutes"},
}
"""The numbers with a unit that nobody measures, by page."""
NOT_MEASURED["game/solved"] |= NOT_MEASURED.pop("game/solved settings")


def text_of(path: Path) -> str:
    text = CODE.sub("", path.read_text("utf-8"))
    for heading in ESTIMATES if path.name == "speed.md" else ():
        before, _, rest = text.partition(heading)
        text = before + rest[rest.find("\n## ") if "\n## " in rest else len(rest) :]
    return INLINE.sub("", MARK.sub("", text))


@pytest.mark.parametrize("page", PAGES)
def test_no_page_has_a_typed_measurement(page: str) -> None:
    """A page names a figure as ``@figure``; docs/measured.py takes it from a file."""
    text = text_of(PAGES[page])
    typed = {*FIGURE.findall(" ".join(text.split()))}
    allowed = NOT_MEASURED.get(page, set())
    assert typed - allowed == set()
    # An exception that is no longer on the page must go.
    assert allowed - typed == set()


@pytest.mark.parametrize("page", PAGES)
def test_no_page_has_a_typed_table_of_results(page: str) -> None:
    assert RESULTS.search(text_of(PAGES[page])) is None


@pytest.mark.parametrize(
    "text",
    [
        "won with 35 Elo",
        "takes 0.1 seconds at most",
        "dauert 40 Sekunden",
        "takes about ten seconds",
        "in 10 kB",
        "21.7 % of them",
        "228 games and more",
        "from 100 to 200 kB",
        "12.4 million turns",
    ],
)
def test_typed_measurements_are_found(text: str) -> None:
    assert FIGURE.search(text)


def test_typed_tables_of_results_are_found() -> None:
    head = "| idea | won | drawn | lost |\n|---|--:|--:|--:|\n"
    assert RESULTS.search(f"{head}| one | 42 | 0 | 18 |\n")
    assert RESULTS.search(f"{head}\n") is None
