"""Count packed assignments and uses of private attributes: ``python tools/code_counts.py``.

A packed assignment gives unrelated values to several names in one statement: ``a, b = x, y``, or
``a = b = value``. A permutation, in which a name is on both sides, as in ``a, b = b, a``, is not
counted. At most :data:`MAX_PER_THOUSAND` of 1,000 statements may be packed; otherwise the program
lists them and exits with status 1. ``--list`` lists them in any case.

The second table counts the places where a package above ``json`` uses a private attribute of a
package below it, instead of that package's public names.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
FOLDERS: Final = ("src", "tests", "benchmarks", "examples", "docs", "tools")
MAX_PER_THOUSAND: Final = 1.0
PACKAGE: Final = ROOT / "src" / "pontedeldiavolo"
LOWER_PACKAGES: Final = (
    "base",
    "board",
    "rules",
    "position",
    "state",
    "notation",
    "game",
    "json",
)
NAMED_TUPLE_METHODS: Final = frozenset({"_asdict", "_fields", "_make", "_replace"})
"""Public methods of named tuples; their underscores only avoid clashes with fields."""


def is_packed(node: ast.AST) -> bool:
    """Return whether a statement assigns unrelated values to several names."""
    if not isinstance(node, ast.Assign):
        return False
    if len(node.targets) > 1:
        return True
    target = node.targets[0]
    if not (isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)):
        return False
    names = {ast.unparse(each) for each in target.elts}
    values = {ast.unparse(each) for each in node.value.elts}
    return names.isdisjoint(values)


def packed_statements(folder: Path) -> tuple[int, list[str]]:
    """Return the number of statements in a folder, and its packed assignments with their places."""
    count = 0
    found = []
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.stmt):
                count += 1
            if is_packed(node):
                place = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
                found.append(f"{place}: {ast.unparse(node)}")
    return count, found


def private_names(tree: ast.AST) -> Iterator[str]:
    """Yield the private names that a module defines: functions, variables and attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            name = node.attr
        else:
            continue
        if is_private(name):
            yield name


def is_private(name: str) -> bool:
    """Return whether a name has a leading underscore, and is not a magic name of Python."""
    return name.startswith("_") and not name.endswith("__") and name not in NAMED_TUPLE_METHODS


def names_of_package(folder: Path) -> set[str]:
    """Return all private names that the modules of a package define."""
    return {
        name
        for path in folder.rglob("*.py")
        for name in private_names(ast.parse(path.read_text("utf-8")))
    }


def private_uses() -> list[str]:
    """Return the places where higher packages use private attributes of lower ones."""
    lower = set().union(*(names_of_package(PACKAGE / name) for name in LOWER_PACKAGES))
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        package = path.relative_to(PACKAGE).parts[0]
        if package in LOWER_PACKAGES:
            continue
        folder = PACKAGE / package
        own = names_of_package(folder) if folder.is_dir() else names_of_package(path.parent)
        found += [
            f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Attribute) and node.attr in lower - own
        ]
    return found


def main() -> int:
    """Print both tables; return 1 if a folder has too many packed assignments."""
    is_listed = "--list" in sys.argv[1:]
    status = 0
    print(f"{'folder':12} {'statements':>10} {'packed':>7} {'per 1,000':>10}")
    for name in FOLDERS:
        statements, packed = packed_statements(ROOT / name)
        rate = 1000 * len(packed) / max(1, statements)
        print(f"{name:12} {statements:10,} {len(packed):7,} {rate:10.1f}")
        if rate > MAX_PER_THOUSAND:
            status = 1
        if is_listed or rate > MAX_PER_THOUSAND:
            print(*(f"    {each}" for each in packed), sep="\n")
    uses = private_uses()
    print(f"private attributes of lower packages: {len(uses)} uses")
    if is_listed:
        print(*(f"    {each}" for each in uses), sep="\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
