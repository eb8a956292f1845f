"""The game in Gymnasium: one seat against a player, and many games at once.

Needs Gymnasium: ``pip install 'pontedeldiavolo[gymnasium]'``::

    from pontedeldiavolo.adapters import gymnasium

    environment = gymnasium.PonteEnv()
    seen, info = environment.reset(seed=1)

Importing this registers ``PonteDelDiavolo-v0`` as well, so that ``gymnasium.make`` and ``make_vec``
know it: ``gymnasium.make("pontedeldiavolo.adapters.gymnasium:PonteDelDiavolo-v0")``.
"""

try:
    import gymnasium as _gymnasium  # asked for here, to say what to install
except ImportError as _error:
    raise ImportError(
        "pontedeldiavolo.adapters.gymnasium needs Gymnasium: "
        "pip install 'pontedeldiavolo[gymnasium]'",
        name=_error.name,
    ) from _error

from pontedeldiavolo.adapters.gymnasium.ponte_env import PonteEnv
from pontedeldiavolo.adapters.gymnasium.ponte_vector_env import PonteVectorEnv

__all__ = ["PonteEnv", "PonteVectorEnv"]

_ID = "PonteDelDiavolo-v0"

if _ID not in _gymnasium.registry:
    _gymnasium.register(
        _ID,
        entry_point=f"{__name__}:PonteEnv",
        vector_entry_point=f"{__name__}:PonteVectorEnv",
    )
