"""``stats``: how the games of a collection came out, and how long they were."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Final

import click
from attrs import Factory, define, frozen

from pontedeldiavolo.base.enums import Color, DecidedBy, Ending, Seat
from pontedeldiavolo.cli.console import Screen
from pontedeldiavolo.cli.errors import Unreadable
from pontedeldiavolo.cli.options import FORMAT_HELP, ascii_option, from_option
from pontedeldiavolo.cli.scan import Entry, scan_with_bar
from pontedeldiavolo.cli.text import amount
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation import format_rules
from pontedeldiavolo.presets import names_of
from pontedeldiavolo.records import Format
from pontedeldiavolo.rules.actions import ChooseColor
from pontedeldiavolo.rules.rules import Rules

LISTED: Final = 20
"""The most rules that the table lists."""

UNFINISHED: Final = "unfinished"
DRAW: Final = "draw"
NO_COLOR: Final = "no-color"
NONE: Final = "none"

BY_COLOR: Final = (*(color.value for color in Color), DRAW, NO_COLOR, UNFINISHED)
BY_SEAT: Final = (*(seat.value for seat in Seat), DRAW, UNFINISHED)
HOW: Final = (
    *(reason.value for reason in DecidedBy),
    *(ending.value for ending in Ending if ending is not Ending.SCORED),
    UNFINISHED,
)
CHOICES: Final = (*(color.value for color in Color), NONE)
COUNTS: Final = ("points", "islands", "bridges")

WORDS: Final = {
    NO_COLOR: "a seat, before colours were chosen",
    "nothing": "nothing: all was equal",
}
"""Names in tables, where they differ from those in JSON."""


@frozen(eq=False)
class Spread:
    """The distribution of a number over games."""

    numbers: Counter[int] = Factory(Counter)

    def add(self, number: int) -> None:
        """Count a game."""
        self.numbers[number] += 1

    def summary(self) -> dict[str, int | float | None]:
        """Return how many games were counted, and what their numbers are like."""
        games = self.numbers.total()
        if not games:
            return {"games": 0, "min": None, "median": None, "mean": None, "max": None}
        total = sum(number * count for number, count in self.numbers.items())
        middle = sum(self._at((games - 1 + odd) // 2) for odd in (0, 1)) / 2
        return {
            "games": games,
            "min": min(self.numbers),
            "median": middle,
            "mean": total / games,
            "max": max(self.numbers),
        }

    def _at(self, place: int) -> int:
        """Return the number at a place, if all of them were in order."""
        ordered = Counter(dict(sorted(self.numbers.items())))
        return next(islice(ordered.elements(), place, None))


@define(eq=False)
class Statistics:
    """The counts so far; no game is kept."""

    files: int = 0
    unreadable: int = 0
    games: int = 0
    bad: int = 0
    rules: Counter[Rules] = Factory(Counter)
    by_color: Counter[str] = Factory(Counter)
    by_seat: Counter[str] = Factory(Counter)
    how: Counter[str] = Factory(Counter)
    choices: Counter[str] = Factory(Counter)
    turns: Spread = Factory(Spread)
    scores: dict[tuple[str, Color], Spread] = Factory(
        lambda: {(count, color): Spread() for count in COUNTS for color in Color}
    )

    def add(self, game: Game) -> None:
        """Count a game."""
        self.games += 1
        self.rules[game.rules] += 1
        choices = [each for each in game.actions if isinstance(each, ChooseColor)]
        self.choices[choices[0].color.value if choices else NONE] += 1
        self._add_result(game)
        if game.ending is not None:
            self.turns.add(len(game.actions) - len(choices))
        if game.ending is Ending.SCORED:
            for color in Color:
                score = game.state.score(color)
                for count in COUNTS:
                    self.scores[count, color].add(getattr(score, count))

    def _add_result(self, game: Game) -> None:
        seat, outcome = game.winning_seat, game.state.outcome
        if game.ending is None:
            self.by_color[UNFINISHED] += 1
            self.by_seat[UNFINISHED] += 1
            self.how[UNFINISHED] += 1
            return
        if seat is None:
            self.by_color[DRAW] += 1
            self.by_seat[DRAW] += 1
        else:
            color = game.state.color_of(seat)
            self.by_color[NO_COLOR if color is None else color.value] += 1
            self.by_seat[seat.value] += 1
        self.how[game.ending.value if outcome is None else outcome.decided_by.value] += 1

    def report(self) -> dict[str, object]:
        """Return all numbers as plain JSON, always with the same keys."""
        return {
            "files": self.files,
            "unreadable": self.unreadable,
            "games": self.games,
            "bad": self.bad,
            "rules": [
                {"rules": format_rules(rules), "presets": [*names_of(rules)], "games": count}
                for rules, count in self.rules_in_order()
            ],
            "winning_color": {name: self.by_color[name] for name in BY_COLOR},
            "winning_seat": {name: self.by_seat[name] for name in BY_SEAT},
            "decided_by": {name: self.how[name] for name in HOW},
            "chosen_color": {name: self.choices[name] for name in CHOICES},
            "turns": self.turns.summary(),
            **{
                count: {color.value: self.scores[count, color].summary() for color in Color}
                for count in COUNTS
            },
        }

    def rules_in_order(self) -> list[tuple[Rules, int]]:
        """Return the rules with how many games have them, most games first."""
        return sorted(self.rules.items(), key=lambda item: (-item[1], format_rules(item[0])))


@click.command(epilog=FORMAT_HELP)
@click.argument("files", metavar="FILE|-...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Write JSON, always with the same keys.")
@from_option
@ascii_option
def stats(
    *, files: tuple[str, ...], as_json: bool, source: Format | None, ascii_only: bool
) -> None:
    """Count how the games in files came out, in any format.

    Turns are counted of games that have ended, points, islands and bridges of those that were
    played out. The choice of a colour is no turn. Bad games are left out; validate says what is
    wrong with them.

    The exit status is 0 if all games are good, 1 if some are bad, and 2 if a file could not be
    read to its end.
    """
    screen = Screen(ascii_only=ascii_only)
    statistics = Statistics(files=len(files))

    def count(_place: int, found: Entry | Unreadable) -> None:
        if isinstance(found, Unreadable):
            statistics.unreadable += 1
        elif found.game is None:
            statistics.bad += 1
        else:
            statistics.add(found.game)

    scan_with_bar(screen, "counting", files, source, on_found=count, hidden=as_json)
    if as_json:
        click.echo(json.dumps(statistics.report(), indent=2))
    else:
        _write(screen, statistics)
    raise click.exceptions.Exit(2 if statistics.unreadable else 1 if statistics.bad else 0)


def _write(screen: Screen, found: Statistics) -> None:
    """Write tables of what was counted."""
    if found.games:
        _write_rules(screen, found)
        _write_shares(screen, "winning colour", found.by_color, BY_COLOR)
        _write_shares(screen, "winning seat", found.by_seat, BY_SEAT)
        _write_shares(screen, "decided by", found.how, HOW)
        _write_shares(screen, "colour chosen", found.choices, CHOICES)
        rows = [_row("turns", found.turns)]
        rows += [
            _row(f"{count}, {color.value}", each) for (count, color), each in found.scores.items()
        ]
        screen.table(("per game", ">games", ">min", ">median", ">mean", ">max"), rows)
        screen.line()
    games, files = amount(found.games, "good game"), amount(found.files, "file")
    screen.line(f"{games}, {found.bad:,} bad, in {files}, {found.unreadable:,} unreadable.", "bold")


def _write_rules(screen: Screen, found: Statistics) -> None:
    rules = found.rules_in_order()
    screen.table(
        ("rules", "presets", ">games"),
        [
            (format_rules(each), "\n".join(names_of(each)), f"{count:,}")
            for each, count in rules[:LISTED]
        ],
    )
    if len(rules) > LISTED:
        screen.line(f"... and {len(rules) - LISTED:,} more", "dim")
    screen.line()


def _write_shares(screen: Screen, head: str, counts: Counter[str], names: Iterable[str]) -> None:
    """Write how many games there are of each kind, but of those without any."""
    total = counts.total()
    screen.table(
        (head, ">games", ">share"),
        [
            (WORDS.get(name, name), f"{counts[name]:,}", f"{counts[name] / total:.1%}")
            for name in names
            if counts[name]
        ],
    )
    screen.line()


def _row(name: str, spread: Spread) -> tuple[str, ...]:
    found = spread.summary()
    shown = ["-" if each is None else f"{each:,}" for each in (found["min"], found["max"])]
    means = ["-" if each is None else f"{each:,.1f}" for each in (found["median"], found["mean"])]
    return (name, f"{found['games']:,}", shown[0], *means, shown[1])
