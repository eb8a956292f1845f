"""States and half turns as single lines of text.

``10x10 tiles=40 bridges=15 tiebreaks=islands,bridges rows=10/…/3w6 built=a1-c2 phase=play
to-move=red white=first``: the rules; the rows from the top down, ``w`` and ``r`` for tiles and
numbers for runs of water; the bridges; the phase; the colour to move; the seat that owns white.
A half turn is its state followed by ``placed=d4``.
"""

from __future__ import annotations

from itertools import chain, groupby, islice
from typing import NamedTuple, TypeVar

from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.base.errors import require_type
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.limits import Limits
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import MAX_VIOLATIONS, InvalidPositionError
from pontedeldiavolo.state.state import GameState, HalfTurn, Node
from pontedeldiavolo.state.state_base import supply_violations, turn_violations

from .rules import format_rules, scan_rules
from .scanner import Scanner, scan_limited

E = TypeVar("E", Color, Seat, Phase)

NOBODY = "-"


def parse_state(text: str, *, limits: Limits | None = None) -> GameState:
    """Return the state that *text* denotes; ASCII letter case does not matter.

    >>> text = (
    ...     "4x1 tiles=unlimited bridges=unlimited tiebreaks=none rows=w1w1 built=- "
    ...     "phase=play to-move=red white=first"
    ... )
    >>> pdd.parse_state(text)
    <GameState play, red to move: <Position 4x1 white=['a1', 'c1'] red=[] bridges=[]>>

    Args:
        text: The text.
        limits: The limits of the text's length and of the board; by default ``Limits()``.

    Raises:
        NotationError: If it is not a state's text, or exceeds the limits.
        InvalidPositionError: If the rules do not allow the state, with up to a hundred violations.
    """
    return scan_limited(text, _scan_parts, limits).state()


def parse_node(text: str, *, limits: Limits | None = None) -> Node:
    """Return the state or the half turn that *text* denotes; ASCII letter case does not matter.

    >>> text = pdd.format_state(pdd.GameState.initial())
    >>> [type(pdd.parse_node(each)).__name__ for each in (text, text + " placed=d4")]
    ['GameState', 'HalfTurn']

    Args:
        text: The text.
        limits: The limits of the text's length and of the board; by default ``Limits()``.

    Raises:
        NotationError: If it is neither a state's text nor a half turn's, or exceeds the limits.
        InvalidPositionError: If the rules do not allow the state, with up to a hundred violations.
        IllegalActionError: If the first tile is in no legal pair, with every rule that it breaks.
    """
    parts, placed_tile = scan_limited(text, _scan_node, limits)
    if placed_tile is None:
        return parts.state()
    return HalfTurn(parts.state(), placed_tile)


def _scan_node(scanner: Scanner) -> tuple[_Parts, Cell | None]:
    parts = _scan_parts(scanner)
    start = scanner.offset
    if not scanner.blanks() or not scanner.peek():
        return parts, None
    scanner.offset = start
    return parts, _scan_placed_tile(scanner)


def _scan_placed_tile(scanner: Scanner) -> Cell:
    """Read the first tile of a half turn, at the end of the text."""
    scanner.key("placed=")
    return scanner.cell()


class _Parts(NamedTuple):
    """The content of a state's text, not yet checked against the rules."""

    rules: Rules
    setup: Setup
    phase: Phase
    to_move: Color | None
    owner: Seat | None

    def state(self) -> GameState:
        """Return the state, or raise :class:`InvalidPositionError` with up to a hundred faults."""
        rules, setup, phase, to_move, owner = self
        try:
            position = Position._judged(setup, MAX_VIOLATIONS)
        except InvalidPositionError as error:
            # Whether the pieces fit the phase cannot be checked; everything else can.
            more = (
                supply_violations(rules, len(setup.white), len(setup.red), len(setup.bridges)),
                turn_violations(phase, to_move, owner),
            )
            raise InvalidPositionError(
                islice(chain(error.violations, *more), MAX_VIOLATIONS)
            ) from None
        return GameState._checked(rules, position.pieces, phase, to_move, owner)


def _scan_parts(scanner: Scanner) -> _Parts:
    """Read a state."""
    rules = scan_rules(scanner)
    scanner.key("rows=")
    white, red = _scan_rows(scanner, rules.board)
    scanner.key("built=")
    bridges = _scan_bridges(scanner, len(rules.board) // 2)
    scanner.key("phase=")
    phase = _scan_word(scanner, list(Phase))
    scanner.key("to-move=")
    to_move = None if scanner.take(NOBODY) else _scan_word(scanner, list(Color), NOBODY)
    scanner.key("white=")
    owner = None if scanner.take(NOBODY) else _scan_word(scanner, list(Seat), NOBODY)
    return _Parts(rules, Setup(rules.board, white, red, bridges), phase, to_move, owner)


def _scan_word(scanner: Scanner, members: list[E], *others: str) -> E:
    start = scanner.offset
    word = scanner.word()
    values: list[str] = [member.value for member in members]
    if word not in values:
        scanner.fail_choice([*values, *others], start)
    return members[values.index(word)]


def _scan_rows(scanner: Scanner, board: Board) -> tuple[list[Cell], list[Cell]]:
    tiles: dict[str, list[Cell]] = {"w": [], "r": []}
    for row in reversed(range(board.height)):
        column = 0
        while column < board.width:
            letter = scanner.peek().lower()
            if letter in ("w", "r"):
                scanner.take(letter)
                tiles[letter].append(Cell(column, row))
                column += 1
            else:
                column += scanner.number("cells-of-row", 1, board.width - column)
        if row:
            scanner.expect("/")
    return tiles["w"], tiles["r"]


def _scan_bridges(scanner: Scanner, max_bridges: int) -> list[Bridge]:
    """Read a list of at most *max_bridges* bridges: each of them needs two cells."""
    bridges: list[Bridge] = []
    if scanner.take(NOBODY):
        return bridges
    while True:
        start = scanner.offset
        bridges.append(scanner.bridge())
        if len(bridges) > max_bridges:
            scanner.fail("max-bridges", start, max=max_bridges)
        if not scanner.take(","):
            return bridges


def format_state(state: Node) -> str:
    """Return a state or a half turn in one line; equal ones have equal texts.

    ``parse_state`` is the inverse for states, ``parse_node`` for both.

    >>> state = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 1), 4, 2, ()))
    >>> pdd.format_state(state)
    '4x1 tiles=4 bridges=2 tiebreaks=none rows=4 built=- phase=opening to-move=white white=-'
    >>> pdd.format_state(state.step(pdd.parse_step("d1")))[-31:]
    'to-move=white white=- placed=d1'
    """
    require_type(state, Node, "state")
    if isinstance(state, HalfTurn):
        return f"{format_state(state.state)} placed={state.placed_tile}"
    position = state.position
    bridges = state.pieces.geometry.bridges_of(state.pieces.bridges)
    owner = state.owner(Color.WHITE)
    return " ".join(
        (
            format_rules(state.rules),
            f"rows={_format_rows(position)}",
            f"built={','.join(map(str, bridges)) or NOBODY}",
            f"phase={state.phase.value}",
            f"to-move={state.to_move.value if state.to_move else NOBODY}",
            f"white={owner.value if owner else NOBODY}",
        )
    )


def _format_rows(position: Position) -> str:
    white = position.tiles(Color.WHITE)
    red = position.tiles(Color.RED)

    def letter_of(cell: Cell) -> str:
        if cell in white:
            return "w"
        return "r" if cell in red else ""

    rows = []
    for row in reversed(range(position.board.height)):
        cells = [Cell(column, row) for column in range(position.board.width)]
        text = ""
        for letter, run in groupby(cells, letter_of):
            count = len(list(run))
            text += letter * count if letter else str(count)
        rows.append(text)
    return "/".join(rows)
