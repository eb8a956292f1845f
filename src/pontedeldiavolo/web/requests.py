"""Requests, responses and errors of the site's routes, independent of HTTP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Final, TypeVar, final

from attrs import field, frozen

from pontedeldiavolo.base.catalogs import LanguageCatalog
from pontedeldiavolo.base.errors import MessageValue, PonteError, Reason
from pontedeldiavolo.base.messages import LANGUAGES

MAX_BODY_BYTES: Final = 16_384
"""The maximum size of a body: a diagram of the largest board needs about half of it."""

T = TypeVar("T", bound=int | str)
V = TypeVar("V")


class SiteError(PonteError):
    """A refused request.

    Attributes:
        status: The HTTP status code.
    """

    def __init__(self, code: str, status: int, **values: MessageValue) -> None:
        super().__init__(Reason(code, values))
        self.status = status


PAGE: Final = "page."
"""The prefix of the keys of the page's texts in a catalogue."""


def page_text(language: LanguageCatalog, key: str, **values: object) -> str:
    """Return a label of the page, or the name of a cell."""
    return language[PAGE + key].format(**values)


def page_texts(language: LanguageCatalog) -> dict[str, str]:
    """Return all texts of the page, by their keys."""
    texts = ((str(key), text) for key, text in language.items())
    return {key.removeprefix(PAGE): text for key, text in texts if key.startswith(PAGE)}


@final
@frozen(slots=False)
class Request:
    """A request, sent over HTTP or as a message to a worker.

    Attributes:
        query: The query parameters.
        body: The body, as bytes.
        token: The secret of a player; empty for a spectator.
        game: The ID of the game, from the path.
        client: The name of the client whose share the request counts for; one name for all
            requests that do not come over HTTP.
        is_waiting: True while the server holds the request back: if the handler says 204, it is
            called again later.
    """

    query: Mapping[str, str] = field(factory=dict)
    body: bytes = b""
    token: str = ""
    game: str = ""
    client: str = ""
    is_waiting: bool = False

    @property
    def language(self) -> LanguageCatalog:
        """The language of the response: English, unless another known one is requested."""
        return LANGUAGES.get(self.query.get("lang", ""), LANGUAGES["en"])

    @cached_property
    def fields(self) -> Fields:
        """The fields of the body.

        Raises:
            SiteError: If it is too long or not a JSON object.
        """
        if len(self.body) > MAX_BODY_BYTES:
            raise SiteError("body-too-long", 413, max=MAX_BODY_BYTES)
        try:
            found: object = json.loads(self.body)
        except (ValueError, RecursionError):
            raise SiteError("not-json", 400) from None
        if not isinstance(found, dict):
            raise SiteError("not-object", 400)
        return Fields(found)

    @property
    def version(self) -> int:
        """The version of the game that the sender of a change has seen.

        Raises:
            SiteError: If the body does not name it.
        """
        return self.fields.require("version", int)


@final
class Fields(dict[str, object]):
    """The fields of a body."""

    def require(self, name: str, kind: type[T]) -> T:
        """Return a field.

        Raises:
            SiteError: If it is missing or has another type: ``true`` is not a number.
        """
        value = self.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise SiteError("bad-field", 400, name=name)
        return value

    def choice(self, name: str, choices: Mapping[str, V]) -> V:
        """Return the value that a field names.

        Raises:
            SiteError: If the field is not among the choices.
        """
        value = self.require(name, str)
        if value not in choices:
            raise SiteError("bad-choice", 400, name=name, choices=", ".join(choices))
        return choices[value]


@final
@frozen
class Response:
    """A response.

    Attributes:
        content: A value for JSON, a text, the octets of a file, or ``None``.
        status: The HTTP status code.
        headers: Further HTTP headers.
    """

    content: object = None
    status: int = 200
    headers: Mapping[str, str] = field(factory=dict)
