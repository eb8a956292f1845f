"""Actions as text: ``a1,b2``, ``a1-c2``, ``white``, ``red``, ``pass``."""

from __future__ import annotations

from pontedeldiavolo.checks import require_type
from pontedeldiavolo.notation.scanner import DIGITS, LAST_COLUMN, Scanner
from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, Pass, PlaceTiles
from pontedeldiavolo.vocabulary import Color

_WORDS: dict[str, Action] = {
    "white": ChooseColor(Color.WHITE),
    "red": ChooseColor(Color.RED),
    "pass": Pass(),
}


def parse_action(text: str) -> Action:
    """Return the action that *text* writes: syntax only, legal or not.

    Either order of the cells, ASCII letter case, and blanks around the text and around its comma
    or dash do not matter.

    Raises:
        TypeError: If *text* is not a string.
        NotationError: If it is not an action.
    """
    scanner = Scanner(text)
    scanner.blanks()
    action = scan_action(scanner)
    scanner.end()
    return action


def scan_action(scanner: Scanner) -> Action:
    """Read an action."""
    start = scanner.offset
    letters = scanner.letters()
    is_word = scanner.peek() not in DIGITS
    if is_word and letters in _WORDS:
        return _WORDS[letters]
    if not letters or (is_word and len(letters) > len(LAST_COLUMN)):
        scanner.fail("a cell, 'white', 'red' or 'pass'", start)
    first = scanner.cell_after(letters, start)
    scanner.blanks()
    is_pair = scanner.take(",")
    if not is_pair and not scanner.take("-"):
        scanner.fail("',' or '-'")
    scanner.blanks()
    second = scanner.cell()
    return PlaceTiles(first, second) if is_pair else BuildBridge(first, second)


def format_action(action: Action) -> str:
    """Return the canonical text of *action*: lower case, cells in order, no blanks.

    Raises:
        TypeError: If it is not an action.
    """
    require_type(action, Action, "action")
    match action:
        case PlaceTiles(a, b):
            return f"{a},{b}"
        case BuildBridge(a, b):
            return f"{a}-{b}"
        case ChooseColor(color):
            return color.value
        case _:
            return "pass"
