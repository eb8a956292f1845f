"""Players without NumPy or Numba."""

from __future__ import annotations

import importlib
import sys

import pytest

from pontedeldiavolo import players
from support.processes import run_python

TOUCHED = """
import sys
sys.modules[{missing!r}] = None
import pontedeldiavolo as pdd
def from_room():
    from pontedeldiavolo.players import MctsPlayer
for touch in (
    lambda: pdd.players.MctsPlayer,
    lambda: pdd.players.by_name("mcts:seconds=1"),
    from_room,
):
    try:
        touch()
    except ImportError as error:
        print(error.name, error)
state = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3)))
print(pdd.players.by_name("greedy").choose(state) in state.legal_actions)
"""


@pytest.mark.parametrize("missing", ["numpy", "numba"])
def test_only_one_player_is_not_there(missing: str) -> None:
    done = run_python(TOUCHED.format(missing=missing))
    said = f"{missing} pontedeldiavolo.players.MctsPlayer needs NumPy and Numba: "
    assert done.stdout == (said + "pip install 'pontedeldiavolo[batch]'\n") * 3 + "True\n"
    assert not done.stderr


@pytest.mark.parametrize("missing", ["numpy", "numba"])
def test_what_cannot_be_touched_is_not_shown(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "MctsPlayer" in dir(players)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match="MctsPlayer needs NumPy and Numba"):
        players.__getattr__("MctsPlayer")
    monkeypatch.setattr(players, "find_spec", lambda name: None if name == missing else True)
    assert "MctsPlayer" not in dir(players)
    assert "GreedyPlayer" in dir(players)
    with pytest.raises(AttributeError, match="has no attribute 'Nobody'"):
        importlib.import_module("pontedeldiavolo.players").Nobody  # noqa: B018  # it is touched
