"""A player that uses learned weights of local patterns, without search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import product
from json import loads
from math import exp
from operator import mul
from typing import Final, NamedTuple, Self, SupportsFloat, SupportsIndex, cast, final

from pontedeldiavolo.base.enums import ISLAND_SIZE, Color, Phase
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.position.networks import points_for
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTiles
from pontedeldiavolo.state.state import GameState

from .identity import Fact, checked_name, exact
from .player import make_rng, positive, require_unfinished
from .simple_players import GreedyPlayer, can_grow

MAX_LIBERTIES: Final = 5
"""The maximum number of liberties of a group; any more are not counted."""
BEST_CELLS: Final = 12
"""The number of cells whose pairs are compared: those rated best for single tiles."""
REGION_CELLS: Final = 6
"""Roughly the number of open cells that one island uses up: its own four, and some it closes."""
RING: Final = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
"""The steps to the cells around a cell, in a circle."""
ENDS: Final = {
    kind: tuple(
        (x, y) for x, y in product(range(-2, 3), repeat=2) if sorted((abs(x), abs(y))) == size
    )
    for kind, size in (("straight", [0, 2]), ("knight", [1, 2]), ("diagonal", [2, 2]))
}
"""The steps of bridges, by their kinds."""
FAR: Final = 3
"""The distance at which the edge stops counting."""
DEFAULT_TEMPERATURE: Final = 0.2


def features(pieces: Pieces, color: int, *, is_bridge: bool = False) -> list[int]:
    """Return the features of the board after an action of a colour, for both colours."""
    return [is_bridge, *_features_of(pieces, color), *_features_of(pieces, 1 - color)]


def _features_of(pieces: Pieces, color: int) -> list[int]:
    """Return a colour's features: its sandbanks counted by size and liberties, and the others."""
    geometry = pieces.geometry
    tiles = pieces.tiles(color)
    bridges = pieces.bridges_of(color)
    islands = pieces.islands(color)
    open_cells = pieces.open_cells(color)
    open_bridges = pieces.open_bridges(color)
    found = geometry.groups(tiles)
    sandbanks = [0] * ((ISLAND_SIZE - 1) * (MAX_LIBERTIES + 1))
    for group in found:
        size = group.bit_count()
        if size < ISLAND_SIZE:
            liberties = (geometry.beside(group) & open_cells).bit_count()
            if 0 < liberties < ISLAND_SIZE - size and not can_grow(geometry, group, open_cells):
                liberties = 0
            kind = (size - 1) * (MAX_LIBERTIES + 1) + min(liberties, MAX_LIBERTIES)
            sandbanks[kind] += 1
    from_islands = 0
    for cell in bits(islands):
        from_islands |= geometry.bridges_at[cell]
    possible = pieces.reachable_bridges(color)
    regions = [*map(int.bit_count, geometry.groups(open_cells | tiles ^ islands))]
    return [
        *sandbanks,
        islands.bit_count() // ISLAND_SIZE,
        _points(geometry, found, islands, bridges),
        _points(geometry, found, islands, bridges | open_bridges),
        open_cells.bit_count(),
        sum(cells >= ISLAND_SIZE for cells in regions),
        sum(cells // REGION_CELLS for cells in regions),
        pieces.completing_cells(color).bit_count(),
        open_bridges.bit_count(),
        possible.bit_count(),
        (open_bridges & from_islands).bit_count(),
        (possible & from_islands).bit_count(),
    ]


def _points(geometry: Geometry, networks: list[int], islands: int, bridges: int) -> int:
    """Return the points of groups, joined by these bridges."""
    for number in bits(bridges):
        ends = sum(1 << end for end in geometry.ends(number))
        joined = [each for each in networks if each & ends]
        if len(joined) > 1:
            networks = [sum(joined), *(each for each in networks if not each & ends)]
    return sum(points_for((each & islands).bit_count() // ISLAND_SIZE) for each in networks)


def patterns(pieces: Pieces, color: int, cells: Sequence[int]) -> list[str]:
    """Return names of the patterns around the tiles of a turn, the same for all symmetries.

    The patterns of a tile are the cells around it, as in :func:`_look`; the numbers of tiles of
    both colours at the other ends of bridges of each kind; the sizes of the group that it makes and
    of the opponent's group that it prevents; and its distance from the edge.
    """
    geometry = pieces.geometry
    own = pieces.tiles(color)
    theirs = pieces.tiles(1 - color)
    own |= sum(1 << cell for cell in cells)
    sets = own, theirs, pieces.open_cells(color)
    denies = pieces.open_cells(1 - color)
    found = []
    for cell in cells:
        found.append(_least(_look(geometry, sets, cell, RING)))
        views = {kind: _look(geometry, sets, cell, steps) for kind, steps in ENDS.items()}
        found += [f"{kind}{ends.count('x')}{ends.count('o')}" for kind, ends in views.items()]
        made = geometry.group_around(own, 1 << cell).bit_count()
        denied = geometry.group_around(theirs, 1 << cell).bit_count() if denies >> cell & 1 else 0
        row, column = divmod(cell, geometry.width)
        edge = min(row, column, geometry.height - 1 - row, geometry.width - 1 - column, FAR)
        found += [f"g{made}{denied}", f"e{edge}"]
    return found


def _look(
    geometry: Geometry, sets: tuple[int, int, int], cell: int, steps: Iterable[tuple[int, int]]
) -> str:
    """Return the contents of cells near a tile: x and o for tiles, . for open cells, else #."""
    own, theirs, open_cells = sets
    width = geometry.width
    column = cell % width
    text = ""
    for dx, dy in steps:
        to = cell + dy * width + dx
        bit = 1 << to if to >= 0 and 0 <= column + dx < width else 0
        text += "x" if own & bit else "o" if theirs & bit else "." if open_cells & bit else "#"
    return text


@cache
def _least(text: str) -> str:
    """Return the minimum of a circle of eight characters under the symmetries of a square."""
    mirrored = text[0] + text[:0:-1]
    return min(each[at:] + each[:at] for each in (text, mirrored) for at in range(0, 8, 2))


class Weights(NamedTuple):
    """Weights of features and patterns.

    Attributes:
        early: The weights of features on an empty board.
        late: The same on a full board; in between, they are interpolated by the cells in use.
        patterns: The weights of patterns by name; patterns without an entry have the weight 0.
    """

    early: Sequence[float]
    late: Sequence[float]
    patterns: dict[str, float]


@cache
def learned_weights() -> Weights:
    """Return the weights that are part of the package."""
    return Weights(*loads(_weights_text()))


def _weights_text() -> str:
    return (files("pontedeldiavolo.players") / "patterns.json").read_text("utf-8")


def _weights_digest() -> str:
    return sha256(_weights_text().encode()).hexdigest()


class Rating:
    """The ratings of the actions of a state: logarithms of probabilities, up to a constant."""

    def __init__(self, state: GameState, weights: Weights) -> None:
        self._legal = state.legal_actions
        self._pieces = state.pieces
        self._color = cast(Color, state.to_move).index
        geometry = self._pieces.geometry
        filled = self._pieces.occupied.bit_count() / (geometry.width * geometry.height)
        ends = zip(weights.early, weights.late, strict=True)
        self._weights = [early + (late - early) * filled for early, late in ends]
        self._patterns = weights.patterns

    def actions(self) -> Iterator[tuple[float, Action]]:
        """Iterate over the actions to compare, with their ratings."""
        for action in self._legal.others:
            after = self._pieces.with_action(self._color, action)
            yield self._rate(after, is_bridge=isinstance(action, BuildBridge)), action
        pairs = self._legal.pairs
        geometry = self._pieces.geometry
        single = self.tiles()
        before = self._rate(self._pieces)
        tried = 0
        for a in sorted(single, key=single.__getitem__, reverse=True)[:BEST_CELLS]:
            tried |= 1 << a
            for b in bits(pairs.seconds(a) & ~tried):
                # Tiles that are far apart rarely affect each other.
                is_near = geometry.near[a] >> b & 1
                rating = self._tiles(a, b) if is_near else single[a] + single[b] - before
                yield rating, PlaceTiles(geometry.cells[a], geometry.cells[b])

    def tiles(self) -> dict[int, float]:
        """Return the ratings of single tiles."""
        return {cell: self._tiles(cell) for cell in bits(self._legal.pairs.firsts)}

    def _tiles(self, *cells: int) -> float:
        """Return the rating of one tile or of two."""
        found = self._rate(self._pieces.with_tiles(self._color, cells))
        known = patterns(self._pieces, self._color, cells)
        return found + sum(self._patterns.get(each, 0.0) for each in known)

    def _rate(self, pieces: Pieces, *, is_bridge: bool = False) -> float:
        found = features(pieces, self._color, is_bridge=is_bridge)
        return float(sum(map(mul, self._weights, found)))


@final
class PatternPlayer:
    """A player that rates the board after each action with learned weights, without search.

    The weights were learned from games of :class:`MctsPlayer`. It needs nothing but attrs. In the
    opening, the colour choice and the last turn it plays like :class:`GreedyPlayer`.

    Any number of threads may use a player at once. They share its random numbers, so the choices
    depend on the order of their calls: for equal games, give each thread a player from
    :meth:`for_game`.

    >>> player = pdd.players.PatternPlayer(seed=1)
    >>> state = pdd.GameState.initial()
    >>> player.choose(state) in state.legal_actions
    True

    Args:
        seed: The seed of its random numbers: equal seeds, equal choices.
        temperature: Actions are sampled with their learned probabilities to the power of
            ``1 / temperature``.
        name: The player's name in matches and records; by default it lists the options.

    Raises:
        PonteError: If *temperature* is not positive and finite, or the name cannot be used.
    """

    def __init__(
        self,
        seed: SupportsIndex = 0,
        *,
        temperature: SupportsFloat = DEFAULT_TEMPERATURE,
        name: str | None = None,
    ) -> None:
        self._rng = make_rng(seed)
        self._temperature = positive(temperature, "temperature")
        self._given_name: str | None = checked_name(name)
        self._greedy = GreedyPlayer(seed)

    @property
    def name(self) -> str:
        """The name that was given, or ``pattern`` with a temperature other than the default."""
        if self._given_name is not None:
            return self._given_name
        if self._temperature == DEFAULT_TEMPERATURE:
            return "pattern"
        return f"pattern temperature {exact(self._temperature)}"

    def for_game(self, seed: SupportsIndex) -> Self:
        """Return a player with the same options and another seed."""
        return type(self)(seed, temperature=self._temperature, name=self._given_name)

    def _facts(self) -> dict[str, Fact]:
        return {"temperature": self._temperature, "weights": _weights_digest()}

    def choose(self, state: GameState) -> Action:
        """Return a legal action.

        Raises:
            PonteError: If the game is over.
        """
        require_unfinished(state)
        if state.phase is not Phase.PLAY:
            return self._greedy.choose(state)
        rated = [*Rating(state, learned_weights()).actions()]
        most = max(rating for rating, _ in rated)
        chances = [exp((rating - most) / self._temperature) for rating, _ in rated]
        return self._rng.choices(rated, chances)[0][1]
