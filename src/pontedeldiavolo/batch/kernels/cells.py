"""Sets of cells: the words that kernels consist of.

A set of cells is a value: ``a & b``, ``a | b``, ``a ^ b`` and ``~a`` make others, and so do the
functions here. Compiled, it is a vector; not compiled, a whole number of Python's.

A cell has a *place* in its set, ``columns * row + column``. In memory, a set has 16, 32 or
64 rows and columns, as the board needs. As values, sets come in two sizes: what is
asked of the whole board goes by *bands*, see :mod:`~pontedeldiavolo.batch.kernels.bands`; what is
asked around a cell by *windows* of 16 rows of 16 columns, see
:mod:`~pontedeldiavolo.batch.kernels.windows`. A board of up to 16×16 is one of both.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from pontedeldiavolo.batch.kernels.compiled import UNCOMPILED

__all__ = [
    "Bytes",
    "Cells",
    "add_cells",
    "between",
    "beyond",
    "bits_in",
    "bytes_of",
    "column_of",
    "columns",
    "count",
    "fill",
    "gather_row",
    "get",
    "keep_row",
    "keep_word",
    "lanes",
    "load",
    "lowest",
    "moved",
    "nothing",
    "nth",
    "only",
    "put",
    "remove_cells",
    "row_bits",
    "row_of",
    "rows",
    "some",
    "spread_row",
    "store",
    "view",
    "within",
    "word",
]

if TYPE_CHECKING:
    from pontedeldiavolo.batch.kernels.plain import (
        Bytes,
        Cells,
        add_cells,
        between,
        beyond,
        bits_in,
        bytes_of,
        column_of,
        columns,
        count,
        fill,
        gather_row,
        get,
        keep_row,
        keep_word,
        lanes,
        load,
        lowest,
        moved,
        nothing,
        nth,
        only,
        put,
        remove_cells,
        row_bits,
        row_of,
        rows,
        some,
        spread_row,
        store,
        view,
        within,
        word,
    )
else:
    _words = import_module(f"{__package__}.{'plain' if UNCOMPILED else 'vectors'}")
    globals().update({name: getattr(_words, name) for name in __all__})
