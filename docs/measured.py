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
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import mean
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
SPEED: Final = DOCS / "explanation" / "speed_table.md"
"""The tables of ``python -m pytest benchmarks --table=FILE``."""
INSTRUCTIONS: Final = ROOT / "benchmarks" / "instructions.json"
"""The ratios of ``python -m benchmarks.instructions --write``, by Python or processor."""
KERNELS: Final = ROOT / "benchmarks" / "kernels.json"
"""The ratios of ``python -m benchmarks.kernels --write``, by processor and its features."""
CLICKS: Final = ROOT / "benchmarks" / "clicks.json"
FIRST_USE: Final = ROOT / "benchmarks" / "first_use.json"
"""The seconds of ``python -m benchmarks.first_use --write``, by features of the processor."""
SEARCHES: Final = ROOT / "benchmarks" / "searches.json"
"""The figures of ``python -m benchmarks.searches --write``."""
ANSWERS: Final = ROOT / "benchmarks" / "answers.json"
"""The figures of ``python -m benchmarks.answers --write``."""
ADVICE: Final = DOCS / "game" / "advice.json"
"""The results of ``python examples/advice.py FILE``."""
LOAD: Final = ROOT / "benchmarks" / "load.json"
"""The figures of ``python -m benchmarks.load --write``."""
LEVEL_TEXTS: Final = {
    "en": {
        "level": "level",
        "name": "what the page says of it",
        "player": "{doc}`player of the library </howto/player>`",
        "spec": "name for `players.by_name`",
        "result": "won – drawn – lost against the level before",
        "score": "score",
        "elo": "Elo difference, 95 % interval",
        "islands": "islands a game",
        "candidates": "the best of {0} actions drawn at random",
        "": "the action that gains the most at once",
        "simulations": "{0} simulations",
        "from": "from",
        "to": " to ",
    },
    "de": {
        "level": "Stufe",
        "name": "was die Seite dazu sagt",
        "player": "{doc}`Computerspieler der Bibliothek </howto/player>`",
        "spec": "Name für `players.by_name`",
        "result": "Siege – Remis – Niederlagen gegen die Stufe davor",
        "score": "Punkte",
        "elo": "Elo-Unterschied, 95-%-Intervall",
        "islands": "Inseln je Partie",
        "candidates": "der beste von {0} zufälligen Zügen",
        "": "der Zug, der sofort am meisten bringt",
        "simulations": "{0} Simulationen",
        "from": "von",
        "to": " bis ",
    },
}
"""The words of the table of levels, by language; options by their names."""
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
        "ratio": "um diesen Faktor dauert ein Zug länger",
        "conditions": "Python {python} auf {machine} bei einer mittleren Last von {load}; {date}; "
        "{seconds:g} Sekunden für jede Zahl.",
        "analyses of 33 games": "Analysen von 33 Partien",
        "30 games against the strongest player": "30 Partien gegen den stärksten Spieler",
        "views of a game on 26×26, 32 at a time": "Ansichten einer Partie auf 26×26, "
        "32 gleichzeitig",
        "records of whole games on 26×26, 32 at a time": "Protokolle ganzer Partien auf 26×26, "
        "32 gleichzeitig",
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
BOOK: Final = ROOT / "src" / "pontedeldiavolo" / "players" / "books" / "10x10.book"
"""The opening book of ``python -m tools.opening_book``."""
SMALL_OPENINGS: Final = DOCS / "game" / "openings_5x4.csv"
"""The values of ``python examples/openings.py FILE --board 5x4 --simulations 200000``."""
CHECKS: Final = DOCS / "explanation" / "checks.json"
"""The tests and seconds of ``python -m tools.checks``."""
MUTANTS: Final = DOCS / "explanation" / "mutants.json"
"""The outcomes of ``python tools/mutants.py``."""
STRENGTH: Final = DOCS / "explanation" / "strength.json"
"""The results of matches; each entry has its command."""
LEVELS: Final = DOCS / "explanation" / "levels.json"
"""The players of the levels of play, and the results of ``python -m tools.levels --write``."""
CATALOGUES: Final = ROOT / "src" / "pontedeldiavolo" / "base" / "languages"
"""The texts of the page of ``serve``, by language."""
VALUES: Final = DOCS / "explanation" / "values.json"
VERSIONS: Final = DOCS / "explanation" / "versions.json"
"""The ratios of ``python -m tools.versions COMMIT --json FILE``."""
EXPERIMENTS: Final = DOCS / "explanation" / "experiments.json"
"""The results of experiments; each entry has its command, or a page that has it."""
SIZES: Final = ROOT / "benchmarks" / "sizes.json"
"""The figures of ``python -m benchmarks.sizes --write``."""
VECTORS: Final = ROOT / "tests" / "data" / "compatibility" / "0.1.0" / "conformance.json"
COMPILATION: Final = ROOT / "src/pontedeldiavolo/batch/kernels/compilation.json"
"""The figures of ``python -m tools.compilation --write``, which are part of the package."""
COMPARISONS: Final = DOCS / "explanation" / "comparisons.json"
"""Comparisons with programs that are not part of this project."""
PERFT: Final = ROOT / "tests" / "data" / "perft.json"
PERFT_KINDS: Final = ("perft", "perft_play")
"""The lists of counts: with the choice of a colour as an action, and without it."""
PERFT_DEPTHS: Final = {(3, 3): 7, (4, 4): 4, (10, 10): 2}
"""The boards of the table of counts, and the greatest number of actions on each."""
GAMES: Final = ROOT / "tests" / "data" / "games.jsonl"
CORPUS: Final = ROOT / "tests" / "fuzz" / "corpus"
README: Final = ROOT / "README.md"
PROJECT: Final = ROOT / "pyproject.toml"

MARK: Final = re.compile(r"@measured ([a-z][a-z -]*?)(?:: ([^@|]+?))?(?: \| ([^@]+))?@")
FIGURE: Final = re.compile(r"@figure ([^@\n]+)@")
README_TEXTS: Final = {
    "tests": """\
The tests take some minutes on two idle cores. The first run on a machine takes longer: it compiles
the batch kernels, which takes about {compilation/processor_seconds} seconds of processor time.
""",
    "figures": """\
A page that replays a game of 50 turns with a comment on each has at most {page bytes} bytes. A
snapshot takes {snapshot ms} ms. In a batch, one core of an {processor} plays {batch turns} million
random turns a second (`python -m pytest benchmarks`, `python -m benchmarks.sizes`).
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
KERNEL_TASKS: Final = {
    "playout8": "a turn of a playout, 8×8",
    "playout": "a turn of a playout, 10×10",
    "playout12": "a turn of a playout, 12×12",
    "masks": "a step of a pool with masks",
    "planes": "a step with masks and byte planes",
    "packed": "a step with masks and packed planes",
    "search": "a simulation of the tree search",
}
FIRST_USES: Final = {
    "playout": "a playout",
    "pool": "then a pool",
    "step": "then a step of a batch",
    "choose": "then a tree search",
    "all": "all of these",
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


def by_column(columns: Mapping[str, Mapping[str, float]], tasks: Mapping[str, str]) -> str:
    """Return a table with a row for each task, from the figures of each column."""
    rows = [
        [text, *(f"{figures[task]:,}" for figures in columns.values())]
        for task, text in tasks.items()
    ]
    return table([["case", *columns], *rows])


def counted(task: str) -> dict[str, dict[str, float]]:
    """Return the instruction counts of all versions or processors that have a task."""
    found: dict[str, dict[str, float]] = read(INSTRUCTIONS)
    return {name: figures for name, figures in found.items() if task in figures}


def instructions() -> str:
    """Return the instruction counts of the tasks in Python."""
    named = {f"Python {version}": figures for version, figures in counted("core").items()}
    return by_column(named, TASKS)


def kernel_instructions() -> str:
    """Return the instruction counts of compiled code, as for several processors."""
    return by_column(counted("playout"), KERNEL_TASKS)


def kernels() -> str:
    """Return the time of compiled code, as for several processors."""
    return by_column(read(KERNELS), KERNEL_TASKS)


def first_uses() -> str:
    """Return the processor time of first uses, as for several processors."""
    return by_column(read(FIRST_USE)["seconds"], FIRST_USES)


def clicks() -> str:
    """Return the sizes and times of answers to clicks on the page of serve, by the board."""
    head = ["board", "actions before", "bytes of an answer", "the largest", "bytes sent"]
    rows = [[*head, "milliseconds", "the slowest"]]
    for board, found in read(CLICKS)["boards"].items():
        sizes = (found[key] for key in ("bytes", "largest_bytes", "bytes_sent"))
        times = (found[key] for key in ("milliseconds", "slowest_milliseconds"))
        rows.append(
            [
                board.replace("x", "×"),
                str(found["plies"]),
                *(f"{each:,.0f}" for each in sizes),
                *(f"{each:.0f}" for each in times),
            ]
        )
    return table(rows)


def searches() -> str:
    """Return the simulations a second of both tree searches, by the board."""
    rates: dict[str, dict[str, float]] = read(SEARCHES)["rates"]
    names = {
        "opening": "`MctsPlayer`, from the empty board",
        "later": "`MctsPlayer`, after a third of a game",
        "batched": "`BatchedSearch`, without a network",
    }
    rows = [[board, *(f"{found[name]:,}" for name in names)] for board, found in rates.items()]
    return table([["board", *names.values()], *rows])


def level_seconds() -> str:
    """Return the seconds of a move of each level that searches."""
    rows = [["level", "simulations", "seconds of a move, median", "the slowest move"]]
    for name, found in read(SEARCHES)["levels"].items():
        level = name.removeprefix("level-")
        seconds = (f"{found[key]:.2g}" for key in ("median", "slowest"))
        rows.append([level, f"{found['simulations']:,}", *seconds])
    return table(rows)


def answers() -> str:
    """Return the milliseconds of whole requests to the server of the page, by the board."""
    rows = [["request", "board", "milliseconds", "processor time of the server, milliseconds"]]
    kinds = {
        "action": "play an action",
        "view": "show the whole game",
        "record": "return the record",
    }
    boards: dict[str, dict[str, dict[str, float]]] = read(ANSWERS)["boards"]
    for kind, text in kinds.items():
        for board, found in boards.items():
            times = (f"{found[kind][key]:g}" for key in ("milliseconds", "processor_milliseconds"))
            rows.append([text, board.replace("x", "×"), *times])
    return table(rows)


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


@functools.cache
def opening_book() -> Any:
    """Return the opening book of the package."""
    # The package is imported only for pages: the figures of the readme need none of it.
    from pontedeldiavolo import Rules  # noqa: PLC0415 - the readme needs no package
    from pontedeldiavolo.players import Book  # noqa: PLC0415 - the readme needs no package

    return Book.bundled(Rules())


@functools.cache
def book_searches() -> tuple[Any, ...]:
    """Return the searches of the opening book."""
    from pontedeldiavolo.players.book import read as read_book  # noqa: PLC0415 - the readme needs no package

    return read_book(BOOK).searches


def most_simulations() -> int:
    """Return the number of simulations of the longest searches of the opening book."""
    found: int = max(search.simulations for search in book_searches())
    return found


def long_searches() -> int:
    """Return the number of the longest searches of the opening book."""
    found = [each for each in book_searches() if each.simulations == most_simulations()]
    return len(found)


def book_openings() -> Iterator[tuple[Any, float, int]]:
    """Yield the state after each opening of the book, its value for white and the simulations."""
    from pontedeldiavolo import GameState  # noqa: PLC0415 - the readme needs no package
    from pontedeldiavolo.players.book import WHITE  # noqa: PLC0415 - the readme needs no package

    start = GameState.initial()
    for each in opening_book().lookup(start):
        after = start.apply(each.action)
        values = {choice.action: choice.value for choice in opening_book().lookup(after)}
        yield after, values[WHITE], each.visits


def short_search_excess() -> float:
    """Return how much more the short searches of the book give white than the longer ones do.

    The longer searches are those of ``OPENINGS``; the figure is the mean over the openings.
    """
    from pontedeldiavolo import GameState, parse_action  # noqa: PLC0415 - the readme needs no package

    start = GameState.initial()
    long = {
        start.apply(parse_action(text)).canonical(): value
        for text, value in opening_values(OPENINGS).items()
    }
    return mean(
        value - long[after.canonical()]
        for after, value, simulations in book_openings()
        if simulations < most_simulations()
    )


def main_line(state: Any) -> Iterator[str]:
    """Yield the best actions after a state, as far as the book goes."""
    from pontedeldiavolo import format_action  # noqa: PLC0415 - the readme needs no package
    from pontedeldiavolo.players.book import good_actions  # noqa: PLC0415 - the readme needs no package

    while found := good_actions(opening_book(), state):
        yield format_action(found[0].action)
        state = state.apply(found[0].action)


def book_rows(kind: str) -> list[tuple[float, str, int, list[str]]]:
    """Return some openings, with their values, simulations and main lines.

    These are the openings with the longest lines of those that a player chooses from, or the
    openings that are best for a colour.
    """
    from pontedeldiavolo import GameState, format_action  # noqa: PLC0415 - the readme needs no package
    from pontedeldiavolo.players.book import WHITE, good_actions  # noqa: PLC0415 - the readme needs no package

    start = GameState.initial()
    is_balanced = kind == "balanced"
    openings = good_actions(opening_book(), start) if is_balanced else opening_book().lookup(start)
    found = []
    for each in openings:
        after = start.apply(each.action)
        values = {choice.action: choice.value for choice in opening_book().lookup(after)}
        # The choice of a colour does not change the board.
        line = [*main_line(after.apply(WHITE))]
        found.append((values[WHITE], format_action(each.action), each.visits, line))
    keys: dict[str, Callable[[float, list[str]], tuple[float, ...]]] = {
        "balanced": lambda value, line: (-len(line), abs(value)),
        "white": lambda value, _line: (-value,),
        "red": lambda value, _line: (value,),
    }
    found.sort(key=lambda row: (keys[kind](row[0], row[3]), row[1]))
    return found[:BOOK_ROWS]


def book_lines(kind: str) -> str:
    """Return the table of the main lines after some openings."""
    rows = [["opening", "value for white", "simulations", "red's best turn, and those after it"]]
    for value, opening, simulations, line in book_rows(kind):
        rows.append([f"`{opening}`", f"{value:+.3f}", f"{simulations:,}", f"`{' '.join(line)}`"])
    return table(rows)


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


def fewest_islands(level: str) -> str:
    """Return the fewest islands that a level built on average in one of its matches."""
    sides = ("weaker", "stronger")
    rows = read(LEVELS)["rows"]
    found = [row["islands"][side] for row in rows for side in sides if row[side] == level]
    return str(min(found)) if found else ""


def beginner() -> str:
    """Return the score of the first level against the greedy player, such as 3 : 97."""
    row = next(each for each in read(LEVELS)["rows"] if is_against_greedy(each))
    won, drawn_games, lost = (row[key] for key in RESULTS)
    return f"{lost + drawn_games / 2:g} : {won + drawn_games / 2:g}"


def is_against_greedy(row: Mapping[str, Any]) -> bool:
    """Return whether a match is that of the first level with the greedy player."""
    players = read(LEVELS)["players"]
    return (row["weaker"], players[row["stronger"]]) == (next(iter(players)), "greedy")


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


def live_games() -> str:
    """Return the memory of games in Python by the size of the board."""
    rows = [
        [
            "board",
            "actions of a game, mean",
            "a `Game` (bytes)",
            "10,000 of them",
            "each state that is kept (bytes)",
            "tables of the board (bytes)",
        ]
    ]
    for board, found in read(SIZES)["games"].items():
        numbers = (
            found["game"],
            megabytes(10_000 * found["game"]),
            found["state"],
            found["tables"],
        )
        cells = (each if isinstance(each, str) else f"{each:,}" for each in numbers)
        rows.append([board, str(found["actions"]), *cells])
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
    ratios: dict[str, dict[str, dict[str, float]]] = found[
        "turns of a batch, divided by those of the C++ program"
    ]
    sizes = ("8×8", "10×10", "12×12")
    rows = [
        [name, features, *(f"{row[size]:.2f}" if size in row else "–" for size in sizes)]
        for features, by_program in ratios.items()
        for name, row in by_program.items()
    ]
    return table([["C++ program", "batch compiled for", *sizes], *rows])


def perft_counts() -> str:
    """Return the counts of sequences of some boards, with the choice of a colour and without it."""
    found: dict[tuple[int, int, int], dict[str, str]] = {}
    for kind in PERFT_KINDS:
        for row in read(PERFT)[kind]:
            key = (row["w"], row["h"], row["depth"])
            found.setdefault(key, {})[kind] = f"{row['nodes']:,}"
    rows = [["board", "actions", *(f"`{kind}`" for kind in PERFT_KINDS)]]
    for (width, height, depth), counts in found.items():
        if depth <= PERFT_DEPTHS.get((width, height), 0):
            cells = (counts.get(kind, "") for kind in PERFT_KINDS)
            rows.append([f"{width}×{height}", str(depth), *cells])
    return table(rows)


def versions() -> str:
    """Return the speed of pools relative to an earlier commit, as for several processors."""
    names = {"masks": "masks", "planes": "masks and byte planes", "packed": "masks, packed planes"}
    return by_column(read(VERSIONS)["ratios"], names)


TABLES: Final[dict[str, Callable[[], str]]] = {
    "instructions": instructions,
    "kernels": kernels,
    "kernel instructions": kernel_instructions,
    "clicks": clicks,
    "searches": searches,
    "level seconds": level_seconds,
    "answers": answers,
    "first uses": first_uses,
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
    "perft": perft_counts,
    "ideas": ideas,
    "memory": memory,
    "live games": live_games,
}
"""The tables by the names after ``@measured``, except for tables of speeds."""
CHOSEN: Final[dict[str, Callable[[str, str], str]]] = {
    "book": lambda kind, _note: book_lines(kind),
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
BOOK_ROWS: Final = 5
"""The number of openings in a table of the book."""
BALANCED: Final = 0.02
"""The largest absolute value of an opening that counts as balanced."""


def processor() -> str:
    """Return the name of the benchmarks' processor, without trade marks."""
    name = SPEED.read_text("utf-8").partition("\n")[0].removeprefix("- ").partition(",")[0]
    return name.replace("(R)", "").replace(" Processor", "")


def benchmarks_date() -> str:
    """Return the day of the benchmarks."""
    found = DAY.search(SPEED.read_text("utf-8"))
    if found is None:
        raise ValueError(f"{SPEED.name} has no date")
    return found[0]


def perft_nodes() -> Iterator[int]:
    """Yield all counts of sequences."""
    for kind in PERFT_KINDS:
        yield from (row["nodes"] for row in read(PERFT)[kind])


@functools.cache
def recorded_games() -> list[dict[str, Any]]:
    """Return the games of the independent implementation."""
    return [*map(json.loads, GAMES.read_text("utf-8").splitlines())]


def needed_version(package: str, sign: str) -> str:
    """Return the version of a package after a sign in the requirements of the extra ``batch``."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    [needed] = [
        each for each in project["optional-dependencies"]["batch"] if each.startswith(package)
    ]
    found = re.search(rf"{sign}([\d.]+)", needed)
    if found is None:
        raise ValueError(f"the requirement {needed!r} has no {sign}")
    return found[1]


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
    "pettingzoo": lambda: relative_speeds("raw_env", ""),
    "gymnasium few": lambda: relative_speeds("PonteVectorEnv", "64 "),
    "gymnasium many": lambda: relative_speeds("PonteVectorEnv", "256 |1,024 |4,096 "),
    "gymnasium copied few": lambda: relative_speeds("PonteVectorEnv", "64 ", copied=True),
    "gymnasium copied many": lambda: relative_speeds(
        "PonteVectorEnv", "256 |1,024 |4,096 ", copied=True
    ),
    "state bytes": lambda: f"{read(SIZES)['games']['10×10']['state']:,}",
    "snapshot ms": lambda: f"{speed_figure(QUESTIONS, '`json.snapshot`', 'median') / 1000:.1f}",
    "processor": processor,
    "benchmarks date": benchmarks_date,
    "batch turns": lambda: millions(speed_figure(RANDOM, "10×10", "batch")),
    "core turns": lambda: f"{speed_figure(RANDOM, '10×10', 'apply_unchecked'):,.0f}",
    "plain": lambda: f"{1 / speed_figure(RATIOS, '10×10', 'apply_unchecked / plain'):.1f}",
    "checking": lambda: (
        f"{100 * speed_figure(RATIOS, '10×10', 'apply_unchecked / apply') - 100:.0f} %"
    ),
    "solved growth": growth,
    "book positions": lambda: f"{len(opening_book()):,}",
    "book searches": lambda: f"{len(book_searches()):,}",
    "book long": lambda: f"{long_searches():,}",
    "book simulations": lambda: f"{most_simulations():,}",
    "book short simulations": lambda: f"{min(each.simulations for each in book_searches()):,}",
    "book short excess": lambda: f"{short_search_excess():.2f}",
    "book extreme": lambda: f"{max(abs(value) for _, value, _ in book_openings()):.2f}",
    "book opening": lambda: book_rows("balanced")[0][1],
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
    "perft list": lambda: str(len(read(PERFT)["perft"])),
    "perft_play list": lambda: str(len(read(PERFT)["perft_play"])),
    "perft sequences": lambda: millions(sum(perft_nodes())),
    "perft largest": lambda: millions(max(perft_nodes())),
    "recorded games": lambda: f"{len(recorded_games()):,}",
    "recorded actions": lambda: f"{sum(len(game['moves']) for game in recorded_games()):,}",
    "recorded counts": lambda: millions(sum(sum(g["legal_counts"]) for g in recorded_games())),
    "corpus": lambda: f"{sum(path.is_file() for path in CORPUS.rglob('*')):,}",
    "compared games": lambda: f"{compared_games():,}",
    "download": lambda: download_size,
    "numpy": lambda: needed_version("numpy", ">="),
    "numba": lambda: needed_version("numba", ">="),
    "numba limit": lambda: needed_version("numba", "<"),
    "beginner": beginner,
}
"""Functions that compute figures, by the names after ``@figure``."""
FILES: Final = {
    "advice": ADVICE,
    "answers": ANSWERS,
    "checks": CHECKS,
    "clicks": CLICKS,
    "comparisons": COMPARISONS,
    "experiments": EXPERIMENTS,
    "sizes": SIZES,
    "first use": FIRST_USE,
    "compilation": COMPILATION,
    "mutants": MUTANTS,
    "searches": SEARCHES,
    "self-play": SELF_PLAY,
    "solved": SOLVED,
    "strength": STRENGTH,
    "levels": LEVELS,
    "values": VALUES,
    "versions": VERSIONS,
}
"""The files whose values are figures: ``@figure FILE/KEY/KEY@`` shows one of them."""
MEASUREMENTS: Final = (
    *FILES.values(),
    SPEED,
    INSTRUCTIONS,
    KERNELS,
    OPENINGS,
    BOOK,
    SMALL_OPENINGS,
    PERFT,
    PROJECT,
    GAMES,
    LOAD,
    # The names of the levels.
    *(CATALOGUES / f"{language}.toml" for language in LEVEL_TEXTS),
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
    conditions = {"load": str(found["load"]), "date": found["date"]}
    if language == "de":
        conditions = {name: in_german(text) for name, text in conditions.items()}
    return f"{table(rows)}\n\n{texts['conditions'].format(**{**found, **conditions})}"


def levels(language: str) -> str:
    """Return the levels of play with their players, and the result of each against the one before.

    The page of ``serve`` says the same of a level. Its score is the share of the points in the
    match; a draw is half a point. Its islands are the fewest that it built on average in one of its
    matches.
    """
    # The figures of the readme need no package.
    from pontedeldiavolo.web.thinkers import LEVELS as served  # noqa: N811, PLC0415 - the readme needs no package; LEVELS is taken

    found = read(LEVELS)
    texts = LEVEL_TEXTS[language]
    before = dict(zip([*found["players"]][1:], found["players"], strict=False))
    steps = (each for each in found["rows"] if before.get(each["stronger"]) == each["weaker"])
    by_level = {each["stronger"]: each for each in steps}
    words = tomllib.loads((CATALOGUES / f"{language}.toml").read_text("utf-8"))["page"]
    columns = ("level", "name", "player", "spec", "result", "score", "elo", "islands")
    rows = [[texts[key] for key in columns]]
    for number, (name, player) in enumerate(found["players"].items(), 1):
        kind, _, option = player.partition(":")
        option, _, value = option.partition("=")
        about = texts[option].format(f"{int(value or 0):,}")
        called = words[f"opponent-{name}"].partition(": ")[2]
        spec = f"`{served[name].spec}`"
        row = [str(number), called, f"`{kind}`, {about}", spec, "", "", "", fewest_islands(name)]
        if name in by_level:
            step = by_level[name]
            won, drawn_games, lost = (step[key] for key in RESULTS)
            row[4] = f"{won} – {drawn_games} – {lost}"
            row[5] = f"{round(100 * (won + drawn_games / 2) / (won + drawn_games + lost), 1):g} %"
            row[6] = step["elo"].replace("from", texts["from"]).replace(" to ", texts["to"])
        rows.append(row)
    text = table(rows)
    return in_german(text) if language == "de" else text


def filled(match: re.Match[str], language: str = "en") -> str:
    """Return the table for a mark on a page in a language."""
    name, chosen, rows = match.groups()
    if name == "speed":
        return speed(chosen, rows)
    if name == "load":
        return load(language)
    if name == "levels":
        return levels(language)
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
