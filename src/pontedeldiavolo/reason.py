"""Why something was refused: a code that stays, and what a sentence about it needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias, final

from attrs import frozen

from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.base.sealed import Sealed
from pontedeldiavolo.catalogs.english import ENGLISH
from pontedeldiavolo.vocabulary import Rule, Tiebreak

NO_VALUES: Final[FrozenMapping[int]] = FrozenMapping()
PLAIN: Final = "value"
"""The code of what is said in English only, as the value ``text``."""


def _code(code: str | Rule) -> str | Rule:
    if not isinstance(code, str | Rule):
        raise TypeError(f"code must be str or Rule, not {type(code).__name__}")
    return code


def _values(values: Mapping[str, Said]) -> FrozenMapping[Said]:
    if not isinstance(values, Mapping):
        raise TypeError(f"values must be Mapping, not {type(values).__name__}")
    for name, value in values.items():
        if not isinstance(name, str):
            raise TypeError(f"a name among the values must be str, not {type(name).__name__}")
        for each in value if isinstance(value, tuple) else (value,):
            if not isinstance(each, int | str | Tiebreak | Reason):
                raise TypeError(
                    f"the value {name} must be int, str or Reason, not {type(each).__name__}"
                )
    return FrozenMapping(values)


@final
@frozen(init=False, order=False)
class Reason(Sealed):
    """Why something was refused, for a sentence in any language; ``str`` gives the English one.

    Attributes:
        code: Which reason: a key of the catalogues in :mod:`pontedeldiavolo.messages`, which is
            kept; a :class:`Rule` that was broken, or a text.
        values: What its sentence needs, by name.

    Raises:
        TypeError: If *code* is neither, or *values* is not a mapping.
    """

    code: str | Rule
    values: FrozenMapping[Said]

    # Written out: its values can be of the class itself, which a converter's types cannot name.
    def __init__(self, code: str | Rule, values: Mapping[str, Said] = NO_VALUES) -> None:
        object.__setattr__(self, "code", _code(code))
        object.__setattr__(self, "values", _values(values))

    def __str__(self) -> str:
        shown = {name: _shown(value) for name, value in self.values.items()}
        try:
            return ENGLISH[self.code].format(**shown)
        except LookupError:
            # Somebody has made it by hand. An error must be able to say anything at all.
            return self.code.value if isinstance(self.code, Rule) else self.code


Said: TypeAlias = int | str | Tiebreak | Reason | tuple[Reason, ...]
"""What a sentence can need: numbers and texts, words of the game, and other reasons."""


def reason(code: str, **values: Said) -> Reason:
    """Return the reason of that code, with its values by name."""
    return Reason(code, values)


def reason_of(text: str | Reason) -> Reason:
    """Return a reason; a text becomes one that is said in English only.

    Raises:
        TypeError: If *text* is neither.
    """
    if isinstance(text, Reason):
        return text
    if not isinstance(text, str):
        raise TypeError(f"expected must be str or Reason, not {type(text).__name__}")
    return Reason(PLAIN, {"text": text})


def quoted(words: Iterable[str]) -> str:
    """Return words as a sentence lists them."""
    return ", ".join(f"'{each}'" for each in words)


def _shown(value: Said) -> int | str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return ENGLISH[value] if isinstance(value, Tiebreak) else _plain(value)


def _plain(value: int | str | Reason) -> int | str:
    return str(value) if isinstance(value, Reason) else value
