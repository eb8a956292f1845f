"""Exercises on the rules, which the library judges while Sphinx builds the pages.

The content of the directive ``exercise`` is a diagram, or its option ``state`` gives a state. Its
argument is one of these kinds:

- ``tiles``: the cells on which a tile may be placed; with ``first`` the first tile of the turn is
  already there.
- ``closed``: the cells that are legal before the tile on ``first``, and illegal after it.
- ``bridges``: the bridges that may be built, among all that join two tiles of the player to move,
  and those that ``answers`` names.
- ``actions``: the legal actions among those that ``answers`` names.
- ``points``: the points of the colour to move, among the numbers that ``answers`` names.
- ``result``: the result of the game, if it ended with this board.
- ``next``: who moves after the actions that ``after`` names, from an empty board of 6×6 cells.

``to-move`` names the colour to move, ``phase`` the part of the game, and ``tiles`` the supply of
each colour. A page needs no server: it contains the verdict and the sentence for each answer. The
script ``assets/exercises.js`` shows them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import escape
from typing import Any, ClassVar, Final

import boards
from attrs import evolve, frozen
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import pontedeldiavolo as pdd
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.messages import LANGUAGES, explain
from pontedeldiavolo.svg import outlines
from pontedeldiavolo.svg.layout import layout_of

KINDS: Final = ("tiles", "closed", "bridges", "actions", "points", "result", "next")
CELL: Final = 46
"""The size of a cell in pixels: larger than in other pictures, for fingers."""
ON_CELLS: Final = ("tiles", "closed")
"""The kinds whose answers are the cells of the board."""
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""A verdict on a cell is one of these characters: the number of a sentence."""
PLACE: Final = "@"
"""The mark in a sentence for the cell that it judges. So one sentence serves many cells."""
WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "title": "Exercise {number}",
        "white": "White",
        "red": "Red",
        "tiles": "Click every cell on which {color} may place a first tile.",
        "second": "{color}'s first tile of this turn is on {first}."
        " Click every cell for the second tile.",
        "closed": "{color}'s first tile of this turn is on {first}."
        " Click every cell that was legal before and is illegal now.",
        "bridges": "Click every bridge that {color} may build.",
        "actions": "It is {color}'s turn. Click every legal action.",
        "last-turn": "White has passed. Click every legal action of {color}.",
        "points": "How many points does {color} have?",
        "result": "The game ends with this board. What is the result?",
        "next": "The actions so far: {after}. Which action comes next?",
        "no-choice": "The second player chooses a colour.",
        "moves": "Player {seat} moves, with {color}.",
        "counted": "{color} has {points} points. Islands in each network: {islands}.",
        "one-point": "{color} has 1 point. Islands in each network: {islands}.",
        "not-points": "Not {points}:"
        " count each network by itself; n islands score n(n+1)/2 points.",
        "not-result": "No: compare the points, then the islands, then the bridges.",
        "not-next": "No: after the choice it is the turn of red; then the colours alternate.",
        "draw": "A draw",
        "wins": "{color} wins",
        "pass": "pass",
        "and": ", ",
        "legal": "legal.",
        "still": "still legal.",
        "before": "illegal before as well.",
        "script": "This exercise needs JavaScript.",
    },
    "de": {
        "title": "Aufgabe {number}",
        "white": "Weiß",
        "red": "Rot",
        "tiles": "Auf welche Felder darf {color} einen ersten Stein legen? Alle anklicken.",
        "second": "Der erste Stein des Zuges von {color} liegt auf {first}."
        " Welche Felder sind für den zweiten erlaubt? Alle anklicken.",
        "closed": "Der erste Stein des Zuges von {color} liegt auf {first}."
        " Welche Felder waren vorher erlaubt und sind es jetzt nicht mehr? Alle anklicken.",
        "bridges": "Welche Brücken darf {color} bauen? Alle anklicken.",
        "actions": "{color} ist am Zug. Welche Züge sind erlaubt? Alle anklicken.",
        "last-turn": "Weiß hat gepasst. Welche Züge darf {color} machen? Alle anklicken.",
        "points": "Wie viele Punkte hat {color}?",
        "result": "Mit diesem Brett endet die Partie. Wie geht sie aus?",
        "next": "Bisher gespielt: {after}. Wie geht es weiter?",
        "no-choice": "Spieler 2 wählt eine Farbe.",
        "moves": "Spieler {seat} ist am Zug, mit {color}.",
        "counted": "{color} hat {points} Punkte. Inseln je Netz: {islands}.",
        "one-point": "{color} hat 1 Punkt. Inseln je Netz: {islands}.",
        "not-points": "Nicht {points}: Jedes Netz zählt für sich; n Inseln zählen n(n+1)/2 Punkte.",
        "not-result": "Nein: Zuerst zählen die Punkte, dann die Inseln, dann die Brücken.",
        "not-next": "Nein: Nach der Farbwahl ist Rot am Zug, ganz gleich, wem Rot gehört;"
        " dann wechseln sich die Farben ab.",
        "draw": "Unentschieden",
        "wins": "{color} gewinnt",
        "pass": "Passen",
        "and": ", ",
        "legal": "erlaubt.",
        "still": "weiterhin erlaubt.",
        "before": "schon vorher verboten.",
        "script": "Diese Aufgabe braucht JavaScript.",
    },
}


@frozen
class Answer:
    """An answer to an exercise, with the verdict on it."""

    label: str
    """The text of the answer, such as ``c3``, ``a1-c1`` or ``pass``."""
    is_right: bool
    sentence: str
    """The reason, in the language of the page."""


@frozen
class Task:
    """An exercise: a kind, a state and what is asked about it."""

    kind: str
    state: pdd.GameState
    first: pdd.Cell | None = None
    asked: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def color(self) -> pdd.Color:
        """The colour that the exercise is about; red if the game has no colour to move."""
        return self.state.to_move or pdd.Color.RED

    @property
    def drawable(self) -> pdd.GameState | pdd.HalfTurn:
        """The state or half turn in the picture."""
        if self.first is None:
            return self.state
        return self.state.step(pdd.PlaceTile(self.first))

    def question(self, language: str) -> str:
        """Return the question of the exercise."""
        words = WORDS[language]
        key = self.kind
        if self.kind == "tiles" and self.first is not None:
            key = "second"
        if self.kind == "actions" and self.state.phase is pdd.Phase.LAST_TURN:
            key = "last-turn"
        after = words["and"].join(
            words[each].lower() if each in words and language == "en" else words.get(each, each)
            for each in self.after
        )
        color = words[self.color.value]
        if language == "en" and not words[key].startswith("{color}"):
            color = color.lower()
        return words[key].format(color=color, first=self.first, after=after)

    def answers(self, language: str) -> list[Answer]:
        """Return all answers that a reader may give, with their verdicts."""
        return list(getattr(self, f"_{self.kind}")(language))

    def _tiles(self, language: str) -> Iterator[Answer]:
        """Yield the answers that are cells on which a tile may be placed."""
        for cell in self._cells():
            yield self._judged(pdd.PlaceTile(cell), language)

    def _closed(self, language: str) -> Iterator[Answer]:
        """Yield the answers that are cells which the first tile makes illegal."""
        words = WORDS[language]
        for step in map(pdd.PlaceTile, self._cells()):
            judged = self._judged(step, language)
            if judged.is_right:
                yield evolve(judged, is_right=False, sentence=words["still"])
            elif step.cell == self.first or self.state.violations(step):
                yield evolve(judged, sentence=words["before"])
            else:
                yield evolve(judged, is_right=True)

    def _bridges(self, language: str) -> Iterator[Answer]:
        """Yield the answers that are bridges between two tiles of the player, or named ones."""
        position = self.state.position
        own = {tile for group in position.groups(self.color) for tile in group.cells}
        built = {bridge for color in pdd.Color for bridge in position.bridges(color)}
        known = [
            pdd.BuildBridge(*bridge.ends)
            for bridge in self.state.rules.board.bridges
            if own.issuperset(bridge.ends) and bridge not in built
        ]
        named = map(boards.action_of, self.asked)
        known += [each for each in named if isinstance(each, pdd.BuildBridge)]
        for action in sorted(dict.fromkeys(known), key=lambda each: (each.a, each.b)):
            yield self._judged(action, language)

    def _actions(self, language: str) -> Iterator[Answer]:
        """Yield the answers that are named actions, with their texts as labels."""
        for text in self.asked:
            judged = self._judged(boards.action_of(text), language)
            yield evolve(judged, label=WORDS[language].get(text, text))

    def _cells(self) -> Iterator[pdd.Cell]:
        """Yield the cells row by row, from the upper left corner."""
        board = self.state.rules.board
        for row in reversed(range(board.height)):
            for column in range(board.width):
                yield pdd.Cell(column, row)

    def _judged(self, action: pdd.Action | pdd.PlaceTile, language: str) -> Answer:
        """Return the verdict of the library on an action."""
        words = WORDS[language]
        # A half turn takes steps only, and no exercise asks for another action there.
        found = self.drawable.violations(action)  # type: ignore[arg-type]
        catalog = LANGUAGES[language]
        sentence = " ".join(explain(each, catalog) for each in found)
        label = _text_of(action)
        return Answer(words.get(label, label), not found, sentence or words["legal"])

    def _points(self, language: str) -> Iterator[Answer]:
        words = WORDS[language]
        points = self.state.score(self.color).points
        networks = self.state.position.networks(self.color)
        islands = ", ".join(str(len(each.islands)) for each in networks if each.islands)
        key = "one-point" if points == 1 else "counted"
        color = words[self.color.value]
        right = words[key].format(color=color, points=points, islands=islands or "0")
        for text in self.asked:
            is_right = int(text) == points
            wrong = words["not-points"].format(points=text)
            yield Answer(text, is_right, right if is_right else wrong)

    def _result(self, language: str) -> Iterator[Answer]:
        words = WORDS[language]
        white, red = (self.state.score(color) for color in pdd.Color)
        winner_of_game, _ = self.state.rules.decide(white, red)
        ended = pdd.GameState.from_position(
            self.state.position, rules=self.state.rules, phase=pdd.Phase.OVER
        )
        catalog = LANGUAGES[language]
        right = "" if ended.outcome is None else pdd.messages.result(ended.outcome, catalog)
        for winner in (pdd.Color.WHITE, pdd.Color.RED, None):
            label = words["draw"]
            if winner is not None:
                label = words["wins"].format(color=words[winner.value])
            is_right = winner is winner_of_game
            yield Answer(label, is_right, right if is_right else words["not-result"])

    def _next(self, language: str) -> Iterator[Answer]:
        words = WORDS[language]
        now = (self.state.seat_to_move, self.state.to_move)
        choices = [(seat, color) for seat in pdd.Seat for color in (pdd.Color.WHITE, pdd.Color.RED)]
        for seat, color in [(pdd.Seat.SECOND, None), *choices]:
            label = words["no-choice"]
            if color is not None:
                name = words[color.value]
                name = name.lower() if language == "en" else name
                number = 1 if seat is pdd.Seat.FIRST else 2
                label = words["moves"].format(seat=number, color=name)
            is_right = now == (seat, color)
            yield Answer(label, is_right, label if is_right else words["not-next"])


def _text_of(action: pdd.Action | pdd.PlaceTile) -> str:
    """Return an action as text, and a tile as its cell."""
    if isinstance(action, pdd.PlaceTile):
        return str(action.cell)
    return pdd.format_action(action)


class exercise(nodes.General, nodes.Element):  # noqa: N801 - docutils' convention
    """An exercise, before the sentences of its page are known."""


class Exercise(SphinxDirective):
    """The directive ``exercise``."""

    has_content = True
    required_arguments = 1
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        "after": str.split,
        "answers": str.split,
        "first": pdd.parse_cell,
        "phase": pdd.Phase,
        "state": pdd.parse_state,
        "tiles": directives.nonnegative_int,
        "to-move": pdd.Color,
    }

    def run(self) -> list[nodes.Node]:
        """Return the exercise as a node that :func:`finish` replaces."""
        try:
            task = task_of(self.arguments[0], "\n".join(self.content), self.options)
        except ValueError as error:
            raise self.error(str(error)) from error
        return [exercise("", task=task)]


def task_of(kind: str, diagram: str, options: dict[str, Any]) -> Task:
    """Return the exercise with the content and the options of a directive.

    Raises:
        ValueError: If there is no such kind, or the diagram is wrong.
    """
    if kind not in KINDS:
        raise ValueError(f"no kind of exercise: {kind}")
    state = options.get("state")
    after = tuple(options.get("after", ()))
    if kind == "next":
        state = pdd.GameState.initial(pdd.Rules(pdd.Board(6, 6)))
        for text in after:
            state = state.apply(pdd.parse_action(text))
    if state is None:
        position = pdd.parse_setup(diagram).position()
        rules = evolve(pdd.Rules(position.board), tiles_per_color=options.get("tiles"))
        state = pdd.GameState.from_position(
            position,
            rules=rules,
            to_move=options.get("to-move", pdd.Color.WHITE),
            phase=options.get("phase", pdd.Phase.PLAY),
        )
    asked = tuple(options.get("answers", ()))
    return Task(kind, state, options.get("first"), asked, after)


def packed(task: Task, language: str, sentences: dict[str, int]) -> dict[str, Any]:
    """Return an exercise for the script; its sentences are added to those of the page.

    A sentence begins with ``+`` if its answers are right, and with ``-`` otherwise. ``sentences``
    are the numbers of those that the exercise needs, and a character of ``verdicts`` is the place
    of a number among them. ``picture`` has the margins that the library draws around the cells.
    """
    places: dict[int, int] = {}
    verdicts = ""
    answers = task.answers(language)
    for answer in answers:
        sentence = answer.sentence
        if task.kind in ON_CELLS:
            sentence = re.sub(rf"\b{answer.label}\b", PLACE, sentence)
        marked = f"{'+' if answer.is_right else '-'}{sentence}"
        number = sentences.setdefault(marked, len(sentences))
        verdicts += DIGITS[places.setdefault(number, len(places))]
    board = task.state.rules.board
    layout = layout_of(Symmetry(board.width, board.height), coordinates=True)
    found: dict[str, Any] = {
        "size": [board.width, board.height],
        "picture": {"margin": layout.margin, "far": layout.far, "cell": outlines.CELL},
        "sentences": [*places],
        "verdicts": verdicts,
    }
    if task.kind not in ON_CELLS:
        found["labels"] = [answer.label for answer in answers]
    return found


def finish(app: Sphinx, page: nodes.document) -> None:
    """Replace the exercises of a page, and store their sentences once at its end."""
    language = boards.language_of(app.env.docname)
    sentences: dict[str, int] = {}
    for number, node in enumerate(list(page.findall(exercise)), start=1):
        task = node["task"]
        data = packed(task, language, sentences)
        title = WORDS[language]["title"].format(number=number)
        shown = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        head = (
            f'<div class="exercise" data-exercise="{escape(shown)}">'
            f'<p class="exercise-question"><strong>{title}.</strong> '
            f"{escape(task.question(language))}</p>"
            f'<noscript><p>{WORDS[language]["script"]}</p></noscript><div class="exercise-picture">'
        )
        board = task.state.rules.board
        size = boards.MARGIN + CELL * max(board.width, board.height)
        picture = boards.picture(app.env.docname, task.drawable, size=size)
        node.parent.replace(
            node,
            [
                nodes.raw("", head, format="html"),
                picture,
                nodes.raw("", "</div></div>", format="html"),
            ],
        )
    if sentences:
        text = json.dumps([*sentences], ensure_ascii=False, separators=(",", ":"))
        text = text.replace("<", "\\u003c")
        script = f'<script type="application/json" id="exercise-sentences">{text}</script>'
        page[-1].append(nodes.raw("", script, format="html"))


def add_script(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Load the script and the style of exercises on pages that have some."""
    if 'id="exercise-sentences"' in context.get("body", ""):
        app.add_css_file("exercises.css")
        app.add_js_file("exercises.js", loading_method="defer")


def setup(app: Sphinx) -> None:
    """Add the directive."""
    app.add_node(exercise)
    app.add_directive("exercise", Exercise)
    app.connect("doctree-read", finish, priority=600)
    app.connect("html-page-context", add_script)
