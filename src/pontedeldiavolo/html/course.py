"""What a page has of a game: all its lines, each step in words and in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from attrs import define

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.base.messages import Catalog, filled, result, sentence, word
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.sentences import done, state_of_play
from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, PlaceTiles
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg.networks import names_of
from pontedeldiavolo.svg.scenery import Scenery
from pontedeldiavolo.svg.timeline import Timeline
from pontedeldiavolo.svg.view import View
from pontedeldiavolo.svg.words import COLORS


class Standing(NamedTuple):
    """What a colour has scored, and with which networks."""

    points: int
    networks: tuple[int, ...]


@define
class Step:
    """What a reader stops at: the start, or a move."""

    name: str
    """What links to it end with."""
    turn: int
    color: Color | None
    move: Move | None
    said: str
    scores: tuple[Standing, Standing]
    marks: tuple[int, ...]
    variations: list[Course]


@define
class Course:
    """The main line or a variation."""

    number: int
    """0 for the main line; a variation comes after what it branches off."""
    base: int
    """The line that it branches off."""
    kept: int
    """How many steps of that line come first, those that it has of others included."""
    comment: str
    steps: list[Step]
    scenery: Scenery
    """What this line brings."""
    gone: tuple[str, ...]
    """What of the lines before it is gone, and since which turn."""

    def all(self) -> Iterator[Course]:
        """Iterate over the line and all its variations, by their numbers."""
        yield self
        for step in self.steps:
            for variation in step.variations:
                yield from variation.all()


class Teller:
    """What makes the courses of one game."""

    def __init__(self, game: Game, place: int, view: View, catalog: Catalog) -> None:
        self.game: Game = game
        self.prefix: str = f"game-{place}"
        self.view: View = view
        self.catalog: Catalog = catalog
        self.lines: int = 0

    def main(self) -> Course:
        """Return the main line, with everything that hangs on it."""
        start = self.game.start
        timeline = Timeline(start, networks=True)
        said = state_of_play(start, self.catalog)
        if not self.game.line.moves:
            said = self._standing(start, last=True)
        scores = scores_of(timeline)
        name = f"{self.prefix}-turn-{start.turn}"
        said = f"{said} {self._score(scores)}"
        first = Step(name, start.turn, None, None, said, scores, (), [])
        return self._course(self.game.line, start, timeline, (0, 0), [first])

    def _course(
        self,
        line: Line,
        state: GameState,
        timeline: Timeline,
        base: tuple[int, int],
        steps: list[Step],
    ) -> Course:
        """Follow a line that keeps so many steps of another one."""
        number, since, kept = self.lines, state.turn, base[1] + len(steps)
        hidden = _beneath(timeline.geometry, timeline.bridges) if number else 0
        self.lines += 1
        for place, move in enumerate(line.moves):
            # Each of them goes on from here, and the timeline does not stay here.
            branches = [timeline.branch() for _ in move.variations]
            before, state = state, state.apply_unchecked(move.action)
            timeline.play(move.action)
            last = place == len(line.moves) - 1
            step = self._step(number, (before, state), timeline, move, last=last)
            for other, branch in zip(move.variations, branches, strict=True):
                at = (number, kept + place)
                step.variations.append(self._course(other, before, branch, at, []))
            steps.append(step)
        if number == 0:
            return Course(number, *base, line.comment, steps, _all_of(self.game, timeline), ())
        new, gone = _new_of(self.game, timeline, since, hidden), _gone(timeline, since, self.view)
        return Course(number, *base, line.comment, steps, new, gone)

    def _step(
        self,
        number: int,
        states: tuple[GameState, GameState],
        timeline: Timeline,
        move: Move,
        *,
        last: bool,
    ) -> Step:
        """Return a move as readers get it."""
        before, state = states
        action, scores = move.action, scores_of(timeline)
        in_line = f"-variation-{number}" if number else ""
        choice = "-choice" if isinstance(action, ChooseColor) else ""
        # At the choice no colour acts, and the sentence on it names none that does.
        color = before.to_move
        said = [
            sentence(self.catalog, "page-variation", number=number) + "." if number else "",
            done(action, color or Color.WHITE, self.catalog),
            self._standing(state, last=last and not number),
            self._score(scores),
        ]
        return Step(
            f"{self.prefix}{in_line}-turn-{state.turn}{choice}",
            state.turn,
            color,
            move,
            " ".join(filter(None, said)),
            scores,
            _cells_of(action, timeline.geometry),
            [],
        )

    def _standing(self, state: GameState, *, last: bool) -> str:
        """Return the sentence on who is to move, or how it came out."""
        if last and self.game.ending is not None:
            return result(self.game, self.catalog)
        if state.outcome is not None:
            return result(state.outcome, self.catalog)
        return state_of_play(state, self.catalog)

    def _score(self, scores: tuple[Standing, Standing]) -> str:
        words = [word(color, self.catalog) for color in Color]
        white, red = (each.points for each in scores)
        text = filled(
            self.catalog,
            "page-score",
            {"white_word": words[0], "white": white, "red_word": words[1], "red": red},
        )
        return text[:1].upper() + text[1:]


def scores_of(timeline: Timeline) -> tuple[Standing, Standing]:
    """Return what both colours have, and the networks that are worth something."""
    white, red = (
        tuple(
            net.points
            for net in timeline.nets
            if net.color == color and net.until is None and net.points
        )
        for color in (0, 1)
    )
    return Standing(sum(white), white), Standing(sum(red), red)


def _cells_of(action: Action, geometry: Geometry) -> tuple[int, ...]:
    if isinstance(action, PlaceTiles | BuildBridge):
        return geometry.index(action.a), geometry.index(action.b)
    return ()


def _beneath(geometry: Geometry, bridges: list[int]) -> int:
    """Return the cells under the bridges of both colours."""
    found = 0
    for number in bits(bridges[0] | bridges[1]):
        found |= geometry.beneath[number]
    return found


def _all_of(game: Game, line: Timeline) -> Scenery:
    return Scenery(game.rules.board, line.placed, line.lands, line.built, line.nets)


def _new_of(game: Game, line: Timeline, since: int, hidden: int) -> Scenery:
    """Return what a variation brings; what is blocked already is not blocked again."""
    return Scenery(
        game.rules.board,
        line.placed,
        [each for each in line.lands if each.since is not None and each.since > since],
        [each._replace(beneath=each.beneath & ~hidden) for each in line.built],
        [each for each in line.nets if each.since is not None and each.since > since],
    )


def _gone(line: Timeline, since: int, view: View) -> tuple[str, ...]:
    """Return what a variation finds and does not leave."""
    lands = [
        f"{each.until} land {COLORS[each.color]} {names_of(view, (each.cells,))}"
        for each in line.lands
        if each.until is not None and each.since is not None and each.since <= since
    ]
    nets = [
        f"{each.until} network {COLORS[each.color]} {names_of(view, each.groups)}"
        for each in line.nets
        if each.until is not None
        and each.since is not None
        and each.since <= since
        and each.is_shown
    ]
    return (*lands, *nets)
