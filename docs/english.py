"""Find habits of English that make pages and docstrings hard to read: ``python docs/english.py``.

The script reads the pages, the texts for contributors and the docstrings of programs, without code
and without German pages, and prints each finding as a file, a line, and the words.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
FOLDERS: Final = ("src", "tests", "docs", "examples", "benchmarks")
TEXTS: Final = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
HABITS: Final = (
    # A clause as a subject, as in "What is sent is the action"; questions may begin so.
    r"(?:^|(?<=[.:;?!] )|(?<=^#\s)|(?<=[-#|*] ))(?:What|Who|Whoever|Whatever) (?!.*\?)[a-z'`{]",
    r"(?<=[.!?] )Where(?: \w+)? (?:is|are|has|have|nobody|nothing|no|a|an|the|it|they) ",
    r"\b(?:whoever|whosoever|one's own|everybody who|nobody need|the own)\b",
    r"\bso many (?:lanes|columns|rows|points|cells|per)\b|\bpackages more\b",
    r"\banew\b|\bin vain\b|\bin thought\b|\bmidst\b|\bnought\b|\bdice\b|\bfloors\b",
    r"\bout of all proportion\b|\b(?:is|are) seen to\b|\bthere and back\b|\bboard to touch\b",
    r"\bafter the manner of\b|\bin the manner of\b|\bby heart\b|\bto go by\b|\bno success\b",
    r"\bof nothing but\b|\bone and the same\b|\bturns? back what\b|\ba second look\b",
    r"\b(?:is|are) held against\b",
    r"\bIf (?:it|something) is (?:none|not of its type)\b|\bis as good as\b|\bcomes? as its\b",
    r"\bwhat there is\b|\bwhat is to be said\b|\bin its turn\b|\ball that hangs on\b",
    r"\b(?:Known|Read|Left out|Kept|Counted) are\b|\bCanonical (?:is|are)\b|\bof its own accord\b",
)
PATTERN: Final = re.compile("|".join(f"(?:{habit})" for habit in HABITS), re.MULTILINE)
QUESTIONS: Final = re.compile(r"(?:What|How|Who|Whose|Where|Whether|Which|So many)\b")
"""Beginnings that no docstring has."""
CODE: Final = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
DOCTEST: Final = re.compile(r"^ *(?:>>>|\.\.\.) .*$", re.MULTILINE)


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the first line and the text of each docstring, those of attributes included."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        body = getattr(node, "body", [])
        for each in body if isinstance(body, list) else []:
            value = each.value if isinstance(each, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield each.lineno, value.value


def findings(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line, from 0, and the words of each habit in a text; code is left out."""
    text = DOCTEST.sub("", CODE.sub(lambda found: "\n" * found[0].count("\n"), text))
    for match in PATTERN.finditer(text):
        rest = text[match.start() :].partition("\n")[0]
        yield text.count("\n", 0, match.start()), rest[:60]


def main() -> int:
    """Print all findings; return 1 if there are any."""
    pages = sorted((ROOT / "docs").rglob("*.md"))
    pages = [p for p in pages if p.relative_to(ROOT).parts[1] not in {"_build", "de"}]
    texts = [(p, 1, p.read_text("utf-8")) for p in (*pages, *map(ROOT.joinpath, TEXTS))]
    programs = [p for folder in FOLDERS for p in sorted((ROOT / folder).rglob("*.py"))]
    found = []
    for path in (*programs, ROOT / "noxfile.py"):
        for start, text in docstrings(path):
            texts.append((path, start, text))
            if QUESTIONS.match(text):
                found.append((path, start, text.partition("\n")[0]))
    found += [(path, start + n, words) for path, start, t in texts for n, words in findings(t)]
    for path, line, words in found:
        print(f"{path.relative_to(ROOT)}:{line}: {words}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
