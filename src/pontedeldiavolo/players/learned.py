"""A player that takes the best steps according to a saved network."""

from __future__ import annotations

from copy import copy
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from os import PathLike
from pathlib import Path
from typing import Final, SupportsFloat, SupportsIndex, cast, final

import numpy as np
import numpy.typing as npt

# GameBatch is loaded where it is used: it needs Numba.
import pontedeldiavolo.batch
from pontedeldiavolo.base.errors import PonteError, reason, require_path, require_type
from pontedeldiavolo.base.values import FinalClass
from pontedeldiavolo.batch.feature_planes import PLANES, PLANES_VERSION, planes
from pontedeldiavolo.batch.symmetries import permutation, transform_planes
from pontedeldiavolo.board.symmetry import symmetries_of
from pontedeldiavolo.notation.rules import format_rules, parse_rules
from pontedeldiavolo.rules.actions import Action, PlaceTile, PlaceTiles, Step
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState, Node

from .identity import Fact, checked_name, exact
from .network_file import Array, damaged, part_of, read_network, text_of
from .player import make_rng, positive, require_unfinished

Floats = npt.NDArray[np.float32]

INCLUDED: Final = files("pontedeldiavolo.players") / "7x7.npz"
"""The network that is part of the package, which may lie in a zip archive."""
INCLUDED_NAME: Final = "7x7"
"""The short name of the network of the package."""
MAX_NUMBER: Final = 1e30
"""The maximum absolute value of weights and outputs."""
AROUND: Final = 10
"""The inputs of a convolution, in cells: 3×3 cells, and the mean of all."""


@final
class LearnedPlayer(FinalClass):
    """A player that takes the best steps according to a network, without a search.

    Needs NumPy, which the extra ``batch`` installs. ``examples/learn.py`` trains networks, and
    :func:`save_network` writes them. The logit of a step is its mean under all symmetries of the
    board.

    A layer of a network is a matrix whose last row is the bias. The first layers are convolutions:
    of each cell they see the 3×3 cells around it and the mean of the board, ten values for each
    input. The inputs of the first one are the planes and the legal cells for a tile. From the
    second one on, the input of a convolution is added to its output; then negative values become
    0. Two layers follow: one for each cell, which sees the same ten values, and one for the mean
    of the board, whose last output is the value before ``tanh``.

    Any number of threads may use a player at once. They share its random numbers, so choices with
    a *temperature* depend on the order of their calls: for equal games, give each thread a player
    from :meth:`for_game`.

    >>> player = pdd.players.LearnedPlayer()
    >>> state = pdd.GameState.initial(player.rules)
    >>> player.choose(state) in state.legal_actions
    True

    Attributes:
        rules: The rules that the network was trained for.

    Args:
        path: The file of a network; by default the one for 7×7 that is part of the package.
        seed: The seed of its random numbers.
        temperature: If above 0, each step is sampled with its probability to the power of
            ``1 / temperature``.
        name: The player's name in matches and records; by default it tells the file and the
            options.

    Raises:
        PonteError: If the file is damaged, of another version, or its arrays take more than 64 MiB;
            if *temperature* is negative, or the name cannot be used. A digest covers all arrays.
        OSError: If the file cannot be read.
    """

    def __init__(
        self,
        path: str | PathLike[str] | None = None,
        seed: SupportsIndex = 0,
        *,
        temperature: SupportsFloat = 0.0,
        name: str | None = None,
    ) -> None:
        self._temperature = positive(temperature, "temperature", or_zero=True)
        self._given_name: str | None = checked_name(name)
        self._rng = make_rng(seed)
        if path is None:
            file: Traversable = INCLUDED
            self._network = INCLUDED_NAME
        else:
            require_path(path, "path")
            file = Path(path)
            self._network = _short_name(file)
        arrays = read_network(file)
        if part_of(arrays, "planes_version", "iu", ()).item() != PLANES_VERSION:
            raise damaged("planes_version")
        self.rules: Rules = parse_rules(text_of(arrays, "rules"))
        self._space = StepSpace(self.rules.board)
        places = part_of(arrays, "places", "iu", (len(self._space),))
        # Layers, their width, and the outputs for each cell and for the whole board
        count, width, cell_outputs, board_outputs = part_of(arrays, "sizes", "iu", (4,)).tolist()
        if not 1 <= count <= len(arrays):
            raise damaged("sizes")
        inputs = [len(PLANES) + 1, *[width] * count]
        shapes = [(AROUND * each + 1, width) for each in inputs[:-1]]
        shapes += [(AROUND * width + 1, cell_outputs), (width + 1, board_outputs)]
        self._layers = [_weights(arrays, f"layer{at}", each) for at, each in enumerate(shapes)]
        # The last number is the value of the position.
        known = len(self.rules.board) * cell_outputs + board_outputs - 1
        self._outputs_of_codes = places.astype(np.intp)
        is_known = (self._outputs_of_codes >= 0) & (self._outputs_of_codes < known)
        if not is_known.all():
            raise damaged("places")
        self._symmetries = symmetries_of(self.rules.board.width, self.rules.board.height)
        self._permutations = np.stack([permutation(self._space, each) for each in self._symmetries])

    @property
    def name(self) -> str:
        """The name that was given, or ``learned``, the name of the file and the temperature.

        A temperature of 0 is left out.
        """
        if self._given_name is not None:
            return self._given_name
        warm = f" temperature {exact(self._temperature)}" if self._temperature else ""
        return f"learned {self._network}{warm}"

    @property
    def digest(self) -> str:
        """A digest of the network: equal for files with the same rules and weights.

        The folder of a match recognises a network by it, also one that is used as *evaluate*.

        >>> network = pdd.players.LearnedPlayer()
        >>> network.digest == pdd.players.LearnedPlayer(temperature=0.5).digest
        True
        """
        digest = sha256(format_rules(self.rules).encode())
        digest.update(self._outputs_of_codes.astype("<i8").tobytes())
        for layer in self._layers:
            digest.update(str(layer.shape).encode())
            digest.update(layer.astype("<f4").tobytes())
        return digest.hexdigest()

    def _facts(self) -> dict[str, Fact]:
        return {"temperature": self._temperature, "weights": self.digest}

    def for_game(self, seed: SupportsIndex) -> LearnedPlayer:
        """Return a player with the same network and another seed."""
        player = copy(self)
        player._rng = make_rng(seed)
        return player

    def prepare(self, rules: Rules) -> None:
        """Refuse rules other than those of the network, before a game begins.

        Raises:
            PonteError: If the rules differ.
        """
        require_type(rules, Rules, "rules")
        if rules != self.rules:
            known = format_rules(self.rules)
            others = format_rules(rules)
            raise PonteError(reason("network-rules", rules=known, others=others))

    def choose(self, state: GameState) -> Action:
        """Return a legal action: two tiles one after the other, or a single step.

        Raises:
            PonteError: If the game is over, or has other rules.
        """
        require_unfinished(state)
        self.prepare(state.rules)
        step = self._step(state)
        if not isinstance(step, PlaceTile):
            return step
        second = cast(PlaceTile, self._step(state.step(step)))
        return PlaceTiles(step.cell, second.cell)

    def _step(self, node: Node) -> Step:
        mask = np.frombuffer(self._space.legal_mask(node), np.uint8)
        seen = planes(node)
        turned = np.stack([transform_planes(seen, each) for each in self._symmetries])
        of_turned, _ = self._forward(turned, mask[np.argsort(self._permutations, axis=1)])
        logits = np.take_along_axis(of_turned, self._permutations, axis=1).mean(axis=0)
        if not self._temperature:
            return self._space.decode(int(logits.argmax()))
        weights = np.exp((logits - logits.max()) / self._temperature)
        return self._space.decode(self._rng.choices(range(len(mask)), weights.tolist())[0])

    def evaluate(
        self, games: pontedeldiavolo.batch.GameBatch
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Return priors and values, for a search with the network.

        ``MctsPlayer(evaluate=LearnedPlayer("net.npz").evaluate)`` plays with such a search, which
        needs Numba.
        """
        require_type(games, pontedeldiavolo.batch.GameBatch, "games")
        logits, values = self._forward(games.planes(), games.legal_mask())
        return np.exp(logits - logits.max(axis=1, keepdims=True)), values

    def _forward(
        self, found: npt.NDArray[np.uint8], mask: npt.NDArray[np.uint8]
    ) -> tuple[Floats, Floats]:
        """Return the logits of all steps, and the values of the games."""
        size, _, height, width = found.shape
        tiles = mask[:, : height * width].reshape(size, 1, height, width)
        hidden = np.concatenate((found, tiles), axis=1).transpose(0, 2, 3, 1).astype(np.float32)
        *convolutions, cells, board = self._layers
        with np.errstate(all="ignore"):
            for number, layer in enumerate(convolutions):
                outputs = _linear(_around(hidden), layer)
                hidden = np.maximum(outputs + hidden if number else outputs, 0)
            of_cells = _linear(_around(hidden), cells).reshape(size, -1)
            outputs = np.hstack((of_cells, _linear(hidden.mean(axis=(1, 2)), board)))
        # Clip the outputs, so that illegal steps come last with any weights.
        outputs = np.clip(np.nan_to_num(outputs), -MAX_NUMBER, MAX_NUMBER)
        logits = np.where(mask, outputs[:, self._outputs_of_codes], np.float32(-2 * MAX_NUMBER))
        return logits, np.tanh(outputs[:, -1])


def _short_name(path: Path) -> str:
    """Return the name of a file without its suffix, unless the network of the package has it."""
    return path.name if path.stem == INCLUDED_NAME else path.stem


def _linear(inputs: Floats, layer: Floats) -> Floats:
    """Return the outputs of a linear layer, whose last row is the bias."""
    outputs: Floats = inputs.reshape(-1, inputs.shape[-1]) @ layer[:-1] + layer[-1]
    return outputs.reshape(*inputs.shape[:-1], -1)


def _around(hidden: Floats) -> Floats:
    """Return the 3×3 cells around each cell and the mean of all: (n, h, w, c) to (n, h, w, 10c)."""
    height, width = hidden.shape[1:3]
    padded = np.pad(hidden, ((0, 0), (1, 1), (1, 1), (0, 0)))
    parts = [padded[:, y : y + height, x : x + width] for y in range(3) for x in range(3)]
    mean = np.broadcast_to(hidden.mean(axis=(1, 2), keepdims=True), hidden.shape)
    return np.concatenate((*parts, mean), axis=3)


def _weights(arrays: dict[str, Array], name: str, shape: tuple[int, ...]) -> Floats:
    """Return the weights of a layer."""
    with np.errstate(over="ignore"):
        found = part_of(arrays, name, "f", shape).astype(np.float32)
    if not (np.abs(found) <= MAX_NUMBER).all():
        raise damaged(name)
    return found
