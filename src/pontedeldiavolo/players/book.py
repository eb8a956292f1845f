"""Opening books: the best actions of early positions, found by long searches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from os import PathLike
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeAlias, final

from attrs import evolve, field, frozen

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.base.errors import (
    PonteError,
    instance_of,
    reason,
    require_path,
    require_type,
)
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.notation.actions import format_action, parse_action
from pontedeldiavolo.notation.rules import format_rules, parse_rules
from pontedeldiavolo.rules.actions import Action, ChooseColor
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState

from .limited_file import read_at_most
from .player import ActionStats

MAGIC: Final = "pontedeldiavolo book 1"
"""The first line of a file, ending with the version of the format."""
MAX_BYTES: Final = 1 << 24
"""The maximum size of a file."""
FOLDER: Final = files("pontedeldiavolo.players") / "books"
"""The folder of the books that are part of the package, which may lie in a zip archive."""
MARGIN: Final = 0.01
"""A player chooses among the actions whose values are at most this much below the best one."""
TRUSTED_SHARE: Final = 0.5
"""A player trusts actions with at least this share of the visits of the most visited one ..."""
ENOUGH_SHARE: Final = 0.2
"""... and those with at least this share of the simulations of the position."""

Line: TypeAlias = tuple[Action, ...]
"""Actions from the start of a game."""
DECIMALS: Final = 3
"""The decimals of values in a file."""
OPENING_LENGTH: Final = 2
"""The number of actions before red's first turn: white's first one, and the choice of a colour."""
RED: Final = ChooseColor(Color.RED)
WHITE: Final = ChooseColor(Color.WHITE)


class Search(NamedTuple):
    """The result of a search of a position.

    Attributes:
        line: The actions that lead to the position. The second one is the choice of red.
        simulations: The number of simulations.
        value: The mean result of all simulations for the colour to move.
        actions: The visit counts and mean results of the best actions, the best one first.
    """

    line: Line
    simulations: int
    value: float
    actions: tuple[ActionStats, ...]


class Entry(NamedTuple):
    """The actions of a position.

    Attributes:
        simulations: The number of simulations of the search.
        actions: The actions of the canonical position, the one with the highest value first.
    """

    simulations: int
    actions: tuple[ActionStats, ...]


def _copied(entries: Mapping[bytes, Entry]) -> dict[bytes, Entry]:
    """Return entries that nobody else can change."""
    require_type(entries, Mapping, "entries")
    for key, entry in entries.items():
        require_type(key, bytes, "a key of entries")
        require_type(entry, Entry, "a value of entries")
    return dict(entries)


@final
@frozen(order=False)
class Book(ImmutableValue):
    """An opening book: the best actions of early positions, with their values.

    The package has a book of the default rules: 10×10 with an unlimited supply. It has every
    opening, the choice of a colour after it and red's best answers, and it continues the main
    lines. A book is immutable: any number of threads may use it at once.

    >>> book = pdd.players.Book.bundled(pdd.Rules())
    >>> state = pdd.GameState.initial().apply(pdd.parse_action("e5,e6"))
    >>> [pdd.format_action(each.action) for each in book.lookup(state)]
    ['white', 'red']
    >>> player = pdd.players.MctsPlayer(book=book)

    Attributes:
        rules: The rules of the games.
    """

    rules: Rules = field(validator=instance_of(Rules))
    _entries: Mapping[bytes, Entry] = field(converter=_copied, hash=False, repr=False)

    def __len__(self) -> int:
        return len(self._entries)

    @classmethod
    def bundled(cls, rules: Rules) -> Book:
        """Return the book that is part of the package.

        Args:
            rules: The rules of the games; the package has a book of the default rules only.

        Raises:
            PonteError: If the package has no book of these rules.
        """
        require_type(rules, Rules, "rules")
        if rules != Rules():
            raise PonteError(reason("no-book", rules=format_rules(rules)))
        return _bundled()

    @classmethod
    def open(cls, path: str | PathLike[str]) -> Book:
        """Read a book from a file.

        A checksum covers the whole file, so a damaged book is refused. The file is a text. It
        begins with three lines: the version, the rules, and the SHA-256 checksum, in hexadecimal
        digits, of the other two lines with their line ends and of all that follows the third one.
        Each further line is a search: the actions that lead to the position, a colon, the number of
        simulations and the value of the position; and for each of its best actions a semicolon, the
        action, its visits and its value. Fewer actions come first, then the order of the texts.

        Args:
            path: The file.

        Raises:
            PonteError: If the file is damaged, not a book of this version, or over 16 MiB long.
            OSError: If the file cannot be read.
        """
        require_path(path, "path")
        content = read(Path(path))
        return cls(content.rules, content.entries)

    def lookup(self, state: GameState) -> tuple[ActionStats, ...]:
        """Return the actions of a state, the one with the highest value first.

        The tuple is empty if the book does not have the state. Of actions that are equal under a
        symmetry of the state, the book has one. The value of an action is for the seat that takes
        it, and its visit count is the number of simulations of the position after it. If the book
        does not have that position, the visit count is that of the action in the search of the
        state, and the value is less certain.
        """
        require_type(state, GameState, "state")
        entry = entry_of(self, state)
        return () if entry is None else _actions_on(state, entry)


def entry_of(book: Book, state: GameState) -> Entry | None:
    """Return the entry of a state, with the actions of its canonical form; ``None`` without one."""
    return book._entries.get(key_of(state)) if state.rules == book.rules else None


def digest_of(book: Book) -> str:
    """Return a text that is another one for another book."""
    digest = sha256(format_rules(book.rules).encode())
    for key, entry in sorted(book._entries.items()):
        digest.update(b"%b%r" % (key, entry))
    return digest.hexdigest()


def sample_book_action(
    book: Book, state: GameState, seed: int, simulations: int = 0
) -> ActionStats | None:
    """Return one of the good actions of a state; ``None`` if the book has none.

    Args:
        book: The book.
        state: The state.
        seed: The seed: with equal seeds, the choice in a state is always the same.
        simulations: The least number of simulations of a state that is good enough.
    """
    entry = entry_of(book, state)
    if entry is None or entry.simulations < simulations:
        return None
    # A text as a seed gives the same numbers in every process.
    rng = Random(f"{seed}/{key_of(state).hex()}")  # noqa: S311 - equal seeds must give equal games
    chosen = rng.choice(good_actions(book, state))
    symmetries = (each for each in state.rules.board.symmetries if state.transform(each) == state)
    images = sorted({chosen.action.transform(each) for each in symmetries})
    return evolve(chosen, action=rng.choice(images))


def good_actions(book: Book, state: GameState) -> list[ActionStats]:
    """Return the actions among which a player chooses: those with many visits and high values.

    The one with the highest value comes first. There are none if the book does not have the state.
    """
    entry = entry_of(book, state)
    if entry is None:
        return []
    max_visits = max(each.visits for each in entry.actions)
    enough = min(TRUSTED_SHARE * max_visits, ENOUGH_SHARE * entry.simulations)
    trusted = [each for each in _actions_on(state, entry) if each.visits >= enough]
    return [each for each in trusted if each.value >= trusted[0].value - MARGIN]


def _actions_on(state: GameState, entry: Entry) -> tuple[ActionStats, ...]:
    """Return the actions of an entry on the board of a state."""
    inverse = state.canonical_symmetry().inverse
    return tuple(evolve(each, action=each.action.transform(inverse)) for each in entry.actions)


@lru_cache(maxsize=1)
def _bundled() -> Book:
    content = read(bundled_file(Rules()))
    return Book(content.rules, content.entries)


def bundled_file(rules: Rules) -> Traversable:
    """Return the file of the book that is part of the package."""
    return FOLDER / f"{rules.board.width}x{rules.board.height}.book"


# Entries


def entries_of(rules: Rules, searches: Iterable[Search]) -> dict[bytes, Entry]:
    """Return the entries of a book, by the packed canonical states without owners.

    The value of a position is that of its best action among those after which the position was
    searched, too. If there is none, it is the mean of all simulations: that of the best action
    would be too high, because the action with the luckiest simulations is the best one. So the
    values of actions after which the position was not searched are lowered by the difference. None
    of them is above that of the action that the search prefers.

    Raises:
        PonteError: If an action is illegal.
        ValueError: If a position occurs twice, or a line has no opening, or no choice of red.
    """
    states: dict[Line, GameState] = {(): GameState.initial(rules)}
    entries: dict[bytes, Entry] = {}
    values: dict[bytes, float] = {}
    openings: list[ActionStats] = []
    # The longest lines first: the value of a position needs those of the positions after it.
    for search in sorted(searches, key=lambda each: -len(each.line)):
        state = _state_after(search.line, states)
        key = key_of(state)
        if key in entries or not search.actions or search.line[1:2] != (RED,):
            raise ValueError
        preferred = search.actions[0].value
        excess = preferred - search.value
        found: list[ActionStats] = []
        searched: list[float] = []
        for each in search.actions:
            after = key_of(state.apply(each.action))
            lowered = _lowered(min(each.value, preferred), excess)
            stats = ActionStats(each.action, each.visits, lowered)
            if after in entries:
                stats = ActionStats(each.action, entries[after].simulations, 0.0 - values[after])
                searched.append(stats.value)
            found.append(stats)
        value = max(searched, default=search.value)
        values[key] = value
        entries[key] = _entry(state, search.simulations, found)
        if len(search.line) == OPENING_LENGTH:
            opening = search.line[0]
            choices = [
                ActionStats(RED, search.simulations, value),
                ActionStats(WHITE, search.simulations, 0.0 - value),
            ]
            before = states[search.line[:1]]
            entries[key_of(before)] = _entry(before, search.simulations, choices)
            openings.append(ActionStats(opening, search.simulations, 0.0 - abs(value)))
    if openings:
        simulations = max(each.visits for each in openings)
        initial = states[()]
        entries[key_of(initial)] = _entry(initial, simulations, openings)
    return entries


def key_of(state: GameState) -> bytes:
    """Return the key of a state, which symmetric ones share, and those with other owners."""
    return state.canonical_packed(owners=False)


def _state_after(line: Line, states: dict[Line, GameState]) -> GameState:
    """Return the state after some actions, and add it and those before it to the known ones.

    Raises:
        PonteError: If an action is illegal.
    """
    for length in range(1, len(line) + 1):
        if line[:length] not in states:
            states[line[:length]] = states[line[: length - 1]].apply(line[length - 1])
    return states[line]


def _lowered(value: float, excess: float) -> float:
    """Return a value less an excess, with the decimals of the file."""
    return min(max(round(value - excess, DECIMALS), -1.0), 1.0)


def _entry(state: GameState, simulations: int, stats: Iterable[ActionStats]) -> Entry:
    """Return the entry of a state, with actions of its canonical form."""
    symmetry = state.canonical_symmetry()
    actions = sorted(stats, key=lambda each: (-each.value, -each.visits))
    canonical = (evolve(each, action=each.action.transform(symmetry)) for each in actions)
    return Entry(simulations, tuple(canonical))


# Files


class Content(NamedTuple):
    """The content of a file."""

    rules: Rules
    searches: tuple[Search, ...]
    entries: dict[bytes, Entry]


def read(file: Traversable) -> Content:
    """Read a book from a file.

    Raises:
        PonteError: If the file is damaged, not a book of this version, or too long.
        OSError: If the file cannot be read.
    """
    # One byte more than the limit, to detect a longer file.
    data = read_at_most(file, MAX_BYTES + 1)
    try:
        return _parse(data)
    except ValueError:
        raise PonteError(reason("invalid-book", expected=MAGIC)) from None


def _parse(data: bytes) -> Content:
    """Return the content of a file.

    Raises:
        ValueError: If it is damaged, not a book of this version, or too long.
    """
    magic, rules_text, checksum, body = data.split(b"\n", 3)
    is_known = magic == MAGIC.encode() and len(data) <= MAX_BYTES
    if not is_known or checksum != _checksum(magic, rules_text, body):
        raise ValueError
    rules = parse_rules(rules_text.decode())
    searches = tuple(parse_search(line) for line in body.decode().splitlines())
    # Each search has only one valid form, and the order of the searches is fixed.
    if written(rules, searches) != data:
        raise ValueError
    return Content(rules, searches, entries_of(rules, searches))


def written(rules: Rules, searches: Iterable[Search]) -> bytes:
    """Return the file of a book; :meth:`Book.open` describes it."""
    lines = sorted((len(each.line), _format_search(each)) for each in searches)
    body = "".join(f"{text}\n" for _, text in lines).encode()
    magic = MAGIC.encode()
    rules_text = format_rules(rules).encode()
    return b"\n".join((magic, rules_text, _checksum(magic, rules_text, body), body))


def _checksum(magic: bytes, rules_text: bytes, body: bytes) -> bytes:
    return sha256(b"%b\n%b\n%b" % (magic, rules_text, body)).hexdigest().encode()


def _format_search(search: Search) -> str:
    """Return the line of a search."""
    line = " ".join(map(format_action, search.line))
    actions = "".join(
        f"; {format_action(each.action)} {each.visits} {each.value:.{DECIMALS}f}"
        for each in search.actions
    )
    return f"{line}: {search.simulations} {search.value:.{DECIMALS}f}{actions}"


def parse_search(text: str) -> Search:
    """Read the line of a search.

    Raises:
        ValueError: If it has another form.
    """
    line, _, rest = text.partition(": ")
    head, *actions = rest.split("; ")
    number, mean = head.split(" ")
    simulations = int(number)
    value = float(mean)
    if simulations < 1 or not -1 <= value <= 1:
        raise ValueError
    stats = tuple(map(_parse_stats, actions))
    return Search(tuple(map(parse_action, line.split(" "))), simulations, value, stats)


def _parse_stats(text: str) -> ActionStats:
    action, visits, value = text.split(" ")
    return ActionStats(parse_action(action), int(visits), float(value))
