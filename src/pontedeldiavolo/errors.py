"""The errors of the package. All of them are :class:`ValueError`; wrong types are ``TypeError``.

The two that carry violations, IllegalActionError and InvalidPositionError, are defined with these.
All say that their module is the package: tracebacks and pickles show the name that users import.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from pontedeldiavolo.base.sealed import Closed
from pontedeldiavolo.reason import Reason, Said, reason_of
from pontedeldiavolo.vocabulary import Rule


class PonteError(ValueError):
    """The root of every error that this package raises for a bad value."""

    __module__ = "pontedeldiavolo"

    def __init__(self, *args: object) -> None:
        # Written out for its signature: what is built in has none.
        super().__init__(*args)

    @property
    def reason(self) -> Reason:
        """Why it was raised, without the place: for a sentence in any language."""
        found = next((each for each in self.args if isinstance(each, Reason)), None)
        return found or reason_of(super().__str__())

    @property
    def code(self) -> str:
        """Which fault it is: a name that stays, ``"value"`` where there is no other."""
        code = self.reason.code
        return code.value if isinstance(code, Rule) else code

    @property
    def values(self) -> Mapping[str, Said]:
        """What a sentence about it needs, by name; its place included."""
        return self.reason.values


@final
class InvalidRulesError(PonteError, Closed):
    """Rules that cannot be: a side outside 1…64, a negative supply, a repeated tie-break."""

    __module__ = "pontedeldiavolo"


@final
class NotationError(PonteError, Closed):
    """A text that is not in the notation.

    Attributes:
        text: The text as it was given.
        offset: Where in the text the fault was seen, from 0; ``len(text)`` is its end.
    """

    __module__ = "pontedeldiavolo"

    def __init__(self, text: str, offset: int, expected: str | Reason) -> None:
        super().__init__(text, offset, reason_of(expected))
        self.text = text
        self.offset = offset

    @property
    def expected(self) -> str:
        """What should have stood there."""
        return str(self.reason)

    @property
    def values(self) -> Mapping[str, Said]:
        """What a sentence about it needs, ``offset``, ``character`` and ``excerpt`` included."""
        shown = excerpt(self.text, self.offset)
        return self.reason.values | {
            "offset": self.offset,
            "character": self.offset + 1,
            "excerpt": shown,
        }

    def __str__(self) -> str:
        shown = excerpt(self.text, self.offset)
        return f"expected {self.expected} at offset {self.offset} of {shown}"


@final
class RecordError(PonteError, Closed):
    """A game record that cannot be read, or that breaks a rule.

    Attributes:
        line: The line of the fault, from 1.
        column: The column of the fault, from 1.
        number: The number of the game in its file, from 1.
    """

    __module__ = "pontedeldiavolo"

    def __init__(self, line: int, column: int, expected: str | Reason, number: int = 1) -> None:
        super().__init__(line, column, reason_of(expected), number)
        self.line = line
        self.column = column
        self.number = number

    @property
    def expected(self) -> str:
        """What should have stood there, or which rule is broken."""
        return str(self.reason)

    @property
    def values(self) -> Mapping[str, Said]:
        """What a sentence about it needs, ``line``, ``column`` and ``number`` included."""
        place = {"line": self.line, "column": self.column, "number": self.number}
        return self.reason.values | place

    def __str__(self) -> str:
        return (
            f"game {self.number}, line {self.line}, column {self.column}: expected {self.expected}"
        )


def excerpt(text: str, offset: int, width: int = 40) -> str:
    """Return a short, printable piece of *text* around *offset*, for an error message."""
    start = max(0, offset - width // 2)
    piece = text[start : start + width]
    before = "…" if start else ""
    after = "…" if start + width < len(text) else ""
    return f"{before}{piece!a}{after}" if piece else "an empty text"
