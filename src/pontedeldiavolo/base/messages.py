"""Words and sentences for people, in every language that has a catalogue.

A catalogue maps keys to texts. For the code of a violation, such as ``"off-board"``, it has a
template for :meth:`str.format`: a sentence that uses the violation's values, ``{cells}`` and
``{bridges}`` among them. For members of enumerations it has a word. For codes such as
``"won-time"`` it has templates of sentences about games, whose first letter is capitalised. For the
codes of errors it has templates that use the error's values: a sentence, or a phrase that describes
the expected input. Such a phrase is inserted as ``{what}`` into a template that names the place:
``"in-text"``, ``"in-record"``, ``"in-document"`` (``"as-document"`` for a whole document) or
``"in-row"``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping
from enum import Enum
from typing import Final, Protocol, TypeAlias, TypeGuard, cast, get_args, runtime_checkable

from .catalogs import LanguageCatalog, catalog_of, fill, language_codes
from .enums import Color, DecidedBy, Ending, Phase, Seat, Tiebreak, ViolationCode
from .errors import PonteError, reason, require_type
from .guesses import shows_usage

Catalog: TypeAlias = Mapping[Hashable, str]
"""Texts by the code of a sentence, or by member of an enumeration."""

Word: TypeAlias = Color | Seat | Phase | Tiebreak | DecidedBy | Ending
"""A member of an enumeration that has a word in every catalogue."""

# With a tuple, isinstance is faster than with a union.
_WORDS: Final = get_args(Word)


class _Languages(Mapping[str, LanguageCatalog]):
    """The catalogues that have a file, by the codes of their languages."""

    def __getitem__(self, code: str) -> LanguageCatalog:
        if code not in language_codes():
            raise KeyError(code)
        return catalog_of(code)

    def __iter__(self) -> Iterator[str]:
        return iter(language_codes())

    def __len__(self) -> int:
        return len(language_codes())

    def __repr__(self) -> str:
        return f"<languages {', '.join(self)}>"


LANGUAGES: Final[Mapping[str, LanguageCatalog]] = _Languages()
"""The catalogue of every language by its code, English first.

>>> pdd.messages.LANGUAGES["de"]["language-name"]
'Deutsch'
"""

_PLACES: Final = {"line": "in-record", "offset": "in-text", "path": "in-document", "row": "in-row"}
"""Templates that add the place to a phrase, by the name of the error's value that holds it."""


@runtime_checkable
class HasCode(Protocol):
    """A fault with a code, such as a :class:`Violation` or a :class:`PonteError`."""

    @property
    @abstractmethod
    def code(self) -> str:
        """The code of the fault."""

    @property
    @abstractmethod
    def values(self) -> Mapping[str, object]:
        """The numbers, words and other faults of the sentence, by name."""


@runtime_checkable
class HasOutcome(Protocol):
    """The result of a game that was played out. An :class:`Outcome` is one."""

    @property
    @abstractmethod
    def winner(self) -> Color | None:
        """The winning colour, ``None`` for a draw."""

    @property
    @abstractmethod
    def decided_by(self) -> DecidedBy:
        """The comparison that decided."""

    @property
    @abstractmethod
    def white(self) -> object:
        """White's :class:`Score`."""

    @property
    @abstractmethod
    def red(self) -> object:
        """Red's :class:`Score`."""


class _Node(Protocol):
    """The state of a game."""

    @property
    def outcome(self) -> HasOutcome | None:
        """The result, if the game was played out."""

    def color_of(self, seat: Seat, /) -> Color | None:
        """Return the colour that *seat* owns, if it owns one."""


@runtime_checkable
class HasEnding(Protocol):
    """A game, played out or not. A :class:`Game` is one."""

    @property
    @abstractmethod
    def ending(self) -> Ending | None:
        """The way in which it ended, ``None`` while it is unfinished."""

    @property
    @abstractmethod
    def winning_seat(self) -> Seat | None:
        """The winner, ``None`` for a draw and while it is unfinished."""

    @property
    @abstractmethod
    def state(self) -> _Node:
        """Its last state."""


def require_catalog(catalog: object) -> Catalog:
    """Return a catalogue that was given as such, or by the code of its language.

    Raises:
        PonteError: If it is a text, but not the code of a language.
        TypeError: If it is neither a mapping nor a text.
    """
    if type(catalog) is LanguageCatalog or isinstance(catalog, Mapping):
        return cast(Catalog, catalog)
    codes = language_codes()
    if isinstance(catalog, str):
        if catalog in codes:
            return catalog_of(catalog)
        # Sites take the code from a request: it is data, like a text of the game.
        shown = f"{catalog[:40]!a}"
        raise PonteError(reason("unknown-language", name=shown, names=", ".join(codes)))
    wanted = " or ".join(map(repr, codes))
    raise TypeError(f"catalog must be Mapping or {wanted}, not {type(catalog).__name__}")


@shows_usage
def explain(
    violations: HasCode | Iterable[HasCode],
    catalog: Catalog | Mapping[str, str] | Mapping[ViolationCode, str] | str = "en",
) -> str:
    """Return the sentence of *catalog* for a violation or an error, or the sentences for several.

    >>> violations = pdd.GameState.initial().violations(pdd.parse_action("z9,z9"))
    >>> pdd.messages.explain(violations[0], "de")
    'Nicht auf dem 10×10-Brett: z9.'
    >>> pdd.messages.explain(violations)
    'Off the 10×10 board: z9. A pair needs two different cells, not z9 twice.'

    Args:
        violations: A violation, an error of this package, or an iterable of them, whose sentences
            are joined by spaces.
        catalog: The catalogue, or the code of its language: ``"en"``, ``"de"``.

    Raises:
        PonteError: If no language has this code, the catalogue lacks a code, or its template asks
            for an unknown value.
    """
    known = require_catalog(catalog)
    if _is_fault(violations):
        return _explained(violations, known)
    if isinstance(violations, str | bytes | type) or not isinstance(violations, Iterable):
        kind = type(violations).__name__
        raise TypeError(f"violations must be Violation or PonteError or several, not {kind}")
    found = tuple(violations)
    for place, each in enumerate(found):
        if not _is_fault(each):
            kind = type(each).__name__
            raise TypeError(f"violations[{place}] must be Violation or PonteError, not {kind}")
    return " ".join(_explained(each, known) for each in found)


def _explained(fault: HasCode, catalog: Catalog) -> str:
    """Return the sentence for one violation or error."""
    shown = _all_shown(fault.values, catalog)
    text = filled(catalog, fault.code, shown)
    if isinstance(fault.code, ViolationCode):
        # The templates of violations are whole sentences.
        return text
    # The phrase of this code has the path already; an error adds the line to it.
    is_placed = fault.code == "json-path" and "line" not in shown
    file = shown.get("file")
    if isinstance(file, str) and text.startswith(file):
        # The name of a file keeps its small letters.
        return text if text.endswith((".", "!", "?")) else f"{text}."
    text = _capitalized(text) if is_placed else _placed(text, shown, catalog)
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _all_shown(values: Mapping[str, object], catalog: Catalog) -> dict[str, int | str]:
    """Format values for a message: enum members and nested reasons become words."""
    return {name: _shown(value, catalog) for name, value in values.items()}


def _shown(value: object, catalog: Catalog) -> int | str:
    # The check of a protocol is slow, so it comes last.
    if isinstance(value, int | str):
        return value
    if isinstance(value, Enum):
        return word(cast(Word, value), catalog)
    if isinstance(value, tuple):
        return " ".join(str(_shown(each, catalog)) for each in value)
    if isinstance(value, HasCode):
        return filled(catalog, value.code, _all_shown(value.values, catalog))
    return str(value)


def _placed(text: str, shown: Mapping[str, int | str], catalog: Catalog) -> str:
    """Combine a phrase and the place that its values name, if any, into a sentence."""
    template = next((_PLACES[name] for name in _PLACES if name in shown), None)
    if template is None:
        return _capitalized(text)
    if shown.get("path") == "":
        template = "as-document"
    return filled(catalog, template, {**shown, "what": text})


def _is_fault(value: object) -> TypeGuard[HasCode]:
    """Report whether a value has a code that could be explained; a class has none."""
    return isinstance(value, HasCode) and not isinstance(value, type)


def word(
    member: Color | Seat | Phase | Tiebreak | DecidedBy | Ending, catalog: Catalog | str = "en"
) -> str:
    """Return the word that *catalog* has for a colour, a seat, a phase and so on.

    >>> pdd.messages.word(pdd.Color.WHITE, "de")
    'Weiß'

    Args:
        member: The member of an enumeration.
        catalog: The catalogue, or the code of its language.

    Raises:
        PonteError: If the catalogue lacks it, or no language has this code.
    """
    require_type(member, _WORDS, "member")
    known = require_catalog(catalog)
    try:
        found = known[member]
    except (LookupError, TypeError) as error:
        raise PonteError(f"the catalogue has no word for {member}") from error
    if not isinstance(found, str):
        raise PonteError(f"the catalogue has no word for {member}, but a {type(found).__name__}")
    return found


def result(game: HasEnding | HasOutcome, catalog: Catalog | str = "en") -> str:
    """Return the result of a game, or that it is unfinished, as a sentence of *catalog*.

    >>> pdd.messages.result(pdd.Game.new().resign(pdd.Seat.FIRST))
    'Player 2 wins by resignation.'

    Args:
        game: A :class:`Game` or an :class:`Outcome`.
        catalog: The source of words and sentences, or the code of its language.

    Raises:
        PonteError: If no language has this code, the catalogue lacks a word or a sentence, or its
            template asks for an unknown value.
    """
    catalog = require_catalog(catalog)
    if isinstance(game, HasOutcome) and not isinstance(game, type):
        return _counted(game, catalog)
    if isinstance(game, type) or not isinstance(game, HasEnding):
        raise TypeError(f"game must be Game or Outcome, not {type(game).__name__}")
    ending = game.ending
    seat = game.winning_seat
    outcome = game.state.outcome
    if outcome is not None:
        return _counted(outcome, catalog)
    if ending is None:
        return sentence(catalog, "unfinished")
    if seat is None:
        return sentence(catalog, "drawn-ended", ending=ending)
    return sentence(catalog, f"won-{ending.value}", winner=game.state.color_of(seat) or seat)


def _counted(outcome: HasOutcome, catalog: Catalog) -> str:
    """Return the sentence for a game that was played out."""
    winner = outcome.winner
    criterion = outcome.decided_by.value

    # To pyright, a field with a converter matches no protocol, so the counts are read by name.
    def counts(name: str) -> list[int]:
        return [getattr(score, name, 0) for score in (outcome.white, outcome.red)]

    points = counts("points")[0]
    if winner is None:
        return sentence(catalog, "drawn-scored", points=points)
    each = counts(criterion)
    values = {"more": each[winner.index], "less": each[winner.opponent.index], "points": points}
    return sentence(catalog, f"won-{criterion}", winner=winner, **values)


def sentence(catalog: Catalog, code: str, **values: Word | int | str) -> str:
    """Return a sentence about a game, with the words of *catalog* for members of enumerations.

    Raises:
        PonteError: If it lacks a word or the sentence, or a template asks for an unknown value.
    """
    return _capitalized(filled(catalog, code, _all_shown(values, catalog)))


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def filled(catalog: Catalog, key: str, values: Mapping[str, int | str]) -> str:
    """Return a template of *catalog* with its values.

    Raises:
        PonteError: If it lacks the template, or the template asks for an unknown value.
    """
    try:
        return fill(catalog[key], values, catalog)
    except (LookupError, ValueError, AttributeError, TypeError, OverflowError) as error:
        raise PonteError(f"the catalogue cannot explain {key}: {error}") from error
