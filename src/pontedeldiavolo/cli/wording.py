"""Sentences about seats, turns and results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from pontedeldiavolo.base.enums import Color, DecidedBy, Ending, Phase, Seat
from pontedeldiavolo.cli.failures import printable
from pontedeldiavolo.game.game import Game, Turn
from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, PlaceTiles
from pontedeldiavolo.rules.rules import Outcome, Rules
from pontedeldiavolo.state.state import GameState

BY_HAND: Final = {
    Ending.RESIGNATION: "by resignation",
    Ending.TIME: "on time",
    Ending.AGREEMENT: "by agreement",
    Ending.ADJUDICATION: "by adjudication",
}


def amount(count: int, noun: str) -> str:
    """Return a number with its noun: ``1 island``, ``2 islands``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def person(seat: Seat, color: Color | None, tags: Mapping[str, str]) -> str:
    """Return who a player is: ``red (first seat, Ada)``; without a colour ``first seat (Ada)``."""
    name = printable(tags.get(seat.value.capitalize(), ""))
    if color is None:
        return f"{seat.value} seat ({name})" if name else f"{seat.value} seat"
    return (
        f"{color.value} ({seat.value} seat, {name})"
        if name
        else f"{color.value} ({seat.value} seat)"
    )


def deed(action: Action) -> str:
    """Say what an action does."""
    match action:
        case PlaceTiles(a, b):
            return f"places {a},{b}"
        case BuildBridge(a, b):
            return f"builds {a}-{b}"
        case ChooseColor(color):
            return f"chooses {color.value}"
        case _:
            return "passes"


def turn_line(turn: Turn, after: GameState, tags: Mapping[str, str]) -> str:
    """Say who did what in a turn, and how the points stand after it."""
    who = person(turn.seat, turn.color, tags)
    white, red = (after.score(color).points for color in Color)
    return f"Turn {turn.number}: {who} {deed(turn.action)}. Points: white {white}, red {red}."


def situation(state: GameState, tags: Mapping[str, str]) -> str:
    """Say whose turn it is, or how the game came out."""
    if state.outcome is not None:
        return outcome_line(state, state.outcome, tags)
    who = person(cast(Seat, state.seat_to_move), state.to_move, tags)
    match state.phase:
        case Phase.COLOR_CHOICE:
            return f"The {who} chooses a colour: white or red."
        case Phase.LAST_TURN:
            return f"Turn {state.turn + 1}, the last one: {who} to move."
        case _:
            return f"Turn {state.turn + 1}: {who} to move."


def supply(state: GameState) -> str:
    """Say what is left of a limited supply; "" if nothing is limited."""
    parts = []
    for color in Color:
        tiles = state.tiles_left(color)
        if tiles is not None:
            parts.append(f"{tiles} {color.value} tiles")
    if state.bridges_left is not None:
        parts.append(amount(state.bridges_left, "bridge"))
    return f"Left: {', '.join(parts)}." if parts else ""


def verdict(game: Game) -> str:
    """Say who won a game and what decided it, or that it goes on."""
    if game.ending in (None, Ending.SCORED):
        return situation(game.state, game.tags)
    how, winner = BY_HAND[game.ending], game.winning_seat
    if winner is None:
        return f"A draw {how}."
    who = person(winner, game.state.color_of(winner), game.tags)
    return f"{capital(who)} wins {how}."


def outcome_line(state: GameState, outcome: Outcome, tags: Mapping[str, str]) -> str:
    """Say who won a game that was played out, and what decided it."""
    white, red = outcome.white, outcome.red
    each = f"both have {amount(white.points, 'point')}"
    if outcome.winning_seat is None:
        return f"A draw: {each}{_all_equal(state.rules)}."
    better, worse = (white, red) if outcome.winner is Color.WHITE else (red, white)
    who = capital(person(outcome.winning_seat, outcome.winner, tags))
    match outcome.decided_by:
        case DecidedBy.ISLANDS:
            return f"{who} wins with more islands, {better.islands} to {worse.islands}: {each}."
        case DecidedBy.BRIDGES:
            return f"{who} wins with more bridges, {better.bridges} to {worse.bridges}: {each}."
        case _:
            return f"{who} wins with {amount(better.points, 'point')} to {worse.points}."


def _all_equal(rules: Rules) -> str:
    if not rules.tiebreaks:
        return ", and these rules have no tie-break"
    return f", and as many {' and '.join(tiebreak.value for tiebreak in rules.tiebreaks)}"


def capital(text: str) -> str:
    """Return *text* with a capital letter at its start."""
    return text[:1].upper() + text[1:]
