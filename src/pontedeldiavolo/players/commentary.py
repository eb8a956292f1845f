"""What a player thinks of a game, written into it: values, better actions, glyphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, cast

from attrs import frozen

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.checks import require_callable, require_type
from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.messages import Catalog, filled
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation import format_action
from pontedeldiavolo.players.analysis import Analysis, Analyst
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import GameState

GLYPHS: Final = ((0.3, 4), (0.2, 2), (0.1, 6))
"""How much of the value is lost at least, and the glyph for it: ``??``, ``?`` and ``?!``."""

JUDGEMENTS: Final = frozenset(range(1, 7))
"""The glyphs that say how good an action is, of which it has one."""


def annotate(
    game: Game,
    player: Analyst,
    *,
    catalog: Catalog = ENGLISH,
    on_move: Callable[[int], object] | None = None,
) -> Game:
    """Return a game with comments and glyphs on its main line, by a player that thinks about it.

    After each action a comment says what it is worth to the seat that acted, from -1 to 1, and
    what is expected to follow. Where the player would have chosen another action, it thinks about
    what follows on that as well. If 0.1 or more is lost against it, there is the glyph ``?!``, and
    the comment says what would have been better; from 0.2 it is ``?``, and from 0.3 ``??``.
    Comments are added to what is there; other glyphs that judge the action go.

    Args:
        game: The game.
        player: Who thinks about it.
        catalog: The words, as in ``pontedeldiavolo.messages``.
        on_move: Is told how many actions have been judged, after each of them.

    Raises:
        TypeError: If something is not of its type, or the player gives no :class:`Analysis`.
        PonteError: If *catalog* lacks a text, or what the player thinks best is not legal.
    """
    require_type(game, Game, "game")
    require_type(player, Analyst, "player")
    require_callable(on_move, "on_move")
    require_type(catalog, Mapping, "catalog")
    thought: Analysis | None = None
    for place, (state, action) in enumerate(zip(game.states(), game.actions, strict=False)):
        before = thought or _analysis(player, state)
        found = _Judgement.of(player, state, action, before.best)
        game = _with_comment(game, (place,), found.text(catalog), found.glyph)
        thought = found.follows
        if on_move is not None:
            on_move(place + 1)
    return game


@frozen
class _Judgement:
    """What a player thinks of an action.

    Attributes:
        value: What it is worth to the seat that acts.
        follows: What is thought of the state after it; ``None`` at the end.
        better: What the action is worth that would have been chosen.
        line: That action, if it is another one, and what would have been expected to follow.
    """

    value: float
    follows: Analysis | None
    better: float
    line: tuple[Action, ...]

    @classmethod
    def of(cls, player: Analyst, state: GameState, action: Action, best: Action) -> _Judgement:
        """Judge an action, and what would have been chosen, by thinking about what follows.

        Both are thought about alike. What was thought before either would be no measure: a
        search has less of an answer to an action than a search from there on.
        """
        seat = cast(Seat, state.seat_to_move)
        value, follows = _value_after(player, state.apply(action), seat)
        if action == best:
            return cls(value, follows, value, ())
        better, then = _value_after(player, state.apply(best), seat)
        return cls(value, follows, better, (best, *_line(then)))

    @property
    def glyph(self) -> int | None:
        """What judges an action by which so much is lost."""
        lost = self.better - self.value
        return next((glyph for least, glyph in GLYPHS if lost >= least), None)

    def text(self, catalog: Catalog) -> str:
        """Say what it is worth, what would have been better, and what is expected now."""
        said = [filled(catalog, "analysis-value", {"value": _shown(self.value)})]
        if self.glyph is not None:
            values = {"line": _written(self.line), "value": _shown(self.better)}
            said.append(filled(catalog, "analysis-better", values))
        if self.follows is not None:
            said.append(
                filled(catalog, "analysis-expected", {"line": _written(_line(self.follows))})
            )
        return " ".join(said)


def _analysis(player: Analyst, state: GameState) -> Analysis:
    """Return what a player thinks, whoever wrote it."""
    found = player.analyse(state)
    require_type(found, Analysis, "what analyse() returns")
    return found


def _value_after(player: Analyst, state: GameState, seat: Seat) -> tuple[float, Analysis | None]:
    """Return what a state is worth to a seat, and what is thought of it; the end is certain."""
    if state.outcome is not None:
        return state.outcome.value(seat), None
    thought = _analysis(player, state)
    return thought.value if state.seat_to_move is seat else -thought.value, thought


def _with_comment(game: Game, path: tuple[int], text: str, glyph: int | None) -> Game:
    """Return a game with more to say about a move."""
    move = game.move_at(path)
    game = game.with_comment("\n".join(filter(None, (move.comment, text))), path)
    if glyph is None:
        return game
    others = (each for each in move.glyphs if each not in JUDGEMENTS)
    return game.with_glyphs((glyph, *others), path)


def _line(thought: Analysis | None) -> tuple[Action, ...]:
    return () if thought is None else thought.line or (thought.best,)


def _written(line: Iterable[Action]) -> str:
    return " ".join(map(format_action, line))


def _shown(value: float) -> str:
    # There is no -0.00.
    return f"{round(value, 2) + 0.0:+.2f}"
