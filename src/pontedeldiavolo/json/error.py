"""What is wrong with a document, and where in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import final

from pontedeldiavolo.base.errors import (
    MessageValue,
    NotationError,
    PonteError,
    Reason,
    excerpt,
    reason,
    reason_of,
)
from pontedeldiavolo.base.values import FinalClass

_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,39}")


@final
class JsonError(PonteError, FinalClass):
    """JSON that is not the document of a value, or a value that no document can hold.

    Where the content breaks a rule, the error that says which one is its ``__cause__``.

    Attributes:
        path: Where the fault is, such as ``value.line.moves[3].glyphs``; empty for the document
            as a whole.
    """

    __module__ = "pontedeldiavolo.json"

    def __init__(self, path: str, expected: str | Reason) -> None:
        super().__init__(path, reason_of(expected))
        self.path = path

    @property
    def expected(self) -> str:
        """What should have stood there."""
        return str(self.reason)

    @property
    def values(self) -> Mapping[str, MessageValue]:
        """What a sentence about it needs, ``path`` included."""
        return self.reason.values | {"path": self.path}

    def __str__(self) -> str:
        return f"{self.path or 'the document'}: expected {self.expected}"

    def below(self, step: str | int) -> JsonError:
        """Return the same error as seen from one level further up.

        Args:
            step: The field or the place in a list that leads to the fault.
        """
        dot = "" if self.path[:1] in ("", "[") else "."
        return JsonError(f"{_written(step)}{dot}{self.path}", self.reason)


def _written(step: str | int) -> str:
    """Return a step as paths show it: names that are no plain words in brackets, and short."""
    if isinstance(step, int):
        return f"[{step}]"
    return step if _FIELD.fullmatch(step) else f"[{excerpt(step, 0)}]"


def refused(error: PonteError) -> JsonError:
    """Return the error for content that the library itself has refused; raise it from *error*."""
    if isinstance(error, NotationError):
        return JsonError("", error.reason)
    return JsonError("", reason("json-content", reason=error.reason))
