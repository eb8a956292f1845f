"""Hypothesis strategies: boards, rules, states that play can reach, games, cells and actions.

States are reached by play in which every action is a number drawn: its place among the legal
steps. So a game shrinks to a shorter one on a smaller board, action by action.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

from attrs import frozen
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

import pontedeldiavolo as pdd

T = TypeVar("T")

LONGEST_SIDE = 12
ODD_SIZES = ((1, 9), (9, 1), (2, 5), (7, 2), (3, 11), (12, 4), (5, 3), (4, 7))
USUAL_SIDES = (5, 6, 8, 10, 12)

# Characters that give a writer or a reader of records something to do.
AWKWARD = "\"\\[]{};%'# .,-0w\u00a0é\u0301\ufeff\U0001f309"


def share(part: float) -> settings:
    """Return settings with a part of the profile's examples, for properties that take long."""
    return settings(max_examples=max(1, round(settings().max_examples * part)))


# Boards and rules


def boards() -> SearchStrategy[pdd.Board]:
    """Return boards of every shape: tiny, slim, middling and large."""
    tiny, middling = st.integers(1, 4), st.integers(4, 8)
    large = st.integers(8, LONGEST_SIDE)
    return st.one_of(
        st.builds(pdd.Board, tiny, tiny),
        st.sampled_from(ODD_SIZES).map(lambda size: pdd.Board(*size)),
        st.builds(pdd.Board, middling, middling),
        st.sampled_from(USUAL_SIDES).map(lambda side: pdd.Board(side, side)),
        st.builds(pdd.Board, large, large),
    )


def small_boards() -> SearchStrategy[pdd.Board]:
    """Return boards of at most 25 cells, on which everything can be tried."""
    tiny, side = st.integers(1, 3), st.integers(3, 5)
    slim = st.sampled_from([(1, 9), (9, 1), (2, 7), (7, 2), (3, 6), (6, 4), (8, 3)])
    return st.one_of(
        st.builds(pdd.Board, tiny, tiny),
        slim.map(lambda size: pdd.Board(*size)),
        st.builds(pdd.Board, side, side),
    )


TIEBREAKS: tuple[tuple[pdd.Tiebreak, ...], ...] = (
    (pdd.Tiebreak.ISLANDS, pdd.Tiebreak.BRIDGES),
    (),
    (pdd.Tiebreak.ISLANDS,),
    (pdd.Tiebreak.BRIDGES,),
    (pdd.Tiebreak.BRIDGES, pdd.Tiebreak.ISLANDS),
)


@st.composite
def rules(draw: DrawFn, on: SearchStrategy[pdd.Board] | None = None) -> pdd.Rules:
    """Return rules with unlimited supplies or with supplies short enough to run out."""
    board = draw(boards() if on is None else on)
    tiles = bridges = None
    if draw(st.integers(0, 2)) == 2:
        tiles = draw(st.integers(len(board) // 6, len(board) // 3 + 2) | st.integers(0, 4))
        bridges = draw(st.none() | st.integers(0, 4))
    return pdd.Rules(board, tiles, bridges, draw(st.sampled_from(TIEBREAKS)))


# Play


@frozen(repr=False)
class Play:
    """A game as it was played: every action, and every state from the initial one on."""

    actions: tuple[pdd.Action, ...]
    states: tuple[pdd.GameState, ...]

    def __repr__(self) -> str:
        """Return an expression that plays the game again."""
        rules = pdd.format_rules(self.last.rules)
        played = " ".join(map(pdd.format_action, self.actions))
        return f"pdd.Game.from_actions(pdd.parse_rules({rules!r}), {played!r}.split())"

    def _repr_pretty_(self, printer: Any, _cycle: object) -> None:
        printer.text(repr(self))

    @property
    def last(self) -> pdd.GameState:
        """The state after the last action."""
        return self.states[-1]

    def until(self, length: int) -> Play:
        """Return the first *length* actions of it."""
        return Play(self.actions[:length], self.states[: length + 1])


NUMBERS = st.integers(0, 2**16 - 1)
"""Numbers that stand for actions: the simplest one for the first legal one."""
SPREAD = 40503
"""A factor that makes near numbers far ones (Fibonacci hashing)."""


def numbered(state: pdd.GameState, number: int) -> pdd.Action:
    """Return the legal action that a number stands for: a step, and a second tile."""
    rest, steps = number, state.legal_steps
    rest, place = divmod(rest, len(steps))
    step = steps[place]
    if not isinstance(step, pdd.PlaceTile):
        return step
    seconds = state.legal_actions.second_tiles(step.cell)
    return pdd.PlaceTiles(step.cell, [*seconds][rest % len(seconds)])


@frozen
class Player:
    """Somebody who plays legally and otherwise at random, or by drawn numbers.

    Purely random play seldom makes islands and bridges: a *builder* builds whenever it can, and a
    *settler* takes of several actions the one with the most own tiles next to its own.
    """

    rng: Random
    builder: bool = False
    settler: bool = False
    number: Callable[[], int] | None = None
    """Returns the numbers drawn, in place of random ones."""

    def choose(self, state: pdd.GameState) -> pdd.Action:
        """Return a legal action."""
        legal = state.legal_actions
        bridges = legal.bridges if self.builder else ()
        tries = 4 if self.settler else 1
        if self.number is not None:
            # Hypothesis likes to repeat numbers: each turn takes another action for the same one.
            number = self.number() * (2 * state.turn + 1) * SPREAD % 2**16
            if bridges:
                return bridges[number % len(bridges)]
            drawn = [numbered(state, number * factor) for factor in (1, 257, 4099, 641)[:tries]]
        elif bridges:
            return self.rng.choice(bridges)
        else:
            drawn = [legal.sample(self.rng) for _ in range(tries)]
        own = frozenset(state.position.tiles(state.to_move)) if state.to_move else frozenset()
        return max(drawn, key=lambda action: company(action, own))


def company(action: pdd.Action, own: frozenset[pdd.Cell]) -> int:
    """Return how many own tiles new tiles would have next to them."""
    if not isinstance(action, pdd.PlaceTiles):
        return 0
    return sum(
        abs(cell.column - tile.column) + abs(cell.row - tile.row) == 1
        for cell in action.cells
        for tile in own.union(action.cells)
    )


def play_out(of: pdd.Rules, player: Player, longest: int | None = None) -> Play:
    """Return a game of a player against itself: to its end, or up to a length."""
    states = [pdd.GameState.initial(of)]
    actions: list[pdd.Action] = []
    try:
        while not states[-1].is_over and len(actions) != longest:
            actions.append(player.choose(states[-1]))
            states.append(states[-1].apply(actions[-1]))
    except Exception as error:
        error.add_note(f"The game so far: {Play(tuple(actions), tuple(states))!r}")
        raise
    return Play(tuple(actions), tuple(states))


@st.composite
def players(draw: DrawFn) -> Player:
    """Return players of every kind."""
    return Player(Random(0), draw(st.booleans()), draw(st.booleans()), lambda: draw(NUMBERS))


@st.composite
def plays(draw: DrawFn, on: SearchStrategy[pdd.Board] | None = None) -> Play:
    """Return the beginnings of random games: short, of any length, almost and wholly complete."""
    of = draw(rules(on))
    kind = draw(st.sampled_from(["early", "any", "late", "late", "last", "over"]))
    # Drawn before the actions: so these stay when another kind or length is tried.
    number = draw(st.integers(0, 255))
    play = play_out(of, draw(players()), number % 9 if kind == "early" else None)
    length = len(play.actions)
    if kind == "any":
        return play.until(length * number // 256)
    if kind == "late":
        return play.until(length - 1 - number % min(8, length))
    # One action before the end is red's last turn in about half of the games.
    return play.until(length - (kind == "last"))


@st.composite
def whole_plays(draw: DrawFn) -> Play:
    """Return whole games of players of every kind."""
    return play_out(draw(rules()), draw(players()))


def states(on: SearchStrategy[pdd.Board] | None = None) -> SearchStrategy[pdd.GameState]:
    """Return states that random play has reached, in every phase."""
    return plays(on).map(lambda play: play.last)


def small_states() -> SearchStrategy[pdd.GameState]:
    """Return states on boards so small that everything can be tried."""
    return states(small_boards())


@st.composite
def half_turns(draw: DrawFn) -> pdd.HalfTurn:
    """Half turns of all states that have a legal pair."""
    state = draw(states().filter(lambda each: bool(each.legal_actions.first_tiles)))
    cell = draw(st.sampled_from(sorted(state.legal_actions.first_tiles)))
    half = state.step(pdd.PlaceTile(cell))
    assert isinstance(half, pdd.HalfTurn)
    return half


@st.composite
def positions(draw: DrawFn, on: SearchStrategy[pdd.Board] | None = None) -> pdd.Position:
    """Return valid positions, many of them with odd numbers of tiles that no play can reach."""
    state = draw(states(on))
    if draw(st.booleans()):
        return state.position
    # Fewer tiles and bridges break no rule, as long as the bridges that stay have their ends.
    full = state.position
    kept = _some(draw, [bridge for color in pdd.Color for bridge in full.bridges(color)])
    ends = {end for bridge in kept for end in bridge.ends}
    white, red = (
        ends.intersection(full.tiles(color)).union(_some(draw, [*full.tiles(color)]))
        for color in pdd.Color
    )
    return pdd.Position.from_pieces(full.board, white, red, kept)


def _some(draw: DrawFn, items: list[T]) -> list[T]:
    """Return about three quarters of some items."""
    bits = st.integers(0, 2 ** len(items) - 1)
    kept = draw(bits) | draw(bits)
    return [item for place, item in enumerate(items) if kept >> place & 1]


# Cells and actions


@st.composite
def cells(draw: DrawFn, board: pdd.Board, beyond: int = 2) -> pdd.Cell:
    """Return cells of a board, and some a little beyond it."""
    beyond = draw(st.sampled_from([0, 0, 0, 0, beyond]))
    column = draw(st.integers(0, board.width - 1 + beyond))
    return pdd.Cell(column, draw(st.integers(0, board.height - 1 + beyond)))


@st.composite
def near_cells(draw: DrawFn, cell: pdd.Cell) -> pdd.Cell:
    """Return cells at most three columns and rows away: near enough to matter to each other."""
    column = max(0, cell.column + draw(st.integers(-3, 3)))
    return pdd.Cell(column, max(0, cell.row + draw(st.integers(-3, 3))))


@st.composite
def two_cells(draw: DrawFn, board: pdd.Board) -> tuple[pdd.Cell, pdd.Cell]:
    """Return any two cells, often close to each other, now and then the same one twice."""
    one = draw(cells(board))
    return one, draw(near_cells(one) | cells(board))


def spans(board: pdd.Board) -> SearchStrategy[tuple[pdd.Cell, pdd.Cell]]:
    """Return the two ends of anything that could be taken for a bridge."""
    if not board.bridges:
        return two_cells(board)
    return st.sampled_from(board.bridges).map(lambda bridge: bridge.ends) | two_cells(board)


def actions(board: pdd.Board) -> SearchStrategy[pdd.Action]:
    """Return actions of every kind that know nothing of any state: most of them are illegal."""
    return st.one_of(
        two_cells(board).map(lambda pair: pdd.PlaceTiles(*pair)),
        spans(board).map(lambda pair: pdd.BuildBridge(*pair)),
        st.sampled_from(pdd.Color).map(pdd.ChooseColor),
        st.just(pdd.Pass()),
    )


def _two_from(
    shape: type[pdd.PlaceTiles | pdd.BuildBridge], sources: tuple[pdd.Cell, ...]
) -> SearchStrategy[pdd.Action]:
    return st.sampled_from(sources).flatmap(
        lambda a: (st.sampled_from(sources) | near_cells(a)).map(lambda b: shape(a, b))
    )


def attempts(state: pdd.GameState) -> SearchStrategy[pdd.Action | pdd.PlaceTile]:
    """Return actions to try in a state: legal ones, ones with own tiles or water, and any."""
    board, color = state.rules.board, state.to_move
    kinds: list[SearchStrategy[pdd.Action | pdd.PlaceTile]] = [
        actions(board),
        cells(board).map(pdd.PlaceTile),
    ]
    if state.legal_actions:
        kinds.append(
            st.integers(0, len(state.legal_actions) - 1).map(state.legal_actions.__getitem__)
        )
    if color is not None:
        own = tuple(state.position.tiles(color))
        free = tuple(cell for cell in board if state.position.color_at(cell) is None)
        for shape, sources in ((pdd.BuildBridge, own), (pdd.PlaceTiles, free)):
            if sources:
                kinds.append(_two_from(shape, sources))
        # Water next to own tiles: where groups grow too large and islands are touched.
        shore = tuple(
            cell
            for cell in free
            if any(abs(cell.column - a.column) + abs(cell.row - a.row) < 3 for a in own)
        )
        if shore:
            kinds.append(_two_from(pdd.PlaceTiles, shore))
    return st.one_of(kinds)


# Games


def tag_values() -> SearchStrategy[str]:
    """Return any text that fits in one line, and much of what needs an escape."""
    printable = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))
    return st.text(printable, max_size=12) | st.text(AWKWARD, max_size=12)


def tags() -> SearchStrategy[dict[str, str]]:
    """Return tags of games, with names that no game derives from itself."""
    roster = st.sampled_from(["Event", "Site", "Date", "Round", "First", "Second"])
    free = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
        lambda name: name not in ("Rules", "Start", "Result", "Termination")
    )
    return st.dictionaries(roster | free, tag_values(), max_size=4)


@st.composite
def games(draw: DrawFn, on: SearchStrategy[pdd.Board] | None = None) -> pdd.Game:
    """Return games: going on, played out, or ended early in every way there is."""
    play = draw(plays(on))
    game = pdd.Game.new(play.last.rules, draw(tags()))
    for action in play.actions:
        game = game.play(action)
    return draw(ended(game))


@st.composite
def ended(draw: DrawFn, game: pdd.Game) -> pdd.Game:
    """Return a game that goes on as it is, or ended early in every way there is."""
    ending = draw(st.none() | st.sampled_from([*pdd.Ending][1:]))
    if ending is None or game.ending is not None:
        return game
    seats = st.sampled_from(pdd.Seat)
    return game.end(ending, draw(seats if ending is pdd.Ending.RESIGNATION else st.none() | seats))


# Texts


@st.composite
def damaged(draw: DrawFn, texts: Sequence[str], alphabet: str) -> str:
    """Return one of some texts, a few characters of which are others."""
    text = draw(st.sampled_from(texts))
    start = draw(st.integers(0, len(text)))
    end = min(len(text), start + draw(st.integers(0, 9)))
    return text[:start] + draw(st.text(alphabet, max_size=3)) + text[end:]


# Set-ups


@st.composite
def setups(draw: DrawFn) -> pdd.Setup:
    """Return diagrams, most of them breaking rules; now and then pieces lie off the board."""
    board = draw(boards())
    anywhere = st.lists(cells(board), max_size=6)
    joined = st.builds(pdd.Bridge, cells(board), cells(board))
    return pdd.Setup(board, draw(anywhere), draw(anywhere), draw(st.lists(joined, max_size=3)))
