"""A user interface without graphics: highlight cells, handle single clicks, explain refusals.

Run with: python examples/click_by_click.py
"""

import pontedeldiavolo as pdd

DIAGRAM = """
6 . . . . . .
5 . . r . . .
4 . r . . . .
3 w w w . . .
2 . . . . w .
1 . . . . . .
  a b c d e f
"""


def click(state: pdd.GameState, name: str) -> pdd.HalfTurn | None:
    """Try to place the first tile of a pair, and print the response."""
    try:
        half = state.step(pdd.PlaceTile(pdd.parse_cell(name)))
    except pdd.IllegalActionError as error:
        for violation in error.violations:
            print(f"{name}: {pdd.messages.explain(violation, 'de')}")
        return None
    print(f"{name}: now one of {', '.join(map(str, half.second_tiles))}")
    return half


def main() -> None:
    """Click on cells of a position."""
    position = pdd.parse_setup(DIAGRAM).position()
    state = pdd.GameState.from_position(position, to_move=pdd.Color.WHITE)
    print(f"first tiles: {', '.join(map(str, state.legal_actions.first_tiles))}")
    for name in ("b4", "d3", "a4"):
        click(state, name)
    half = click(state, "d4")
    if half is not None:
        after = half.step(pdd.PlaceTile(pdd.parse_cell("f5")))
        print(pdd.format_setup(after.position.setup()))


if __name__ == "__main__":
    main()
