"""Arguments of commands: shared options, and the inputs that commands read."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import reduce
from pathlib import Path, PurePath
from typing import IO, Any, Final, TypeAlias, TypeVar

import click

from pontedeldiavolo import presets
from pontedeldiavolo.base.errors import PonteError, RecordError, printable
from pontedeldiavolo.base.file_formats import FILE_FORMATS
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.rules import parse_rules
from pontedeldiavolo.notation.setups import parse_setup
from pontedeldiavolo.notation.states import parse_state
from pontedeldiavolo.players.player import Player
from pontedeldiavolo.players.registry import Spec, names, parse_spec
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.records import Format, Record, iter_records, read
from pontedeldiavolo.records.formats import FORMATS, detect_format
from pontedeldiavolo.records.reading import LineReader
from pontedeldiavolo.rules.limits import Limits
from pontedeldiavolo.state.state import GameState

from .console import Screen
from .messages import Choice, Refused, Unreadable, did_you_mean, fault, file_errors, message

F = TypeVar("F", bound=Callable[..., object] | click.Command)
T = TypeVar("T")


def parsed_by(parse: Callable[[str], T], known: Iterable[str] = ()) -> Callable[[str], T]:
    """Return a click parameter type that parses a text with a function.

    If the text is refused, the error suggests those of the *known* names that are similar.
    """

    def convert(text: str) -> T:
        try:
            return parse(text)
        except PonteError as error:
            # Options follow the name of a player after a colon.
            question = did_you_mean(text.partition(":")[0], known)
            raise click.BadParameter(f"{error}{question and '.'}{question}") from error

    return convert


def choice_of(values: Mapping[str, object], **more: Any) -> dict[str, Any]:
    """Return the settings of an option that names one of these values."""
    more["callback"] = lambda _context, _parameter, name: values.get(name)
    return {"type": Choice([*values]), **more}


def file_name(metavar: str) -> dict[str, Any]:
    """Return the settings of a parameter that can be the name of a file."""
    return {"metavar": metavar, "shell_complete": click.Path().shell_complete}


FOLDER: Final[dict[str, Any]] = {"metavar": "DIR", "type": click.Path(path_type=Path)}
"""The settings of a parameter that is the name of a folder."""


def _refuse_nan(_context: object, _parameter: object, value: float | None) -> float | None:
    """Return a number, but refuse NaN, which click accepts in any range."""
    if value is not None and math.isnan(value):
        raise click.BadParameter("not a number")
    return value


def whole(
    name: str, minimum: int, maximum: int | None, about: str, *names: str, **settings: Any
) -> Callable[[F], F]:
    """Return a decorator that adds an option for a whole number to a command."""
    kind = click.IntRange(minimum, maximum)
    return click.option(name, *names, type=kind, help=about, **{"metavar": "N", **settings})


def seconds(
    name: str,
    minimum: float,
    about: str,
    maximum: float = 3600,
    *,
    min_open: bool = False,
    **more: Any,
) -> Callable[[F], F]:
    """Return a decorator that adds an option for a number of seconds to a command."""
    kind = click.FloatRange(minimum, maximum, min_open=min_open)
    more |= {"callback": _refuse_nan, "metavar": "SECONDS"}
    return click.option(name, type=kind, help=about, **more)


# Formats


def format_help(formats: Iterable[tuple[str, tuple[str, ...], str]]) -> str:
    """Return a list of formats for help: their names, suffixes and descriptions."""
    rows = [(name, ", ".join(suffixes), about) for name, suffixes, about in formats]
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    lines = (f"  {row[0]:<{first}} {row[1]:<{second}} {row[2]}" for row in rows)
    return "\n".join(("\b", "Formats:", *lines))


FORMAT_HELP: Final = format_help(
    (name, each.suffixes, each.description) for name, each in FILE_FORMATS.items()
)
"""The formats of game records, for help."""


WRITTEN: Final = [each.value for each in Format if FORMATS[each].dumps]
"""The formats that are not read only."""
FORMAT: Final = choice_of({each.value: each for each in Format}, metavar="FORMAT")

# Players

PLAYERS: Final = "\b\nPlayers: " + ", ".join(names()) + "."
"""The players, for help."""

PLAYER: Final[dict[str, Any]] = {
    "type": parsed_by(parse_spec, names()),
    "shell_complete": click.Choice(names()).shell_complete,
    "metavar": "PLAYER",
}
"""The settings of a parameter that names a player."""


def make_players(
    specs: tuple[Spec, ...], *, names: tuple[str, ...] | None = None, **options: float | None
) -> tuple[Player, ...]:
    """Return players, with a command's options set for all players that have them.

    Args:
        specs: The kinds of players, and their own options.
        names: The names of the players; ``None`` for derived names.
        options: The options of the command; ``None`` for those that are not given.

    Raises:
        UsageError: If no player can have an option, or a number is out of range.
    """
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if not any(spec.takes(name) for spec in specs):
            whom = ", ".join(dict.fromkeys(spec.name for spec in specs)) or "people"
            raise click.UsageError(f"--{name} is not for {whom}.")
    try:
        return tuple(
            spec.with_defaults(given).player(name)
            for spec, name in zip(specs, names or [None] * len(specs), strict=True)
        )
    except PonteError as error:
        raise click.UsageError(str(error)) from error


# Options

_SHARED: Final[dict[str, Callable[[Any], Any]]] = {
    "what": click.argument("what", **file_name("[STATE|FILE|-]"), required=False),
    "file": click.argument("file", **file_name("FILE|-")),
    "files": click.argument("files", **file_name("FILE|-..."), nargs=-1, required=True),
    "rules": click.option(
        "--rules",
        type=parsed_by(parse_rules, presets.names()),
        shell_complete=click.Choice(presets.names()).shell_complete,
        metavar="RULES",
        default="board-game-arena",
        help="A preset's name, a size such as 8x8, or rules in full:"
        " '8x8 tiles=20 bridges=unlimited tiebreaks=islands'.",
    ),
    "screen": click.option(
        "--ascii",
        "screen",
        is_flag=True,
        callback=lambda _context, _parameter, ascii_only: Screen(ascii_only=ascii_only),
        help="Draw with ASCII characters only.",
    ),
    "json": click.option(
        "--json", "as_json", is_flag=True, help="Write JSON: format, version, kind, value."
    ),
    "output": click.option(
        "--output",
        "-o",
        **file_name("OUTPUT|-"),
        default="-",
        show_default=False,
        help="The output file; without it, or for -, standard output.",
    ),
    "force": click.option("--force", is_flag=True, help="Replace OUTPUT, unless it is an input."),
    "game": whole(
        "--game", 1, None, "The number of the game in a file with several.", "number", default=1
    ),
    "from": click.option(
        "--from", "source", **FORMAT, help="The format of the input; by default it is detected."
    ),
    "to": click.option(
        "--to",
        "target",
        **dict(FORMAT, shell_complete=click.Choice(WRITTEN).shell_complete),
        help="The format of the output; by default the name of OUTPUT decides.",
    ),
    "seconds": seconds(
        "--seconds", 0, "The thinking time per action, for players that support it.", min_open=True
    ),
    "simulations": whole(
        "--simulations", 1, 10**9, "The simulations per action, for players that support them."
    ),
}


def options(*names: str) -> Callable[[F], F]:
    """Return a decorator that adds some of the shared arguments and options to a command."""
    return lambda command: reduce(lambda each, name: _SHARED[name](each), names[::-1], command)


LIMITS: Final = Limits(errors=None)
"""The limits of all inputs, with no limit on errors: each is reported."""
MAX_CHARACTERS: Final = 1_000_000
"""The maximum length of a state, diagram or record; the largest boards need 40,000 characters."""

Loaded: TypeAlias = GameState | Setup | Game
Result: TypeAlias = Record | Game | RecordError


_ACTIONS = re.compile(r"\s*(1\s*\.+\s*)?(\*|pass\b|[A-Za-z]{1,2}[0-9]+\s*,)", re.ASCII)
_STATE = re.compile(r"[^\n]*=|\s*[0-9]+x[0-9]+", re.ASCII)


class Input(LineReader):
    """The lines of an input, with a limit on the length of each game.

    Attributes:
        name: The printable name of the file; ``None`` for a text without a file.
    """

    def __init__(self, source: bytes | IO[bytes] | IO[str], name: str | None) -> None:
        super().__init__(source)
        self.name = name
        self._length = 0

    @property
    def place(self) -> str:
        """The file and the line that was read last."""
        if self.name is None:
            return message("the-text")
        return f"{self.name}:{max(self.line_number, 1)}"

    def __next__(self) -> str:
        try:
            line = super().__next__()
        except (OSError, UnicodeDecodeError):
            # Only now is the number of the faulty line known.
            with file_errors(self.place):
                raise
        self._length += len(line)
        if self._length > MAX_CHARACTERS:
            raise Unreadable(message("too-long", name=self.place, max=MAX_CHARACTERS))
        return line

    def peek_nonblank(self) -> str:
        """Return the first line that is not blank without consuming it; "" without one."""
        with file_errors(self.place):
            return super().peek_nonblank()

    def peek_beginning(self) -> str:
        """Return the first few thousand characters without consuming them."""
        with file_errors(self.place):
            return super().peek_beginning()

    def results(self, format: Format) -> Iterator[Result]:  # noqa: A002 - as records.read has it
        """Iterate over the games; records in this library's format are not yet checked."""
        found: Iterator[Result] = iter_records(self, limits=LIMITS)
        if format is not Format.PDD:
            found = read(self, format=format, limits=LIMITS)
        for each in found:
            self._length = 0
            yield each

    def games(self, results: Iterator[Result], number: int | None = None) -> Iterator[Game]:
        """Iterate over all games of an input, or only the one with a number.

        Raises:
            Refused: If there is no game or no such game, or one of them is not legal.
        """
        name = self.name or message("the-text")
        problem = message("no-game" if self.peek_nonblank() else "empty", name=name)
        for count, result in enumerate(results, 1):
            if number not in (None, count):
                problem = message("no-such-game", name=name, number=f"{number}", last=count)
                continue
            problem = ""
            try:
                yield judged(result)
            except RecordError as error:
                raise Refused(fault(self.name, error)) from error
        if problem:
            raise Refused(problem)

    def format_of_games(self, argument: str) -> Format | None:
        """Return the format of the games in an input; ``None`` for a state or a diagram.

        The name of the file and the beginning of its text decide, as for all commands that read
        games; by default it is this library's own format.
        """
        start = self.peek_beginning()
        found = None if self.name is None else detect_format(start, suffix_of(argument))
        is_list = found is Format.MOVES and FORMATS[found].signature.search(start)
        if found in (None, Format.PDD, Format.MOVES) and not is_list:
            # A file with such a suffix can also contain a state or a diagram.
            first = self.peek_nonblank()
            is_record = first.lstrip().startswith(("[", "{", "%", ";")) or _ACTIONS.match(first)
            if first and not is_record:
                return None
        return found or Format.PDD


def judged(result: Result) -> Game:
    """Return a game, with every action checked.

    Raises:
        RecordError: If it cannot be read, or breaks a rule.
    """
    if isinstance(result, RecordError):
        raise result
    return result if isinstance(result, Game) else result.game()


@contextmanager
def opened(path: str) -> Iterator[Input]:
    """Open a file, or standard input for ``-``.

    Raises:
        Unreadable: If it cannot be opened.
    """
    name = "standard input" if path == "-" else printable(path)
    with file_errors(name):
        stream = click.open_file(path, "rb")
    with stream as file:
        yield Input(file, name)


@contextmanager
def opened_or_given(argument: str) -> Iterator[Input]:
    """Open the file that an argument names, standard input for ``-``, or the argument's text.

    Raises:
        Unreadable: If it is neither, or the file cannot be opened.
    """
    looks_like_text = "\n" in argument or "=" in argument or _ACTIONS.match(argument)
    if looks_like_text and not Path(argument).exists():
        # Invalid bytes in arguments are lone surrogates; they are encoded as invalid bytes again.
        yield Input(argument.encode(errors="surrogatepass"), None)
    else:
        with opened(argument) as lines:
            yield lines


def size_of(paths: Iterable[str]) -> int:
    """Return the total size of the files that have a size, for a progress bar."""
    size = 0
    for path in paths:
        with suppress(OSError):
            size += Path(path).stat().st_size
    return size


def suffix_of(path: str) -> str:
    """Return the suffix of a file's name, in lower case."""
    return PurePath(path).suffix.lower()


def named_by(output: str, formats: Mapping[T, Any], verb: str, option: str) -> T:
    """Return the format that the suffix of a file's name indicates.

    Raises:
        UsageError: If it indicates none: then the option must name what to draw or write.
    """
    named = [each for each, known in formats.items() if suffix_of(output) in known.suffixes]
    if not named:
        what = f"Say what to {verb}: {option} FORMAT, or -o with a suffix that tells."
        raise click.UsageError(what)
    return named[0]


def loaded(
    argument: str, number: int | None = None, source: Format | None = None
) -> Iterator[Loaded]:
    """Iterate over the state, the diagram or the games in an argument or the file that it names.

    Args:
        argument: A text, the name of a file, or ``-``.
        number: The number of the only game to read; ``None`` for all.
        source: The format of games; ``None`` to detect it.

    Raises:
        Refused: If the text is neither a state nor a diagram nor a game.
        Unreadable: If it cannot be read.
    """
    with opened_or_given(argument) as lines:
        source = source or lines.format_of_games(argument)
        if source is not None:
            yield from lines.games(lines.results(source), number)
            return
        parse = parse_state if _STATE.match(lines.peek_nonblank()) else parse_setup
        try:
            yield parse("".join(lines))
        except PonteError as error:
            raise Refused(fault(lines.name, error)) from error


def loaded_state(argument: str, number: int) -> GameState:
    """Return the state in an argument or the file that it names; for a game, its final state.

    Raises:
        Refused: If the text is neither a state nor a game.
        Unreadable: If it cannot be read.
    """
    found = next(loaded(argument, number))
    if isinstance(found, Setup):
        raise Refused(message("no-side"))
    return found.state if isinstance(found, Game) else found


def recorded_game(path: str, number: int) -> tuple[Game, bool]:
    """Return a game in a file of any format, and whether more games follow.

    Raises:
        Refused: If it has no such game, or the game is not legal.
        Unreadable: If it cannot be read.
    """
    with opened(path) as lines:
        results = lines.results(lines.format_of_games(path) or Format.PDD)
        game = next(lines.games(results, number))
        try:
            return game, not lines.ended and next(results, None) is not None
        except Unreadable:
            # Something follows, even if it cannot be read.
            return game, True
