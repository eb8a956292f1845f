"""What a player thinks of a game, written into it: values, better actions, glyphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, cast

from pontedeldiavolo.checks import require_callable, require_type
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.messages import ENGLISH, Catalog, filled
from pontedeldiavolo.notation import format_action
from pontedeldiavolo.players.analysis import Analysis, Analyst
from pontedeldiavolo.rules.outcome import Outcome
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.vocabulary import Seat

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
    what is expected to follow. Where 0.1 or more is lost against the best action, there is the
    glyph ``?!``, and the comment says what would have been better; from 0.2 it is ``?``, and from
    0.3 ``??``. Comments are added to what is there; other glyphs that judge the action go.

    Args:
        game: The game.
        player: Who thinks about it: about each of its states once.
        catalog: The words, as in ``pontedeldiavolo.messages``.
        on_move: Is told how many states have been thought about, after each of them.

    Raises:
        TypeError: If something is not of its type, or the player gives no :class:`Analysis`.
        PonteError: If *catalog* lacks a text.
    """
    require_type(game, Game, "game")
    require_type(player, Analyst, "player")
    require_callable(on_move, "on_move")
    require_type(catalog, Mapping, "catalog")
    states = [*game.states()]
    thoughts = [*_thoughts(player, states, on_move)]
    for place, action in enumerate(game.actions):
        seat = cast(Seat, states[place].seat_to_move)
        before, after = cast(Analysis, thoughts[place]), thoughts[place + 1]
        value = _value_for(seat, states[place + 1], after)
        glyph = None if action == before.best else _glyph(before.value - value)
        text = _comment(catalog, value, None if glyph is None else before, after)
        game = _with_comment(game, (place,), text, glyph)
    return game


def _comment(
    catalog: Catalog, value: float, better: Analysis | None, after: Analysis | None
) -> str:
    """Say what an action is worth, what would have been better, and what is expected now."""
    said = [filled(catalog, "analysis-value", {"value": _shown(value)})]
    if better is not None:
        shown = {"line": _line(better), "value": _shown(better.value)}
        said.append(filled(catalog, "analysis-better", shown))
    if after is not None:
        said.append(filled(catalog, "analysis-expected", {"line": _line(after)}))
    return " ".join(said)


def _thoughts(
    player: Analyst, states: Iterable[GameState], on_move: Callable[[int], object] | None
) -> Iterator[Analysis | None]:
    """Iterate over what a player thinks of states; of the end there is nothing to think."""
    for number, state in enumerate(states, 1):
        yield None if state.is_over else _checked(player.analyse(state))
        if on_move is not None:
            on_move(number)


def _checked(found: Analysis) -> Analysis:
    """Return what a player thinks, whoever wrote it."""
    require_type(found, Analysis, "what analyse() returns")
    return found


def _value_for(seat: Seat, state: GameState, thought: Analysis | None) -> float:
    """Return what a state is worth to a seat: at the end, what has come out."""
    if thought is None:
        return cast(Outcome, state.outcome).value(seat)
    return thought.value if state.seat_to_move is seat else -thought.value


def _glyph(lost: float) -> int | None:
    """Return what judges an action by which so much is lost."""
    return next((glyph for least, glyph in GLYPHS if lost >= least), None)


def _with_comment(game: Game, path: tuple[int], text: str, glyph: int | None) -> Game:
    """Return a game with more to say about a move."""
    move = game.move_at(path)
    game = game.with_comment("\n".join(filter(None, (move.comment, text))), path)
    if glyph is None:
        return game
    others = (each for each in move.glyphs if each not in JUDGEMENTS)
    return game.with_glyphs((glyph, *others), path)


def _line(thought: Analysis) -> str:
    return " ".join(map(format_action, thought.line or (thought.best,)))


def _shown(value: float) -> str:
    # There is no -0.00.
    return f"{round(value, 2) + 0.0:+.2f}"
