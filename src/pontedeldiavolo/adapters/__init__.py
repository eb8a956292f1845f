"""Environments for PettingZoo, Gymnasium and OpenSpiel.

Each is a lazy submodule, and needs the extra of its name: ``pettingzoo``, ``gymnasium`` or
``openspiel``.

>>> environment = pdd.adapters.pettingzoo.env()

All of them play step by step, using the codes of :class:`~pontedeldiavolo.StepSpace`, and observe
the planes of :func:`pontedeldiavolo.batch.planes`.
"""

from typing import TYPE_CHECKING

from pontedeldiavolo.base.lazy import lazy_attach

if TYPE_CHECKING:
    # For type checkers only: at run time all names are imported when they are first used.
    from . import gymnasium as gymnasium
    from . import openspiel as openspiel
    from . import pettingzoo as pettingzoo

    __all__: list[str]
else:
    __all__, __getattr__, __dir__ = lazy_attach(
        __name__,
        {},
        ("gymnasium", "openspiel", "pettingzoo"),
        needs={
            "gymnasium": ("gymnasium",),
            "openspiel": ("pyspiel",),
            "pettingzoo": ("pettingzoo",),
        },
    )
