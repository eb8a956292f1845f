"""Annotate games with the analyses of a player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, cast

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import require_optional_callable, require_type
from pontedeldiavolo.base.messages import Catalog, filled, require_catalog, word
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.sentences import action_text, value_text
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import GameState

from .player import Analysis, Analyst

NAGS: Final = ((30, 4), (20, 2), (10, 6))
"""Minimum losses and their NAGs: ``??``, ``?`` and ``?!``.

A loss is the difference of two chances in percent, as :func:`chance` returns them. The search of a
review makes errors of some percent, so a smaller loss says nothing about a move.
"""

EVAL: Final = "eval"
"""The name of the annotation with a value, as in PGN."""

MOVE_NAGS: Final = frozenset(range(1, 7))
"""The NAGs that judge a move; a move has at most one of them."""


def chance(value: float) -> int:
    """Return the share of the points that a value is, in whole percent: 50 for 0.

    Pages show these numbers, and the difference of two of them decides on the NAG: what a reader
    computes from the numbers is always what the signs say.
    """
    # Records have two digits, so a mark can be checked against its record.
    return round(50 * (1 + round(value, 2)))


def annotate(
    game: Game,
    player: Analyst,
    *,
    catalog: Catalog | str = "en",
    on_move: Callable[[int], object] | None = None,
) -> Game:
    """Return a game with evaluations, comments, NAGs and variations from a player's analyses.

    The comment on each action of the main line gives its value for the first seat, from -1 to 1,
    and the expected continuation; the annotation ``eval`` has the same value. An action that loses
    10 % of the points or more against the player's choice, which is 0.2 of the value, gets the NAG
    ``?!``, from 20 % ``?``, from 30 % ``??``, in place of other verdicts, and a variation with the
    better line. The shares of the points are whole percentages.

    >>> game = pdd.Game.new(pdd.Rules(pdd.Board(4, 4))).play("a1,b1")
    >>> annotated = pdd.players.annotate(game, pdd.players.MctsPlayer(simulations=100))
    >>> move = annotated.move_at((0,))
    >>> move.comment.startswith("Value "), -1 <= float(move.annotations["eval"]) <= 1
    (True, True)

    Args:
        game: The game.
        player: The player that analyses it.
        catalog: The language, as in ``pontedeldiavolo.messages``, or its code.
        on_move: Called after each action with the number of actions annotated so far.

    Raises:
        PonteError: If *catalog* lacks a text, or an action of the player's line is not legal.
    """
    # A search takes long, so the arguments are checked before it.
    require_type(game, Game, "game")
    if isinstance(player, type) or not callable(getattr(player, "analyse", None)):
        # Only this method of a player is used here.
        require_type(player, Analyst, "player")
    require_optional_callable(on_move, "on_move")
    return _with_analyses(game, player, require_catalog(catalog), on_move)


def _with_analyses(
    game: Game, player: Analyst, catalog: Catalog, on_move: Callable[[int], object] | None
) -> Game:
    """Return a game with the analyses of a player at each action of the main line."""
    after: Analysis | None = None
    for ply, (state, action) in enumerate(zip(game.states(), game.actions, strict=False)):
        best = (after or player.analyse(state)).best
        played = _Judged.of(player, state, action)
        better = played if action == best else _Judged.of(player, state, best)
        game = _annotated(game, (ply,), played, better, catalog)
        after = played.after
        if on_move is not None:
            on_move(ply + 1)
    return game


class _Judged(NamedTuple):
    """An action, judged by an analysis of the state after it.

    The analysis of the state before it would not be a fair measure: a search spends fewer
    simulations on one of its actions than on a separate state.

    Attributes:
        seat: The seat that acts.
        action: The action.
        value: Its value for that seat.
        after: The analysis; ``None`` if the game is over.
        line: The expected continuation.
    """

    seat: Seat
    action: Action
    value: float
    after: Analysis | None = None
    line: tuple[Action, ...] = ()

    @property
    def for_first(self) -> float:
        """The value for the first seat."""
        return self.value if self.seat is Seat.FIRST else -self.value

    @classmethod
    def of(cls, player: Analyst, before: GameState, action: Action) -> _Judged:
        seat = cast(Seat, before.seat_to_move)
        state = before.apply(action)
        if state.outcome is not None:
            return cls(seat, action, state.outcome.value(seat))
        after = player.analyse(state)
        value = after.value if state.seat_to_move is seat else -after.value
        return cls(seat, action, value, after, after.line or (after.best,))


def _annotated(
    game: Game, path: tuple[int], played: _Judged, best: _Judged, catalog: Catalog
) -> Game:
    """Return a game with a judgement at a move: comment, evaluation, NAG and variation."""
    move = game.move_at(path)
    loss = chance(best.value) - chance(played.value)
    nag = next((nag for least, nag in NAGS if loss >= least), None)
    name = word(Seat.FIRST, catalog)
    value = value_text(played.for_first, catalog)
    comment = [filled(catalog, "analysis-value", {"name": name, "value": value})]
    if nag is not None:
        text = action_text(best.action, catalog)
        values = {"line": text, "value": value_text(best.for_first, catalog)}
        comment.append(filled(catalog, "analysis-better", values))
    if played.line:
        line = " ".join(action_text(each, catalog) for each in played.line)
        comment.append(filled(catalog, "analysis-expected", {"line": line}))
    game = game.with_comment("\n".join(filter(None, (move.comment, " ".join(comment)))), path)
    game = game.with_annotations({**move.annotations, **_eval(played)}, path)
    if nag is None:
        return game
    nags = (nag, *(each for each in move.nags if each not in MOVE_NAGS))
    game = game.with_nags(nags, path).with_variation(path, (best.action, *best.line))
    return game.with_annotations(_eval(best), (*path, len(move.variations), 0))


def _eval(judged: _Judged) -> dict[str, str]:
    """Return the annotation for the value of an action."""
    # Adding 0.0 turns -0.0 into 0.0.
    return {EVAL: f"{round(judged.for_first, 2) + 0.0:.2f}"}
