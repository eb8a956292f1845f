"""Environments for PettingZoo, Gymnasium and OpenSpiel.

Each is a lazy submodule, and needs the extra of its name:
``pip install 'pontedeldiavolo[pettingzoo]'``, ``[gymnasium]``, ``[openspiel]``.

>>> environment = pdd.adapters.pettingzoo.env()

All of them play step by step, using the codes of :class:`~pontedeldiavolo.StepSpace`, and observe
the planes of :func:`pontedeldiavolo.batch.planes`.
"""

from typing import TYPE_CHECKING

from pontedeldiavolo.base.lazy import lazy_attach

__all__ = ["gymnasium", "openspiel", "pettingzoo"]

if TYPE_CHECKING:
    # For type checkers only: at run time these are imported when they are first used.
    from . import gymnasium, openspiel, pettingzoo
else:
    __getattr__, __dir__ = lazy_attach(
        __name__,
        (),
        {"gymnasium": ("gymnasium",), "openspiel": ("pyspiel",), "pettingzoo": ("pettingzoo",)},
    )
