"""One rule broken, and by what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import final

from attrs import field, frozen
from attrs.validators import instance_of

from pontedeldiavolo.bridge import Bridge
from pontedeldiavolo.cell import Cell
from pontedeldiavolo.checks import require_type, tuple_of, whole_number
from pontedeldiavolo.frozen_mapping import FrozenMapping
from pontedeldiavolo.sealed import Sealed
from pontedeldiavolo.vocabulary import Rule


def _values(values: Mapping[str, int | str]) -> FrozenMapping[int | str]:
    require_type(values, Mapping, "values")
    for name, value in values.items():
        require_type(name, str, "a name among the values")
        if not isinstance(value, str):
            whole_number(value, f"the value {name}")
    return FrozenMapping(values)


@final
@frozen(order=False)
class Violation(Sealed):
    """A rule that an action or a set-up breaks.

    Attributes:
        rule: Which rule.
        cells: The cells at fault, in cell order; off-board cells too.
        bridges: The bridges in the way, in order.
        values: The numbers and words that a sentence about it needs.

    Raises:
        TypeError: If something is not of its type.
    """

    rule: Rule = field(validator=instance_of(Rule))
    cells: tuple[Cell, ...] = field(default=(), validator=tuple_of(Cell))
    bridges: tuple[Bridge, ...] = field(default=(), validator=tuple_of(Bridge))
    values: FrozenMapping[int | str] = field(factory=FrozenMapping, converter=_values)


def violation(
    rule: Rule,
    cells: Iterable[Cell] = (),
    bridges: Iterable[Bridge] = (),
    **values: int | str,
) -> Violation:
    """Return a violation with its cells and bridges sorted and without repetition."""
    return Violation(
        rule, tuple(sorted(set(cells))), tuple(sorted(set(bridges))), FrozenMapping(values)
    )
