"""Common base of states and half turns: validity, turn, supply, score, symmetry, storage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pontedeldiavolo.base.enums import OVER, TILES_PER_TURN, Color, Phase, Seat, ViolationCode
from pontedeldiavolo.base.errors import PonteError, reason, require_type
from pontedeldiavolo.base.values import Rendered
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.position.images import least_symmetry, turned
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.rules import Outcome, Rules, Score
from pontedeldiavolo.rules.violations import Violation, violation

from .legal_actions import legal_pairs


def state_violations(
    rules: Rules, pieces: Pieces, phase: Phase, to_move: Color | None, white_owner: Seat | None
) -> Iterator[Violation]:
    """Check a state whose position is valid.

    Before the choice *white_owner* must be ``None``; *to_move* must be white in the opening, red
    on the last turn, ``None`` while the colour is chosen and when the game is over.
    """
    width, height = pieces.geometry.size
    own = rules.board.geometry.size
    if own != (width, height):
        yield violation(
            ViolationCode.BOARD_MISMATCH,
            width=width,
            height=height,
            rules_width=own[0],
            rules_height=own[1],
        )
        return
    white, red = (side.tiles.bit_count() for side in pieces._sides)
    yield from supply_violations(rules, white, red, pieces.bridges.bit_count())
    yield from _phase_violations(rules, pieces, phase)
    yield from turn_violations(phase, to_move, white_owner)


def supply_violations(rules: Rules, white: int, red: int, bridges: int) -> Iterator[Violation]:
    """Check the numbers of tiles and bridges against the supply."""
    supply = rules.tiles_per_color
    for color, count in (("white", white), ("red", red)):
        if supply is not None and count > supply:
            yield violation(
                ViolationCode.TILES_EXCEED_SUPPLY, color=color, count=count, supply=supply
            )
    if rules.bridges is not None and bridges > rules.bridges:
        yield violation(ViolationCode.BRIDGES_EXCEED_SUPPLY, count=bridges, supply=rules.bridges)


def turn_violations(phase: Phase, to_move: Color | None, owner: Seat | None) -> Iterator[Violation]:
    """Check the colour to move and the owner of white."""
    movers = {Phase.OPENING: [Color.WHITE], Phase.PLAY: [*Color], Phase.LAST_TURN: [Color.RED]}
    if to_move not in movers.get(phase, [None]):
        yield violation(ViolationCode.WRONG_TURN)
    if (owner is None) != (phase in (Phase.OPENING, Phase.COLOR_CHOICE)):
        yield violation(ViolationCode.WRONG_OWNERS)


def _phase_violations(rules: Rules, pieces: Pieces, phase: Phase) -> Iterator[Violation]:
    white, red = pieces._sides
    empty = not pieces.occupied
    white_stuck, red_stuck = (not legal_pairs(rules, pieces, color) for color in (0, 1))
    if phase is Phase.OPENING and not empty:
        yield violation(ViolationCode.NOT_AN_OPENING)
    opened = white.tiles.bit_count() == TILES_PER_TURN and not red.tiles and not pieces.bridges
    if phase is Phase.COLOR_CHOICE and not opened and not (empty and white_stuck):
        yield violation(ViolationCode.NOT_A_COLOR_CHOICE)
    if phase is Phase.LAST_TURN and not white_stuck:
        yield violation(ViolationCode.NOT_A_LAST_TURN)
    if phase is Phase.OVER and not white_stuck and not red_stuck:
        yield violation(ViolationCode.NOT_OVER)


_PHASES: Final = tuple(Phase)
_MOVERS: Final[tuple[Color | None, ...]] = (None, *Color)
_OWNERS: Final[tuple[Seat | None, ...]] = (None, *Seat)

_WITHOUT_OWNERS_FLAG: Final = 0x40
HALF_TURN_FLAG: Final = 0x80
BYTES_PER_NUMBER: Final = 2
"""Number of bytes for the index of a cell or the rank of a bridge in packed states."""

Key = tuple[int, int, int]
"""White's tiles, red's tiles and the bridges, as sets."""


def unpack(rules: Rules, data: bytes) -> tuple[Setup, Phase, Color | None, Seat | None, int]:
    """Return the parts of packed bytes, not yet checked against the rules.

    The last is the index of the first cell of a half turn; -1 for a state.

    Raises:
        PonteError: If they are not packed bytes, or were packed without owners.
    """
    require_type(rules, Rules, "rules")
    require_type(data, bytes, "data")
    if not data:
        raise PonteError(reason("packed-empty"))
    head, owner = divmod(data[0] & ~HALF_TURN_FLAG, len(_OWNERS))
    phase, mover = divmod(head, len(_MOVERS))
    if data[0] & _WITHOUT_OWNERS_FLAG:
        raise PonteError(reason("packed-without-owners"))
    if phase >= len(_PHASES):
        raise PonteError(reason("packed-start", byte=data[0]))
    board = rules.board
    rest = data[1:]
    first = -1
    if data[0] & HALF_TURN_FLAG:
        first = int.from_bytes(rest[:BYTES_PER_NUMBER])
        rest = rest[BYTES_PER_NUMBER:]
        if first >= len(board):
            raise PonteError(reason("packed-first-tile", first=first))
    length = (len(board) + 7) // 8
    if len(rest) < 2 * length:
        raise PonteError(reason("packed-short", width=board.width, height=board.height))
    white = int.from_bytes(rest[:length])
    red = int.from_bytes(rest[length : 2 * length])
    if max(white, red) > board.geometry.full:
        raise PonteError(reason("packed-tile"))
    ranks = _bridge_ranks(rules, rest[2 * length :])
    bridges = [board.geometry.bridge(board.geometry.bridge_at_rank(rank)) for rank in ranks]
    cells_of = board.geometry.cells_of
    setup = Setup(board, cells_of(white), cells_of(red), bridges)
    return setup, _PHASES[phase], _MOVERS[mover], _OWNERS[owner], first


def _bridge_ranks(rules: Rules, data: bytes) -> Iterator[int]:
    """Iterate over the ranks of bridges, which are in ascending order; zeros may follow.

    There is at most one bridge for every two cells. A larger number breaks a rule, and is refused
    at once: checking every two bridges against each other could take very long.
    """
    last = 0
    max_bridges = len(rules.board) // 2
    for at in range(0, len(data), BYTES_PER_NUMBER):
        number = int.from_bytes(data[at : at + BYTES_PER_NUMBER])
        if not number and not any(data[at:]):
            return
        is_cut = len(data) - at < BYTES_PER_NUMBER
        if is_cut or not last < number <= rules.board.geometry.bridge_count:
            raise PonteError(reason("packed-bridge-number", last=last, number=number))
        if at == max_bridges * BYTES_PER_NUMBER:
            raise PonteError(reason("packed-bridges", max=max_bridges))
        last = number
        yield number - 1


class StateBase(Rendered):
    """Base of states and half turns: their parts, and properties derived from them.

    Attributes:
        rules: The rules in use.
        phase: The part of the game.
        to_move: The colour to move; ``None`` while the colour is chosen and when the game is over.
        pieces: The pieces on the board as integers, for engines.
    """

    __slots__ = ()

    rules: Rules
    phase: Phase
    to_move: Color | None
    _white_owner: Seat | None
    pieces: Pieces

    @property
    def _first_index(self) -> int:
        """The index of the first tile of a half turn; -1 for a state."""
        return -1

    # Properties

    @property
    def position(self) -> Position:
        """The pieces on the board."""
        return Position._of(self.pieces)

    @property
    def is_over(self) -> bool:
        """True when the game is over."""
        return self.phase is OVER

    @property
    def seat_to_move(self) -> Seat | None:
        """The seat to act, including for the choice of a colour; ``None`` when the game is over."""
        if self.phase is Phase.OPENING:
            return Seat.FIRST
        if self.phase is Phase.COLOR_CHOICE:
            return Seat.SECOND
        return None if self.to_move is None else self.owner(self.to_move)

    def owner(self, color: Color) -> Seat | None:
        """Return the seat that owns *color*, ``None`` before the choice."""
        require_type(color, Color, "color")
        if self._white_owner is None or color is Color.WHITE:
            return self._white_owner
        return self._white_owner.opponent

    def color_of(self, seat: Seat) -> Color | None:
        """Return the colour that *seat* owns, ``None`` before the choice."""
        require_type(seat, Seat, "seat")
        if self._white_owner is None:
            return None
        return Color.WHITE if self._white_owner is seat else Color.RED

    @property
    def turn(self) -> int:
        """Number of pairs, bridges and passes so far; the choice of a colour does not count.

        It is derived from the pieces and the phase: in a set-up with an odd number of tiles of a
        colour, the odd tile counts as a pair.
        """
        turns = self.pieces.bridges.bit_count()
        turns += sum((side.tiles.bit_count() + 1) // 2 for side in self.pieces._sides)
        if self.phase is Phase.COLOR_CHOICE:
            return 1
        if self.phase is Phase.LAST_TURN:
            return turns + 1
        if self.phase is Phase.OVER:
            # Both colours had the same number of turns, and one or both of them passed.
            return turns + 2 - turns % 2
        return turns

    def tiles_left(self, color: Color) -> int | None:
        """Return the supply of tiles of *color*, ``None`` if it is unlimited."""
        require_type(color, Color, "color")
        supply = self.rules.tiles_per_color
        tiles = self.pieces._sides[color.index].tiles
        return None if supply is None else supply - tiles.bit_count()

    @property
    def bridges_left(self) -> int | None:
        """The supply of bridges, ``None`` if it is unlimited."""
        supply = self.rules.bridges
        return None if supply is None else supply - self.pieces.bridges.bit_count()

    def score(self, color: Color) -> Score:
        """Return the score of *color* so far [S0]."""
        require_type(color, Color, "color")
        return self.pieces._sides[color.index].score(self.pieces.geometry)

    @property
    def outcome(self) -> Outcome | None:
        """The result; ``None`` while the game is not over."""
        if self.phase is not Phase.OVER:
            return None
        white = self.score(Color.WHITE)
        red = self.score(Color.RED)
        winner, decided_by = self.rules.decide(white, red)
        seat = None if winner is None else self.owner(winner)
        return Outcome(winner, seat, decided_by, white, red)

    # Symmetry and storage

    def canonical_symmetry(self) -> Symmetry:
        """Return the symmetry that maps to the ``canonical`` form.

        Its :attr:`~Symmetry.inverse` maps back.
        """
        first = self._first_index
        in_hand = 1 << first if first >= 0 else 0
        return least_symmetry(self.pieces.geometry, *self.pieces.key(), in_hand)

    def packed(self, *, owners: bool = True) -> bytes:
        """Return the state or half turn in a few bytes, without the rules.

        For equal rules, two states or half turns have equal bytes exactly when they are equal, in
        every process; a half turn never has the bytes of a state. ``unpack`` is the inverse. The
        layout: a byte for phase, colour to move and owner of white; for a half turn, the number of
        its first cell, two bytes; the tiles of white and of red as bit sets over the cells; the
        numbers of the bridges, counted from 1, two bytes each.

        Args:
            owners: ``False`` leaves out the owners of the colours: a key for callers to whom they
                do not matter, such as solvers. ``unpack`` refuses it.
        """
        require_type(owners, bool, "owners")
        return self._packed(self.pieces.key(), self._first_index, owners=owners)

    def canonical_packed(self, *, owners: bool = True) -> bytes:
        """Return ``canonical().packed(owners=owners)`` without creating the canonical form."""
        require_type(owners, bool, "owners")
        symmetry = self.canonical_symmetry()
        first = self._first_index
        if first >= 0:
            geometry = self.pieces.geometry
            first = turned(geometry, 1 << first, symmetry).bit_length() - 1
        return self._packed(self.pieces.key_under(symmetry), first, owners=owners)

    def _packed(self, key: Key, first: int, *, owners: bool) -> bytes:
        geometry = self.pieces.geometry
        head = _PHASES.index(self.phase) * len(_MOVERS) + _MOVERS.index(self.to_move)
        head = head * len(_OWNERS) + (_OWNERS.index(self._white_owner) if owners else 0)
        head |= (0 if owners else _WITHOUT_OWNERS_FLAG) | (0 if first < 0 else HALF_TURN_FLAG)
        white, red, bridges = key
        length = (geometry.width * geometry.height + 7) // 8
        ranks = map(geometry.bridge_rank, bits(bridges))
        return b"".join(
            (
                bytes([head]),
                b"" if first < 0 else first.to_bytes(BYTES_PER_NUMBER),
                white.to_bytes(length),
                red.to_bytes(length),
                *((rank + 1).to_bytes(BYTES_PER_NUMBER) for rank in ranks),
            )
        )
