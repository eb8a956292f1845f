"""The language of a command: the option ``--lang``, and texts in that language."""

from __future__ import annotations

from typing import Final

import click

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.errors import PonteError, Reason
from pontedeldiavolo.base.messages import LANGUAGES, Catalog, explain, filled

_KEY: Final = __name__


def _choose(context: click.Context, _parameter: click.Parameter, code: str) -> None:
    context.meta[_KEY] = code


OPTION: Final = click.Option(
    ["--lang"],
    type=click.Choice([*LANGUAGES]),
    default="en",
    show_default=True,
    envvar="PONTEDELDIAVOLO_LANG",
    expose_value=False,
    # Read first, so that errors in other options are in the language.
    is_eager=True,
    callback=_choose,
    help="The language of results, errors and prompts.",
)
"""The option that each command has."""


def language() -> str:
    """Return the code of the language of the running command."""
    context = click.get_current_context(silent=True)
    return "en" if context is None else str(context.meta.get(_KEY, "en"))


def catalog() -> Catalog:
    """Return the texts in the language of the running command."""
    return LANGUAGES[language()].catalog


def said(code: str, **values: int | str) -> str:
    """Return a text of commands."""
    return filled(catalog(), f"cli.{code}", values)


def amount(count: int, noun: str) -> str:
    """Return a number with its noun: ``1 island``, ``2 islands``."""
    return said(noun if count == 1 else f"{noun}s", count=f"{count:,}")


def explained(error: PonteError) -> str:
    """Return an error in words."""
    texts = catalog()
    return str(error) if texts is ENGLISH else explain(error, texts)


def expected(what: Reason) -> str:
    """Return the words for something that was expected."""
    texts = catalog()
    return str(what) if texts is ENGLISH else explain(what, texts)
