"""Output of commands: a terminal in colour, plain text, files, and sentences about games."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import Final, TextIO, TypeAlias, cast

import click
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from pontedeldiavolo.base.enums import Color, DecidedBy, Ending, Phase, Seat
from pontedeldiavolo.cli.errors import Unreadable, file_errors, printable, unreadable
from pontedeldiavolo.game.game import Game, Turn
from pontedeldiavolo.position.networks import Group, Network
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.records.atomic_file import atomic_write
from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, PlaceTiles
from pontedeldiavolo.rules.rules import Outcome, Rules
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.text import Role, Style, layout, legend


def check_output(output: str, inputs: tuple[str, ...], *, force: bool) -> None:
    """Refuse to write over something that must stay.

    Raises:
        Unreadable: If it is an input, or no file, or is not to be replaced.
    """
    name = "standard output" if output == "-" else printable(output)
    try:
        there = _stat(output, sys.stdout)
    except FileNotFoundError:
        return
    except OSError as error:
        if output == "-":
            return
        raise unreadable(name, error) from error
    is_file = S_ISREG(there.st_mode)
    for path in inputs if is_file else ():
        with suppress(OSError):
            if os.path.samestat(there, _stat(path, sys.stdin)):
                raise Unreadable(f"{name}: is an input, and is not written over")
    if output != "-" and not is_file:
        raise Unreadable(f"{name}: is no file that could be replaced")
    if output != "-" and not force:
        raise Unreadable(f"{name}: exists already; --force replaces it")


def _stat(path: str, standard: TextIO) -> os.stat_result:
    """Return the status of a file; for ``-``, of a standard stream.

    Raises:
        OSError: If it does not exist, or is not a file of the system.
    """
    return os.fstat(standard.fileno()) if path == "-" else Path(path).stat()


@contextmanager
def opened_output(output: str, *, force: bool) -> Iterator[Callable[[str | bytes], object]]:
    """Open the output; yield the function that writes to it.

    Raises:
        Unreadable: If it cannot be written.
    """
    if output == "-":
        # Not in the encoding of the terminal: the output is read again.
        with click.open_file(output, "w", encoding="utf-8") as standard:
            yield lambda content: click.echo(content, standard, nl=False)
        return
    with _replaced(output, force=force) as file:
        yield lambda content: _put(file, content)


def write_all(contents: Iterable[tuple[str, str | bytes]], *, force: bool) -> int:
    """Write files, whose names they get when the last one is complete; return how many.

    Raises:
        Unreadable: If one cannot be written.
    """
    count = 0
    with ExitStack() as stack:
        for output, content in contents:
            count += 1
            file = stack.enter_context(_replaced(output, force=force))
            _put(file, content)
            # Systems let a program have few files open at a time.
            file.close()
    return count


def _put(file: TextIO, content: str | bytes) -> None:
    if isinstance(content, str):
        file.write(content)
    else:
        file.buffer.write(content)


@contextmanager
def _replaced(output: str, *, force: bool) -> Iterator[TextIO]:
    """Open a file, which gets its name when it is complete."""
    name = printable(output)
    with file_errors(name):
        try:
            with atomic_write(output, exclusive=not force, may_be_empty=False) as file:
                yield file
        except FileExistsError as error:
            raise Unreadable(f"{name}: exists by now; --force replaces it") from error


@contextmanager
def noting(*, late: bool) -> Iterator[Callable[[str], None]]:
    """Yield a function that writes lines on standard error: in the end, if there is a bar."""
    kept: list[str] = []

    def write(text: str) -> None:
        click.echo(printable(text), err=True)

    try:
        yield kept.append if late else write
    finally:
        for text in kept:
            write(text)


def _palette(sea: str, foam: str, sand: str, brick: str, rust: str) -> dict[Role, str]:
    """Return the styles of a picture in five colours."""
    return {
        Role.LABEL: "dim",
        Role.WATER: f"{foam} on {sea}",
        Role.BLOCKED: f"{foam} on {sea}",
        Role.WHITE_TILE: f"black on {sand}",
        Role.RED_TILE: f"bright_white on {brick}",
        Role.WHITE_LAND: f"on {sand}",
        Role.RED_LAND: f"on {brick}",
        Role.WHITE_BRIDGE: f"bold {sand} on {sea}",
        Role.RED_BRIDGE: f"bold {rust} on {sea}",
        Role.FIRST_TILE: "bold black on bright_yellow",
        Role.TARGET: f"bold {foam} on {sea}",
        Role.MARK: "bold black on bright_yellow",
        Role.FAULT: "bold bright_white on magenta",
        Role.NOTE: "bold",
    }


MANY_COLORS: Final = _palette("color(17)", "color(110)", "color(230)", "color(124)", "color(209)")
FEW_COLORS: Final = _palette("blue", "cyan", "bright_white", "red", "bright_red")
"""For terminals with 16 colours, of which the nearest to those above are far from them."""

INKS: Final = {Color.WHITE: "bold", Color.RED: "bold bright_red"}
"""The style of the names of colours."""

Advance: TypeAlias = Callable[..., object]
"""Advances a progress bar by an amount."""

_UNBOUNDED: Final = 10_000


class Screen:
    """Standard output, with colours if it is a terminal that has them.

    Attributes:
        console: The console underneath.
        style: The characters in use.
    """

    def __init__(self, *, ascii_only: bool = False) -> None:
        self.console: Console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
        if not self.console.is_terminal:
            # Nobody wraps a log file or what another program reads.
            self.console.width = _UNBOUNDED
        plain = ascii_only or not self.console.encoding.startswith("utf")
        self.style = Style.ASCII if plain else Style.UNICODE

    @property
    def in_color(self) -> bool:
        """True if colours will show."""
        return self.console.color_system is not None and not self.console.no_color

    def line(self, text: str = "", style: str = "") -> None:
        """Write one line."""
        self.console.print(Text(text, style))

    def picture(self, board: GameState | Position | Setup, last: Action | None = None) -> Text:
        """Return a board as a text in colours, or in plain characters where there are none."""
        few = self.console.color_system in (None, "standard", "windows")
        styles = FEW_COLORS if few else MANY_COLORS
        lines = []
        for row in layout(board, last=last, style=self.style):
            line = Text()
            for text, role in row:
                # Where the ground has a colour, shading it would only blur the tiles.
                is_ground = self.in_color and role in (Role.WHITE_LAND, Role.RED_LAND)
                line.append(" " * len(text) if is_ground else text, styles[role])
            if not self.in_color:
                line.rstrip()
            lines.append(line)
        return Text("\n").join(lines)

    def fits(self, picture: Text) -> bool:
        """Return whether a board and two lines more fit on the terminal."""
        lines = picture.plain.split("\n")
        size = self.console.size
        return len(lines) + 2 <= size.height and max(map(len, lines)) <= size.width

    def board(self, board: GameState | Position | Setup, last: Action | None = None) -> None:
        """Write a board."""
        self.console.print(self.picture(board, last))

    def legend(self) -> None:
        """Write the legend of the characters of a board."""
        self.line()
        self.line(legend(self.style), "dim")

    def table(self, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Write a table; heads that begin with ``>`` are of columns flush right."""
        frame = box.ASCII if self.style is Style.ASCII else box.SIMPLE_HEAD
        table = Table(box=frame, show_edge=False, pad_edge=False)
        for head in heads:
            right = head.startswith(">")
            table.add_column(head.removeprefix(">"), justify="right" if right else "left")
        for row in rows:
            table.add_row(*row)
        if self.console.is_terminal:
            self.console.print(table)
            return
        with self.console.capture() as written:
            self.console.print(table)
        for line in written.get().splitlines():
            self.line(line.rstrip())

    @contextmanager
    def progress(self, what: str, total: int, *, hidden: bool = False) -> Iterator[Advance]:
        """Show a progress bar on terminals; yield the function that advances it.

        A second argument of the function is the new text beside the bar.
        """
        if hidden or not self.console.is_interactive:
            yield lambda *_: None
            return
        with Progress(console=self.console, transient=True) as bar:
            task = bar.add_task(escape(what), total=total)
            yield lambda amount, text=what: bar.update(
                task, advance=amount, description=escape(text)
            )

    def ask(self, prompt: str) -> str | None:
        """Return a line of input; ``None`` if there is no more, or it is not text."""
        try:
            return input(prompt)
        except (EOFError, UnicodeDecodeError):
            self.line()
            return None


BY_HAND: Final = {
    Ending.RESIGNATION: "by resignation",
    Ending.TIME: "on time",
    Ending.AGREEMENT: "by agreement",
    Ending.ADJUDICATION: "by adjudication",
}


def amount(count: int, noun: str) -> str:
    """Return a number with its noun: ``1 island``, ``2 islands``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def person(seat: Seat, color: Color | None, tags: Mapping[str, str]) -> str:
    """Return who a player is: ``red (first seat, Ada)``; without a colour ``first seat (Ada)``."""
    name = printable(tags.get(seat.value.capitalize(), ""))
    if color is None:
        return f"{seat.value} seat ({name})" if name else f"{seat.value} seat"
    return (
        f"{color.value} ({seat.value} seat, {name})"
        if name
        else f"{color.value} ({seat.value} seat)"
    )


def deed(action: Action) -> str:
    """Return an action in words."""
    match action:
        case PlaceTiles(a, b):
            return f"places {a},{b}"
        case BuildBridge(a, b):
            return f"builds {a}-{b}"
        case ChooseColor(color):
            return f"chooses {color.value}"
        case _:
            return "passes"


def turn_line(turn: Turn, after: GameState, tags: Mapping[str, str]) -> str:
    """Return a turn in words, with the points after it."""
    who = person(turn.seat, turn.color, tags)
    white, red = (after.score(color).points for color in Color)
    return f"Turn {turn.number}: {who} {deed(turn.action)}. Points: white {white}, red {red}."


def situation(state: GameState, tags: Mapping[str, str]) -> str:
    """Return whose turn it is, or the result of the game."""
    if state.outcome is not None:
        return outcome_line(state, state.outcome, tags)
    who = person(cast(Seat, state.seat_to_move), state.to_move, tags)
    match state.phase:
        case Phase.COLOR_CHOICE:
            return f"The {who} chooses a colour: white or red."
        case Phase.LAST_TURN:
            return f"Turn {state.turn + 1}, the last one: {who} to move."
        case _:
            return f"Turn {state.turn + 1}: {who} to move."


def supply(state: GameState) -> str:
    """Return the rest of a limited supply in words; "" if nothing is limited."""
    parts = []
    for color in Color:
        tiles = state.tiles_left(color)
        if tiles is not None:
            parts.append(f"{tiles} {color.value} tiles")
    if state.bridges_left is not None:
        parts.append(amount(state.bridges_left, "bridge"))
    return f"Left: {', '.join(parts)}." if parts else ""


def verdict(game: Game) -> str:
    """Return the result of a game in words, or that it goes on."""
    if game.ending in (None, Ending.SCORED):
        return situation(game.state, game.tags)
    how, winner = BY_HAND[game.ending], game.winning_seat
    if winner is None:
        return f"A draw {how}."
    who = person(winner, game.state.color_of(winner), game.tags)
    return f"{capital(who)} wins {how}."


def outcome_line(state: GameState, outcome: Outcome, tags: Mapping[str, str]) -> str:
    """Return the result of a game that was played out, and what decided it."""
    white, red = outcome.white, outcome.red
    each = f"both have {amount(white.points, 'point')}"
    if outcome.winning_seat is None:
        return f"A draw: {each}{_all_equal(state.rules)}."
    better, worse = (white, red) if outcome.winner is Color.WHITE else (red, white)
    who = capital(person(outcome.winning_seat, outcome.winner, tags))
    match outcome.decided_by:
        case DecidedBy.ISLANDS:
            return f"{who} wins with more islands, {better.islands} to {worse.islands}: {each}."
        case DecidedBy.BRIDGES:
            return f"{who} wins with more bridges, {better.bridges} to {worse.bridges}: {each}."
        case _:
            return f"{who} wins with {amount(better.points, 'point')} to {worse.points}."


def _all_equal(rules: Rules) -> str:
    if not rules.tiebreaks:
        return ", and these rules have no tie-break"
    return f", and as many {' and '.join(tiebreak.value for tiebreak in rules.tiebreaks)}"


def capital(text: str) -> str:
    """Return *text* with a capital letter at its start."""
    return text[:1].upper() + text[1:]


PER_LINE: Final = 3
"""The number of bridges that are written side by side."""


def write_scores(screen: Screen, state: GameState, tags: Mapping[str, str]) -> None:
    """Write the score of each colour, and where it comes from."""
    for color in Color:
        score, seat = state.score(color), state.owner(color)
        counts = ", ".join(
            (
                amount(score.points, "point"),
                amount(score.islands, "island"),
                amount(score.bridges, "bridge"),
            )
        )
        who = person(seat, color, tags) if seat else color.value
        screen.line()
        screen.line(f"{capital(who)}: {counts}", INKS[color])
        networks = state.position.networks(color)
        scoring = sorted(
            (network for network in networks if network.islands),
            key=lambda network: -network.points,
        )
        if scoring:
            heads = (">points", ">islands", "where they lie", "bridges")
            screen.table(heads, map(_row, scoring))
        others = sum(len(network.groups) for network in networks if not network.islands)
        if others:
            screen.line(f"{amount(others, 'sandbank')} in networks without an island", "dim")


def _row(network: Network) -> tuple[str, str, str, str]:
    places = [_cells(island) for island in network.islands]
    sandbanks = len(network.groups) - len(network.islands)
    if sandbanks:
        places.append(amount(sandbanks, "sandbank"))
    # Side by side the islands and bridges of a large network would be wider than a terminal.
    some = range(0, len(network.bridges), PER_LINE)
    bridges = [" ".join(map(str, network.bridges[i : i + PER_LINE])) for i in some]
    return (
        str(network.points),
        str(len(network.islands)),
        "\n".join(places),
        "\n".join(bridges),
    )


def _cells(group: Group) -> str:
    return " ".join(map(str, group.cells))


def write_result(screen: Screen, game: Game) -> None:
    """Write the scores of a game, who won and what decided it, or that it goes on."""
    write_scores(screen, game.state, game.tags)
    screen.line()
    screen.line(verdict(game), "bold")
