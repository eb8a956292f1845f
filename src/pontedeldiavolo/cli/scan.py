"""``validate`` and ``stats``: check and count all games in files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import IntEnum
from statistics import fmean, median
from typing import Final

import click
from attrs import Factory, define, frozen

from pontedeldiavolo.base.enums import Color, DecidedBy, Ending, Seat
from pontedeldiavolo.base.errors import RecordError, printable, reason
from pontedeldiavolo.base.messages import explain
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.presets import names_of
from pontedeldiavolo.records.formats import Format, detect_format
from pontedeldiavolo.rules.actions import ChooseColor
from pontedeldiavolo.rules.rules import Rules

from .arguments import FORMAT_HELP, judged, opened, options, size_of, suffix_of
from .console import Advance, Screen, error_lines, write_json
from .messages import Unreadable, catalog, explained, fault, in_language, message


class Verdict(IntEnum):
    """A verdict on a game, a file or all files: the exit status of a command."""

    GOOD = 0
    BAD = 1
    UNREADABLE = 2


@frozen
class Entry:
    """A game in a file, or a fault instead of it.

    Attributes:
        verdict: ``UNREADABLE`` if the fault is that the file cannot be read to its end.
        place: The file and the number of the game.
        game: The game; ``None`` if it has a fault.
        fault: The fault and its place.
        error: The error of a game that has a fault.
    """

    verdict: Verdict
    place: str
    game: Game | None = None
    fault: str = ""
    error: RecordError | None = None


def entries(path: str, source: Format | None, advance: Advance) -> Iterator[Entry]:
    """Iterate over the games and faults of a file; a file without any game has a fault.

    Args:
        path: The file, or ``-`` for standard input.
        source: Its format; ``None`` to detect it.
        advance: Called with the number of bytes read.

    Raises:
        Unreadable: If the file cannot be read to its end.
    """
    with opened(path) as lines:
        source = source or detect_format(lines.peek_beginning(), suffix_of(path)) or Format.PDD
        number = 0
        before = 0
        for number, result in enumerate(lines.results(source), 1):
            place = message("of-game", place=f"{lines.name}", number=number)
            try:
                yield Entry(Verdict.GOOD, place, judged(result))
            except RecordError as error:
                text = printable(fault(lines.name, error))
                yield Entry(Verdict.BAD, place, fault=text, error=error)
            advance(lines.bytes_read - before)
            before = lines.bytes_read
        if not number:
            missing = message("expected", place=f"{lines.name}:1:1", what=explained(reason("game")))
            yield Entry(Verdict.BAD, f"{lines.name}", fault=missing)


def scan(
    files: Iterable[str], source: Format | None, advance: Advance
) -> Iterator[tuple[int, Entry]]:
    """Iterate over the games and faults of files, each with the index of its file.

    If a file cannot be read to its end, its error is yielded, and the next file follows.
    """
    for index, file in enumerate(files):
        try:
            yield from ((index, entry) for entry in entries(file, source, advance))
        except Unreadable as error:
            problem = message("error", message=error.message)
            yield index, Entry(Verdict.UNREADABLE, printable(file), fault=problem)


def _totals(counts: Counter[Verdict]) -> dict[str, int]:
    """Return the counts of all files, for JSON."""
    good, bad, unreadable = (counts[each] for each in Verdict)
    return {"unreadable": unreadable, "games": good, "bad": bad}


def _write_totals(screen: Screen, counts: Counter[Verdict], files: int) -> None:
    """Write a sentence about all files."""
    good, bad, unreadable = (counts[each] for each in Verdict)
    values = {"games": message("good-game", count=good), "files": message("file", count=files)}
    screen.line(message("checked", **values, bad=bad, unreadable=unreadable), "bold")


def scan_with_bar(
    screen: Screen,
    what: str,
    files: tuple[str, ...],
    source: Format | None,
    *,
    hidden: bool = False,
    beside_data: bool = False,
) -> Iterator[tuple[int, Entry]]:
    """Scan files with a progress bar; report unreadable files on standard error."""
    # Faults of files are written at the end: a moving bar would overwrite them.
    with (
        error_lines(late=True) as note,
        screen.progress(what, size_of(files), hidden=hidden, beside_data=beside_data) as advance,
    ):
        for index, entry in scan(files, source, advance):
            yield index, entry
            if entry.verdict is Verdict.UNREADABLE:
                note(entry.fault)


MANY: Final = 20
"""With more files than this, the table leaves out files without a fault."""


@click.command(epilog=FORMAT_HELP)
@options("files")
@click.option("--quiet", "-q", is_flag=True, help="Write faults only, without a bar and a table.")
@options("json", "from", "screen")
def validate(
    *, files: tuple[str, ...], quiet: bool, as_json: bool, source: Format | None, screen: Screen
) -> None:
    """Check every game in files of records, in any format.

    The place and the fault of each bad game are written on a line; a file without any game is bad,
    too. Files may be of any length: they are read game by game.

    The exit status is 0 if all games are good, 1 if some are bad, and 2 if a file could not be
    read to its end.

    Examples:
      pontedeldiavolo validate games.pdd *.sgf
    """
    counts = [Counter[Verdict]() for _ in files]
    faults = list[dict[str, object]]()
    how = {"hidden": quiet, "beside_data": as_json}
    for index, entry in scan_with_bar(screen, message("checking"), files, source, **how):
        counts[index][entry.verdict] += 1
        if entry.game is None and as_json:
            faults.append({"file": files[index], **_fault_values(entry)})
        elif entry.verdict is Verdict.BAD:
            screen.line(entry.fault)
    checked = [
        (file, each[Verdict.GOOD], each[Verdict.BAD], max(each).name.lower())
        for file, each in zip(files, counts, strict=True)
    ]
    total = sum(counts, Counter[Verdict]())
    if as_json:
        found = [dict(zip(("file", "good", "bad", "verdict"), row, strict=True)) for row in checked]
        write_json("validation", {"files": found, "faults": faults, **_totals(total)})
    elif not quiet:
        rows = [
            (
                printable(file),
                *(in_language(f"{count:,}") for count in (good, bad)),
                message(f"verdict-{verdict}"),
            )
            for file, good, bad, verdict in checked
            if len(files) <= MANY or verdict != "good"
        ]
        if rows:
            screen.table(message("file-heads"), rows)
        _write_totals(screen, total, len(files))
    raise click.exceptions.Exit(max(total))


def _fault_values(entry: Entry) -> dict[str, object]:
    """Return a fault for JSON: its sentence, and for a game its place and code."""
    error = entry.error
    if error is None:
        return {"text": entry.fault}
    place = {"game": error.number, "line": error.line, "column": error.column}
    return {**place, "code": error.code, "text": explain(error, catalog())}


LISTED: Final = 20
"""The maximum number of rules in the table."""

UNFINISHED = "unfinished"
DRAW = "draw"
NO_COLOR = "no-color"
NONE = "none"

SHARES: Final[dict[str, tuple[str, ...]]] = {
    "winning_color": (*(color.value for color in Color), DRAW, NO_COLOR, UNFINISHED),
    "winning_seat": (*(seat.value for seat in Seat), DRAW, UNFINISHED),
    "decided_by": (
        *(each.value for each in DecidedBy),
        *(ending.value for ending in Ending if ending is not Ending.SCORED),
        UNFINISHED,
    ),
    "chosen_color": (*(color.value for color in Color), NONE),
}
"""The kinds of games in each table, by the table's key in JSON."""
COUNTS: Final = ("points", "islands", "bridges")


def spread(numbers: list[int]) -> dict[str, int | float | None]:
    """Return how many numbers there are, and statistics of their distribution."""
    return {
        "games": len(numbers),
        "min": min(numbers, default=None),
        "median": float(median(numbers)) if numbers else None,
        "mean": fmean(numbers) if numbers else None,
        "max": max(numbers, default=None),
    }


@define(eq=False)
class Statistics:
    """The counts so far, without the games."""

    rules: Counter[Rules] = Factory(Counter)
    shares: Counter[tuple[str, str]] = Factory(Counter)
    turns: list[int] = Factory(list)
    scores: dict[tuple[str, Color], list[int]] = Factory(
        lambda: {(count, color): [] for count in COUNTS for color in Color}
    )

    def add(self, game: Game) -> None:
        """Count a game."""
        self.rules[game.rules] += 1
        choices = [each for each in game.actions if isinstance(each, ChooseColor)]
        kinds = (*_result(game), choices[0].color.value if choices else NONE)
        self.shares.update(zip(SHARES, kinds, strict=True))
        if game.ending is not None:
            self.turns.append(len(game.actions) - len(choices))
        if game.ending is Ending.SCORED:
            for (count, color), numbers in self.scores.items():
                numbers.append(getattr(game.state.score(color), count))

    def report(self) -> dict[str, object]:
        """Return all numbers for JSON, always with the same keys."""
        return {
            "rules": [
                {"rules": format_rules(rules), "presets": [*names_of(rules)], "games": count}
                for rules, count in self.rules_in_order()
            ],
            **{
                share: {name: self.shares[share, name] for name in names}
                for share, names in SHARES.items()
            },
            "turns": spread(self.turns),
            **{
                count: {color.value: spread(self.scores[count, color]) for color in Color}
                for count in COUNTS
            },
        }

    def rules_in_order(self) -> list[tuple[Rules, int]]:
        """Return the rules with their numbers of games, most games first."""
        return sorted(self.rules.items(), key=lambda item: (-item[1], format_rules(item[0])))


def _result(game: Game) -> tuple[str, str, str]:
    """Return the winning colour and seat of a game, and the deciding criterion."""
    seat = game.winning_seat
    outcome = game.state.outcome
    if game.ending is None:
        return UNFINISHED, UNFINISHED, UNFINISHED
    how = game.ending.value if outcome is None else outcome.decided_by.value
    if seat is None:
        return DRAW, DRAW, how
    color = game.state.color_of(seat)
    return NO_COLOR if color is None else color.value, seat.value, how


@click.command(epilog=FORMAT_HELP)
@options("files")
@options("json", "from", "screen")
def stats(*, files: tuple[str, ...], as_json: bool, source: Format | None, screen: Screen) -> None:
    """Count the results of games in files, in any format.

    Turns are counted in games that have ended; points, islands and bridges in games that were
    played out. The choice of a colour is not a turn. Bad games are left out; validate lists their
    faults.

    The exit status is 0 if all games are good, 1 if some are bad, and 2 if a file could not be
    read to its end.

    Examples:
      pontedeldiavolo stats games.pdd --json
    """
    found = Statistics()
    total = Counter[Verdict]()
    for _, entry in scan_with_bar(screen, message("counting"), files, source, beside_data=as_json):
        total[entry.verdict] += 1
        if entry.game is not None:
            found.add(entry.game)
    if as_json:
        write_json("statistics", {"files": len(files), **_totals(total), **found.report()})
    else:
        if total[Verdict.GOOD]:
            _write(screen, found)
        _write_totals(screen, total, len(files))
    raise click.exceptions.Exit(max(total))


def _write(screen: Screen, found: Statistics) -> None:
    """Write tables of the counts."""
    rules = found.rules_in_order()
    listed = rules[:LISTED]
    rows = [
        (format_rules(each), "\n".join(names_of(each)), in_language(f"{count:,}"))
        for each, count in listed
    ]
    screen.table(message("rules-heads"), rows)
    if len(rules) > LISTED:
        screen.line(message("more", count=len(rules) - LISTED), "dim")
    screen.line()
    for share, names in SHARES.items():
        shares = [
            (
                message(f"is-{name}"),
                *map(in_language, (f"{count:,}", f"{count / found.rules.total():.1%}")),
            )
            for name in names
            if (count := found.shares[share, name])
        ]
        screen.table(message("share-heads", what=message(share)), shares)
        screen.line()
    numbers = [_row(message("is-turns"), found.turns)]
    for (what, color), scores in found.scores.items():
        numbers.append(_row(f"{message(f'is-{what}')}, {message(f'is-{color.value}')}", scores))
    screen.table(message("number-heads"), numbers)
    screen.line()


def _row(name: str, numbers: list[int]) -> tuple[str, ...]:
    formats = zip(spread(numbers).values(), (",", ",", ",.1f", ",.1f", ","), strict=True)
    shown = ("-" if number is None else f"{number:{form}}" for number, form in formats)
    return (name, *map(in_language, shown))
