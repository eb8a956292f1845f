"""Draw boards with the library while Sphinx builds the pages.

The content of the directive ``board`` is a diagram. Its options are those of ``svg.render``, as
texts. ``to-move`` turns the diagram into a state, and ``first`` turns that state into a half turn.
``state`` gives a state instead of a diagram. ``ask`` and ``ask-red`` are actions of white and of
red on which the caption gives a verdict, in the language of the page. ``picture-only`` omits the
link to the page for playing on; ``opponent`` names a level of the computer for that page.

The diagram of a doctest is also drawn above it, with the actions that the doctest asks about. On
the pages in ``FOLDED`` the printed verdicts become the caption, and the code moves to the end.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from doctest import DocTestParser
from html import escape
from pathlib import Path
from typing import Any, ClassVar, Final

import drawing
import layout
import playing
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import pontedeldiavolo as pdd
from pontedeldiavolo.base.catalogs import rules_summary
from pontedeldiavolo.game.board_view import Drawable
from pontedeldiavolo.messages import LANGUAGES, explain

pyodide: Path | None = None
"""The folder of Pyodide, with which readers can play on; ``None`` if it could not be fetched."""
FOLDED: Final = ("game/rules",)
"""Pages that show boards, and the code only at the end, folded."""
BEFORE_LINKS: Final = 400
"""The priority of a listener that runs before names in code become links."""
WORDS: Final = {
    "en": {
        "legal": "legal",
        "play": "Play on from here",
        "play-computer": "Play on against the computer, with white",
        "white": "white",
        "red": "red",
        "white-moves": "White to move.",
        "red-moves": "Red to move.",
        "choice": "The second player chooses a colour.",
        "pass": "pass",
        "point": ".",
        "advised": "Advised",
        "other": "Instead",
        "share": (
            "{share:.0f} % of the points ({least:.0f} to {most:.0f} %):"
            " {won} won, {drawn} drawn, {lost} lost; search {value}"
        ),
    },
    "de": {
        "legal": "erlaubt",
        "play": "Von hier aus weiterspielen",
        "play-computer": "Gegen den Computer weiterspielen, mit Weiß",
        "white": "Weiß",
        "red": "Rot",
        "white-moves": "Weiß am Zug.",
        "red-moves": "Rot am Zug.",
        "choice": "Spieler 2 wählt eine Farbe.",
        "pass": "Passen",
        "point": ",",
        "advised": "Empfohlen",
        "other": "Stattdessen",
        "share": (
            "{share:.0f} % der Punkte ({least:.0f} bis {most:.0f} %):"
            " {won} gewonnen, {drawn} remis, {lost} verloren; Suche {value}"
        ),
    },
}
ADVICE: Final = Path(__file__).parent / "game" / "advice.json"
"""The results of ``examples/advice.py``."""
SUMMARY_MARK: Final = "@rules summary@"
ADVICE_MARK: Final = re.compile(r"@advice (\w+)@")
VERDICT: Final = re.compile(r"((?:white |red )?\S+): (legal|[A-Z].*)")
"""A line that an example prints about an action."""
MARGIN = 50
CELL = 32
LARGEST = 420
SMALL = 130
"""The sizes of pictures in pages, in pixels."""


def cells(text: str) -> list[pdd.Cell]:
    """Return the cells of a text such as ``a1 b2``."""
    return [pdd.parse_cell(name) for name in text.split()]


def arrows(text: str) -> list[pdd.svg.Arrow]:
    """Return the arrows of a text such as ``a1-c3 b2-b5``."""
    pairs = (name.split("-") for name in text.split())
    return [pdd.svg.Arrow(pdd.parse_cell(start), pdd.parse_cell(end)) for start, end in pairs]


def heat(text: str) -> dict[pdd.Cell, float]:
    """Return the number of each cell of a text such as ``a1=0.5 c3=-1``."""
    pairs = (name.split("=") for name in text.split())
    return {pdd.parse_cell(name): float(number) for name, number in pairs}


def theme(text: str) -> pdd.svg.Theme:
    """Return the theme with a name."""
    return {"light": pdd.svg.LIGHT, "dark": pdd.svg.DARK, "print": pdd.svg.PRINT}[text]


class Board(SphinxDirective):
    """The directive ``board``: the picture of a board."""

    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        "arrows": arrows,
        "ask": str.split,
        "ask-red": str.split,
        "first": pdd.parse_cell,
        "heat": heat,
        "highlights": cells,
        "last": pdd.parse_action,
        "networks": directives.flag,
        "opponent": directives.unchanged_required,
        "picture-only": directives.flag,
        "size": int,
        "state": pdd.parse_state,
        "targets": directives.flag,
        "theme": theme,
        "to-move": pdd.Color,
    }

    def run(self) -> list[nodes.Node]:
        """Return the picture, its caption and its link."""
        options: dict[str, Any] = {
            name: True if value is None else value for name, value in self.options.items()
        }
        page = self.env.docname
        drawable: Drawable | None = options.pop("state", None)
        to_move = options.pop("to-move", None)
        first = options.pop("first", None)
        picture_only = options.pop("picture-only", False)
        opponent = options.pop("opponent", "")
        if drawable is None:
            drawable = pdd.parse_setup("\n".join(self.content))
            setup = drawable
            if to_move is not None:
                drawable = pdd.GameState.from_position(setup.position(), to_move=to_move)
                if first is not None:
                    drawable = drawable.step(pdd.PlaceTile(first))
        asked = {pdd.Color.WHITE: options.pop("ask", []), pdd.Color.RED: options.pop("ask-red", [])}
        texts = [text for some in asked.values() for text in some]
        captions = [
            line for color, some in asked.items() for line in _verdicts(page, drawable, color, some)
        ]
        marks = _asked(texts) if texts else {}
        return [
            picture(page, drawable, **{"size": _size(drawable), **marks, **options}),
            *_caption(captions),
            *([] if picture_only else play_on(page, drawable, opponent)),
        ]


class PlayNow(SphinxDirective):
    """The directive ``play-now``: a link to the page for playing, if there is one."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the link, with the argument as its text."""
        if pyodide is None:
            return []
        link = f"{'../' * self.env.docname.count('/')}{playing.PLACE}/index.html"
        text = escape(self.arguments[0])
        return [drawing.html(f'<p><a class="play-now" href="{escape(link)}">{text}</a></p>')]


class Openings(SphinxDirective):
    """The directive ``openings``: small pictures in a row, each a link to play on from there."""

    has_content = True
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the row of pictures."""
        width, height = map(int, self.arguments[0].split("x"))
        start = pdd.GameState.initial(pdd.Rules(pdd.Board(width, height)))
        figures = []
        for text in " ".join(self.content).split():
            state = start.apply(pdd.parse_action(text))
            drawn = drawing.draw(
                state,
                size=SMALL,
                coordinates=False,
                catalog=language_of(self.env.docname),
            )
            caption = escape(text)
            if pyodide is not None:
                link = f"{'../' * self.env.docname.count('/')}{playing.address(state)}"
                label = f"{text}, {width}×{height}"
                caption = f'<a href="{escape(link)}" aria-label="{escape(label)}">{caption}</a>'
            figures.append(f"<figure>{drawn}<figcaption>{caption}</figcaption></figure>")
        head = f"<p><strong>{width}×{height}</strong></p>"
        return [drawing.html(f'<div class="openings">{head}{"".join(figures)}</div>')]


def language_of(page: str) -> str:
    """Return the code of a page's language."""
    return "de" if page.startswith("de/") else "en"


def action_of(text: str) -> pdd.Step | pdd.Action:
    """Parse an action; a single cell means one tile."""
    try:
        return pdd.parse_action(text)
    except pdd.NotationError:
        return pdd.PlaceTile(pdd.parse_cell(text))


def _verdicts(
    page: str, drawable: Drawable, color: pdd.Color, texts: list[str]
) -> Iterator[tuple[bool, str, str]]:
    """Yield for each action whether it is legal, the action, and a sentence about it."""
    words = WORDS[language_of(page)]
    if not texts:
        return
    if isinstance(drawable, pdd.Setup):
        drawable = pdd.GameState.from_position(drawable.position(), to_move=color)
    if not isinstance(drawable, pdd.GameState):
        return
    for text in texts:
        found = drawable.violations(action_of(text))
        reasons = [explain(each, LANGUAGES[language_of(page)]) for each in found]
        by = f"{words[color.value]} " if color is pdd.Color.RED else ""
        yield not reasons, by + words.get(text, text), " ".join(reasons) or words["legal"]


def _caption(lines: list[tuple[bool, str, str]]) -> Iterator[nodes.Node]:
    """Yield a paragraph for each verdict, with a mark for legal or illegal."""
    if lines:
        block = nodes.line_block(classes=["verdicts"])
        for legal, action, text in lines:
            sign, kind = ("✓", "is-legal") if legal else ("✗", "is-illegal")
            line = nodes.line("", "", nodes.inline("", sign, classes=[kind]))
            line += [nodes.Text(" "), nodes.strong("", action), nodes.Text(f": {text}")]
            block += line
        yield block


def _size(drawable: Drawable) -> int:
    """Return the size of a picture, so that cells are equally large in all pictures."""
    if isinstance(drawable, pdd.HalfTurn | pdd.Game):
        drawable = drawable.state
    board = drawable.rules.board if isinstance(drawable, pdd.GameState) else drawable.board
    side = max(board.width, board.height)
    return min(MARGIN + CELL * side, LARGEST)


def picture(page: str, drawable: Drawable, **options: Any) -> nodes.Node:
    """Return a picture in the language of a page and in the colours of its theme."""
    drawn = drawing.draw(drawable, catalog=language_of(page), **options)
    return drawing.html(f'<p class="board">{drawn}</p>', kind=layout.PICTURE)


def play_on(page: str, drawable: Drawable, opponent: str = "") -> Iterator[nodes.Node]:
    """Return a link for playing on from a position, if the page for that exists."""
    if pyodide is None or isinstance(drawable, pdd.Game):
        return
    if isinstance(drawable, pdd.Setup):
        try:
            drawable = drawable.position()
        except pdd.InvalidPositionError:
            return
    if isinstance(drawable, pdd.HalfTurn):
        drawable = drawable.state
    if isinstance(drawable, pdd.Position):
        drawable = pdd.GameState.from_position(drawable)
    link = f"{'../' * page.count('/')}{playing.address(drawable, opponent)}"
    text = WORDS[language_of(page)]["play-computer" if opponent else "play"]
    yield drawing.html(
        f'<p class="play-on"><a href="{escape(link)}">{text}</a></p>', kind=layout.PLAY_ON
    )


def fill_marks(_app: Sphinx, page: str, source: list[str]) -> None:
    """Replace the marks for the summary of the rules and for boards with advice."""
    code = language_of(page)
    if SUMMARY_MARK in source[0]:
        source[0] = source[0].replace(SUMMARY_MARK, "\n".join(_summary(code)))
    if ADVICE_MARK.search(source[0]):
        found = json.loads(ADVICE.read_text("utf-8"))
        source[0] = ADVICE_MARK.sub(lambda match: _advice(code, found[match[1]]), source[0])


def _summary(code: str) -> Iterator[str]:
    """Yield the summary as lines of Markdown."""
    for section in rules_summary(code)[1]:
        yield f"## {section.heading}\n\n{section.text}\n"
        for board in section.boards:
            asked = f":ask: {' '.join(board.actions)}\n" if board.actions else ""
            yield f"```{{board}}\n:state: {board.state}\n{asked}```\n"


def _advice(code: str, found: dict[str, Any]) -> str:
    """Return a board with the results of games after the advised action and another one."""
    words = WORDS[code]
    state = pdd.parse_state(found["state"])
    moves = words[f"{state.to_move.value}-moves" if state.to_move else "choice"]
    marks = _asked([found["tried"][0]["action"]])
    cells = " ".join(map(str, marks["highlights"]))
    rows = []
    for kind, tried in zip(("advised", "other"), found["tried"], strict=True):
        won, drawn, lost = tried["games"]
        least, most = tried["score_interval"]
        share = words["share"].format(
            share=100 * (won + drawn / 2) / (won + drawn + lost),
            least=100 * least,
            most=100 * most,
            won=won,
            drawn=drawn,
            lost=lost,
            value=f"{tried['value']:+.2f}".replace(".", words["point"]),
        )
        action = tried["action"]
        # Only the names of colours depend on the language of the page.
        named = words[action].capitalize() if action in words else f"`{action}`"
        rows.append(f"- **{words[kind]}:** {named} – {share}.")
    options = f":state: {found['state']}"
    if cells:
        options += f"\n:highlights: {cells}"
    for arrow in marks["arrows"]:
        options += f"\n:arrows: {arrow.start}-{arrow.end}"
    return f"{moves}\n\n```{{board}}\n{options}\n```\n\n" + "\n".join(rows)


def show_code_plainly(app: Sphinx, page: nodes.document) -> None:
    """Show folded code without colours and links: they would make the page twice as heavy.

    Most of this code is diagrams.
    """
    if app.env.docname in FOLDED:
        for example in page.findall(nodes.literal_block):
            if "testnodetype" in example:
                example["language"] = "none"


def draw_examples(app: Sphinx, page: nodes.document) -> None:
    """Draw the diagrams of the doctests of a page, each above its doctest."""
    folded = app.env.docname in FOLDED
    moved: list[nodes.Node] = []
    links: list[nodes.Node] = []
    for example in [*page.findall(nodes.literal_block), *page.findall(nodes.doctest_block)]:
        pictures, links_of_example = _pictures(app.env.docname, example)
        place = example.parent.index(example)
        if folded and "testnodetype" in example:
            if pictures and moved:
                title = next(_section_of(example).findall(nodes.title)).astext()
                moved.append(nodes.paragraph("", "", nodes.strong("", title)))
            moved.append(example)
            if example["testnodetype"] == "testoutput":
                # The links for playing on stand below the verdicts.
                pictures = [*_caption(_printed(example.astext())), *links]
                links = []
            links += links_of_example
            example.parent[place : place + 1] = pictures
        else:
            example.parent[place:place] = [*pictures, *links_of_example]
    if moved:
        before = nodes.raw("", "<details><summary>The code of this page</summary>", format="html")
        page[0].extend([before, *moved, nodes.raw("", "</details>", format="html")])


def _section_of(node: nodes.Node) -> nodes.Element:
    """Return the section that contains a node."""
    parent = node.parent
    while not isinstance(parent, nodes.section):
        parent = parent.parent
    return parent


def _printed(output: str) -> list[tuple[bool, str, str]]:
    """Return the verdicts that an example prints."""
    found = (VERDICT.fullmatch(line) for line in output.splitlines())
    return [(each[2] == "legal", each[1], each[2]) for each in found if each]


def _pictures(page: str, example: nodes.Element) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Return the pictures of an example's diagrams, and links to play on from them."""
    pictures: list[nodes.Node] = []
    links: list[nodes.Node] = []
    kind = example.get("testnodetype")
    if kind == "testcode":
        sources = [example.astext()]
    elif kind == "doctest":
        sources = [each.source for each in DocTestParser().get_examples(example.astext())]
    else:
        return pictures, links
    for diagram, texts in _diagrams("\n".join(sources)).items():
        setup = pdd.parse_setup(diagram)
        pictures.append(picture(page, setup, size=_size(setup), **_asked(texts)))
        links += play_on(page, setup)
    return pictures, links


def _diagrams(source: str) -> dict[str, list[str]]:
    """Return the diagrams among the arguments of calls in a source, with the other texts there."""
    tree = ast.parse(source)
    named: dict[str, object] = {
        target.id: each.value.value
        for each in ast.walk(tree)
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant)
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    found: dict[str, list[str]] = {}
    for call in ast.walk(tree):
        if isinstance(call, ast.Call):
            values = [
                named.get(each.id) if isinstance(each, ast.Name) else each.value
                for each in call.args
                if isinstance(each, (ast.Name, ast.Constant))
            ]
            texts = [each for each in values if isinstance(each, str)]
            for diagram in filter(_is_diagram, texts):
                known = found.setdefault(diagram, [])
                known += [text for text in texts if text not in (diagram, *known)]
    return found


def _is_diagram(text: str) -> bool:
    if "\n" not in text:
        return False
    try:
        pdd.parse_setup(text)
    except pdd.NotationError:
        return False
    return True


def _asked(texts: list[str]) -> dict[str, Any]:
    """Return marks for the actions among some texts, about which an example asks."""
    marked: list[pdd.Cell] = []
    arrows: list[pdd.svg.Arrow] = []
    for text in texts:
        for parse in (pdd.parse_step, pdd.parse_action):
            try:
                action = parse(text)
            except pdd.NotationError:
                continue
            if isinstance(action, pdd.PlaceTile):
                marked.append(action.cell)
            elif isinstance(action, pdd.PlaceTiles):
                marked += [action.a, action.b]
            elif isinstance(action, pdd.BuildBridge):
                arrows.append(pdd.svg.Arrow(action.a, action.b))
            break
    return {"highlights": marked, "arrows": arrows}
