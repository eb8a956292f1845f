"""The lines of a game for a page: each ply in words, in numbers and in the picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from attrs import define, evolve

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.base.messages import Catalog, filled, result, sentence, word
from pontedeldiavolo.game.board_view import BoardView, cells_of
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.sentences import done, state_of_play
from pontedeldiavolo.rules.actions import ChooseColor
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg.captions import COLORS
from pontedeldiavolo.svg.timeline import Timeline


class ScoreLine(NamedTuple):
    """The points of a colour, and of its networks."""

    points: int
    networks: tuple[int, ...]


@define
class Ply:
    """The start of a game, or the state after a move."""

    name: str
    """The fragment of links to it."""
    turn: int
    color: Color | None
    move: Move | None
    said: str
    scores: tuple[ScoreLine, ScoreLine]
    marks: tuple[int, ...]
    variations: list[LineView]


@define
class LineView:
    """The main line or a variation."""

    number: int
    """0 for the main line; a variation comes after the line that it branches off."""
    base: int
    """The line that it branches off."""
    kept: int
    """The number of plies before it, those of all lines that lead to it."""
    comment: str
    plies: list[Ply]
    view: BoardView
    """The pieces, groups and networks that this line brings."""
    gone: tuple[str, ...]
    """The groups and networks of earlier lines that end in it, each with the turn."""

    def all(self) -> Iterator[LineView]:
        """Iterate over the line and all its variations."""
        yield self
        for ply in self.plies:
            for variation in ply.variations:
                yield from variation.all()


class Replay:
    """One game of a page, from which its lines are made."""

    def __init__(self, game: Game, place: int, catalog: Catalog) -> None:
        self.game: Game = game
        self.prefix: str = f"game-{place}"
        self.catalog: Catalog = catalog
        self.lines: int = 0

    def main(self) -> LineView:
        """Return the main line with all variations."""
        start = self.game.start
        timeline = Timeline(start, networks=True)
        said = self._standing(start, is_last=not self.game.line.moves)
        scores = scores_of(timeline)
        name = f"{self.prefix}-turn-{start.turn}"
        said = f"{said} {self._score(scores)}"
        first = Ply(name, start.turn, None, None, said, scores, (), [])
        return self._line(self.game.line, start, timeline, (0, 0), [first])

    def _line(
        self,
        line: Line,
        state: GameState,
        timeline: Timeline,
        base: tuple[int, int],
        plies: list[Ply],
    ) -> LineView:
        """Follow a line; *base* is the line that it branches off, and the plies that it keeps."""
        number, since, kept = self.lines, state.turn, base[1] + len(plies)
        hidden = timeline.blocked if number else 0
        self.lines += 1
        for place, move in enumerate(line.moves):
            # Variations start here, before the timeline goes on.
            branches = [timeline.branch() for _ in move.variations]
            before, state = state, state.apply_unchecked(move.action)
            timeline.play(move.action)
            is_last = place == len(line.moves) - 1
            ply = self._ply(number, (before, state), timeline, move, is_last=is_last)
            for other, branch in zip(move.variations, branches, strict=True):
                at = (number, kept + place)
                ply.variations.append(self._line(other, before, branch, at, []))
            plies.append(ply)
        view, gone = timeline.view, tuple[str, ...]()
        if number:
            view, gone = _brought(view, since, hidden), tuple(_gone(view, since))
        return LineView(number, *base, line.comment, plies, view, gone)

    def _ply(
        self,
        number: int,
        states: tuple[GameState, GameState],
        timeline: Timeline,
        move: Move,
        *,
        is_last: bool,
    ) -> Ply:
        before, state = states
        action, scores = move.action, scores_of(timeline)
        in_line = f"-variation-{number}" if number else ""
        choice = "-choice" if isinstance(action, ChooseColor) else ""
        # At the choice no colour acts, and the sentence on it names none that does.
        color = before.to_move
        said = [
            sentence(self.catalog, "page-variation", number=number) + "." if number else "",
            done(action, color or Color.WHITE, self.catalog),
            self._standing(state, is_last=is_last and not number),
            self._score(scores),
        ]
        return Ply(
            f"{self.prefix}{in_line}-turn-{state.turn}{choice}",
            state.turn,
            color,
            move,
            " ".join(filter(None, said)),
            scores,
            tuple(map(timeline.geometry.index, cells_of(action))),
            [],
        )

    def _standing(self, state: GameState, *, is_last: bool) -> str:
        """Return the sentence on who is to move, or on the result."""
        if is_last and self.game.ending is not None:
            return result(self.game, self.catalog)
        if state.outcome is not None:
            return result(state.outcome, self.catalog)
        return state_of_play(state, self.catalog)

    def _score(self, scores: tuple[ScoreLine, ScoreLine]) -> str:
        white, red = scores
        values: dict[str, int | str] = {
            "white_word": word(Color.WHITE, self.catalog),
            "white": white.points,
            "red_word": word(Color.RED, self.catalog),
            "red": red.points,
        }
        text = filled(self.catalog, "page-score", values)
        return text[:1].upper() + text[1:]


def scores_of(timeline: Timeline) -> tuple[ScoreLine, ScoreLine]:
    """Return the points of both colours."""
    networks = [each for each in timeline.networks.all if each.until is None and each.points]
    white, red = (tuple(each.points for each in networks if each.color == i) for i in (0, 1))
    return ScoreLine(sum(white), white), ScoreLine(sum(red), red)


def _brought(view: BoardView, since: int, hidden: int) -> BoardView:
    """Return the part of a view that is newer than a turn; hidden cells are not blocked again."""
    return evolve(
        view,
        groups=[each for each in view.groups if not _is_old(each.since, since)],
        bridges=[each._replace(beneath=each.beneath & ~hidden) for each in view.bridges],
        networks=[each for each in view.networks if not _is_old(each.since, since)],
    )


def _gone(view: BoardView, since: int) -> Iterator[str]:
    """Iterate over the groups and networks that were there at a turn, and ended later."""
    for group in view.groups:
        if group.until is not None and _is_old(group.since, since):
            yield f"{group.until} land {COLORS[group.color]} {view.names_of(group.cells)}"
    for network in view.networks:
        if network.until is not None and _is_old(network.since, since) and network.is_shown:
            cells = " ".join(map(view.names_of, network.groups))
            yield f"{network.until} network {COLORS[network.color]} {cells}"


def _is_old(since: int | None, turn: int) -> bool:
    return since is not None and since <= turn
