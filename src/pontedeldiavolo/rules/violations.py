"""Violations of the rules, and the errors that carry them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final, SupportsIndex, TypeVar, cast, final

from attrs import field, frozen

from pontedeldiavolo.base import errors
from pontedeldiavolo.base.enums import ViolationCode
from pontedeldiavolo.base.errors import MessageValue, PonteError, Reason, reason, whole_number
from pontedeldiavolo.base.messages import explain
from pontedeldiavolo.base.values import FrozenMapping, ImmutableValue
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell

C = TypeVar("C", Cell, Bridge)

_put = object.__setattr__

_NO_VALUES: Final[FrozenMapping[int | str]] = FrozenMapping()
NO_ROLES: Final[FrozenMapping[tuple[Cell, ...]]] = FrozenMapping()


def _values(
    values: Mapping[str, int | str], cells: Iterable[Cell], bridges: Iterable[Bridge]
) -> FrozenMapping[int | str]:
    """Return checked values, with the cells and the bridges as texts."""
    errors.require_mapping(values, str | SupportsIndex, "values")
    found: dict[str, int | str] = {}
    for name, value in values.items():
        found[name] = value if isinstance(value, str) else whole_number(value, f"values[{name!r}]")
    found["cells"] = ", ".join(map(str, cells))
    found["bridges"] = ", ".join(map(str, bridges))
    return FrozenMapping(found)


def _roles(roles: Mapping[str, Iterable[Cell]]) -> FrozenMapping[tuple[Cell, ...]]:
    errors.require_mapping(roles, object, "roles")
    found = {}
    for name, cells in roles.items():
        found[name] = errors.items_of(cells, Cell, f"roles[{name!r}]")
    return FrozenMapping(found) if found else NO_ROLES


@final
@frozen(init=False, order=False, match_args=False)
class Violation(ImmutableValue):
    """A rule that an action or a set-up breaks.

    Violations are equal if all their attributes except the roles are equal.

    >>> state = pdd.GameState.initial()
    >>> [violation] = state.violations(pdd.parse_action("d4,k4"))
    >>> violation.code, violation.cells
    (<ViolationCode.OFF_BOARD: 'off-board'>, (Cell(column=10, row=3),))
    >>> dict(violation.values)
    {'width': 10, 'height': 10, 'cells': 'k4', 'bridges': ''}
    >>> pdd.messages.explain(violation)
    'Off the 10×10 board: k4.'

    Attributes:
        code: The code of the rule.
        cells: The cells at fault, in cell order; off-board cells too.
        bridges: The bridges in the way, in order.
        values: The numbers and words that a sentence about it needs, by name. ``cells`` and
            ``bridges`` are always among them, as texts.
        roles: The role of each cell at fault, for pictures: cells in order, by names that are
            fixed for each rule. *new* has the cells of the action.
    """

    __match_args__ = ("code", "cells", "bridges", "values")

    code: ViolationCode
    cells: tuple[Cell, ...]
    bridges: tuple[Bridge, ...]
    values: FrozenMapping[int | str]
    roles: FrozenMapping[tuple[Cell, ...]] = field(eq=False, repr=False)

    # Written by hand: to pyright, a field with a converter matches no protocol such as HasCode.
    def __init__(
        self,
        code: ViolationCode,
        cells: tuple[Cell, ...] = (),
        bridges: tuple[Bridge, ...] = (),
        values: Mapping[str, int | str] = _NO_VALUES,
        roles: Mapping[str, Iterable[Cell]] = NO_ROLES,
    ) -> None:
        errors.require_type(code, ViolationCode, "code")
        errors.require_tuple(cells, Cell, "cells")
        errors.require_tuple(bridges, Bridge, "bridges")
        _put(self, "code", code)
        _put(self, "cells", cells)
        _put(self, "bridges", bridges)
        _put(self, "values", _values(values, cells, bridges))
        _put(self, "roles", _roles(roles))

    @property
    def reason(self) -> Reason:
        """The violation as a reason, with the same code and values."""
        return Reason(self.code, self.values)


def violation(
    code: ViolationCode,
    cells: Iterable[Cell] = (),
    bridges: Iterable[Bridge] = (),
    roles: Mapping[str, Collection[Cell]] | None = None,
    **values: int | str,
) -> Violation:
    """Return a violation with its cells and bridges sorted and without duplicates.

    Roles without cells are left out. Without *roles*, no cell has a role.
    """
    found = tuple((name, _in_order(each)) for name, each in (roles or {}).items() if each)
    return _shared(code, _in_order(cells), _in_order(bridges), tuple(values.items()), found)


# Cached: callers may keep many errors, and these share few distinct violations.
@lru_cache(maxsize=256)
def _shared(
    code: ViolationCode,
    cells: tuple[Cell, ...],
    bridges: tuple[Bridge, ...],
    values: tuple[tuple[str, int | str], ...],
    roles: tuple[tuple[str, tuple[Cell, ...]], ...],
) -> Violation:
    return Violation(code, cells, bridges, FrozenMapping(values), FrozenMapping(roles))


def _in_order(items: Iterable[C]) -> tuple[C, ...]:
    return tuple(sorted(set(items)))


MAX_NAMED_VIOLATIONS: Final = 10
"""The number of violations that the sentence of an error names."""
MAX_VIOLATIONS: Final = 100
"""The number of violations after which a reader stops checking a text."""


def _more(violations: tuple[Violation, ...]) -> tuple[Reason, ...]:
    """Return a reason with the number of unnamed violations; readers stop at a hundred."""
    count = len(violations) - MAX_NAMED_VIOLATIONS
    if count <= 0:
        return ()
    return (
        reason("at-least-more" if len(violations) == MAX_VIOLATIONS else "and-more", count=count),
    )


def reasons(violations: tuple[Violation, ...]) -> tuple[Reason, ...]:
    """Return violations as the reasons of an error: the first ten, and the number of others."""
    return *(each.reason for each in violations[:MAX_NAMED_VIOLATIONS]), *_more(violations)


def _explained(violations: tuple[Violation, ...]) -> str:
    """Return the message of an error: sentences, or codes if values for a sentence are missing."""
    named = violations[:MAX_NAMED_VIOLATIONS]
    try:
        return explain((*named, *_more(violations)))
    except PonteError:
        return ", ".join(each.code for each in named)


@final
class IllegalActionError(PonteError):
    """An action that the rules refuse.

    >>> pdd.GameState.initial().apply(pdd.parse_action("d4,d4"))
    Traceback (most recent call last):
        ...
    pontedeldiavolo.IllegalActionError: A pair needs two different cells, not d4 twice.
    """

    __module__ = "pontedeldiavolo"

    def __init__(self, violations: Iterable[Violation], row: int | None = None) -> None:
        row = None if row is None else whole_number(row, "row")
        super().__init__(errors.items_of(violations, Violation, "violations"), row)

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Every rule that the action breaks."""
        return cast(tuple[Violation, ...], self.args[0])

    @property
    def row(self) -> int | None:
        """The row of the batch with this action; ``None`` outside of batches."""
        return cast(int | None, self.args[1])

    @property
    def reason(self) -> Reason:
        """The reason; its value ``violations`` has the reasons of the first ten violations."""
        return reason("illegal-action", violations=reasons(self.violations))

    @property
    def values(self) -> Mapping[str, MessageValue]:
        """The values for its message, including ``row`` if it is set."""
        return self.reason.values | ({} if self.row is None else {"row": self.row})

    def __str__(self) -> str:
        where = "" if self.row is None else f"row {self.row}: "
        return where + _explained(self.violations)


@final
class InvalidPositionError(PonteError):
    """A set-up that the rules do not allow.

    >>> pdd.parse_setup("w x w").position()
    Traceback (most recent call last):
        ...
    pontedeldiavolo.InvalidPositionError: Already taken by a tile: b1.
    """

    __module__ = "pontedeldiavolo"

    def __init__(self, violations: Iterable[Violation]) -> None:
        super().__init__(errors.items_of(violations, Violation, "violations"))

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Every rule that the set-up breaks; if it was read from a text, the first hundred."""
        return cast(tuple[Violation, ...], self.args[0])

    @property
    def reason(self) -> Reason:
        """The reason; its value ``violations`` has the reasons of the first ten violations."""
        return reason("invalid-position", violations=reasons(self.violations))

    def __str__(self) -> str:
        return _explained(self.violations)
