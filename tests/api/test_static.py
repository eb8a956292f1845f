"""The statements on types in ``tests/static``: they run, and miss nothing that is public."""

from __future__ import annotations

import inspect
import re
import runpy
from enum import Enum
from pathlib import Path

import pytest

from support.public_api import (
    functions_of,
    is_ours,
    public_classes,
    public_values,
)

FILES = sorted((Path(__file__).parents[1] / "static").glob("*.py"))
TEXT = "".join(path.read_text(encoding="utf-8") for path in FILES)

INNER = {"Board.geometry"}
"""What says of itself that it is an inner matter of the package."""


def members() -> dict[str, str]:
    """Return the public attributes and methods of all public classes, by where they are."""
    found: dict[str, str] = {}
    for name, kind in public_classes().items():
        if issubclass(kind, Enum):
            continue
        ours = {each for each, _ in functions_of(kind)}
        attributes = {each for base in kind.__mro__ if is_ours(base) for each in vars(base)}
        annotated = {each for base in kind.__mro__ for each in inspect.get_annotations(base)}
        for member in sorted(ours | attributes | annotated):
            if not member.startswith("_"):
                found[f"{name}.{member}"] = member
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_statements_on_types_are_true_to_life(path: Path) -> None:
    assert runpy.run_path(str(path))


@pytest.mark.parametrize(("where", "member"), sorted(members().items()))
def test_every_member_has_a_statement(where: str, member: str) -> None:
    assert where in INNER or re.search(rf"\.{member}\b", TEXT)


@pytest.mark.parametrize("name", sorted(public_values()))
def test_every_public_name_has_a_statement(name: str) -> None:
    assert re.search(rf"\bpdd\.{re.escape(name)}\b", TEXT)
