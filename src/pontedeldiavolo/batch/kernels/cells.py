"""Sets of cells (bitboards), compiled or as Python integers.

A set of cells is a value: ``a & b``, ``a | b``, ``a ^ b`` and ``~a`` make others, and so do the
functions here. Compiled, it is a vector of the processor; not compiled, an integer of Python's.

A cell has a *place* in its set, ``columns * row + column``. In memory, a set has 16, 32 or
64 rows and columns, as the board needs. As a value, a set is a *band* of some rows or a *window* of
16 rows of 16 columns, see :mod:`~pontedeldiavolo.batch.kernels.board_sets`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED

__all__ = [
    "Bytes",
    "Cells",
    "add_cells",
    "bytes_of",
    "column_of",
    "columns",
    "compress_row",
    "count",
    "empty",
    "expand_row",
    "fill_bytes",
    "from_window",
    "is_any",
    "lanes",
    "load",
    "load_byte",
    "load_row",
    "load_window",
    "load_word",
    "lowest_bit",
    "nth_bit",
    "popcount",
    "remove_cells",
    "row_of",
    "row_range",
    "rows",
    "shift",
    "single",
    "store",
    "store_byte",
    "store_row",
    "store_word",
    "to_window",
]

if TYPE_CHECKING:
    from pontedeldiavolo.batch.kernels.bigint_sets import (
        Bytes,
        Cells,
        add_cells,
        bytes_of,
        column_of,
        columns,
        compress_row,
        count,
        empty,
        expand_row,
        fill_bytes,
        from_window,
        is_any,
        lanes,
        load,
        load_byte,
        load_row,
        load_window,
        load_word,
        lowest_bit,
        nth_bit,
        popcount,
        remove_cells,
        row_of,
        row_range,
        rows,
        shift,
        single,
        store,
        store_byte,
        store_row,
        store_word,
        to_window,
    )
else:
    _words = import_module(f"{__package__}.{'bigint_sets' if JIT_DISABLED else 'vectors'}")
    globals().update({name: getattr(_words, name) for name in __all__})
