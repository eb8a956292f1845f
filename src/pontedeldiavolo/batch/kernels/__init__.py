"""Compiled rules: five functions play games, each game a row of a batch.

A *game* is a NumPy record (:mod:`~pontedeldiavolo.batch.kernels.game`) with sets of cells, the turn
and the numbers of pieces; the *table* is a record of its rules and board. These are the functions,
in the order in which one step uses them:

1. :func:`init` sets a game up.
2. :func:`legal_mask` finds the legal steps, stores them in the game and writes a byte for each.
3. :func:`sample` samples one of these steps, each with the same probability.
4. :func:`step` plays a step and changes the turn.
5. :func:`observe` writes the feature planes, the input of a network.

:mod:`~pontedeldiavolo.batch.kernels.pool_ops` does this with games that stay in memory, for
``GamePool``: step, score, reset, mask and planes in one call.
:mod:`~pontedeldiavolo.batch.kernels.batch_ops` does it with the rows of a ``GameBatch``, each
unpacked into a game and packed again by :mod:`~pontedeldiavolo.batch.kernels.encoding`.

A *playout*, :func:`~pontedeldiavolo.batch.kernels.playouts.playout`, plays whole random actions to
the end of a game. It does not list the legal actions: it samples from a larger set and rejects
illegal ones. :mod:`~pontedeldiavolo.batch.kernels.transitions` determines the winner.
"""

from __future__ import annotations

from typing import Final

from . import encoding, sampling, transitions

init: Final = transitions.init
legal_mask: Final = encoding.legal_mask
sample: Final = sampling.sample
step: Final = transitions.step
observe: Final = encoding.observe
