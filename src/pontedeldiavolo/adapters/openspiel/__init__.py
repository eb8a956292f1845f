"""The game in OpenSpiel: ``python_pontedeldiavolo``, which importing this registers.

Needs OpenSpiel: ``pip install 'pontedeldiavolo[openspiel]'``::

    import pyspiel
    from pontedeldiavolo.adapters import openspiel

    game = pyspiel.load_game("python_pontedeldiavolo(width=6,height=6)")
    state = game.new_initial_state()

The parameters say the rules in full: ``width`` and ``height``; ``tiles``, of each colour, and
``bridges``, each -1 for no limit; ``tiebreaks``, joined by hyphens as ``islands-bridges``, or
``none``. :func:`game_string` writes them for any rules.

Players are 0, who has the first seat, and 1. Actions are codes of
:class:`~pontedeldiavolo.StepSpace`: a tile is an action, so a turn of two tiles is two. Their
strings are those of :func:`pontedeldiavolo.format_step`. ``str(state)`` is what
:func:`pontedeldiavolo.parse_node` reads. The observation tensor has the planes of
:func:`pontedeldiavolo.batch.planes` from the side of the player's own colour; the information state
tensor has these, and the history: for each action its code plus 1, then zeros.
"""

from __future__ import annotations

try:
    import pyspiel as _pyspiel  # asked for here, to say what to install
except ImportError as _error:
    raise ImportError(
        "pontedeldiavolo.adapters.openspiel needs OpenSpiel: "
        "pip install 'pontedeldiavolo[openspiel]'",
        name=_error.name,
    ) from _error

from pontedeldiavolo.adapters.openspiel import game as _game
from pontedeldiavolo.adapters.openspiel.evaluator import PlayoutEvaluator
from pontedeldiavolo.adapters.openspiel.parameters import game_string

__all__ = ["PlayoutEvaluator", "game_string"]

_pyspiel.register_game(_game.GAME_TYPE, _game.PonteGame)
