"""Catalogues: the words, sentences and rules of each language, loaded on first use."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from enum import Enum
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, final

from .enums import Color, DecidedBy, Ending, Phase, Seat, Tiebreak

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_ENUMS: Final[Mapping[str, type[Enum]]] = {
    "color": Color,
    "seat": Seat,
    "phase": Phase,
    "tiebreak": Tiebreak,
    "decided-by": DecidedBy,
    "ending": Ending,
}
"""The enums whose members have words, by their names in the files."""


@final
class LanguageCatalog(Mapping[Hashable, str]):
    """The texts of one language, loaded on first use.

    Attributes:
        code: The code of the language, as in ``lang`` attributes: ``"en"``, ``"de"``.
    """

    def __init__(self, code: str) -> None:
        self.code: Final = code

    def __reduce__(self) -> tuple[Callable[[str], LanguageCatalog], tuple[str]]:
        return catalog_of, (self.code,)

    @cached_property
    def _texts(self) -> Mapping[Hashable, str]:
        tables = tables_of(self.code)
        members = {
            _ENUMS[name](value): word
            for name, words in tables["words"].items()
            for value, word in words.items()
        }
        return {
            "language-name": tables["name"],
            **tables["errors"],
            **tables["sentences"],
            **tables["violations"],
            **members,
            **{f"page.{key}": text for key, text in tables["page"].items()},
            **{f"cli.{key}": text for key, text in tables["commands"].items()},
        }

    def __getitem__(self, key: Hashable) -> str:
        return self._texts[key]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __repr__(self) -> str:
        return f"<catalogue {self.code}>"


@cache
def catalog_of(code: str) -> LanguageCatalog:
    """Return the catalogue of a language."""
    return LanguageCatalog(code)


ENGLISH: Final[Mapping[Hashable, str]] = catalog_of("en")
"""All words and sentences in English."""


class _Number(int):
    """A number in a template, in which ``{count:tile|tiles}`` is the noun that goes with it."""

    thousands_mark = ","

    def __format__(self, specification: str, /) -> str:
        one, is_choice, many = specification.partition("|")
        if not is_choice:
            return super().__format__(specification).replace(",", self.thousands_mark)
        return one if self == 1 else many


def fill(
    template: str,
    values: Mapping[str, int | str],
    catalog: Mapping[Hashable, str] | None = None,
) -> str:
    """Return a template with its values.

    A template is one for :meth:`str.format`, with two additions: ``{count} {count:tile|tiles}`` is
    ``1 tile`` or ``2 tiles``, where the first text stands for exactly 1; and ``{count:,}`` has the
    thousands mark of the language, as in ``1.000`` in German. Without a catalogue, the mark is a
    comma.

    Raises:
        LookupError: If a value is missing.
        ValueError: If the template is malformed, or a value does not fit it.
    """
    if "|" in template or ":,}" in template:
        thousands_mark = "," if catalog is None else catalog.get("thousands-mark", ",")
        numbers = {name: _Number(each) for name, each in values.items() if type(each) is int}
        for number in numbers.values():
            number.thousands_mark = thousands_mark
        values = {**values, **numbers}
    return template.format_map(values)


def languages_folder() -> Traversable:
    """Return the folder with a file for each language."""
    from importlib.resources import files  # noqa: PLC0415 - most programs need no texts

    return files("pontedeldiavolo.base") / "languages"


def tables_of(code: str) -> dict[str, Any]:
    """Return the tables of a language's file: ``errors``, ``violations``, ``words`` and so on.

    To add a language, add a file with all keys of ``en.toml``.
    """
    import tomllib  # noqa: PLC0415 - most programs need no texts

    text = (languages_folder() / f"{code}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def language_codes() -> tuple[str, ...]:
    """Return the codes of all languages, English first.

    The folder is listed once: a busy server may be unable to list it again.
    """
    found = (each.name.partition(".") for each in languages_folder().iterdir())
    codes = (code for code, _, ending in found if ending == "toml")
    return tuple(sorted(codes, key=lambda code: (code != "en", code)))


_START: Final = "tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"
_PLAY: Final = "phase=play to-move=white white=first"


class RulesSummaryBoard(NamedTuple):
    """A board of the summary.

    Attributes:
        state: The state as text.
        actions: Actions that the board asks about, as texts; a single cell is one tile.
    """

    state: str
    actions: tuple[str, ...] = ()


class RulesSummarySection(NamedTuple):
    """A section of the summary: a heading, a paragraph, and its boards."""

    key: str
    heading: str
    text: str
    boards: tuple[RulesSummaryBoard, ...]


_BOARDS: Final[dict[str, tuple[RulesSummaryBoard, ...]]] = {
    "start": (),
    "turn": (),
    "islands": (
        RulesSummaryBoard(f"7x4 {_START} rows=w6/w3w2/ww5/7 built=- {_PLAY}", ("d2", "b3", "c3")),
    ),
    "bridges": (
        RulesSummaryBoard(
            f"7x4 {_START} rows=2w4/4w1w/1w4r/w1w1w1w built=a1-c1 {_PLAY}",
            ("e1-e3", "e1-g3", "b2-c4", "c1-e1", "g1-g3"),
        ),
    ),
    "end": (),
    "score": (
        RulesSummaryBoard(f"7x5 {_START} rows=rr3rr/rr3rr/7/ww1ww2/ww1ww2 built=b2-d2 {_PLAY}"),
    ),
}


@cache
def rules_summary(code: str) -> tuple[str, tuple[RulesSummarySection, ...]]:
    """Return title and sections of the summary in the language of a code."""
    texts = tables_of(code)["summary"]
    sections = (RulesSummarySection(key, **texts[key], boards=_BOARDS[key]) for key in _BOARDS)
    return texts["title"], tuple(sections)
