"""Compare whole games with the slow reference implementation of the rules.

On small boards the tests compare the legal actions of every state; on large ones, where the
reference is slow, those of some states. In every state they also compare the verdicts on attempts.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import pontedeldiavolo as pdd
from support.oracle_geometry import point
from support.reference import Reference, parse_action
from support.strategies import Player

Attempt = pdd.Action | pdd.PlaceTile

PLAYERS = [(False, False), (True, False), (False, True), (True, True)]

# Each row: width, height, tiles per colour, bridges, games of each kind of player.
QUICK = [
    (1, 1, None, None, 1),
    (1, 1, 1, 0, 1),
    (1, 9, None, None, 4),
    (1, 9, 3, 1, 3),
    (2, 5, None, None, 5),
    (2, 5, 4, 1, 4),
    (3, 3, None, None, 10),
    (3, 3, 3, 1, 6),
    (4, 4, 5, 1, 4),
    (4, 4, 0, None, 1),
    (5, 4, None, 0, 3),
    (5, 5, 7, 2, 3),
    (3, 7, None, None, 4),
]
SLOW = [
    (4, 4, None, None, 10),
    (5, 5, None, None, 6),
    (6, 6, None, None, 2),
    (6, 6, 9, 3, 2),
    (8, 8, None, None, 2),
    (8, 8, 18, 4, 2),
    (10, 10, None, None, 1),
    (10, 10, 40, 15, 2),
    (12, 9, None, 6, 1),
    (12, 12, None, None, 1),
    (12, 12, 30, 5, 1),
]
TIEBREAKS = [("islands", "bridges"), (), ("bridges",), ("bridges", "islands")]


def rules_broken(reference: Reference, attempt: Attempt) -> set[str]:
    match attempt:
        case pdd.PlaceTile(cell):
            return reference.broken("tile", point(cell))
        case _:
            kind, cells = parse_action(pdd.format_action(attempt))
            return reference.broken(kind, *cells)


def some_cell(state: pdd.GameState, rng: Random) -> pdd.Cell:
    """Return a cell: with a tile, free, next to a tile, anywhere, or off the board."""
    board = state.rules.board
    tiles = [cell for color in pdd.Color for cell in state.position.tiles(color)]
    kind = rng.randrange(6)
    if kind == 0 and state.to_move and state.position.tiles(state.to_move):
        return rng.choice(tuple(state.position.tiles(state.to_move)))
    if kind == 1 and state.position.blocked:
        return rng.choice(tuple(state.position.blocked))
    if kind < 4 and tiles:
        return near(rng.choice(tiles), rng)
    beyond = 3 if kind == 4 else 0
    return pdd.Cell(rng.randrange(board.width + beyond), rng.randrange(board.height + beyond))


def near(cell: pdd.Cell, rng: Random) -> pdd.Cell:
    column = cell.column + rng.randint(-2, 2)
    row = cell.row + rng.randint(-2, 2)
    return pdd.Cell(max(0, column), max(0, row))


def some_attempt(state: pdd.GameState, rng: Random) -> Attempt:
    one = some_cell(state, rng)
    other = rng.choice([one, near(one, rng), near(one, rng), some_cell(state, rng)])
    kind = rng.randrange(12)
    if kind < 4:
        return pdd.PlaceTiles(one, other)
    if kind < 8:
        own = state.position.tiles(state.to_move) if state.to_move else ()
        if len(own) > 1 and rng.random() < 0.7:
            one = rng.choice(tuple(own))
            other = min(own, key=lambda cell: (cell == one, rng.random() * distance(one, cell)))
        return pdd.BuildBridge(one, other)
    if kind < 10:
        return pdd.PlaceTile(one)
    words: list[Attempt] = [pdd.Pass(), *map(pdd.ChooseColor, pdd.Color)]
    return rng.choice(words)


def narrow_attempts(state: pdd.GameState) -> list[Attempt]:
    """Return attempts that are rarely random: bridges between own tiles, and the last cells.

    A cell that is legal alone but has no partner occurs when few cells are left.
    """
    if state.to_move is None:
        return []
    own = state.position.tiles(state.to_move)
    bridges = [bridge for bridge in state.rules.board.bridges if set(bridge.ends) <= own]
    last = state.position.open_cells(state.to_move)
    return [
        *(pdd.BuildBridge(*bridge.ends) for bridge in bridges),
        *(pdd.PlaceTile(cell) for cell in (last if len(last) < 8 else ())),
    ]


def distance(one: pdd.Cell, other: pdd.Cell) -> int:
    return abs(one.column - other.column) + abs(one.row - other.row)


def assert_same_state(state: pdd.GameState, reference: Reference) -> None:
    assert state.phase.value == reference.phase
    assert (state.to_move and state.to_move.value) == reference.to_move
    owner = state.owner(pdd.Color.WHITE)
    assert (None if owner is None else owner.index) == reference.white_owner
    assert state.owner(pdd.Color.RED) is (owner and owner.opponent)
    seats = {"opening": pdd.Seat.FIRST, "color-choice": pdd.Seat.SECOND}
    mover = state.to_move and state.owner(state.to_move)
    assert state.seat_to_move is seats.get(reference.phase, mover)
    assert state.is_over is (reference.phase == "over")
    for seat in pdd.Seat:
        color = state.color_of(seat)
        assert color is None if owner is None else state.owner(color or pdd.Color.WHITE) is seat
    supply = state.rules.bridges
    built = len(reference.built)
    assert state.bridges_left == (None if supply is None else supply - built)
    assert set(map(point, state.position.blocked)) == reference.blocked()
    for color in pdd.Color:
        name = color.value
        score = state.score(color)
        tiles = reference.placed[name]
        supply = state.rules.tiles_per_color
        assert set(map(point, state.position.tiles(color))) == tiles
        assert state.tiles_left(color) == (None if supply is None else supply - len(tiles))
        bridges = [tuple(map(point, each.ends)) for each in state.position.bridges(color)]
        standing = [each for each in reference.built if each[0] in tiles]
        assert bridges == sorted(standing, key=lambda ends: [end[::-1] for end in ends])
        assert score.points == reference.points(name)
        assert score.islands == reference.island_count(name)
        assert score.bridges == reference.bridge_count(name)
        assert [
            frozenset(map(point, group.cells)) for group in state.position.groups(color)
        ] == reference.groups(name)
        assert {
            frozenset(frozenset(map(point, group.cells)) for group in network.groups)
            for network in state.position.networks(color)
        } == set(map(frozenset, reference.networks(name)))
    outcome = state.outcome
    assert (outcome is None) is (reference.phase != "over")
    if outcome is not None:
        assert (outcome.winner.value if outcome.winner else "draw") == reference.winner()
        assert outcome.decided_by.value == reference.decided_by()
        assert outcome.winning_seat is (outcome.winner and state.owner(outcome.winner))
        assert (outcome.white, outcome.red) == tuple(map(state.score, pdd.Color))


def assert_same_judgement(state: pdd.GameState, reference: Reference, attempt: Attempt) -> set[str]:
    expected = rules_broken(reference, attempt)
    violations = state.violations(attempt)
    assert {violation.code.value for violation in violations} == expected, attempt
    assert state.is_legal(attempt) is (not expected)
    if isinstance(attempt, pdd.PlaceTile):
        assert (attempt in state.legal_steps) is (not expected)
    else:
        assert (attempt in state.legal_actions) is (not expected)
    return expected


def assert_same_legal_actions(state: pdd.GameState, reference: Reference) -> None:
    assert [pdd.format_action(action) for action in state.legal_actions] == reference.legal()


def beginning(rules: pdd.Rules) -> Reference:
    """Return the reference before the first action."""
    board = rules.board
    tiebreaks = [each.value for each in rules.tiebreaks]
    return Reference(board.width, board.height, rules.tiles_per_color, rules.bridges, tiebreaks)


def play_side_by_side(
    rules: pdd.Rules, player: Player, *, listed: float, attempts: int, judged: float
) -> Counter[str]:
    """Play a game; compare lists and verdicts in the shares *listed* and *judged* of its states.

    Returns:
        The number of violations of each rule, and under "legal" the number of legal attempts.
    """
    seen: Counter[str] = Counter()
    state = pdd.GameState.initial(rules)
    reference = beginning(rules)
    rng = player.rng
    while True:
        assert_same_state(state, reference)
        if rng.random() < listed:
            assert_same_legal_actions(state, reference)
        if rng.random() < judged:
            drawn = [some_attempt(state, rng) for _ in range(attempts)]
            for attempt in (*drawn, *narrow_attempts(state)):
                seen.update(assert_same_judgement(state, reference, attempt) or {"legal"})
        if state.is_over:
            break
        action = player.choose(state)
        assert reference.is_legal(pdd.format_action(action))
        reference.play(pdd.format_action(action))
        state = state.apply(action)
    assert_same_judgement(state, reference, pdd.Pass())
    return seen


def rules_of(width: int, height: int, tiles: int | None, bridges: int | None, n: int) -> pdd.Rules:
    tiebreaks = tuple(map(pdd.Tiebreak, TIEBREAKS[n % len(TIEBREAKS)]))
    return pdd.Rules(pdd.Board(width, height), tiles, bridges, tiebreaks)


@pytest.mark.parametrize(("builder", "settler"), PLAYERS)
@pytest.mark.parametrize(
    "row", [*QUICK, *(pytest.param(row, marks=pytest.mark.slow) for row in SLOW)], ids=str
)
def test_boards(
    row: tuple[int, int, int | None, int | None, int], *, builder: bool, settler: bool
) -> None:
    width, height, tiles, bridges, games = row
    # On large boards the reference is slow.
    is_large = width * height > 60
    listed, attempts, judged = (0.1, 10, 0.2) if is_large else (1, 15, 0.5)
    for seed in range(games):
        rules = rules_of(width, height, tiles, bridges, seed + width * is_large)
        player = Player(Random(seed), builder, settler)
        play_side_by_side(rules, player, listed=listed, attempts=attempts, judged=judged)


@pytest.mark.slow
def test_attempts_break_every_rule() -> None:
    seen: Counter[str] = Counter()
    for seed in range(60):
        rules = rules_of(6, 5, (None, 8)[seed % 2], (None, 2)[seed % 2], seed)
        player = Player(Random(seed), *PLAYERS[seed % len(PLAYERS)])
        seen += play_side_by_side(rules, player, listed=0, attempts=8, judged=0.7)
    # Only set-ups can break the rules from ENDS_DIFFER on.
    codes = [*map(str, pdd.ViolationCode)]
    of_actions = codes[: codes.index(pdd.ViolationCode.ENDS_DIFFER)]
    assert set(seen) == {*of_actions, "legal"}
