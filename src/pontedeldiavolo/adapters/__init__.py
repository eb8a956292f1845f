"""The game in the frameworks of the field: PettingZoo, Gymnasium and OpenSpiel.

Each is a module of its own that is loaded when it is first touched, and needs the extra of its
name: ``pip install 'pontedeldiavolo[pettingzoo]'``, ``[gymnasium]``, ``[openspiel]``::

    from pontedeldiavolo.adapters import pettingzoo

    environment = pettingzoo.env()

All of them play step by step, by the codes of :class:`~pontedeldiavolo.StepSpace`, and show what
:func:`pontedeldiavolo.batch.planes` shows.
"""

from typing import TYPE_CHECKING

from pontedeldiavolo.base.lazy import lazy_attach

__all__ = ["gymnasium", "openspiel", "pettingzoo"]

if TYPE_CHECKING:
    # Imports for type checkers only: at run time these are loaded when they are first touched.
    from pontedeldiavolo.adapters import gymnasium, openspiel, pettingzoo
else:
    __getattr__, __dir__ = lazy_attach(
        __name__,
        (),
        {"gymnasium": ("gymnasium",), "openspiel": ("pyspiel",), "pettingzoo": ("pettingzoo",)},
    )
