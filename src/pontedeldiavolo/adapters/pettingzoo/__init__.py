"""The game in PettingZoo: two agents who act in turns.

Needs PettingZoo: ``pip install 'pontedeldiavolo[pettingzoo]'``::

    from pontedeldiavolo.adapters import pettingzoo

    environment = pettingzoo.env()
    environment.reset(seed=1)
    for agent in environment.agent_iter():
        seen, reward, terminated, truncated, info = environment.last()
        space, over = environment.action_space(agent), terminated or truncated
        environment.step(None if over else space.sample(info["action_mask"]))

An agent places its tiles one by one, so it acts twice in a turn with two tiles; nor do turns always
alternate, as the colour choice shows. ``agent_selection`` says who is to act.
"""

from importlib import import_module

try:
    import_module("pettingzoo")  # asked for here, to say what to install
except ImportError as _error:
    raise ImportError(
        "pontedeldiavolo.adapters.pettingzoo needs PettingZoo: "
        "pip install 'pontedeldiavolo[pettingzoo]'",
        name=_error.name,
    ) from _error

from pontedeldiavolo.adapters.pettingzoo.environment import env, raw_env

__all__ = ["env", "raw_env"]
