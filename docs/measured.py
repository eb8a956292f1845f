"""Tables of measurements in pages, made of the files that benchmarks and examples wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
SPEED: Final = ROOT / "docs" / "explanation" / "speed_table.md"
"""The tables of ``python -m pytest benchmarks --table=FILE``."""
INSTRUCTIONS: Final = ROOT / "benchmarks" / "instructions.json"
"""The ratios of ``python -m benchmarks.instructions --write``."""
ADVICE: Final = ROOT / "docs" / "game" / "advice.json"
"""The results of ``python examples/advice.py FILE``."""
LOAD: Final = ROOT / "benchmarks" / "load.json"
"""The figures of ``python -m benchmarks.load --write``."""
LOAD_TEXTS: Final = {
    "en": {
        "point": ".",
        "takes": "the hostile client takes",
        "alone": "turns a second without it",
        "attacked": "turns a second beside it",
        "ratio": "a turn takes so many times as long",
        "conditions": "Python {python} on {machine} with an average load of {load}; {date}; "
        "{seconds:g} seconds for each figure.",
    },
    "de": {
        "point": ",",
        "takes": "der feindliche Absender nimmt sich",
        "alone": "Züge je Sekunde ohne ihn",
        "attacked": "Züge je Sekunde neben ihm",
        "ratio": "so viel Mal so lange dauert ein Zug",
        "conditions": "Python {python} auf {machine} bei einer mittleren Last von {load}; {date}; "
        "{seconds:g} Sekunden für jede Zahl.",
        "analyses of 33 games": "Analysen von 33 Partien",
        "30 games against the strongest player": "30 Partien gegen den stärksten Spieler",
        "views of a game on 26×26, 32 at a time": "Ansichten einer Partie auf 26×26, 32 auf einmal",
        "records of whole games on 26×26, 32 at a time": "Aufzeichnungen ganzer Partien auf 26×26, "
        "32 auf einmal",
        "refused requests, while 190 others wait": "abgelehnte Anfragen, während 190 andere warten",
        "silent connections, up to 2,000": "stumme Verbindungen, bis zu 2.000",
    },
}
"""The words of the table of ``load.json``, by language."""
MARK: Final = re.compile(
    r"@measured (speed|instructions|advice|load)(?:: ([^@|]+?))?(?: \| ([^@]+))?@"
)
TASKS: Final = {
    "core": "a random turn by `apply_unchecked`",
    "apply": "a random turn by `apply`",
    "game": "a random turn by `Game.play`",
    "records": "a turn read from a record and checked",
    "svg": "a picture in SVG",
    "snapshot": "a snapshot",
    "import": "`import pontedeldiavolo`",
}


def table(rows: list[list[str]]) -> str:
    """Return rows as Markdown; the first one has the headings."""
    head, *others = rows
    dashes = ["---", *["--:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, dashes, *others])


def speed(title: str, chosen: str | None) -> str:
    """Return a table of speeds, or those of its rows whose names begin as *chosen* says."""
    _, found, rest = SPEED.read_text("utf-8").partition(f"**{title}**\n\n")
    if not found:
        raise ValueError(f"{SPEED.name} has no table {title!r}")
    lines = rest.partition("\n\n")[0].strip().split("\n")
    rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    names = tuple(chosen.split("; ")) if chosen else ("",)
    kept = [row for row in rows[2:] if row[0].startswith(names)]
    if not kept:
        raise ValueError(f"no row of {title!r} begins with {chosen!r}")
    # Targets are for those who change the library.
    width = len(rows[0]) - (rows[0][-1] == "target")
    shown = [row[:width] for row in (rows[0], *kept)]
    # A single row of many columns would not fit a phone: it becomes a column.
    return table([*map(list, zip(*shown, strict=True))] if len(kept) == 1 else shown)


def instructions() -> str:
    """Return the instruction counts of all tasks."""
    by_version: dict[str, dict[str, float]] = json.loads(INSTRUCTIONS.read_text("utf-8"))
    head = ["case", *(f"Python {version}" for version in by_version)]
    rows = [
        [text, *(f"{figures[task]:,}" for figures in by_version.values())]
        for task, text in TASKS.items()
    ]
    return table([head, *rows])


def advice() -> str:
    """Return the results of all games about pieces of advice."""
    found: dict[str, Any] = json.loads(ADVICE.read_text("utf-8"))
    return table([["position", "action", "won", "drawn", "lost", "value"], *tried(found)])


def tried(found: dict[str, Any]) -> Iterator[list[str]]:
    """Yield a row for each action that was tried."""
    for name, each in found.items():
        for action in each["tried"] if isinstance(each, dict) else ():
            games = map(str, action["games"])
            yield [name, f"`{action['action']}`", *games, f"{action['value']:+.2f}"]


def load(language: str) -> str:
    """Return what a hostile client costs another one, for each kind of attack, and the machine."""
    found: dict[str, Any] = json.loads(LOAD.read_text("utf-8"))
    texts = LOAD_TEXTS[language]
    rows = [[texts[key] for key in ("takes", "alone", "attacked", "ratio")]]
    for name, each in found["attacks"].items():
        figures = (f"{each['alone']:.1f}", f"{each['attacked']:.1f}", f"{each['ratio']:.1f}")
        rows.append(
            [texts.get(name, name), *(text.replace(".", texts["point"]) for text in figures)]
        )
    return f"{table(rows)}\n\n{texts['conditions'].format(**found)}"


def filled(match: re.Match[str], language: str = "en") -> str:
    """Return the table for a mark on a page in a language."""
    if match[1] == "speed":
        return speed(match[2], match[3])
    if match[1] == "load":
        return load(language)
    return instructions() if match[1] == "instructions" else advice()


def fill_marks(_app: Any, page: str, source: list[str]) -> None:
    """Put tables in the places that pages mark for them."""
    language = "de" if page.startswith("de/") else "en"
    source[0] = MARK.sub(partial(filled, language=language), source[0])
