"""Sentences about seats, turns and results, and tables of scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from pontedeldiavolo.base.enums import Color, DecidedBy, Ending, Phase, Seat
from pontedeldiavolo.cli.console import INKS, Screen
from pontedeldiavolo.cli.errors import printable
from pontedeldiavolo.game.game import Game, Turn
from pontedeldiavolo.position.networks import Group, Network
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
    """Return an action in words."""
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
    """Return a turn in words, with the points after it."""
    who = person(turn.seat, turn.color, tags)
    white, red = (after.score(color).points for color in Color)
    return f"Turn {turn.number}: {who} {deed(turn.action)}. Points: white {white}, red {red}."


def situation(state: GameState, tags: Mapping[str, str]) -> str:
    """Return whose turn it is, or the result of the game."""
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
    """Return the rest of a limited supply in words; "" if nothing is limited."""
    parts = []
    for color in Color:
        tiles = state.tiles_left(color)
        if tiles is not None:
            parts.append(f"{tiles} {color.value} tiles")
    if state.bridges_left is not None:
        parts.append(amount(state.bridges_left, "bridge"))
    return f"Left: {', '.join(parts)}." if parts else ""


def verdict(game: Game) -> str:
    """Return the result of a game in words, or that it goes on."""
    if game.ending in (None, Ending.SCORED):
        return situation(game.state, game.tags)
    how, winner = BY_HAND[game.ending], game.winning_seat
    if winner is None:
        return f"A draw {how}."
    who = person(winner, game.state.color_of(winner), game.tags)
    return f"{capital(who)} wins {how}."


def outcome_line(state: GameState, outcome: Outcome, tags: Mapping[str, str]) -> str:
    """Return the result of a game that was played out, and what decided it."""
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


PER_LINE: Final = 3
"""The number of bridges that are written side by side."""


def write_scores(screen: Screen, state: GameState, tags: Mapping[str, str]) -> None:
    """Write the score of each colour, and where it comes from."""
    for color in Color:
        score, seat = state.score(color), state.owner(color)
        counts = ", ".join(
            (
                amount(score.points, "point"),
                amount(score.islands, "island"),
                amount(score.bridges, "bridge"),
            )
        )
        who = person(seat, color, tags) if seat else color.value
        screen.line()
        screen.line(f"{capital(who)}: {counts}", INKS[color])
        networks = state.position.networks(color)
        scoring = sorted(
            (network for network in networks if network.islands),
            key=lambda network: -network.points,
        )
        if scoring:
            heads = (">points", ">islands", "where they lie", "bridges")
            screen.table(heads, map(_row, scoring))
        others = sum(len(network.groups) for network in networks if not network.islands)
        if others:
            screen.line(f"{amount(others, 'sandbank')} in networks without an island", "dim")


def _row(network: Network) -> tuple[str, str, str, str]:
    places = [_cells(island) for island in network.islands]
    sandbanks = len(network.groups) - len(network.islands)
    if sandbanks:
        places.append(amount(sandbanks, "sandbank"))
    # Side by side the islands and bridges of a large network would be wider than a terminal.
    some = range(0, len(network.bridges), PER_LINE)
    bridges = [" ".join(map(str, network.bridges[i : i + PER_LINE])) for i in some]
    return (
        str(network.points),
        str(len(network.islands)),
        "\n".join(places),
        "\n".join(bridges),
    )


def _cells(group: Group) -> str:
    return " ".join(map(str, group.cells))


def write_result(screen: Screen, game: Game) -> None:
    """Write the scores of a game, who won and what decided it, or that it goes on."""
    write_scores(screen, game.state, game.tags)
    screen.line()
    screen.line(verdict(game), "bold")
