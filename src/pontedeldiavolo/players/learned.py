"""A player that takes the best steps according to a saved network."""

from __future__ import annotations

import zlib
from copy import copy
from functools import partial
from importlib.resources import files
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Final, SupportsFloat, SupportsIndex, cast, final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

import numpy as np
import numpy.typing as npt

# GameBatch is loaded where it is used: it needs Numba.
import pontedeldiavolo.batch
from pontedeldiavolo.base.errors import PonteError, reason, require_type
from pontedeldiavolo.base.values import FinalClass
from pontedeldiavolo.batch.arguments import require_shape
from pontedeldiavolo.batch.feature_planes import PLANES, PLANES_VERSION, planes
from pontedeldiavolo.batch.symmetries import permutation, transform_planes
from pontedeldiavolo.board.symmetry import symmetries_of
from pontedeldiavolo.notation.rules import format_rules, parse_rules
from pontedeldiavolo.rules.actions import Action, PlaceTile, PlaceTiles, Step
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState, Node

from .player import make_rng, positive, require_unfinished

Floats = npt.NDArray[np.float32]
Array = npt.NDArray[np.generic]

FORMAT: Final = "pontedeldiavolo network 1"
"""The format of a file, ending with its version."""
INCLUDED: Final = files("pontedeldiavolo.players") / "7x7.npz"
"""The network that is part of the package, which may lie in a zip archive."""
MAX_BYTES: Final = 1 << 28
"""The maximum total size of the arrays in a file."""
MAX_NUMBER: Final = 1e30
"""The maximum absolute value of weights and outputs."""
AROUND: Final = 10
"""The inputs of a convolution, in cells: 3×3 cells, and the mean of all."""


@final
class LearnedPlayer(FinalClass):
    """A player that takes the best steps according to a network, without a search.

    Needs NumPy, which the extra ``batch`` installs. ``examples/learn.py`` trains networks. The
    logit of a step is its mean under all symmetries of the board.

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

    Raises:
        PonteError: If the file is damaged or of another version, or *temperature* is negative.
        OSError: If the file cannot be read.
    """

    def __init__(
        self,
        path: str | PathLike[str] | None = None,
        seed: SupportsIndex = 0,
        *,
        temperature: SupportsFloat = 0.0,
    ) -> None:
        self._temperature = positive(temperature, "temperature", or_zero=True)
        self._rng = make_rng(seed)
        if path is not None:
            require_type(path, (str, PathLike), "path")
        file = INCLUDED if path is None else Path(path)
        self._name = f"learned {Path(file.name).stem}"
        arrays = _read(file.read_bytes(), file.name)
        if _part(arrays, "format", "U", ()).item() != FORMAT:
            raise _damaged("format")
        if _part(arrays, "planes_version", "iu", ()).item() != PLANES_VERSION:
            raise _damaged("planes_version")
        self.rules: Rules = parse_rules(_part(arrays, "rules", "U", ()).item())
        self._space = StepSpace(self.rules.board)
        self._symmetries = symmetries_of(self.rules.board.width, self.rules.board.height)
        self._permutations = np.stack([permutation(self._space, each) for each in self._symmetries])
        places = _part(arrays, "places", "iu", (len(self._space),))
        # Layers, their width, and the outputs for each cell and for the whole board
        count, width, cell_outputs, board_outputs = _part(arrays, "sizes", "iu", (4,)).tolist()
        if not 1 <= count <= len(arrays):
            raise _damaged("sizes")
        inputs = [len(PLANES) + 1, *[width] * count]
        shapes = [(AROUND * each + 1, width) for each in inputs[:-1]]
        shapes += [(AROUND * width + 1, cell_outputs), (width + 1, board_outputs)]
        self._layers = [_weights(arrays, f"layer{at}", each) for at, each in enumerate(shapes)]
        # The last number is the value of the position.
        known = len(self.rules.board) * cell_outputs + board_outputs - 1
        if not np.isin(places, range(known)).all():
            raise _damaged("places")
        self._outputs_of_codes = places.astype(np.intp)

    @property
    def name(self) -> str:
        """``learned`` and the name of the file."""
        return self._name

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
        if rules != self.rules:
            known, others = format_rules(self.rules), format_rules(rules)
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
        mask, seen = np.frombuffer(self._space.mask(node), np.uint8), planes(node)
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


def _read(data: bytes, file: str) -> dict[str, Array]:
    """Return the arrays of a file by name."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            infos = archive.infolist()
            plain = {info.compress_type for info in infos} <= {ZIP_STORED, ZIP_DEFLATED}
            if not plain or sum(info.file_size for info in infos) > MAX_BYTES:
                raise _damaged(file)
            parts = {name: BytesIO(archive.read(name)) for name in archive.namelist()}
        read = partial(np.lib.format.read_array, allow_pickle=False)
        return {name.removesuffix(".npy"): read(part) for name, part in parts.items()}
    except (ValueError, EOFError, RuntimeError, MemoryError, BadZipFile, zlib.error) as error:
        raise _damaged(file) from error


def _part(arrays: dict[str, Array], name: str, kinds: str, shape: tuple[int, ...]) -> Array:
    """Return an array from a file.

    Raises:
        PonteError: If it is missing, or has another shape or another kind of values.
    """
    found = arrays.get(name)
    if found is None or found.dtype.kind not in kinds:
        raise _damaged(name)
    require_shape(found, shape, name)
    return found


def _weights(arrays: dict[str, Array], name: str, shape: tuple[int, ...]) -> Floats:
    """Return the weights of a layer."""
    with np.errstate(over="ignore"):
        found = _part(arrays, name, "f", shape).astype(np.float32)
    if not (np.abs(found) <= MAX_NUMBER).all():
        raise _damaged(name)
    return found


def _damaged(part: str) -> PonteError:
    return PonteError(reason("invalid-network", part=part, expected=FORMAT))
