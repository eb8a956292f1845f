"""The scores of both colours: every network with its islands, bridges and points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.cli.screen import INKS, Screen
from pontedeldiavolo.cli.wording import amount, capital, person, verdict
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.networks import Group, Network
from pontedeldiavolo.state.state import GameState

PER_LINE: Final = 3
"""How many bridges are written side by side."""


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
