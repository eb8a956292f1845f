"""What is asked and what is answered, whatever carries it: HTTP, or messages of a worker."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, TypeVar, final

from attrs import field, frozen

from pontedeldiavolo.base.messages import LANGUAGES, Language

MOST_BYTES: Final = 16_384
"""How long a body may be: a diagram of the largest board has about half of it."""
JSON_TYPE: Final = "application/json"
TEXT_TYPE: Final = "text/plain; charset=utf-8"

T = TypeVar("T", bound=int | str)
V = TypeVar("V")


PAGE: Final = "page."
"""The beginning of the keys that the texts of the page have in a catalogue."""


def page_text(language: Language, key: str, **values: object) -> str:
    """Return a sentence or a label of the page."""
    return language.catalog[PAGE + key].format(**values)


def page_texts(language: Language) -> dict[str, str]:
    """Return all texts of the page, by their keys."""
    texts = ((str(key), text) for key, text in language.catalog.items())
    return {key.removeprefix(PAGE): text for key, text in texts if key.startswith(PAGE)}


@final
@frozen
class Asked:
    """What somebody asks.

    Attributes:
        method: As in HTTP.
        path: With the slash that it begins with.
        query: What follows the question mark.
        body: The bytes that are sent.
        token: What tells who asks; empty for somebody who only looks on.
    """

    method: str
    path: str
    query: Mapping[str, str] = field(factory=dict)
    body: bytes = b""
    token: str = ""

    @property
    def language(self) -> Language:
        """In which language to answer: English if none is asked for that is known."""
        return LANGUAGES.get(self.query.get("lang", ""), LANGUAGES["en"])

    def fields(self) -> Fields:
        """Return what the body says.

        Raises:
            RefusedError: If it is too long, or no JSON object.
        """
        if len(self.body) > MOST_BYTES:
            raise RefusedError(413, "too-long", most=MOST_BYTES)
        try:
            found: object = json.loads(self.body)
        except (ValueError, RecursionError):
            raise RefusedError(400, "not-json") from None
        if not isinstance(found, dict):
            raise RefusedError(400, "not-object")
        return Fields(found)


@final
@frozen
class Fields:
    """The fields of a body."""

    values: Mapping[str, object]

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def get(self, name: str, kind: type[T]) -> T:
        """Return a field.

        Raises:
            RefusedError: If it is not there, or of another type: true is no number.
        """
        value = self.values.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise RefusedError(400, "bad-field", name=name)
        return value

    def choice(self, name: str, choices: Mapping[str, V]) -> V:
        """Return which of some values a field names.

        Raises:
            RefusedError: If it names none of them.
        """
        value = self.get(name, str)
        if value not in choices:
            raise RefusedError(400, "bad-choice", name=name, choices=", ".join(choices))
        return choices[value]


class RefusedError(Exception):
    """What was asked is refused, with a status as in HTTP and the code of a sentence."""

    def __init__(self, status: int, code: str, **values: object) -> None:
        super().__init__(status, code, values)
        self.status = status
        self.code = code
        self.values = values

    def answer(self, language: Language) -> Answer:
        """Return the answer to whoever asked."""
        text = page_text(language, self.code, **self.values)
        return Answer.json({"error": text, "code": self.code}, self.status)


@final
@frozen
class Answer:
    """What is answered."""

    status: int
    body: bytes = b""
    media: str = JSON_TYPE
    headers: Mapping[str, str] = field(factory=dict)

    @classmethod
    def json(
        cls, value: object, status: int = 200, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Return a value as JSON."""
        text = json.dumps(value, separators=(",", ":"))
        return cls(status, text.encode(), JSON_TYPE, headers or {})
