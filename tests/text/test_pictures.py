"""Pictures of boards: what they look like, and that everything can be read back from them."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise, zip_longest
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Bridge, Cell, Color, Position, Setup, text
from pontedeldiavolo.testing.strategies import positions, setups, states
from pontedeldiavolo.text import Role, Span, Style, layout, render
from support.checks import wrong_type
from support.diagrams import bridge, draw
from support.strategies import share

EXAMPLE = """\
3 w r . w r
2 w . . w .
1 w w . . r
bridges b1-d2
"""

# Each kind of bridge stands below its name.

UNICODE = """
a1-c1
░○░─────░○░

a1-a3
░○░
 │
 │
 │
░○░

a1-c3
 ·   ·  ░○░
       ╱
 ·   ╱   ·
   ╱
░○░  ·   ·

c1-a3
░○░  ·   ·
   ╲
 ·   ╲   ·
       ╲
 ·   ·  ░○░

a1-b3
 ·  ░○░
    ╱
 × ╱ ×
  ╱
░○░  ·

b1-a3
░○░  ·
  ╲
 × ╲ ×
    ╲
 ·  ░○░

a1-c2
 ·   ×╭─░○░
    ╭─╯
░○░─╯×   ·

c1-a2
░○░─╮×   ·
    ╰─╮
 ·   ×╰─░○░
"""  # noqa: RUF001 - these characters are lines, not slashes

COMPACT = """
a1-c1
 ○───○

a1-a3
 ○
 │
 ○

a1-c3
 · · ○
 · ╱ ·
 ○ · ·

c1-a3
 ○ · ·
 · ╲ ·
 · · ○

a1-b3
 · ○
 ×╱×
 ○ ·

b1-a3
 ○ ·
 ×╲×
 · ○

a1-c2
 · ×╭○
 ○╯× ·

c1-a2
 ○╮× ·
 · ×╰○
"""  # noqa: RUF001 - these characters are lines, not slashes

TO_ASCII = str.maketrans("·×○●□■░▒◇◆─│╲\u2571╭╮╰╯", ".xwrWR:#nN-|\\/..''")

BRIDGE_ROLES = {Color.WHITE: Role.WHITE_BRIDGE, Color.RED: Role.RED_BRIDGE}
TILE_ROLES = {Color.WHITE: Role.WHITE_TILE, Color.RED: Role.RED_TILE}


def characters(
    drawable: pdd.GameState | pdd.HalfTurn | Position | Setup,
    *,
    targets: bool = False,
    compact: bool = False,
) -> dict[tuple[int, int], Span]:
    """Return every character of a board by column and line, from (0, 0) at the upper left cell."""
    found: dict[tuple[int, int], Span] = {}
    rows = layout(drawable, coordinates=False, targets=targets, compact=compact)
    for line, row in enumerate(rows):
        singles = [Span(char, role) for word, role in row for char in word]
        found |= {(column - 1, line): span for column, span in enumerate(singles)}
    return found


def notes(drawable: Position | Setup) -> list[str]:
    return [word for row in layout(drawable) for word, role in row if role is Role.NOTE]


def point(board: Board, cell: Cell, *, compact: bool = False) -> tuple[int, int]:
    step = 1 if compact else 2
    return (2 * step * cell.column, step * (board.height - 1 - cell.row))


@cache
def drawn_alone(board: Board, one: Bridge, *, compact: bool) -> set[tuple[int, int, str]]:
    """Return the characters of a bridge on a board without other pieces."""
    found = characters(Setup(board, white=one.ends, bridges=[one]), compact=compact).items()
    return {(*place, span.text) for place, span in found if span.role is Role.WHITE_BRIDGE}


def test_picture_in_unicode() -> None:
    assert render(draw(EXAMPLE)).splitlines() == [
        "3 ░□░ ▒●▒  ·  ░○░ ▒●▒",
        "  ░░░         ░░░",
        "2 ░□░  ·   ×╭─░○░  ·",
        "  ░░░     ╭─╯",
        "1 ░□░░░□░─╯×   ·  ▒●▒",
        "   a   b   c   d   e",
    ]


def test_the_module_shows_a_picture_that_it_draws() -> None:
    shown = "\n".join(f"    {line}" for line in render(draw(EXAMPLE)).splitlines())
    assert text.__doc__ is not None
    assert shown in text.__doc__


def pictures(gallery: str) -> dict[str, str]:
    """Return the pictures of a gallery by their titles."""
    pieces = (piece.split("\n", 1) for piece in gallery.strip("\n").split("\n\n"))
    return dict(pieces)


@pytest.mark.parametrize(("gallery", "compact"), [(UNICODE, False), (COMPACT, True)])
def test_every_kind_of_bridge(gallery: str, *, compact: bool) -> None:
    expected = pictures(gallery)
    drawn = {}
    for name in expected:
        span = bridge(name)
        board = Board(max(end.column for end in span.ends) + 1, span.b.row + 1)
        position = Position.from_pieces(board, white=span.ends, bridges=[span])
        drawn[name] = render(position, coordinates=False, compact=compact)
    assert drawn == expected
    spans = {(abs(b.a.column - b.b.column), abs(b.a.row - b.b.row)) for b in map(bridge, drawn)}
    assert spans == {(2, 0), (0, 2), (2, 2), (1, 2), (2, 1)}


@given(states())
@share(0.3)
def test_ascii_has_other_characters_for_the_same_parts(state: pdd.GameState) -> None:
    assert render(state, style=Style.ASCII) == render(state).translate(TO_ASCII)
    small = render(state, style=Style.ASCII, compact=True)
    assert small == render(state, compact=True).translate(TO_ASCII)
    tiles = state.legal_actions.first_tiles
    for drawn in (state, state.step(pdd.PlaceTile(next(iter(tiles)))) if tiles else state):
        unicode, ascii_ = (layout(drawn, style=style, targets=True) for style in Style)
        assert ascii_ == tuple(
            tuple(Span(words.translate(TO_ASCII), role) for words, role in row) for row in unicode
        )


def test_land_grows_together_within_a_group_only() -> None:
    position = draw("2 w w . r\n1 w w . .")
    assert render(position, coordinates=False).splitlines() == [
        "░□░░░□░  ·  ▒●▒",
        "░░░░░░░",
        "░□░░░□░  ·   ·",
    ]
    # Neighbours of different colours, and sandbanks that touch at a corner, are not joined.
    position = draw("2 w r .\n1 . w r")
    assert render(position, coordinates=False).splitlines() == ["░○░ ▒●▒  ·", "", " ·  ░○░ ▒●▒"]


def test_a_state_looks_like_its_position() -> None:
    state = pdd.GameState.initial().apply(pdd.parse_action("d4,g7"))
    assert render(state) == render(state.position)


def test_without_coordinates() -> None:
    lines = render(draw(EXAMPLE)).splitlines()
    assert render(draw(EXAMPLE), coordinates=False).splitlines() == [
        line[2:] for line in lines[:-1]
    ]


@pytest.mark.parametrize(
    ("last", "picture"),
    [
        ("a1,c1", "[○]  ·  [○]  ·"),
        ("c1,d1", "░○░  ·  [○] [·]"),
        ("a1-c1", "[○]  ·  [○]  ·"),
        ("a1,z9", "[○]  ·  ░○░  ·"),
        ("white", "░○░  ·  ░○░  ·"),
        ("pass", "░○░  ·  ░○░  ·"),
    ],
)
def test_the_last_action_is_in_brackets(last: str, picture: str) -> None:
    action = pdd.parse_action(last)
    assert render(draw("w . w ."), coordinates=False, last=action) == picture
    built = render(draw("w . w\nbridges a1-c1"), coordinates=False, last=pdd.parse_action("a1-c1"))
    assert built == "[○]─────[○]"


@pytest.mark.parametrize(
    ("diagram", "last", "picture"),
    [
        ("w . w .", "a1,c1", "[○]·[○]·"),
        ("w . w .", "c1,d1", " ○ ·[○|·]"),
        ("w . w\nbridges a1-c1", "a1-c1", "[○───○]"),
        ("2 w . .\n1 . . w\nbridges a2-c1", "a2-c1", "[○╮× ·\n · ×╰○]"),
    ],
)
def test_the_last_action_in_a_compact_picture(diagram: str, last: str, picture: str) -> None:
    action = pdd.parse_action(last)
    assert render(draw(diagram), coordinates=False, last=action, compact=True) == picture


HALF = pdd.GameState.from_position(draw(EXAMPLE), to_move=Color.RED).step(
    pdd.PlaceTile(pdd.parse_cell("c3"))
)


def test_a_half_turn_shows_its_first_tile() -> None:
    assert render(HALF, coordinates=False).splitlines() == [
        "░□░ ▒●▒  ◆  ░○░ ▒●▒",
        "░░░         ░░░",
        "░□░  ·   ×╭─░○░  ·",
        "░░░     ╭─╯",
        "░□░░░□░─╯×   ·  ▒●▒",
    ]
    assert render(WHITE_HALF, coordinates=False).splitlines()[0] == "░□░ ▒●▒  ◇  ░○░ ▒●▒"


@given(states())
@share(0.3)
def test_targets_stand_in_open_water(state: pdd.GameState) -> None:
    tiles = state.legal_actions.first_tiles
    nodes: list[tuple[pdd.Node, pdd.CellSet]] = [(state, tiles)]
    if tiles:
        half = state.step(pdd.PlaceTile(next(iter(tiles))))
        assert isinstance(half, pdd.HalfTurn)
        nodes.append((half, half.second_tiles))
    for node, targets in nodes:
        plain = characters(node)
        marked = characters(node, targets=True)
        changed = {place for place in plain if plain[place] != marked[place]}
        assert changed == {point(state.rules.board, cell) for cell in targets}
        assert all(marked[place] == Span("+", Role.TARGET) for place in changed)
        assert all(plain[place].role is Role.WATER for place in changed)


def test_no_targets_where_nobody_has_a_turn() -> None:
    for drawable in (draw(EXAMPLE), draw(EXAMPLE).setup()):
        with pytest.raises(pdd.PonteError, match="nobody has a turn in a position or a set-up"):
            layout(drawable, targets=True)


LEGEND = "3 w w w w . r .\n2 . . . . . . .\n1 r r r r . . r\nbridges f3-g1"
WHITE_HALF = HALF.state.with_to_move(Color.WHITE).step(pdd.PlaceTile(pdd.parse_cell("c3")))


def legend(drawable: pdd.Node | Position, style: Style, *, targets: bool = False) -> str:
    """Return the last line of a picture with a legend; the lines above it are those without."""
    picture, _, line = render(drawable, style=style, targets=targets, legend=True).rpartition("\n")
    assert picture == render(drawable, style=style, targets=targets)
    return line


@pytest.mark.parametrize("style", Style)
def test_legends_name_all_that_is_drawn(style: Style) -> None:
    boards: list[pdd.Node | Position] = [draw(LEGEND), draw("w"), HALF, WHITE_HALF]
    pictures = [layout(each, style=style, targets=each in (HALF, WHITE_HALF)) for each in boards]

    def drawn(*roles: Role) -> set[str]:
        spans = [span for rows in pictures for row in rows for span in row]
        return {char for words, role in spans if role in roles for char in words}

    always = drawn(Role.WHITE_TILE, Role.RED_TILE, Role.BLOCKED)
    of_half_turns = drawn(Role.FIRST_TILE, Role.TARGET)
    assert (len(always), len(of_half_turns)) == (5, 3)
    short = legend(boards[0], style).split()
    long = legend(HALF, style).split()
    assert long == legend(HALF.state, style, targets=True).split()
    assert always <= {*short} < {*long} >= of_half_turns
    assert not of_half_turns & {*short}


@given(st.integers(1, Board.MAX_SIDE), st.integers(1, Board.MAX_SIDE))
@share(0.3)
def test_every_row_and_column_is_named(width: int, height: int) -> None:
    position = Position.from_pieces(Board(width, height))
    lines = render(position).split("\n")
    small = render(position, compact=True).split("\n")
    assert [line.rstrip() for line in lines] == lines
    assert render(position, style=Style.ASCII).isascii()
    many = max(width, height) > 26
    names = [str(Cell(column, 0))[:-1] for column in range(width)]
    assert lines[-1].split() == names
    if many:
        assert lines.pop(0) == lines[-1]
    rows = lines[:-1:2]
    assert len(lines) == 2 * height
    assert not any(lines[1:-1:2])
    for number, row in zip(range(height, 0, -1), rows, strict=True):
        words = row.split()
        assert words == [str(number), *["·"] * width, *[str(number)] * many]
    # Every name begins below the cells of its column.
    below = [letter for letter, above in zip(lines[-1], rows[0], strict=False) if above == "·"]
    assert below == [name[0] for name in names]
    # In a compact picture, names of two letters stand upright.
    labels = len(small) - height
    upright = labels // 2 if many else labels
    assert upright == (2 if width > 26 else 1)
    assert small[-upright:] == small[:upright] or not many
    places = [place for place, char in enumerate(small[upright if many else 0]) if char == "·"]
    columns = zip_longest(*small[-upright:], fillvalue=" ")
    found = ["".join(column).strip() for column in columns]
    assert [found[place] for place in places] == names
    assert [name for name in found if name] == names


@pytest.mark.parametrize("compact", [False, True])
@given(position=positions())
@share(0.6)
def test_tiles_can_be_read_back(position: Position, *, compact: bool) -> None:
    found = characters(position, compact=compact)
    for cell in position.board:
        span = found[point(position.board, cell, compact=compact)]
        color = position.color_at(cell)
        group = position.group_at(cell)
        if color is None or group is None:
            assert span.role not in TILE_ROLES.values()
        else:
            kinds = "□■" if group.is_island else "○●"
            assert span == (kinds[color.index], TILE_ROLES[color])


@pytest.mark.parametrize("compact", [False, True])
@given(position=positions())
@share(0.6)
def test_bridges_and_blocked_cells_can_be_read_back(position: Position, *, compact: bool) -> None:
    board = position.board
    found = characters(position, compact=compact)
    for color, role in BRIDGE_ROLES.items():
        lines = {(*place, span.text) for place, span in found.items() if span.role is role}
        # Only the lines are compared; they must not look like another bridge.
        seen = [each for each in board.bridges if drawn_on(board, each, compact=compact) <= lines]
        assert seen == list(position.bridges(color))
    covered = {*BRIDGE_ROLES.values(), Role.BLOCKED}
    roles = {cell: found[point(board, cell, compact=compact)].role for cell in board}
    hidden = {cell for cell, role in roles.items() if role in covered}
    assert hidden == position.blocked
    assert notes(position) == []


def drawn_on(board: Board, one: Bridge, *, compact: bool = False) -> set[tuple[int, int, str]]:
    """Return the characters of a bridge, from the smallest board that has it."""
    column = min(end.column for end in one.ends)
    row = min(end.row for end in one.ends)
    ends = [Cell(end.column - column, end.row - row) for end in one.ends]
    height = max(end.row for end in ends) + 1
    x, y = point(board, Cell(column, row + height - 1), compact=compact)
    smallest = Board(max(end.column for end in ends) + 1, height)
    alone = drawn_alone(smallest, Bridge(*ends), compact=compact)
    return {(x + i, y + j, char) for i, j, char in alone}


@pytest.mark.parametrize("compact", [False, True])
def test_bridges_that_may_stand_together_share_no_character(*, compact: bool) -> None:
    board = Board(5, 5)
    drawn = {
        each: {place[:2] for place in drawn_on(board, each, compact=compact)}
        for each in board.bridges
    }
    assert all(drawn.values())
    compared = 0
    for one, other in combinations(board.bridges, 2):
        ends = {*one.ends, *other.ends}
        beneath = {*one.cells_beneath, *other.cells_beneath}
        if len(ends) == 4 and not ends & beneath and not one.crosses(other):
            compared += 1
            assert not drawn[one] & drawn[other], (one, other)
    assert compared > 2000


@given(states())
@share(0.3)
def test_render_writes_the_layout(state: pdd.GameState) -> None:
    rows = layout(state)
    lines = ["".join(word for word, _ in row) for row in rows]
    assert render(state).split("\n") == [line.rstrip() for line in lines]
    # Neighbouring spans have different styles, so none could be joined.
    assert all(one.role is not other.role for row in rows for one, other in pairwise(row))


@given(setups())
def test_any_set_up_can_be_drawn(setup: Setup) -> None:
    rows = layout(setup)
    many = max(setup.board.width, setup.board.height) > 26
    below = len(notes(setup))
    assert len(rows) == 2 * setup.board.height + many + below
    if not setup.violations():
        assert below == 0
        assert rows == layout(setup.position())


@pytest.mark.parametrize(
    ("diagram", "expected"),
    [
        ("x .", []),
        ("w . w w . r\nbridges a1-c1 d1-f1", []),
        ("w . .\nwhite z9 a2\nred b5", ["white off the board: a2, z9", "red off the board: b5"]),
        ("w . . w\nbridges a1-d1", ["not drawn clearly: a1-d1"]),
        ("w .\nbridges a1-c1", ["not drawn clearly: a1-c1"]),
        ("w w w\nbridges a1-c1", ["not drawn clearly: a1-c1"]),
        ("3 w . w\n2 . . .\n1 w . w\nbridges a1-c3 a3-c1", ["not drawn clearly: a1-c3, c1-a3"]),
    ],
)
def test_what_cannot_be_drawn_is_noted(diagram: str, expected: list[str]) -> None:
    assert notes(pdd.parse_setup(diagram)) == expected


def test_faults_of_a_set_up_have_a_role_of_their_own() -> None:
    setup = pdd.parse_setup("w . r . x\nbridges a1-c1")
    (row,) = layout(setup, coordinates=False)[:1]
    assert [span.text for span in row if span.role is Role.FAULT] == ["─────", "?"]


def test_a_bridge_over_land_does_not_hide_the_land() -> None:
    setup = pdd.parse_setup("w r w\nbridges a1-c1")
    row = layout(setup, coordinates=False)[0]
    assert [word for word, role in row if role is Role.RED_TILE] == ["●"]
    assert [word for word, role in row if role is Role.WHITE_BRIDGE] == ["─", "─"]


@pytest.mark.parametrize("last", ["a1,b1", pdd.PlaceTile(Cell(0, 0))])
def test_a_last_action_of_a_wrong_type_is_refused(last: Any) -> None:
    with wrong_type("last"):
        render(draw("w"), last=last)
