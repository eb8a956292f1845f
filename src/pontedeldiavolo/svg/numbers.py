"""Numbers as pictures have them: short, and the same on every machine."""

from __future__ import annotations


def short(value: float) -> str:
    """Return a number with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def joined(*values: float) -> str:
    """Return numbers one after the other; a minus sign parts them well enough."""
    first, *rest = map(short, values)
    return first + "".join(each if each.startswith("-") else f" {each}" for each in rest)
