"""States and half turns in a few bytes, and back.

The layout: a byte for phase, colour to move and owner of white, with marks for half turns and for
keys without owners; of a half turn the number of its first cell, two bytes; the tiles of white and
of red as bit sets over the cells; the numbers of the bridges, counted from 1, two bytes each. Zeros
may follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.rules.rules import Rules

_PHASES: Final = tuple(Phase)
_MOVERS: Final[tuple[Color | None, ...]] = (None, *Color)
_OWNERS: Final[tuple[Seat | None, ...]] = (None, *Seat)

_WITHOUT_OWNERS: Final = 0x40
HALF_TURN: Final = 0x80
NUMBER_SIZE: Final = 2
"""Bytes of a number."""

Key = tuple[int, int, int]
"""The tiles of white, those of red, and the bridges, as sets."""


class Parts(NamedTuple):
    """The content of packed bytes, not yet checked against the rules."""

    setup: Setup
    phase: Phase
    to_move: Color | None
    white_owner: Seat | None
    first: int
    """The first cell of a half turn; -1 for a state."""


def pack(
    geometry: Geometry,
    key: Key,
    phase: Phase,
    to_move: Color | None,
    white_owner: Seat | None,
    *,
    owners: bool,
    first: int = -1,
) -> bytes:
    """Return the bytes of a state, or of a half turn in it."""
    head = _PHASES.index(phase) * len(_MOVERS) + _MOVERS.index(to_move)
    head = head * len(_OWNERS) + (_OWNERS.index(white_owner) if owners else 0)
    head |= (0 if owners else _WITHOUT_OWNERS) | (0 if first < 0 else HALF_TURN)
    white, red, bridges = key
    length = (geometry.width * geometry.height + 7) // 8
    ranks = map(geometry.bridge_rank, bits(bridges))
    return b"".join(
        (
            bytes([head]),
            b"" if first < 0 else first.to_bytes(NUMBER_SIZE),
            white.to_bytes(length),
            red.to_bytes(length),
            *((rank + 1).to_bytes(NUMBER_SIZE) for rank in ranks),
        )
    )


def unpack(rules: Rules, data: bytes) -> Parts:
    """Return the parts of packed bytes.

    Raises:
        PonteError: If they are not such bytes, or without owners.
    """
    require_type(data, bytes, "data")
    phase, to_move, white_owner, is_half_turn = _head(data)
    board, rest = rules.board, data[1:]
    first = -1
    if is_half_turn:
        first, rest = int.from_bytes(rest[:NUMBER_SIZE]), rest[NUMBER_SIZE:]
        if first >= len(board):
            raise PonteError(reason("packed-first-tile", first=first))
    length = (len(board) + 7) // 8
    if len(rest) < 2 * length:
        raise PonteError(reason("packed-short", width=board.width, height=board.height))
    white, red = int.from_bytes(rest[:length]), int.from_bytes(rest[length : 2 * length])
    if max(white, red) > board.geometry.full:
        raise PonteError(reason("packed-tile"))
    ranks = _bridge_ranks(rules, rest[2 * length :])
    bridges = [board.geometry.bridge(board.geometry.bridge_at_rank(rank)) for rank in ranks]
    cells_of = board.geometry.cells_of
    setup = Setup(board, cells_of(white), cells_of(red), bridges)
    return Parts(setup, phase, to_move, white_owner, first)


def _head(data: bytes) -> tuple[Phase, Color | None, Seat | None, bool]:
    if not data:
        raise PonteError(reason("packed-empty"))
    head, owner = divmod(data[0] & ~HALF_TURN, len(_OWNERS))
    phase, mover = divmod(head, len(_MOVERS))
    if data[0] & _WITHOUT_OWNERS:
        raise PonteError(reason("packed-without-owners"))
    if phase >= len(_PHASES):
        raise PonteError(reason("packed-start", byte=data[0]))
    return _PHASES[phase], _MOVERS[mover], _OWNERS[owner], bool(data[0] & HALF_TURN)


def _bridge_ranks(rules: Rules, data: bytes) -> Iterator[int]:
    """Iterate over the places of bridges among all, which ascend; zeros may follow.

    There can be one for every two cells. More break a rule, and are refused by their number:
    judging every two of them against each other could take very long.
    """
    last, most = 0, len(rules.board) // 2
    for at in range(0, len(data), NUMBER_SIZE):
        number = int.from_bytes(data[at : at + NUMBER_SIZE])
        if not number and not any(data[at:]):
            return
        is_cut = len(data) - at < NUMBER_SIZE
        if is_cut or not last < number <= rules.board.geometry.bridge_count:
            raise PonteError(reason("packed-bridge-number", last=last, number=number))
        if at == most * NUMBER_SIZE:
            raise PonteError(reason("packed-bridges", most=most))
        last = number
        yield number - 1
