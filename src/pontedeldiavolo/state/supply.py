"""The supply of tiles and bridges, where the rules limit it, and the pairs that it allows."""

from __future__ import annotations

from collections.abc import Iterator

from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import Violation, violation
from pontedeldiavolo.state.pairs import Pairs
from pontedeldiavolo.vocabulary import TILES_PER_TURN, Color, Rule


def remaining_tiles(rules: Rules, pieces: Pieces, color: int) -> int | None:
    """Return how many tiles of a colour the supply still has, ``None`` without limit."""
    if rules.tiles_per_color is None:
        return None
    return rules.tiles_per_color - pieces.sides[color].tiles.bit_count()


def remaining_bridges(rules: Rules, pieces: Pieces) -> int | None:
    """Return how many bridges the supply still has, ``None`` without limit."""
    if rules.bridges is None:
        return None
    return rules.bridges - pieces.bridges.bit_count()


def legal_pairs(rules: Rules, pieces: Pieces, color: int) -> Pairs:
    """Return the pairs of tiles that a colour could place if it were to move."""
    left = remaining_tiles(rules, pieces, color)
    enough = left is None or left >= TILES_PER_TURN
    open_cells = pieces.open_cells(color) if enough else 0
    return Pairs(pieces.geometry, pieces.sides[color].land, open_cells)


def supply_faults(rules: Rules, white: int, red: int, bridges: int) -> Iterator[Violation]:
    """Judge numbers of tiles and bridges."""
    if rules.tiles_per_color is not None:
        for color, count in zip(Color, (white, red), strict=True):
            if count > rules.tiles_per_color:
                supply = rules.tiles_per_color
                yield violation(
                    Rule.TILES_EXCEED_SUPPLY, color=color.value, count=count, supply=supply
                )
    if rules.bridges is not None and bridges > rules.bridges:
        yield violation(Rule.BRIDGES_EXCEED_SUPPLY, count=bridges, supply=rules.bridges)
