"""Write the page of error codes from the message catalogues: each code, its sentences and values.

A mark in the page is replaced by a heading and a directive ``error-codes`` for each group. The
comments in the catalogues name the groups. Another mark stands for a table of the codes of illegal
actions.
"""

from __future__ import annotations

from string import Formatter
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from pontedeldiavolo.base.catalogs import languages_folder, tables_of

MARK: Final = "@error codes@"
ACTIONS_MARK: Final = "@violation codes@"
LAST_OF_ACTIONS: Final = "pair-exists"
"""The last code of an action in the catalogues; codes of set-ups follow."""
LANGUAGES: Final = ("en", "de")
RULES: Final = "Rules of the game"
OF_RULES: Final = ("cells", "bridges")
"""Values that a message takes from the violation itself."""
MORE_VALUES: Final = {
    "limit": ("max",),
    "game-damaged": ("why",),
    "store-unreadable": ("why",),
    "store-unwritable": ("why",),
}
"""Values of errors that occur in no sentence."""


def groups() -> dict[str, list[str]]:
    """Return the codes of all errors, by group."""
    text = (languages_folder() / "en.toml").read_text("utf-8")
    found: dict[str, list[str]] = {RULES: [*tables_of("en")["violations"]]}
    group: list[str] = []
    for line in text.partition("[errors]\n")[2].partition("\n[")[0].splitlines():
        if line.startswith("# "):
            group = found.setdefault(line[2:], [])
        elif line:
            group.append(line.partition(" = ")[0])
    return found


def sentence(template: str) -> tuple[str, list[str]]:
    """Return a template with the nouns for many, and the names of its values."""
    text = ""
    names = []
    for literal, name, specification, _ in Formatter().parse(template):
        text += literal
        if name is not None:
            _, is_choice, many = (specification or "").partition("|")
            text += many if is_choice else f"{{{name}}}"
            names.append(name)
    return text, names


class ErrorCodes(SphinxDirective):
    """The directive ``error-codes``: the codes of one group."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return a list of definitions, each with its own anchor."""
        group = self.arguments[0]
        table = "violations" if group == RULES else "errors"
        texts = {each: tables_of(each)[table] for each in LANGUAGES}
        listed = nodes.definition_list(classes=["error-codes"])
        for code in groups()[group]:
            said = {each: sentence(texts[each][code]) for each in LANGUAGES}
            values = dict.fromkeys(said["en"][1] + said["de"][1])
            values |= dict.fromkeys(MORE_VALUES.get(code, ()))
            if table == "violations":
                values = {name: None for name in values if name not in OF_RULES}
            term = nodes.term("", "", nodes.literal(text=code), ids=[f"code-{code}"])
            if values:
                term += nodes.inline(text=f" · {', '.join(values)}", classes=["values"])
            meaning = nodes.definition()
            for language, (text, _) in said.items():
                # In a literal, Sphinx does not replace the quotation marks.
                words = nodes.literal(text=text, classes=["sentence"])
                meaning += nodes.paragraph("", "", words, classes=[f"language-{language}"])
            listed += nodes.definition_list_item("", term, meaning)
        return [listed]


def fill(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Replace the mark by a heading and a directive for each group."""
    if MARK in source[0]:
        blocks = (f"## {group}\n\n```{{error-codes}} {group}\n```" for group in groups())
        source[0] = source[0].replace(MARK, "\n\n".join(blocks))
    if ACTIONS_MARK in source[0]:
        source[0] = source[0].replace(ACTIONS_MARK, "\n".join(rows_of_actions()))


def rows_of_actions() -> list[str]:
    """Return a table in Markdown of the codes of illegal actions, each with its sentence."""
    texts = tables_of("en")["violations"]
    codes = [*texts]
    shown = codes[: codes.index(LAST_OF_ACTIONS) + 1]
    rows = [f"| `{code}` | {sentence(texts[code])[0]} |" for code in shown]
    return ["| code | sentence |", "|---|---|", *rows]


def setup(app: Sphinx) -> None:
    """Add the directive, and connect the function that replaces the mark."""
    app.add_directive("error-codes", ErrorCodes)
    app.connect("source-read", fill)
