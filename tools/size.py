"""Count lines of code, tokens and modules: ``python tools/size.py [SRC]``.

A line of code is a line that is neither blank nor only a comment or part of a docstring. Tokens
are those of Python's tokenizer without comments, docstrings, line ends and indentation.
"""

from __future__ import annotations

import ast
import sys
import tokenize
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
LAYOUT = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}


def docstring_lines(text: str) -> set[int]:
    """Return the line numbers of all docstrings, including those of attributes."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", [])
        for each in body if isinstance(body, list) else []:
            if (
                isinstance(each, ast.Expr)
                and isinstance(each.value, ast.Constant)
                and isinstance(each.value.value, str)
            ):
                found.update(range(each.lineno, (each.end_lineno or each.lineno) + 1))
    return found


def count(path: Path) -> tuple[int, int]:
    """Return the lines of code and the tokens of a file."""
    documented = docstring_lines(path.read_text(encoding="utf-8"))
    lines: set[int] = set()
    tokens = 0
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type not in LAYOUT and token.start[0] not in documented:
                lines.update(range(token.start[0], token.end[0] + 1))
                tokens += 1
    return len(lines), tokens


def main() -> None:
    """Print a table by package, and the lines of the tests."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "src" / "pontedeldiavolo"
    table: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for path in source.rglob("*.py"):
        parts = path.relative_to(source).parts
        lines, tokens = count(path)
        for name in (f"{parts[0]}/" if len(parts) > 1 else "(root)", "all"):
            table[name][0] += path.name != "__init__.py"
            table[name][1] += lines
            table[name][2] += tokens
    print(f"{'package':12} {'modules':>7} {'lines':>7} {'tokens':>8}")
    for name, (modules, lines, tokens) in sorted(table.items(), key=lambda row: row[1][1]):
        print(f"{name:12} {modules:7,} {lines:7,} {tokens:8,}")
    tests = sum(
        len(path.read_text(encoding="utf-8").splitlines())
        for path in (ROOT / "tests").rglob("*.py")
    )
    print(f"tests: {tests:,} lines, comments and blank lines included")


if __name__ == "__main__":
    main()
