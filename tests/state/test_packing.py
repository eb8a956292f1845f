"""Packed states and half turns, keys of canonical forms, and codes of actions."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, GameState, HalfTurn, Phase, PlaceTile, PonteError, Rules
from pontedeldiavolo.testing.strategies import states
from support.checks import error_of
from support.diagrams import state_of
from support.games import random_game
from support.strategies import SMALL_RULES

SMALL = GameState.initial(Rules(Board(3, 2)))


def half_turns(state: GameState) -> list[HalfTurn]:
    return [state.step(PlaceTile(cell)) for cell in state.legal_actions.first_tiles]


@given(states(SMALL_RULES), st.integers(0, 9), st.data())
def test_a_half_turn_comes_back_from_its_bytes(
    state: GameState, zeros: int, data: st.DataObject
) -> None:
    halves = half_turns(state)
    assume(halves)
    half = data.draw(st.sampled_from(halves))
    assert HalfTurn.unpack(half.rules, half.packed() + bytes(zeros)) == half
    with pytest.raises(PonteError, match="a half turn, not a state"):
        GameState.unpack(half.rules, half.packed())
    with pytest.raises(PonteError, match="a state, not a half turn"):
        HalfTurn.unpack(half.rules, state.packed())


@given(states(SMALL_RULES))
def test_no_two_nodes_share_bytes(state: GameState) -> None:
    nodes: list[pdd.Node] = [state, *half_turns(state)]
    assert len({node.packed() for node in nodes}) == len(nodes)
    keys = {node.packed(owners=False) for node in nodes}
    assert len(keys) == len(nodes)
    assert not keys & {node.packed() for node in nodes}


@given(states())
def test_the_canonical_key_is_that_of_the_canonical_form(state: GameState) -> None:
    for owners in (True, False):
        key = state.canonical_packed(owners=owners)
        assert key == state.canonical().packed(owners=owners)
    board = state.rules.board
    assert {state.transform(each).canonical_packed() for each in board.symmetries} == {
        state.canonical_packed()
    }


@given(states(SMALL_RULES), st.data())
def test_half_turns_turn_as_their_states_do(state: GameState, data: st.DataObject) -> None:
    halves = half_turns(state)
    assume(halves)
    half = data.draw(st.sampled_from(halves))
    canonical = half.canonical()
    assert half.canonical_packed() == canonical.packed()
    assert half.transform(half.canonical_symmetry()) == canonical
    for symmetry in state.rules.board.symmetries:
        turned = half.transform(symmetry)
        assert turned.state == state.transform(symmetry)
        assert turned.placed_tile == half.placed_tile.transform(symmetry)
        assert turned.canonical() == canonical
        assert turned.transform(symmetry.inverse) == half


@pytest.mark.parametrize(
    "diagram",
    [
        "4 . . . .\n3 w . . r\n2 . . . .\n1 w . . r\nbridges a1-a3",
        # Only one mirror symmetry is left, and the placed tile breaks it.
        "3 . . .\n2 . w .\n1 . w .",
        # Both mirrors give the least form, with two cells for a placed tile on a1.
        "3 . . w .\n2 . . . .\n1 . w . .",
        # Only the bridge distinguishes the symmetries.
        "3 w . w\n2 . . .\n1 w . w\nbridges a3-c3",
    ],
    ids=["tiles", "mirror", "mirrors", "bridge"],
)
def test_the_canonical_symmetry_makes_the_least_of_tiles_then_bridges_then_the_first_tile(
    diagram: str,
) -> None:
    state = state_of(diagram)
    nodes: list[pdd.Node] = [state, *half_turns(state)]
    for node in nodes:
        forms = [node.transform(each) for each in node.rules.board.symmetries]

        def key(form: pdd.Node) -> tuple[int, ...]:
            position = form.position
            bridges = form.rules.board.bridges
            return (
                *(position.tiles(color).bits for color in pdd.Color),
                sum(1 << bridges.index(b) for c in pdd.Color for b in position.bridges(c)),
                form.rules.board.index(form.placed_tile) if isinstance(form, HalfTurn) else 0,
            )

        assert node.canonical() == min(forms, key=key)


def test_owners_are_left_out_where_they_do_not_matter() -> None:
    position = pdd.Position.from_pieces(Board(4, 4))
    one, other = (GameState.from_position(position, white_owner=seat) for seat in pdd.Seat)
    assert one != other
    assert one.packed() != other.packed()
    assert one.packed(owners=False) == other.packed(owners=False)
    assert one.canonical_packed(owners=False) == other.canonical_packed(owners=False)
    with pytest.raises(PonteError, match="without owners cannot be unpacked"):
        GameState.unpack(one.rules, one.packed(owners=False))


BAD = [
    (b"", "there is none"),
    (b"\x00", "too short for a 3×2 board"),
    (b"\x00\x01", "too short for a 3×2 board"),
    (b"\x3f\x00\x00", "no state begins with the byte 63"),
    (b"\x00\x40\x00", "a tile is off the board"),
    (b"\x00\x00\xff", "a tile is off the board"),
    (b"\x00\x00\x00\x00\x07", "no number of a bridge after 0: 7"),
    (b"\x00\x00\x00\x01", "no number of a bridge after 0: 1"),
    (b"\x00\x00\x00\x00\x02\x00\x01", "no number of a bridge after 2: 1"),
    (b"\x00\x00\x00\x00\x02\x00\x02", "no number of a bridge after 2: 2"),
    (b"\x00\x00\x00\x00\x02\x03", "no number of a bridge after 2: 3"),
    (b"\x00\x00\x00\x00\x00\x00\x01", "no number of a bridge after 0: 0"),
    (b"\x80\x00\x06\x00\x00", "the first tile is off the board: 6"),
    (b"\x80\xff\xff\x00\x00", "the first tile is off the board: 65535"),
]


@pytest.mark.parametrize(("data", "why"), BAD)
def test_bytes_of_no_node_are_refused(data: bytes, why: str) -> None:
    for read in (GameState.unpack, HalfTurn.unpack):
        assert str(error_of(PonteError, read, SMALL.rules, data)) == f"packed data: {why}"


def test_bytes_of_impossible_states_are_refused() -> None:
    head = SMALL.packed()[:1]
    with pytest.raises(pdd.InvalidPositionError, match="The opening is played on an empty board"):
        GameState.unpack(SMALL.rules, head + b"\x03\x00")
    with pytest.raises(pdd.InvalidPositionError, match="Already taken by a tile: a1"):
        GameState.unpack(SMALL.rules, head + b"\x01\x01")
    half = SMALL.step(PlaceTile(pdd.parse_cell("a1")))
    over = GameState.from_position(pdd.Position.from_pieces(Board(1, 1)), phase=Phase.OVER).packed()
    with pytest.raises(pdd.IllegalActionError, match="The game is over"):
        HalfTurn.unpack(Rules(Board(1, 1)), bytes([over[0] | 0x80, 0, 0]) + over[1:])
    with pytest.raises(pdd.InvalidPositionError):
        HalfTurn.unpack(half.rules, half.packed()[:3] + b"\x03\x00")


def test_more_bridges_than_tiles_could_carry_are_refused_by_their_number() -> None:
    rules = Rules(Board(40, 40))
    geometry = rules.board.geometry
    numbers = b"".join((each + 1).to_bytes(2) for each in range(geometry.bridge_count))
    with pytest.raises(PonteError, match="at most 800 bridges on such a board"):
        GameState.unpack(rules, GameState.initial(rules).packed() + numbers)


BOARDS = [pdd.Board(*size) for size in ((1, 1), (1, 9), (2, 2), (3, 3), (5, 7), (10, 10))]
Space = pdd.ActionSpace | pdd.StepSpace


def test_known_sizes() -> None:
    assert len(pdd.ActionSpace(pdd.Board())) == 4_950 + 576 + 2 + 1
    assert len(pdd.StepSpace(pdd.Board())) == 100 + 576 + 2 + 1
    assert len(pdd.ActionSpace(pdd.Board(12, 12))) == 10_296 + 880 + 3
    assert len(pdd.ActionSpace(pdd.Board(1, 1))) == 3


@pytest.mark.parametrize("board", BOARDS, ids=str)
@pytest.mark.parametrize("kind", [pdd.ActionSpace, pdd.StepSpace])
def test_codes_and_items_are_one_to_one_and_in_order(
    kind: type[pdd.ActionSpace | pdd.StepSpace], board: pdd.Board
) -> None:
    space = kind(board)
    items = [space.decode(code) for code in range(len(space))]
    assert [space.encode(item) for item in items] == list(range(len(space)))  # type: ignore[arg-type]  # items have the type of the space
    assert items == sorted(items)
    assert len(set(items)) == len(items)


@given(st.sampled_from(BOARDS), st.data())
def test_codes_follow_symmetries(board: pdd.Board, data: st.DataObject) -> None:
    spaces: list[Space] = [pdd.ActionSpace(board), pdd.StepSpace(board)]
    space = data.draw(st.sampled_from(spaces))
    code = data.draw(st.integers(0, len(space) - 1))
    symmetry = data.draw(st.sampled_from(board.symmetries))
    moved = space.transform(code, symmetry)
    assert space.decode(moved) == space.decode(code).transform(symmetry)
    assert space.transform(moved, symmetry.inverse) == code


@pytest.mark.parametrize("board", BOARDS[:-1], ids=str)
def test_masks_mark_what_is_legal(board: pdd.Board) -> None:
    actions = pdd.ActionSpace(board)
    steps = pdd.StepSpace(board)
    for state in random_game(f"{board.width}x{board.height}").states():
        for space, legal in ((actions, state.legal_actions), (steps, state.legal_steps)):
            mask = space.legal_mask(state)
            assert (len(mask), sum(mask)) == (len(space), len(legal))
            assert [space.decode(code) for code, bit in enumerate(mask) if bit] == [*legal]


def test_what_has_no_number_is_refused() -> None:
    actions = pdd.ActionSpace(pdd.Board(4, 4))
    steps = pdd.StepSpace(pdd.Board(4, 4))
    for text in ("a1,a1", "a1,e1", "a1-b1", "a1-e1"):
        with pytest.raises(pdd.PonteError):
            actions.encode(pdd.parse_action(text))
    with pytest.raises(pdd.PonteError):
        steps.encode(pdd.PlaceTile(pdd.Cell(4, 0)))
    for space in (actions, steps):
        for code in (-1, len(space), 10**30):
            with pytest.raises(pdd.PonteError):
                space.decode(code)
        with pytest.raises(pdd.PonteError):
            space.legal_mask(pdd.GameState.initial())


def test_no_byte_of_a_packed_node_makes_another_error() -> None:
    state = GameState.initial(Rules(Board(5, 4)))
    for action in ("a1,c1", "white", "a4,c4", "e1,e3"):
        state = state.apply(pdd.parse_action(action))
    state = state.apply(state.legal_actions.bridges[0])
    half = state.step(PlaceTile(next(iter(state.legal_actions.first_tiles))))
    for node in (state, half):
        data = node.packed()
        for place in range(len(data)):
            for byte in range(0, 256, 3):
                damaged = data[:place] + bytes([byte]) + data[place + 1 :]
                try:
                    found = type(node).unpack(node.rules, damaged)
                except PonteError:
                    continue
                # Accepted bytes are the packed form of the node that they give.
                assert found.packed().rstrip(b"\0") == damaged.rstrip(b"\0")
