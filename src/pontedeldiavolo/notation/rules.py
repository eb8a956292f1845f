"""Rules as text: ``10x10 tiles=40 bridges=15 tiebreaks=islands,bridges``, or a preset's name."""

from __future__ import annotations

from functools import partial

from pontedeldiavolo import presets
from pontedeldiavolo.base.enums import Tiebreak
from pontedeldiavolo.base.errors import InvalidRulesError, reason, require_type
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.rules.limits import Limits
from pontedeldiavolo.rules.rules import MAX_SUPPLY, Rules

from .scanner import DIGITS, Scanner, scan_limited

UNLIMITED = "unlimited"
NONE = "none"


def parse_rules(text: str, *, limits: Limits | None = None) -> Rules:
    """Return the rules that *text* denotes: a size, rules in full, or the name of a preset.

    >>> pdd.parse_rules("brettspielnetz").board
    Board(width=12, height=12)
    >>> pdd.parse_rules("8x8") == pdd.Rules(pdd.Board(8, 8))
    True
    >>> pdd.parse_rules("8x8 tiles=20 bridges=unlimited tiebreaks=none").tiles_per_color
    20

    Args:
        text: The text.
        limits: The limits of the text's length and of the board; by default ``Limits()``.

    Raises:
        NotationError: If it cannot be read as any of them, or exceeds the limits.
    """
    return scan_limited(text, partial(scan_rules, may_be_size=True), limits)


def scan_rules(scanner: Scanner, *, may_be_size: bool = False) -> Rules:
    """Read rules: written out, the name of a preset or, at the end of the text only, a size."""
    start = scanner.offset
    if scanner.peek() not in DIGITS:
        rules = _scan_preset(scanner)
        scanner.require_size(rules.board.width, rules.board.height, start)
        return rules
    width = scanner.number("width", 1, Board.MAX_SIDE)
    scanner.expect("x")
    height = scanner.number("height", 1, Board.MAX_SIDE)
    scanner.require_size(width, height, start)
    if may_be_size and scanner.at_end():
        return Rules(Board(width, height))
    scanner.key("tiles=")
    tiles = _scan_supply(scanner, "tiles-or-unlimited")
    scanner.key("bridges=")
    bridges = _scan_supply(scanner, "bridges-or-unlimited")
    scanner.key("tiebreaks=")
    tiebreaks = _scan_tiebreaks(scanner)
    return Rules(Board(width, height), tiles, bridges, tiebreaks)


def _scan_preset(scanner: Scanner) -> Rules:
    start = scanner.offset
    name = scanner.word()
    try:
        return presets.by_name(name)
    except InvalidRulesError:
        names = ", ".join(presets.names())
        scanner.fail("size-or-preset", start, names=names)


def _scan_supply(scanner: Scanner, what: str) -> int | None:
    if scanner.take(UNLIMITED):
        return None
    start = scanner.offset
    supply = scanner.number(what, 0)
    if supply > MAX_SUPPLY:
        scanner.fail("at-most", start, what=reason(what), max=MAX_SUPPLY)
    return supply


def _scan_tiebreaks(scanner: Scanner) -> tuple[Tiebreak, ...]:
    if scanner.take(NONE):
        return ()
    found: list[Tiebreak] = []
    while True:
        left = {tiebreak.value: tiebreak for tiebreak in Tiebreak if tiebreak not in found}
        if not left:
            scanner.fail("no-further-tiebreak")
        name = next(filter(scanner.take, left), None)
        if name is None:
            scanner.fail_choice([*left] if found else [*left, NONE])
        found.append(left[name])
        if not scanner.take(","):
            return tuple(found)


def format_rules(rules: Rules) -> str:
    """Return *rules* in full: ``10x10 tiles=40 bridges=15 tiebreaks=islands,bridges``.

    >>> pdd.format_rules(pdd.presets.ORIGINAL)
    '10x10 tiles=40 bridges=15 tiebreaks=islands,bridges'
    """
    require_type(rules, Rules, "rules")
    tiles = UNLIMITED if rules.tiles_per_color is None else rules.tiles_per_color
    bridges = UNLIMITED if rules.bridges is None else rules.bridges
    tiebreaks = ",".join(tiebreak.value for tiebreak in rules.tiebreaks) or NONE
    size = f"{rules.board.width}x{rules.board.height}"
    return f"{size} tiles={tiles} bridges={bridges} tiebreaks={tiebreaks}"
