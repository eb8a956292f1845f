"""Put measured tables and figures into the pages, from the files that programs wrote.

A page names a table as ``@measured NAME@`` and a single figure as ``@figure NAME@``, with the names
of ``TABLES`` and ``FIGURES`` below. ``@figure FILE/KEY/KEY@`` is a value of one of the ``FILES``.
German pages show numbers and dates in the German form.
``python docs/measured.py`` writes the figures of the readme, which Sphinx does not build.
"""

from __future__ import annotations

import csv
import functools
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import mean
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
SPEED: Final = DOCS / "explanation" / "speed_table.md"
"""The tables of ``python -m pytest benchmarks --table=FILE``."""
INSTRUCTIONS: Final = ROOT / "benchmarks" / "instructions.json"
"""The ratios of ``python -m benchmarks.instructions --write``."""
ADVICE: Final = DOCS / "game" / "advice.json"
"""The results of ``python examples/advice.py FILE``."""
LOAD: Final = ROOT / "benchmarks" / "load.json"
"""The figures of ``python -m benchmarks.load --write``."""
LOAD_TEXTS: Final = {
    "en": {
        "point": ".",
        "takes": "the hostile client takes",
        "alone": "turns a second without it",
        "attacked": "turns a second beside it",
        "ratio": "time of a turn, relative to without it",
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
        "records of whole games on 26×26, 32 at a time": "Protokolle ganzer Partien auf 26×26, "
        "32 auf einmal",
        "refused requests, while 190 others wait": "abgelehnte Anfragen, während 190 andere warten",
        "silent connections, up to 2,000": "stumme Verbindungen, bis zu 2.000",
    },
}
"""The words of the table of ``load.json``, by language."""
SOLVED: Final = DOCS / "game" / "solved.json"
"""The results of ``python examples/solve.py --json FILE``."""
SELF_PLAY: Final = DOCS / "game" / "self_play.json"
"""The statistics of ``python examples/self_play.py FOLDER --json FILE``."""
OPENINGS: Final = DOCS / "game" / "openings.csv"
"""The values of ``python examples/openings.py FILE --simulations 100000``."""
SMALL_OPENINGS: Final = DOCS / "game" / "openings_5x4.csv"
"""The values of ``python examples/openings.py FILE --board 5x4 --simulations 200000``."""
CHECKS: Final = DOCS / "explanation" / "checks.json"
"""The tests and seconds of ``python -m tools.checks``."""
MUTANTS: Final = DOCS / "explanation" / "mutants.json"
"""The outcomes of ``python tools/mutants.py``."""
STRENGTH: Final = DOCS / "explanation" / "strength.json"
"""The results of matches; each entry has its command."""
VALUES: Final = DOCS / "explanation" / "values.json"
VERSIONS: Final = DOCS / "explanation" / "versions.json"
"""The ratios of ``python -m tools.versions COMMIT --json FILE``."""
EXPERIMENTS: Final = DOCS / "explanation" / "experiments.json"
"""The results of experiments; each entry has its command, or a page that has it."""
SIZES: Final = ROOT / "benchmarks" / "sizes.json"
"""The figures of ``python -m benchmarks.sizes --write``."""
VECTORS: Final = ROOT / "tests" / "data" / "compatibility" / "0.1.0" / "conformance.json"
PATTERNS: Final = ROOT / "src" / "pontedeldiavolo" / "players" / "patterns.json"
COMPILATION: Final = ROOT / "src/pontedeldiavolo/batch/kernels/compilation.json"
"""The figures of ``python -m tools.compilation --write``, which are part of the package."""
COMPARISONS: Final = DOCS / "explanation" / "comparisons.json"
"""Comparisons with programs that are not part of this project."""
PERFT: Final = ROOT / "tests" / "data" / "perft.json"
GAMES: Final = ROOT / "tests" / "data" / "games.jsonl"
CORPUS: Final = ROOT / "tests" / "fuzz" / "corpus"
README: Final = ROOT / "README.md"

MARK: Final = re.compile(r"@measured ([a-z][a-z -]*?)(?:: ([^@|]+?))?(?: \| ([^@]+))?@")
FIGURE: Final = re.compile(r"@figure ([^@\n]+)@")
README_TEXTS: Final = {
    "tests": """\
The tests take some minutes on two idle cores. The first run on a machine takes longer: it compiles
the batch kernels, with about {compilation/processor_seconds} seconds of processor time.
""",
    "figures": """\
A page that replays a game of 50 turns has at most {page bytes} bytes. A snapshot takes
{snapshot ms} ms. In a batch, one core of an {processor} plays {batch turns} million random turns a
second (`python -m pytest benchmarks`, `python -m benchmarks.sizes`).
""",
}
"""The paragraphs of the readme with figures, by the name in the comments around each."""
TASKS: Final = {
    "core": "a random turn by `apply_unchecked`",
    "apply": "a random turn by `apply`",
    "game": "a random turn by `Game.play`",
    "records": "a turn read from a record and checked",
    "svg": "a picture in SVG",
    "snapshot": "a snapshot",
    "import": "`import pontedeldiavolo`",
}
PLACEMENTS: Final = {
    (0, 1): "side by side",
    (0, 2): "two apart in a row, one cell between them",
    (1, 1): "diagonally next to each other",
    (1, 2): "a knight's move apart",
}
"""The distances of two tiles, the smaller one first, and their names in ``self_play.py``."""
OTHER_PLACEMENT: Final = "any other way"
MONTHS: Final = (
    *("Januar", "Februar", "März", "April", "Mai", "Juni"),
    *("Juli", "August", "September", "Oktober", "November", "Dezember"),
)
ELO: Final = "Elo, 95 % interval"
UNKNOWN_SIZE: Final = "some megabytes"
"""The size that pages name if Pyodide could not be fetched."""
download_size: str = UNKNOWN_SIZE
"""The size of the files that the page for playing loads; ``conf.py`` sets it."""
DAY: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


@functools.cache
def read(path: Path) -> Any:
    """Return the content of a JSON file."""
    return json.loads(path.read_text("utf-8"))


def table(rows: list[list[str]]) -> str:
    """Return rows as a Markdown table; the first row has the headings."""
    head, *others = rows
    dashes = ["---", *["--:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, dashes, *others])


def speed_rows(title: str) -> list[list[str]]:
    """Return the rows of a table of speeds, the headings first."""
    _, found, rest = SPEED.read_text("utf-8").partition(f"**{title}**\n\n")
    if not found:
        raise ValueError(f"{SPEED.name} has no table {title!r}")
    lines = rest.partition("\n\n")[0].strip().split("\n")
    head, _dashes, *rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    return [head, *rows]


def speed(title: str, chosen: str | None) -> str:
    """Return a table of speeds, or only its rows whose names begin with *chosen*."""
    head, *rows = speed_rows(title)
    names = tuple(chosen.split("; ")) if chosen else ("",)
    kept = [row for row in rows if row[0].startswith(names)]
    if not kept:
        raise ValueError(f"no row of {title!r} begins with {chosen!r}")
    # Targets matter only to people who change the library.
    width = len(head) - (head[-1] == "target")
    shown = [row[:width] for row in (head, *kept)]
    # A single row with many columns is too wide for a phone, so it becomes a column.
    return table([*map(list, zip(*shown, strict=True))] if len(kept) == 1 else shown)


def speed_figure(title: str, row: str, column: str) -> float:
    """Return one number of a table of speeds."""
    head, *rows = speed_rows(title)
    [found] = [cells for cells in rows if cells[0] == row]
    return float(found[head.index(column)].replace(",", ""))


def size_or_time(row: str) -> float:
    """Return a number of the table of times and sizes."""
    return speed_figure("Times and sizes", row, "figure")


def instructions() -> str:
    """Return the instruction counts of all tasks."""
    by_version: dict[str, dict[str, float]] = read(INSTRUCTIONS)
    head = ["case", *(f"Python {version}" for version in by_version)]
    rows = [
        [text, *(f"{figures[task]:,}" for figures in by_version.values())]
        for task, text in TASKS.items()
    ]
    return table([head, *rows])


def advice() -> str:
    """Return the results of the games that test pieces of advice."""
    return table([["position", "action", "won", "drawn", "lost", "value"], *tried(read(ADVICE))])


def tried(found: dict[str, Any]) -> Iterator[list[str]]:
    """Yield a row for each action that was tried."""
    for name, each in found.items():
        for action in each["tried"] if isinstance(each, dict) else ():
            games = map(str, action["games"])
            yield [name, f"`{action['action']}`", *games, f"{action['value']:+.2f}"]


def signed(value: int) -> str:
    """Return a value with its sign; 0 has none."""
    return f"{value:+}" if value else "0"


def boards_of(kind: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the solved boards, narrow ones first, each with its results."""
    found: dict[str, dict[str, Any]] = read(SOLVED)[kind]
    return sorted(found.items(), key=lambda item: [*map(int, reversed(item[0].split("x")))])


def solved() -> str:
    """Return the table of all solved boards."""
    head = ["board", "openings", "white wins", "draws", "red wins", "value without the pie rule"]
    rows = [[*head, "value with the pie rule", "nodes", "seconds", "positions"]]
    whole = boards_of("all")
    names = {name for name, _found in whole}
    parts = [each for each in boards_of("openings") if each[0] not in names]
    for name, found in [*whole, *parts]:
        values = [*found["values"].values()]
        counts = [str(len(values)), *(str(values.count(value)) for value in (1, 0, -1))]
        first = signed(max(values))
        if name not in names:
            counts = [""] * 4
            first = ""
        # The seat that chooses a colour takes the better one.
        choice = signed(max(-abs(value) for value in values))
        nodes = f"{found['nodes']:,}"
        positions = found["positions"]
        cells = [*counts, first, choice, nodes, f"{found['seconds']:.1f}"]
        rows.append([name.replace("x", "×"), *cells, f"{positions:,}" if positions else ""])
    return table(rows)


def one_opening() -> str:
    """Return the table of single drawn openings."""
    rows = [["board", "opening", "nodes", "seconds"]]
    for name, found in boards_of("openings"):
        [opening] = found["values"]
        cells = [opening, f"{found['nodes']:,}", f"{found['seconds']:.1f}"]
        rows.append([name.replace("x", "×"), *cells])
    return table(rows)


def drawn() -> str:
    """Return pictures of single openings that are drawn."""
    blocks = [
        f"```{{openings}} {name}\n{' '.join(found['values'])}\n```"
        for name, found in boards_of("openings")
    ]
    return "\n\n".join(blocks)


def decided(color: str) -> str:
    """Return pictures of the openings that a colour wins."""
    value = {"white": 1, "red": -1}[color]
    blocks = []
    for name, found in boards_of("all"):
        openings = [each for each, result in found["values"].items() if result == value]
        if openings:
            blocks.append(f"```{{openings}} {name}\n{' '.join(openings)}\n```")
    return "\n\n".join(blocks)


@functools.cache
def opening_values(path: Path) -> dict[str, float]:
    """Return the value of every opening for white."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row["tiles"]: float(row["value"]) for row in csv.DictReader(file)}


def placement(opening: str) -> str:
    """Return how the two tiles of an opening lie."""
    one, other = opening.split(",")
    columns = abs(ord(one[0]) - ord(other[0]))
    rows = abs(int(one[1:]) - int(other[1:]))
    return PLACEMENTS.get((min(columns, rows), max(columns, rows)), OTHER_PLACEMENT)


def values_by_placement() -> dict[str, list[float]]:
    """Return the values of all openings of 10×10, by the placement of the tiles."""
    groups: dict[str, list[float]] = {each: [] for each in (*PLACEMENTS.values(), OTHER_PLACEMENT)}
    for opening, value in opening_values(OPENINGS).items():
        groups[placement(opening)].append(value)
    return groups


def openings() -> str:
    """Return the table of openings by the placement of the tiles."""
    rows = [["position of the two tiles", "openings", "mean for white", "least", "most"]]
    for name, values in values_by_placement().items():
        figures = [mean(values), min(values), max(values)]
        rows.append([name, str(len(values)), *(f"{each:+.2f}" for each in figures)])
    return table(rows)


def extreme_openings(kind: str) -> str:
    """Return pictures of three openings.

    These are the openings with adjacent tiles that are best for white, those with diagonally
    adjacent tiles that are worst for white, or those with values closest to 0.
    """
    values = opening_values(OPENINGS)
    placements = {"best": "side by side", "worst": "diagonally next to each other"}
    keys: dict[str, Callable[[float], float]] = {
        "best": lambda value: -value,
        "worst": lambda value: value,
        "balanced": abs,
    }
    wanted = placements.get(kind)
    some = [each for each in values if wanted is None or placement(each) == wanted]
    chosen = sorted(some, key=lambda each: keys[kind](values[each]))[:3]
    return f"```{{openings}} 10x10\n{' '.join(chosen)}\n```"


def self_play() -> str:
    """Return the statistics of all games of self-play."""
    found = read(SELF_PLAY)
    rows = [[name, text] for name, text in found["rows"].items()]
    return table([[f"of {found['games']} games", "figure"], *rows])


def first_tiles() -> str:
    """Return the statistics of self-play by the placement of the first tiles."""
    found = read(SELF_PLAY)["first tiles"]
    rows = [[name, *cells] for name, cells in found["rows"].items()]
    return table([["the first two tiles", *found["columns"]], *rows])


def matches(group: str, note: str) -> str:
    """Return the results of a group of matches, with a footnote in the first heading."""
    found = read(STRENGTH)[group]
    rows = [[f"`{found['command']} …` {note}".rstrip(), "won", "drawn", "lost", "score", ELO]]
    for match in found["rows"]:
        won, drawn_games, lost = (match[key] for key in ("won", "drawn", "lost"))
        score = 100 * (won + drawn_games / 2) / (won + drawn_games + lost)
        counts = map(str, (won, drawn_games, lost))
        rows.append([f"`{match['arguments']}`", *counts, f"{score:.3g} %", match["elo"]])
    return table(rows)


def recorded(name: str) -> str:
    """Return the table of an experiment."""
    found = read(EXPERIMENTS)[name]
    return table([found["columns"], *found["rows"]])


def elo_of(won: int, drawn_games: int, lost: int) -> str:
    """Return the Elo difference of a score that is neither 0 nor 1."""
    score = (won + drawn_games / 2) / (won + drawn_games + lost)
    return signed(round(-400 * math.log10(1 / score - 1)))


def ideas() -> str:
    """Return the table of ideas for the MCTS player, the best of them first."""
    rows = [["idea", "conditions", "won", "drawn", "lost", ELO, "in the player"]]
    found = read(EXPERIMENTS)["ideas"]["rows"]
    # Conditions of one idea stay together.
    best = {each["idea"]: -1.0 for each in found}
    for each in found:
        share = (each["won"] + each["drawn"] / 2) / sum(each[key] for key in RESULTS)
        best[each["idea"]] = max(best[each["idea"]], share)
    for each in sorted(found, key=lambda each: -best[each["idea"]]):
        counts = [each[key] for key in RESULTS]
        difference = elo_of(*counts) + (f", {each['interval']}" if each["interval"] else "")
        kept = "yes" if each["kept"] else "no"
        rows.append([each["idea"], each["conditions"], *map(str, counts), difference, kept])
    head, dashes, *others = table(rows).split("\n")
    return "\n".join([head, dashes.replace("--:", "---", 1), *others])


def memory() -> str:
    """Return the memory of pools and batches beside the speed of the pools."""
    head = ["games", "masks: steps/s", "memory", "masks and planes: steps/s", "memory"]
    rows = [[*head, "masks and packed planes: memory", "a batch: memory"]]
    for size, found in read(SIZES)["memory"].items():
        name = f"10×10, {int(size):,} games"
        masks, planes = (f"{speed_figure(POOLS, name, each):,.0f}" for each in KINDS_OF_POOLS)
        sizes = {kind: megabytes(number) for kind, number in found.items()}
        cells = [masks, sizes["masks"], planes, sizes["planes"], sizes["packed"], sizes["batch"]]
        rows.append([f"{int(size):,}", *cells])
    return table(rows)


def comparison_text(found: Mapping[str, Any]) -> str:
    """Return a sentence about a comparison, with its numbers."""
    numbers = {name: f"{each:,}" for name, each in found.items() if isinstance(each, int)}
    return str(found["text"]).format_map(numbers)


def comparisons() -> str:
    """Return the table of comparisons with other programs."""
    rows = [
        [each["program"], comparison_text(each), str(each["differences"])]
        for each in read(COMPARISONS).values()
        if isinstance(each, dict) and "differences" in each
    ]
    head, *others = table([["program", "compared", "differences"], *rows]).split("\n")
    return "\n".join([head, "|---|---|--:|", *others[1:]])


def cpp_speed() -> str:
    """Return the speed of the library relative to C++ programs."""
    found = read(COMPARISONS)["cpp-speed"]
    ratios: dict[str, dict[str, float]] = found[
        "turns of a batch, divided by those of the C++ program"
    ]
    sizes = [*ratios["one game at a time"]]
    rows = [
        [name, *(f"{by_size[size]:.2f}" if size in by_size else "–" for size in sizes)]
        for name, by_size in ratios.items()
    ]
    return table([["C++ program", *sizes], *rows])


def versions() -> str:
    """Return the speed of pools relative to an earlier commit."""
    ratios = read(VERSIONS)["ratios"]
    cells = " | ".join(f"{ratios[kind]:.2f}" for kind in ("masks", "planes", "packed"))
    head = "| masks | masks and byte planes | masks and packed planes |"
    return f"{head}\n|--:|--:|--:|\n| {cells} |"


TABLES: Final[dict[str, Callable[[], str]]] = {
    "instructions": instructions,
    "advice": advice,
    "solved": solved,
    "one opening": one_opening,
    "drawn": drawn,
    "openings": openings,
    "self-play": self_play,
    "first tiles": first_tiles,
    "comparisons": comparisons,
    "cpp": cpp_speed,
    "versions": versions,
    "ideas": ideas,
    "memory": memory,
}
"""The tables by the names after ``@measured``, except for tables of speeds."""
CHOSEN: Final[dict[str, Callable[[str, str], str]]] = {
    "decided": lambda color, _note: decided(color),
    "extreme openings": lambda kind, _note: extreme_openings(kind),
    "matches": matches,
    "recorded": lambda name, _note: recorded(name),
}
"""Tables that take a word after a colon, and some a footnote after a bar."""

RANDOM: Final = "Complete random games: turns per second"
RATIOS: Final = "Complete random games: ratios"
POOLS: Final = "Pools of games, a random step in each: steps per second"
KINDS_OF_POOLS: Final = ("masks", "masks and planes")
ADAPTERS: Final = "Environments of frameworks: steps per second"
RESULTS: Final = ("won", "drawn", "lost")
QUESTIONS: Final = "Questions to new states: microseconds"
BALANCED: Final = 0.02
"""The largest absolute value of an opening that counts as balanced."""


def processor() -> str:
    """Return the name of the benchmarks' processor, without trade marks."""
    name = SPEED.read_text("utf-8").partition("\n")[0].removeprefix("- ").partition(",")[0]
    return name.replace("(R)", "").replace(" Processor", "")


def perft_nodes() -> Iterator[int]:
    """Yield all counts of sequences."""
    for kind in ("perft", "perft_play"):
        yield from (row["nodes"] for row in read(PERFT)[kind])


@functools.cache
def recorded_games() -> list[dict[str, Any]]:
    """Return the games of the independent implementation."""
    return [*map(json.loads, GAMES.read_text("utf-8").splitlines())]


def millions(number: float) -> str:
    """Return a number in millions."""
    return f"{number / 1e6:.3g}"


def megabytes(number: float) -> str:
    """Return a number of bytes in megabytes, with two digits."""
    value = number / 1e6
    return f"{value:.{max(0, 1 - math.floor(math.log10(value)))}f} MB"


def kilobytes(number: float) -> str:
    """Return a number of bytes in kilobytes."""
    return f"{number / 1e3:,.0f} kB"


def relative_speeds(environment: str, sizes: str, *, copied: bool = False) -> str:
    """Return the least and the greatest relative speed of an environment, as a range."""
    head, *rows = speed_rows(ADAPTERS)
    found = [
        float(cells[head.index("environment / what is below")])
        for cells in rows
        if re.match(f"`{environment}`, (?:{sizes})", cells[0])
        and cells[0].endswith("copied") == copied
    ]
    return f"{min(found):.2f} to {max(found):.2f}"


def solver_speed() -> str:
    """Return the positions of 5×4 that the solver looked at in a second, to two digits."""
    found = read(SOLVED)["all"]["5x4"]
    return f"{round(found['nodes'] / found['seconds'], -4):,.0f}"


def growth() -> str:
    """Return the factor by which one more cell multiplies the positions to search."""
    found = read(SOLVED)["all"]
    cells = 5 * 4 - 4 * 3
    ratio: float = found["5x4"]["nodes"] / found["4x3"]["nodes"]
    return f"{ratio ** (1 / cells):.1f}"


def of_placement(name: str, is_counted: Callable[[float], bool]) -> str:
    """Return the number of openings with a placement and a value that is counted."""
    return str(sum(map(is_counted, values_by_placement()[name])))


def all_openings() -> list[float]:
    """Return the values of all openings of 10×10."""
    return [*opening_values(OPENINGS).values()]


def small_openings(exact: int) -> list[float]:
    """Return the estimates of the openings of 5×4 with an exact value."""
    values: dict[str, int] = read(SOLVED)["all"]["5x4"]["values"]
    estimates = opening_values(SMALL_OPENINGS)
    return sorted(estimates[opening] for opening, value in values.items() if value == exact)


def proven(exact: int) -> list[float]:
    """Return the estimates that are exact."""
    return [each for each in small_openings(exact) if each == exact]


def unproven(exact: int) -> list[float]:
    """Return the estimates that are not exact."""
    return [each for each in small_openings(exact) if each != exact]


def compared_games() -> int:
    """Return the number of games that were compared with Abstract Play and Boardspace."""
    found = read(COMPARISONS)
    names = ("abstract-play", "abstract-play-2", "boardspace")
    return sum(found[name]["games"] for name in names)


FIGURES: Final[dict[str, Callable[[], str]]] = {
    "page bytes": lambda: f"{read(SIZES)['pages']['most']:,}",
    "solver speed": solver_speed,
    "vectors": lambda: megabytes(VECTORS.stat().st_size),
    "patterns": lambda: kilobytes(PATTERNS.stat().st_size),
    "pettingzoo": lambda: relative_speeds("raw_env", ""),
    "gymnasium few": lambda: relative_speeds("PonteVectorEnv", "64 "),
    "gymnasium many": lambda: relative_speeds("PonteVectorEnv", "256 |1,024 |4,096 "),
    "gymnasium copied few": lambda: relative_speeds("PonteVectorEnv", "64 ", copied=True),
    "gymnasium copied many": lambda: relative_speeds(
        "PonteVectorEnv", "256 |1,024 |4,096 ", copied=True
    ),
    "state bytes": lambda: (
        f"{size_or_time('each state of a game that is kept whole (bytes)'):,.0f}"
    ),
    "snapshot ms": lambda: f"{speed_figure(QUESTIONS, '`json.snapshot`', 'median') / 1000:.1f}",
    "processor": processor,
    "batch turns": lambda: millions(speed_figure(RANDOM, "10×10", "batch")),
    "core turns": lambda: f"{speed_figure(RANDOM, '10×10', 'apply_unchecked'):,.0f}",
    "plain": lambda: f"{1 / speed_figure(RATIOS, '10×10', 'apply_unchecked / plain'):.1f}",
    "checking": lambda: (
        f"{100 * speed_figure(RATIOS, '10×10', 'apply_unchecked / apply') - 100:.0f} %"
    ),
    "solved growth": growth,
    "openings count": lambda: f"{len(opening_values(OPENINGS)):,}",
    "openings mean": lambda: f"{mean(all_openings()):+.2f}",
    "openings above 0": lambda: str(sum(each > 0 for each in all_openings())),
    "openings balanced": lambda: str(sum(abs(each) <= BALANCED for each in all_openings())),
    "openings extreme": lambda: f"{max(map(abs, all_openings())):.2f}",
    "openings extreme share": lambda: f"{50 * max(map(abs, all_openings())):.0f}",
    "side by side": lambda: of_placement("side by side", lambda _value: True),
    "side by side above 0": lambda: of_placement("side by side", lambda value: value > 0),
    "diagonal": lambda: of_placement("diagonally next to each other", lambda _value: True),
    "diagonal below 0": lambda: of_placement(
        "diagonally next to each other", lambda value: value < 0
    ),
    "lost proven": lambda: str(len(proven(-1))),
    "lost": lambda: str(len(small_openings(-1))),
    "lost least": lambda: f"{min(unproven(-1)):+.2f}",
    "lost most": lambda: f"{max(unproven(-1)):+.2f}",
    "even proven": lambda: str(len(proven(0))),
    "even": lambda: str(len(small_openings(0))),
    "even least": lambda: f"{min(unproven(0)):+.2f}",
    "even most": lambda: f"{max(unproven(0)):+.2f}",
    "games against greedy": lambda: str(
        sum(read(STRENGTH)["mcts"]["rows"][1][key] for key in ("won", "drawn", "lost"))
    ),
    "self-play decided": lambda: str(read(SELF_PLAY)["equal in points"] - read(SELF_PLAY)["drawn"]),
    "perft counts": lambda: str(len([*perft_nodes()])),
    "perft sequences": lambda: millions(sum(perft_nodes())),
    "perft largest": lambda: millions(max(perft_nodes())),
    "recorded games": lambda: f"{len(recorded_games()):,}",
    "recorded actions": lambda: f"{sum(len(game['moves']) for game in recorded_games()):,}",
    "recorded counts": lambda: millions(sum(sum(g["legal_counts"]) for g in recorded_games())),
    "corpus": lambda: f"{sum(path.is_file() for path in CORPUS.rglob('*')):,}",
    "compared games": lambda: f"{compared_games():,}",
    "download": lambda: download_size,
}
"""Functions that compute figures, by the names after ``@figure``."""
FILES: Final = {
    "advice": ADVICE,
    "checks": CHECKS,
    "comparisons": COMPARISONS,
    "experiments": EXPERIMENTS,
    "sizes": SIZES,
    "compilation": COMPILATION,
    "mutants": MUTANTS,
    "self-play": SELF_PLAY,
    "solved": SOLVED,
    "strength": STRENGTH,
    "values": VALUES,
    "versions": VERSIONS,
}
"""The files whose values are figures: ``@figure FILE/KEY/KEY@`` shows one of them."""
MEASUREMENTS: Final = (
    *FILES.values(),
    SPEED,
    INSTRUCTIONS,
    OPENINGS,
    SMALL_OPENINGS,
    PERFT,
    GAMES,
    LOAD,
)
"""All files with figures for pages."""
FORMS: Final[dict[str, Callable[[Any], str]]] = {
    "": lambda value: f"{value:,}" if isinstance(value, int) else str(value),
    "plain": str,
    "millions": millions,
    "per cent": lambda value: f"{100 * value:.0f} %",
    "kB": kilobytes,
    "MB": megabytes,
    "rounded": lambda value: f"{value:,.0f}",
    # The first figure of a text such as "50.4% (47.4% to 53.5%)".
    "share": lambda text: text.partition("%")[0] + " %",
    "first": lambda text: re.split(r", | and ", text)[0],
    "second": lambda text: re.split(r", | and ", text)[1],
    "key": lambda values: next(iter(reversed(values))),
}
"""Formats of a value, by the word after a bar; ``key`` stands for the last key of an object."""


def figure(name: str) -> str:
    """Return the figure with a name, or the value of a file at a path of keys."""
    if name in FIGURES:
        return FIGURES[name]()
    path, _, form = name.partition(" | ")
    file, *keys = path.split("/")
    if file not in FILES or form not in FORMS:
        raise ValueError(f"no figure has the name {name!r}")
    value = read(FILES[file])
    for key in keys:
        place = int(key) if isinstance(value, list) else key
        try:
            value = value[place]
        except LookupError as error:
            raise ValueError(f"no figure has the name {name!r}") from error
    return FORMS[form](value)


def in_german(text: str) -> str:
    """Return a figure with a decimal comma, thousands points and dates as in German."""
    if text == UNKNOWN_SIZE:
        return "einige Megabyte"
    day = DAY.fullmatch(text)
    if day:
        return f"{int(day[3])}. {MONTHS[int(day[2]) - 1]} {day[1]}"
    return re.sub(r"(?<=\d)[.,](?=\d)", lambda sign: "," if sign[0] == "." else ".", text)


def load(language: str) -> str:
    """Return how much each kind of attack slows another client down, and the machine."""
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
    name, chosen, rows = match.groups()
    if name == "speed":
        return speed(chosen, rows)
    if name == "load":
        return load(language)
    if name in CHOSEN:
        return CHOSEN[name](chosen, rows or "")
    if name not in TABLES:
        raise ValueError(f"no table has the name {name!r}")
    return TABLES[name]()


def fill_marks(app: Any, page: str, source: list[str]) -> None:
    """Replace the marks of a page by tables and figures."""
    is_german = page.startswith("de/")
    if app is not None and (MARK.search(source[0]) or FIGURE.search(source[0])):
        # Sphinx reads the page again if a file with figures has changed.
        for path in MEASUREMENTS:
            app.env.note_dependency(str(path))

    def of(match: re.Match[str]) -> str:
        found = figure(match[1])
        return in_german(found) if is_german else found

    tables = functools.partial(filled, language="de" if is_german else "en")
    source[0] = FIGURE.sub(of, MARK.sub(tables, source[0]))


def with_figures(readme: str) -> str:
    """Return the readme with the current figures between its marks."""
    for name, text in README_TEXTS.items():
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        before, _, rest = readme.partition(start)
        block = re.sub(r"\{([^}]+)\}", lambda found: figure(found[1]), text)
        readme = f"{before}{start}{block}{end}{rest.partition(end)[2]}"
    return readme


if __name__ == "__main__":
    README.write_text(with_figures(README.read_text("utf-8")), "utf-8")
