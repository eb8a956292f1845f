"""Compiled rules: five functions play games, each game a row of a batch.

A *game* is a NumPy record (:mod:`~pontedeldiavolo.batch.kernels.game`) with sets of cells, the turn
and the numbers of pieces; the *table* is a record of its rules and board. These are the functions,
in the order in which one step uses them:

1. :func:`init` sets a game up.
2. :func:`legal_mask` finds the legal steps, stores them in the game and writes a byte for each.
3. :func:`sample_step` samples one of these steps, each with the same probability.
4. :func:`step` plays a step and changes the turn.
5. :func:`observe` writes the feature planes, the input of a network.

:mod:`~pontedeldiavolo.batch.kernels.pool_ops` does this with games that stay in memory, for
``GamePool``: step, score, reset, mask and planes in one call.
:mod:`~pontedeldiavolo.batch.kernels.batch_ops` does it with the rows of a ``GameBatch``, each
unpacked into a game and packed again.

A *playout*, :func:`~pontedeldiavolo.batch.kernels.playouts.playout`, plays whole random actions to
the end of a game. It does not list the legal actions: it samples from a larger set and rejects
illegal ones.

A reader needs five files: :mod:`~pontedeldiavolo.batch.kernels.game` (the records),
:mod:`~pontedeldiavolo.batch.kernels.cells` (sets of cells),
:mod:`~pontedeldiavolo.batch.kernels.steps` (the rules),
:mod:`~pontedeldiavolo.batch.kernels.playouts` (chance) and
:mod:`~pontedeldiavolo.batch.kernels.encoding` (masks and planes).
"""

from __future__ import annotations

from typing import Final

from . import encoding, playouts, steps

init: Final = steps.init
legal_mask: Final = encoding.legal_mask
sample_step: Final = playouts.sample_step
step: Final = steps.step
observe: Final = encoding.observe
