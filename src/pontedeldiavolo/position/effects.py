"""Changes that an action makes on the board."""

from __future__ import annotations

from typing import final

from attrs import field, frozen
from attrs.validators import optional

from pontedeldiavolo.base.checks import instance_of, tuple_of
from pontedeldiavolo.base.enums import ISLAND_SIZE, Color
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell_set import CellSet, cell_set
from pontedeldiavolo.position.islands import groups
from pontedeldiavolo.position.networks import (
    Group,
    Network,
    find_networks,
    first_cell,
    network_of,
    score_of,
)
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTiles
from pontedeldiavolo.rules.rules import Score


@final
@frozen(order=False)
class Effects(ImmutableValue):
    """Changes that a legal action makes: for previews, animations and evaluations.

    >>> state = pdd.GameState.from_position(pdd.parse_setup("w w w . . .").position())
    >>> effects = state.effects(pdd.parse_action("d1,f1"))
    >>> effects.tiles, [island.cells for island in effects.islands]
    (CellSet(d1, f1), [CellSet(a1, b1, c1, d1)])
    >>> effects.score
    Score(points=1, islands=1, bridges=0)

    Attributes:
        tiles: The cells that get a tile; empty unless the action places tiles.
        bridge: The bridge that is built, if one is.
        blocked: The cells that the bridge blocks and that were not blocked before.
        islands: The islands that are completed.
        networks: The networks that only this action connects, as they are afterwards.
        score: The mover's score afterwards; ``None`` for the choice of a colour.
    """

    tiles: CellSet = field(validator=instance_of(CellSet))
    bridge: Bridge | None = field(validator=optional(instance_of(Bridge)))
    blocked: CellSet = field(validator=instance_of(CellSet))
    islands: tuple[Group, ...] = field(validator=tuple_of(Group))
    networks: tuple[Network, ...] = field(validator=tuple_of(Network))
    score: Score | None = field(validator=optional(instance_of(Score)))


def effects_of(pieces: Pieces, color: Color, action: Action) -> Effects:
    """Return what a legal action of *color* changes.

    Unlike :meth:`Pieces.with_action`, it computes no consequences for later actions.
    """
    geometry, side = pieces.geometry, pieces.sides[color.index]
    placed, number = 0, -1
    if isinstance(action, PlaceTiles):
        placed = 1 << geometry.index(action.a) | 1 << geometry.index(action.b)
    elif isinstance(action, BuildBridge):
        number = geometry.number_of(action)
    built = 0 if number < 0 else 1 << number
    networks = find_networks(geometry, side.tiles | placed, side.bridges | built)
    islands: list[int] = []
    joined: list[Network] = []
    for members, span in networks:
        # Only where a bridge or a tile joins groups can there have been several networks before.
        joins = bool(span & built)
        for group in members:
            if group & placed:
                joins = joins or len(groups(geometry, group & ~placed)) > 1
                if group.bit_count() == ISLAND_SIZE:
                    islands.append(group)
        if joins and len(find_networks(geometry, sum(members) & ~placed, span & ~built)) > 1:
            joined.append(network_of(geometry, color, members, span))
    return Effects(
        cell_set(geometry, placed),
        geometry.bridge(number) if built else None,
        cell_set(geometry, geometry.beneath(number) & ~pieces.blocked if built else 0),
        tuple(Group(color, cell_set(geometry, each)) for each in sorted(islands, key=first_cell)),
        tuple(joined),
        score_of(geometry, side.tiles | placed, side.bridges | built),
    )
