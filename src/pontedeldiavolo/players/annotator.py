"""Annotate games with the analyses of a player."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from attrs import frozen

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import require_type
from pontedeldiavolo.base.messages import Catalog, filled
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import GameState

from .player import Analysis, Analyst

GLYPHS: Final = ((0.3, 4), (0.2, 2), (0.1, 6))
"""Minimum losses of value and their glyphs: ``??``, ``?`` and ``?!``."""

EVAL: Final = "eval"
"""The name of the annotation with a value, as in PGN."""

MOVE_GLYPHS: Final = frozenset(range(1, 7))
"""The glyphs that judge a move; a move has at most one of them."""


def annotate(
    game: Game,
    player: Analyst,
    *,
    catalog: Catalog = ENGLISH,
    on_move: Callable[[int], object] | None = None,
) -> Game:
    """Return a game with evaluations, comments, glyphs and variations from a player's analyses.

    The comment on each action of the main line gives its value for the seat that acted, from -1 to
    1, and the expected continuation; the annotation ``eval`` has the value for the first seat. An
    action that loses 0.1 or more against the player's choice gets the glyph ``?!``, from 0.2 ``?``,
    from 0.3 ``??``, in place of other verdicts, and a variation with the better line.

    >>> game = pdd.Game.new(pdd.Rules(pdd.Board(4, 4))).play("a1,b1")
    >>> annotated = pdd.players.annotate(game, pdd.players.MctsPlayer(simulations=100))
    >>> move = annotated.move_at((0,))
    >>> move.comment.startswith("Value "), -1 <= float(move.annotations["eval"]) <= 1
    (True, True)

    Args:
        game: The game.
        player: The player that analyses it.
        catalog: The language, as in ``pontedeldiavolo.messages``.
        on_move: Called after each action with the number of actions annotated so far.

    Raises:
        PonteError: If *catalog* lacks a text, or an action of the player's line is not legal.
    """
    # A search takes long, so the catalogue is checked before it.
    require_type(catalog, Mapping, "catalog")
    analysis: Analysis | None = None
    for ply, (state, action) in enumerate(zip(game.states(), game.actions, strict=False)):
        before = analysis or player.analyse(state)
        found = _Judgement.of(player, state, action, before.best)
        game = _annotated(game, (ply,), found, catalog)
        analysis = found.after
        if on_move is not None:
            on_move(ply + 1)
    return game


@frozen
class _Judgement:
    """The judgement of an action.

    Attributes:
        seat: The seat that acts.
        value: Its value for that seat.
        after: The analysis of the state after it; ``None`` at the end.
        best_value: The value of the player's best action.
        better: That action, if it is another one, with the expected continuation.
    """

    seat: Seat
    value: float
    after: Analysis | None
    best_value: float
    better: tuple[Action, ...]

    @classmethod
    def of(cls, player: Analyst, state: GameState, action: Action, best: Action) -> _Judgement:
        """Compare an action with the best one, each by an analysis of the state after it.

        The analysis of the state before them would not be a fair measure: a search spends fewer
        simulations on one of its actions than on a separate state.
        """
        seat = cast(Seat, state.seat_to_move)
        value, after = _value_after(player, state.apply(action), seat)
        if action == best:
            return cls(seat, value, after, value, ())
        best_value, reply = _value_after(player, state.apply(best), seat)
        return cls(seat, value, after, best_value, (best, *_line(reply)))

    @property
    def glyph(self) -> int | None:
        """The glyph for the loss of value."""
        loss = self.best_value - self.value
        return next((glyph for least, glyph in GLYPHS if loss >= least), None)

    def text(self, catalog: Catalog) -> str:
        """Return the comment."""
        parts = [filled(catalog, "analysis-value", {"value": _signed(self.value)})]
        if self.glyph is not None:
            values = {"line": format_action(self.better[0]), "value": _signed(self.best_value)}
            parts.append(filled(catalog, "analysis-better", values))
        if self.after is not None:
            line = " ".join(map(format_action, _line(self.after)))
            parts.append(filled(catalog, "analysis-expected", {"line": line}))
        return " ".join(parts)


def _value_after(player: Analyst, state: GameState, seat: Seat) -> tuple[float, Analysis | None]:
    """Return the value of a state for a seat, and its analysis: ``None`` if the game is over."""
    if state.outcome is not None:
        return state.outcome.value(seat), None
    analysis = player.analyse(state)
    return analysis.value if state.seat_to_move is seat else -analysis.value, analysis


def _annotated(game: Game, path: tuple[int], found: _Judgement, catalog: Catalog) -> Game:
    """Return a game with a judgement at a move: comment, evaluation, glyph and variation."""
    move, glyph = game.move_at(path), found.glyph
    text = "\n".join(filter(None, (move.comment, found.text(catalog))))
    game = game.with_comment(text, path)
    game = game.with_annotations({**move.annotations, **_eval(found.seat, found.value)}, path)
    if glyph is None:
        return game
    others = (each for each in move.glyphs if each not in MOVE_GLYPHS)
    game = game.with_glyphs((glyph, *others), path).with_variation(path, found.better)
    better = (*path, len(move.variations), 0)
    return game.with_annotations(_eval(found.seat, found.best_value), better)


def _eval(seat: Seat, value: float) -> dict[str, str]:
    """Return the annotation for a value of *seat*, converted to the first seat."""
    for_first = value if seat is Seat.FIRST else -value
    # Adding 0.0 turns -0.0 into 0.0.
    return {EVAL: f"{round(for_first, 2) + 0.0:.2f}"}


def _line(analysis: Analysis | None) -> tuple[Action, ...]:
    return () if analysis is None else analysis.line or (analysis.best,)


def _signed(value: float) -> str:
    return f"{round(value, 2) + 0.0:+.2f}"
