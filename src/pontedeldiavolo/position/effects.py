"""What an action changes on the board."""

from __future__ import annotations

from typing import final

from attrs import field, frozen
from attrs.validators import optional

from pontedeldiavolo.base.sealed import Sealed
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell_set import CellSet
from pontedeldiavolo.checks import instance_of, tuple_of
from pontedeldiavolo.position.networks import Group, Network
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.position.scoring import count, find_networks, first_cell, network_of
from pontedeldiavolo.rules.outcome import Score
from pontedeldiavolo.vocabulary import ISLAND_SIZE, Color


@final
@frozen(order=False)
class Effects(Sealed):
    """What a legal action changes: for previews, animations and evaluations.

    Attributes:
        tiles: The cells that get a tile; empty unless the action places tiles.
        bridge: The bridge that is built, if one is.
        blocked: The cells that the bridge blocks and that were not blocked before.
        islands: The islands that are completed.
        networks: The networks that hang together only through this action, as they are then.
        score: The mover's score afterwards; ``None`` for the choice of a colour.

    Raises:
        TypeError: If something is not of its type.
    """

    tiles: CellSet = field(validator=instance_of(CellSet))
    bridge: Bridge | None = field(validator=optional(instance_of(Bridge)))
    blocked: CellSet = field(validator=instance_of(CellSet))
    islands: tuple[Group, ...] = field(validator=tuple_of(Group))
    networks: tuple[Network, ...] = field(validator=tuple_of(Network))
    score: Score | None = field(validator=optional(instance_of(Score)))


def effects_between(before: Pieces, after: Pieces, color: Color) -> Effects:
    """Return what an action of *color* changed between two arrangements of pieces."""
    geometry = before.geometry
    old, new = before.sides[color.index], after.sides[color.index]
    built = new.bridges & ~old.bridges
    placed = new.tiles & ~old.tiles
    old_networks = [sum(members) for members, _ in find_networks(geometry, old)]
    new_networks = find_networks(geometry, new)
    islands = [
        group
        for members, _ in new_networks
        for group in members
        if group.bit_count() == ISLAND_SIZE and group & placed
    ]
    joined = []
    for members, span in new_networks:
        cells = sum(members)
        if sum(bool(each & cells) for each in old_networks) > 1:
            joined.append(network_of(geometry, color, members, span))
    return Effects(
        CellSet(geometry, placed),
        geometry.bridge(built.bit_length() - 1) if built else None,
        CellSet(geometry, after.blocked & ~before.blocked),
        tuple(Group(color, CellSet(geometry, each)) for each in sorted(islands, key=first_cell)),
        tuple(joined),
        count(new_networks, new),
    )
