"""Output of commands: colours on a terminal, plain text, files, and sentences about games."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from textwrap import fill
from typing import Final, Literal, TextIO, TypeAlias

import click
from rich import box
from rich.console import Console, Group
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
from pontedeldiavolo.position.networks import Network
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.records.atomic_file import atomic_write
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.violations import Violation
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.text import Role, Style, layout

from .messages import Unreadable, catalog, complain, file_errors, message


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
        complain(printable(text))

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

UNBOUNDED: Final = 10_000
"""A number of columns that no line needs."""

Part: TypeAlias = Text | Table
"""A part of the output of a command."""

TEXT_LINES: Final = 3
"""The number of lines for text that a terminal should have beside a board."""
GAP: Final = 3
"""The number of columns between a board and the scores beside it, and in a table."""
BAR_COLUMNS: Final = 26
"""The number of columns for a progress bar, its percentage and the remaining time."""
SCORE_COLUMNS: Final = 32
"""The number of columns that the scores beside a board need."""

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
            self.console.width = UNBOUNDED
        plain = ascii_only or not self.console.encoding.startswith("utf")
        self.style = Style.ASCII if plain else Style.UNICODE

    @property
    def in_color(self) -> bool:
        """True if colours are shown."""
        return self.console.color_system is not None and not self.console.no_color

    def line(self, text: str = "", style: str = "") -> None:
        """Write one line; a terminal that is narrower gets several, which end between words."""
        self._put(Text(text, style))

    def picture(
        self, board: GameState | Setup, last: Action | None = None, *, compact: bool = False
    ) -> Text:
        """Return a board as coloured text, or as plain characters without colours."""
        few = self.console.color_system in (None, "standard", "windows")
        styles = FEW_COLORS if few else MANY_COLORS
        # If the ground has a colour, shading it would only blur the tiles.
        flat = (Role.WHITE_LAND, Role.RED_LAND) if self.in_color else ()
        lines = []
        for row in layout(board, last=last, style=self.style, compact=compact):
            line = [(" " * len(text) if role in flat else text, styles[role]) for text, role in row]
            lines.append(Text.assemble(*line, no_wrap=True))
            if not self.in_color:
                lines[-1].rstrip()
        return Text("\n", no_wrap=True).join(lines)

    def fitting_picture(self, board: GameState | Setup, last: Action | None = None) -> Text | None:
        """Return a board that fits on the terminal with some lines of text, or a compact one.

        It is ``None`` if even the compact one is too wide. In a file, every board fits.
        """
        picture = self.picture(board, last)
        if not self.console.is_terminal or self.fits(picture):
            return picture
        compact = self.picture(board, last, compact=True)
        return compact if _width_of(compact) <= self.console.width else None

    def fits(self, picture: Text) -> bool:
        """Return whether a board and some lines of text fit on the terminal."""
        size = self.console.size
        height = picture.plain.count("\n") + 1 + TEXT_LINES
        return height <= size.height and _width_of(picture) <= size.width

    def too_narrow(self, board: GameState | Setup) -> Text:
        """Return a sentence about a board for which the terminal is too narrow."""
        columns = _width_of(self.picture(board, compact=True))
        return Text(message("narrow", columns=columns))

    def board(self, board: GameState | Setup, last: Action | None = None) -> None:
        """Write a board that fits on the terminal, or say that the terminal is too narrow."""
        self._put(self.fitting_picture(board, last) or self.too_narrow(board))

    def legend(self) -> None:
        """Write the legend of the characters of a board."""
        self.line()
        self._put(self._legend())

    def _legend(self) -> Text:
        return Text(message(f"legend-{self.style.value}"), "dim")

    def table(self, heads: str, rows: Iterable[Sequence[str]]) -> None:
        """Write a table; heads are separated by commas, and ``>`` aligns a column right."""
        self._put(self._table(heads, rows))

    def _table(self, heads: str, rows: Iterable[Sequence[str]]) -> Table:
        frame = box.ASCII if self.style is Style.ASCII else box.SIMPLE_HEAD
        table = Table(box=frame, show_edge=False, pad_edge=False)
        for head in heads.split(","):
            right = head.startswith(">")
            side: Literal["left", "right"] = "right" if right else "left"
            table.add_column(head.removeprefix(">"), justify=side, overflow="fold")
        for row in rows:
            table.add_row(*row)
        if self._width_of_table(table) > self.console.width:
            # Narrower gaps leave more columns for words.
            table.padding = (0, 0)
        return table

    def _width_of_table(self, table: Table) -> int:
        """Return the number of columns of a table of which no cell is wrapped."""
        unbounded = self.console.options.update(max_width=UNBOUNDED)
        return self.console.measure(table, options=unbounded).maximum

    def _put(self, part: Part) -> None:
        """Write a part of the output; lines of a file are not filled up with spaces."""
        if self.console.is_terminal:
            self.console.print(part, soft_wrap=False)
        elif isinstance(part, Text):
            self.console.print(part)
        else:
            with self.console.capture() as written:
                self.console.print(part)
            for line in written.get().splitlines():
                self.line(line.rstrip())

    def turn(self, ply: Ply, after: GameState, tags: Mapping[str, str]) -> None:
        """Write a turn in words, and the points after the turn if there are any."""
        texts = _with_players(tags) if ply.color is None else _with_people(after, tags)
        action = action_sentence(ply.action, ply.color or Color.RED, texts)
        white, red = (after.score(color).points for color in Color)
        if white or red:
            self.line(message("turn-points", turn=ply.turn, said=action, white=white, red=red))
        else:
            self.line(message("turn", turn=ply.turn, said=action))

    def situation(self, state: GameState, tags: Mapping[str, str]) -> None:
        """Write whose turn it is and the remaining supply, or the result of the game."""
        self._put(_situation_line(state, tags))

    def scores(self, state: GameState, tags: Mapping[str, str]) -> None:
        """Write the score of each colour, and the networks that it comes from."""
        for part in chain([Text()], self._scores(state, tags, self.console.width)):
            self._put(part)

    def _scores(self, state: GameState, tags: Mapping[str, str], width: int) -> Iterator[Part]:
        """Iterate over the lines and tables of the scores, for a number of columns."""
        texts = _with_people(state, tags)
        for color in Color:
            if color is not Color.WHITE:
                yield Text()
            score = state.score(color)
            nouns = ("point", "island", "bridge")
            counts = ", ".join(message(noun, count=getattr(score, f"{noun}s")) for noun in nouns)
            yield Text(f"{capital(messages.word(color, texts))}: {counts}", INKS[color])
            found = state.position.networks(color)
            ranked = sorted((each for each in found if each.islands), key=lambda each: -each.points)
            if ranked:
                yield self._networks(ranked, width)
            if others := sum(len(each.groups) for each in found if not each.islands):
                text = message("no-island", sandbanks=message("sandbank", count=others))
                yield Text(text, "dim")

    def _networks(self, networks: Sequence[Network], width: int) -> Table:
        """Return a table of networks with as many columns as fit."""
        table = self._table(message("network-heads"), map(_row, networks))
        if self._width_of_table(table) <= width:
            return table
        points, _, parts = message("narrow-network-heads").partition(",")
        left = width - len(points.removeprefix(">")) - GAP
        rows = ((str(each.points), _listed(each, left)) for each in networks)
        return self._table(f"{points},{parts}", rows)

    def end(self, game: Game, *, board: bool = True) -> None:
        """Write the board at the end of a game, the scores, and the result or whose turn it is.

        Args:
            game: The game.
            board: Whether to write the board; without it, there is only what follows it.
        """
        text = situation(game.state, game.tags)
        if game.ending is not None:
            text = messages.result(game, _with_people(game.state, game.tags))
        closing = Text(text, "bold")
        if board:
            self._arrange(game.state, next(reversed(game.actions), None), game.tags, closing)
        else:
            self._put_all(self._below(game.state, game.tags, closing))

    def state(self, state: GameState) -> None:
        """Write a board, the scores after the first turn, and whose turn it is."""
        self._arrange(state, None, {}, _situation_line(state, {}))

    def _arrange(
        self, state: GameState, last: Action | None, tags: Mapping[str, str], closing: Text
    ) -> None:
        """Write a board, its scores and a closing sentence, so that they fit on a terminal.

        The scores are below the board. Where the terminal has too few lines, they are beside it,
        and where it has too few columns as well, above it, so that the board is seen last.
        """
        picture = self.picture(state, last)
        parts: list[Part] = [picture, *self._below(state, tags, closing)]
        if self.console.is_terminal and not self._shows(picture, parts):
            compact = self.picture(state, last, compact=True)
            parts = self._beside((picture, compact), state, tags, closing)
        if not parts:
            board = self.fitting_picture(state, last) or self.too_narrow(state)
            scores = self._scores(state, tags, self.console.width)
            parts = [*scores, Text(), board, self._legend(), closing]
        self._put_all(parts)

    def _below(self, state: GameState, tags: Mapping[str, str], closing: Text) -> Iterator[Part]:
        """Iterate over the parts below a board: the legend, the scores and a sentence."""
        yield from (Text(), self._legend(), Text())
        if state.turn:
            yield from self._scores(state, tags, self.console.width)
            yield Text()
        yield closing

    def _beside(
        self,
        pictures: Iterable[Text],
        state: GameState,
        tags: Mapping[str, str],
        closing: Text,
    ) -> list[Part]:
        """Return a board with the scores beside it: the first picture that leaves enough lines.

        If there is none, it is the last picture that leaves enough columns; without one, the list
        is empty.
        """
        parts: list[Part] = []
        for picture in pictures:
            left = self.console.width - _width_of(picture) - GAP
            if left < SCORE_COLUMNS:
                continue
            grid = Table.grid(padding=(0, GAP, 0, 0))
            # If the scores have more lines, the beginning of the scores is what scrolls away.
            grid.add_column(vertical="bottom", min_width=_width_of(picture))
            grid.add_column()
            scores = self._scores(state, tags, left) if state.turn else ()
            grid.add_row(picture, Group(*scores))
            parts = [grid, self._legend(), closing]
            if self._shows(picture, parts):
                break
        return parts

    def _shows(self, picture: Text, parts: Iterable[Part]) -> bool:
        """Return whether the terminal shows all parts at once, above the next prompt."""
        lines = sum(len(self.console.render_lines(each, pad=False)) for each in parts)
        return lines < self.console.height and _width_of(picture) <= self.console.width

    def _put_all(self, parts: Iterable[Part]) -> None:
        for part in parts:
            self._put(part)

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
        columns = max(console.width - BAR_COLUMNS, 1)
        with Progress(
            console=console, transient=True, redirect_stdout=on_output, redirect_stderr=on_output
        ) as bar:
            task = bar.add_task(self._end_of(what, columns), total=total)
            yield lambda count, text=what: bar.update(
                task, advance=count, description=self._end_of(text, columns)
            )

    def _end_of(self, text: str, columns: int) -> str:
        """Return the end of a text beside a bar, which tells more than its beginning."""
        dots = "..." if self.style is Style.ASCII else "…"
        return escape(text if len(text) <= columns else f"{dots}{text[len(dots) - columns :]}")

    @contextmanager
    def waiting(self, what: str, *, beside_data: bool = False) -> Iterator[None]:
        """Show on a terminal that something takes its time.

        Args:
            what: What takes its time.
            beside_data: Whether the output is data, so that this is shown on standard error.
        """
        console = self._bar_console(beside_data=beside_data)
        if not console.is_interactive:
            yield
            return
        spinner = "line" if self.style is Style.ASCII else "dots"
        with console.status(escape(what), spinner=spinner):
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
        parts.append(message("bridge", count=state.bridges_left))
    return message("left", parts=", ".join(parts)) if parts else ""


def capital(text: str) -> str:
    """Return *text* with a capital letter at its start."""
    return text[:1].upper() + text[1:]


def _situation_line(state: GameState, tags: Mapping[str, str]) -> Text:
    """Return whose turn it is and the remaining supply, or the result of the game."""
    supply = "" if state.is_over else _supply(state)
    return Text(f"{situation(state, tags)} {supply}".rstrip())


PER_LINE: Final = 3
"""The number of bridges written side by side."""


def _row(network: Network) -> tuple[str, str, str, str]:
    places = [" ".join(map(str, island.cells)) for island in network.islands]
    sandbanks = len(network.groups) - len(network.islands)
    if sandbanks:
        places.append(message("sandbank", count=sandbanks))
    # On one line, the islands and bridges of a large network would not fit on a terminal.
    some = range(0, len(network.bridges), PER_LINE)
    bridges = [" ".join(map(str, network.bridges[i : i + PER_LINE])) for i in some]
    return str(network.points), str(len(network.islands)), "\n".join(places), "\n".join(bridges)


def _listed(network: Network, width: int) -> str:
    """Return the islands and bridges of a network in lines of at most some columns."""
    # Lines do not end within an island.
    islands = ["_".join(map(str, island.cells)) for island in network.islands]
    sandbanks = len(network.groups) - len(network.islands)
    if sandbanks:
        islands.append(message("sandbank", count=sandbanks).replace(" ", "_"))
    lists = (", ".join(islands), " ".join(map(str, network.bridges)))
    lines = [
        fill(each, max(width, 1), break_on_hyphens=False, break_long_words=False)
        for each in lists
        if each
    ]
    return "\n".join(lines).replace("_", " ")
