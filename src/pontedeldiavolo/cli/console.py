"""Output of commands: colours on a terminal, plain text, files, and sentences about games."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import Final, TextIO, TypeAlias

import click
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from pontedeldiavolo.base import messages
from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.base.errors import printable
from pontedeldiavolo.game.game import Game, Ply
from pontedeldiavolo.game.sentences import action_sentence, state_of_play
from pontedeldiavolo.json.codecs import FORMAT, VERSION
from pontedeldiavolo.json.documents import default
from pontedeldiavolo.json.kinds import VIOLATION
from pontedeldiavolo.notation.setups import format_setup
from pontedeldiavolo.position.networks import Network
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.records.atomic_file import atomic_write
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.violations import Violation
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.text import Role, Style, layout

from .messages import Unreadable, amount, catalog, file_errors, message


def check_output(output: str, inputs: tuple[str, ...], *, force: bool) -> None:
    """Refuse an output that must not be overwritten.

    Raises:
        Unreadable: If it is an input, not a regular file, or exists and *force* is not set.
    """
    name = "standard output" if output == "-" else printable(output)
    there = None
    with file_errors(name), suppress(OSError if output == "-" else FileNotFoundError):
        there = _stat(output, sys.stdout)
    if there is None:
        return
    is_file = S_ISREG(there.st_mode)
    for path in inputs if is_file else ():
        with suppress(OSError):
            if os.path.samestat(there, _stat(path, sys.stdin)):
                raise Unreadable(message("is-input", name=name))
    if output != "-" and not (is_file and force):
        raise Unreadable(message("exists" if is_file else "no-file", name=name))


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
        # UTF-8 instead of the terminal's encoding: other programs read the output.
        with click.open_file(output, "w", encoding="utf-8") as standard:
            yield lambda content: click.echo(content, standard, nl=False)
        return
    with _replaced(output, force=force) as file:
        yield lambda content: _put(file, content)


def write_all(contents: Iterable[tuple[str, str | bytes]], *, force: bool) -> int:
    """Write files, which all appear when the last one is complete; return their number.

    Raises:
        Unreadable: If one cannot be written.
    """
    count = 0
    with ExitStack() as stack:
        for output, content in contents:
            count += 1
            file = stack.enter_context(_replaced(output, force=force))
            _put(file, content)
            # Close it now: systems limit the number of open files.
            file.close()
    return count


def _put(file: TextIO, content: str | bytes) -> None:
    file.buffer.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def _replaced(output: str, *, force: bool) -> Iterator[TextIO]:
    """Open a file that appears under its name when it is complete."""
    name = printable(output)
    with file_errors(name):
        try:
            with atomic_write(output, exclusive=not force, may_be_empty=False) as file:
                yield file
        except FileExistsError as error:
            raise Unreadable(message("exists-now", name=name)) from error


@contextmanager
def error_lines(*, late: bool) -> Iterator[Callable[[str], None]]:
    """Yield a function that writes lines to standard error; *late* delays them to the end."""
    kept: list[str] = []

    def write(text: str) -> None:
        click.echo(printable(text), err=True)

    try:
        yield kept.append if late else write
    finally:
        for text in kept:
            write(text)


def _palette(sea: str, foam: str, sand: str, brick: str, rust: str) -> dict[Role, str]:
    """Return the styles of a board in five colours; boards here have no half turns or targets."""
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
        Role.MARK: "bold black on bright_yellow",
        Role.FAULT: "bold bright_white on magenta",
        Role.NOTE: "bold",
    }


MANY_COLORS: Final = _palette("color(17)", "color(110)", "color(230)", "color(124)", "color(209)")
FEW_COLORS: Final = _palette("blue", "cyan", "bright_white", "red", "bright_red")
"""For terminals with 16 colours, which have no good matches for the colours above."""

INKS: Final = {Color.WHITE: "bold", Color.RED: "bold bright_red"}
"""The style of the names of colours."""

Advance: TypeAlias = Callable[..., object]
"""A function that advances a progress bar by an amount."""


class Screen:
    """Standard output, in colour if it is a terminal with colours.

    Attributes:
        console: The console of rich.
        style: The set of characters in use.
    """

    def __init__(self, *, ascii_only: bool = False) -> None:
        self.console: Console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
        if not self.console.is_terminal:
            # Do not wrap lines in log files or in the input of other programs.
            self.console.width = 10_000
        plain = ascii_only or not self.console.encoding.startswith("utf")
        self.style = Style.ASCII if plain else Style.UNICODE

    @property
    def in_color(self) -> bool:
        """True if colours are shown."""
        return self.console.color_system is not None and not self.console.no_color

    def line(self, text: str = "", style: str = "") -> None:
        """Write one line; a terminal that is narrower gets several, which end between words."""
        self.console.print(Text(text, style), soft_wrap=not self.console.is_terminal)

    def picture(self, board: GameState | Setup, last: Action | None = None) -> Text:
        """Return a board as coloured text, or as plain characters without colours."""
        few = self.console.color_system in (None, "standard", "windows")
        styles = FEW_COLORS if few else MANY_COLORS
        # If the ground has a colour, shading it would only blur the tiles.
        flat = (Role.WHITE_LAND, Role.RED_LAND) if self.in_color else ()
        lines = []
        for row in layout(board, last=last, style=self.style):
            line = [(" " * len(text) if role in flat else text, styles[role]) for text, role in row]
            lines.append(Text.assemble(*line))
            if not self.in_color:
                lines[-1].rstrip()
        return Text("\n").join(lines)

    def fits(self, picture: Text) -> bool:
        """Return whether a board and two more lines fit on the terminal."""
        size = self.console.size
        return picture.plain.count("\n") + 3 <= size.height and _width_of(picture) <= size.width

    def board(self, board: GameState | Setup, last: Action | None = None) -> None:
        """Write a board; on a terminal that is too narrow for it, a diagram in letters."""
        picture = self.picture(board, last)
        if not self.console.is_terminal or _width_of(picture) <= self.console.width:
            self.console.print(picture)
            return
        self.line(message("narrow", columns=_width_of(picture)))
        setup = board.position.setup() if isinstance(board, GameState) else board
        for row in format_setup(setup).splitlines():
            self.line(row)

    def legend(self) -> None:
        """Write the legend of the characters of a board."""
        self.line()
        self.line(message(f"legend-{self.style.value}"), "dim")

    def table(self, heads: str, rows: Iterable[Sequence[str]]) -> None:
        """Write a table; heads are separated by commas, and ``>`` aligns a column right."""
        frame = box.ASCII if self.style is Style.ASCII else box.SIMPLE_HEAD
        table = Table(box=frame, show_edge=False, pad_edge=False)
        for head in heads.split(","):
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

    def turn(self, ply: Ply, after: GameState, tags: Mapping[str, str]) -> None:
        """Write a turn in words, and the points after the turn."""
        texts = _with_players(tags) if ply.color is None else _with_people(after, tags)
        action = action_sentence(ply.action, ply.color or Color.RED, texts)
        white, red = (after.score(color).points for color in Color)
        self.line(message("turn-points", turn=ply.turn, said=action, white=white, red=red))

    def situation(self, state: GameState, tags: Mapping[str, str]) -> None:
        """Write whose turn it is and the remaining supply, or the result of the game."""
        self.line(f"{situation(state, tags)} {'' if state.is_over else _supply(state)}".rstrip())

    def scores(self, state: GameState, tags: Mapping[str, str]) -> None:
        """Write the score of each colour, and the networks that it comes from."""
        texts = _with_people(state, tags)
        for color in Color:
            score = state.score(color)
            nouns = ("point", "island", "bridge")
            counts = ", ".join(amount(getattr(score, f"{noun}s"), noun) for noun in nouns)
            self.line()
            self.line(f"{capital(messages.word(color, texts))}: {counts}", INKS[color])
            found = state.position.networks(color)
            ranked = sorted((each for each in found if each.islands), key=lambda each: -each.points)
            if ranked:
                self.table(message("network-heads"), map(_row, ranked))
            if others := sum(len(each.groups) for each in found if not each.islands):
                self.line(message("no-island", sandbanks=amount(others, "sandbank")), "dim")

    def result(self, game: Game) -> None:
        """Write the scores of a game, and its result or whose turn it is."""
        self.scores(game.state, game.tags)
        self.line()
        text = situation(game.state, game.tags)
        if game.ending is not None:
            text = messages.result(game, _with_people(game.state, game.tags))
        self.line(text, "bold")

    def has_bar(self, *, beside_data: bool) -> bool:
        """Return whether a progress bar is visible.

        Args:
            beside_data: Whether the output is data, so that the bar is on standard error.
        """
        return self._bar_console(beside_data=beside_data).is_interactive

    def _bar_console(self, *, beside_data: bool) -> Console:
        """Return the console for progress: standard error if standard output is not a terminal."""
        on_output = self.console.is_interactive and not beside_data
        return self.console if on_output else Console(stderr=True)

    @contextmanager
    def progress(
        self, what: str, total: int, *, hidden: bool = False, beside_data: bool = False
    ) -> Iterator[Advance]:
        """Show a progress bar on terminals; yield the function that advances it.

        A second argument of the function is the new text beside the bar.

        Args:
            what: The text beside the bar.
            total: The amount at which the bar is full.
            hidden: Whether there is no bar.
            beside_data: Whether the output is data, so that the bar is on standard error.
        """
        console = self._bar_console(beside_data=beside_data)
        if hidden or not console.is_interactive:
            yield lambda *_: None
            return
        # Lines for standard output would otherwise go where the bar is.
        on_output = console is self.console
        with Progress(
            console=console, transient=True, redirect_stdout=on_output, redirect_stderr=on_output
        ) as bar:
            task = bar.add_task(escape(what), total=total)
            yield lambda count, text=what: bar.update(task, advance=count, description=escape(text))

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Show on a terminal that something takes its time."""
        if not self.console.is_interactive:
            yield
            return
        spinner = "line" if self.style is Style.ASCII else "dots"
        with self.console.status(escape(what), spinner=spinner):
            yield

    def ask(self, prompt: str) -> str | None:
        """Return a line of input; ``None`` at the end of input, or if it is not text."""
        try:
            return input(prompt)
        except (EOFError, UnicodeDecodeError):
            self.line()
            return None


def _width_of(picture: Text) -> int:
    """Return the number of columns of a board."""
    return max(map(len, picture.plain.split("\n")))


def write_json(kind: str, value: Mapping[str, object]) -> None:
    """Write an object as JSON, in the envelope of documents."""
    document = {"format": FORMAT, "version": VERSION, "kind": kind, "value": value}
    click.echo(json.dumps(document, indent=2, default=default))


def violation_values(faults: Iterable[Violation]) -> list[dict[str, object]]:
    """Return the JSON of violations, each with its sentence."""
    return [{**VIOLATION.write(each), "text": messages.explain(each, catalog())} for each in faults]


def _with_players(tags: Mapping[str, str]) -> messages.Catalog:
    """Return the texts with people's names in place of players, where they are known."""
    names = {seat: printable(tags.get(seat.value.capitalize(), "")) for seat in Seat}
    return {**catalog(), **{seat: name for seat, name in names.items() if name}}


def _with_people(state: GameState, tags: Mapping[str, str]) -> messages.Catalog:
    """Return the texts, with the name of the player after each colour."""
    texts = _with_players(tags)
    people: dict[Hashable, str] = {
        color: f"{texts[color]} ({texts[seat]})" for color in Color if (seat := state.owner(color))
    }
    return {**texts, **people}


def situation(state: GameState, tags: Mapping[str, str]) -> str:
    """Return whose turn it is, or the result of the game."""
    if state.outcome is not None:
        return messages.result(state.outcome, _with_people(state, tags))
    text = state_of_play(state, _with_players(tags))
    is_choice = state.phase is Phase.COLOR_CHOICE
    return text if is_choice else message("turn", turn=state.turn + 1, said=text)


def _supply(state: GameState) -> str:
    """Return the remaining supply in words; "" if it is unlimited."""
    parts = [
        message(f"{color.value}-tiles-left", count=tiles)
        for color in Color
        if (tiles := state.tiles_left(color)) is not None
    ]
    if state.bridges_left is not None:
        parts.append(amount(state.bridges_left, "bridge"))
    return message("left", parts=", ".join(parts)) if parts else ""


def capital(text: str) -> str:
    """Return *text* with a capital letter at its start."""
    return text[:1].upper() + text[1:]


PER_LINE: Final = 3
"""The number of bridges written side by side."""


def _row(network: Network) -> tuple[str, str, str, str]:
    places = [" ".join(map(str, island.cells)) for island in network.islands]
    sandbanks = len(network.groups) - len(network.islands)
    if sandbanks:
        places.append(amount(sandbanks, "sandbank"))
    # On one line, the islands and bridges of a large network would not fit on a terminal.
    some = range(0, len(network.bridges), PER_LINE)
    bridges = [" ".join(map(str, network.bridges[i : i + PER_LINE])) for i in some]
    return str(network.points), str(len(network.islands)), "\n".join(places), "\n".join(bridges)
