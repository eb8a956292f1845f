"""The rules of Ponte del Diavolo, Martin Ebel's game of islands and bridges.

Everything that most programs need is here::

    import pontedeldiavolo as pdd

    state = pdd.GameState.initial()
    state = state.apply(pdd.parse_action("d4,g7"))

The rest lies in rooms, which are loaded when they are first touched: ``pdd.presets``,
``pdd.messages``, ``pdd.records``, ``pdd.text``, ``pdd.svg``, ``pdd.html``, ``pdd.players``,
``pdd.json`` (extra ``json``), ``pdd.batch`` (extra ``batch``), ``pdd.raster`` (extra ``png``), and
``pdd.adapters``, with an extra for each framework.
``dir(pdd)`` shows what is there.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from pontedeldiavolo._version import __version__ as __version__
from pontedeldiavolo.base.lazy import rooms
from pontedeldiavolo.base.pictures import drawn_by
from pontedeldiavolo.board.board import Board, symmetries
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.cell_set import CellSet
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.errors import InvalidRulesError, NotationError, PonteError, RecordError
from pontedeldiavolo.game.game import Game, Turn
from pontedeldiavolo.game.limits import Limits
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.scene import Scene
from pontedeldiavolo.notation import (
    format_action,
    format_cell,
    format_half_turn,
    format_rules,
    format_setup,
    format_state,
    format_step,
    parse_action,
    parse_cell,
    parse_half_turn,
    parse_node,
    parse_rules,
    parse_setup,
    parse_state,
    parse_step,
)
from pontedeldiavolo.position.effects import Effects
from pontedeldiavolo.position.networks import Group, Network
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.reason import Reason
from pontedeldiavolo.rules.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    PlaceTiles,
    Step,
)
from pontedeldiavolo.rules.outcome import Outcome, Score
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import IllegalActionError, InvalidPositionError, Violation
from pontedeldiavolo.state.legal_actions import LegalActions, LegalSteps
from pontedeldiavolo.state.perft import perft
from pontedeldiavolo.state.spaces import ActionSpace, StepSpace
from pontedeldiavolo.state.state import GameState, HalfTurn, Node
from pontedeldiavolo.vocabulary import (
    Color,
    DecidedBy,
    Ending,
    Phase,
    Rule,
    Seat,
    Tiebreak,
)

__all__ = [
    "Action",
    "ActionSpace",
    "Board",
    "Bridge",
    "BuildBridge",
    "Cell",
    "CellSet",
    "ChooseColor",
    "Color",
    "DecidedBy",
    "Effects",
    "Ending",
    "Game",
    "GameState",
    "Group",
    "HalfTurn",
    "IllegalActionError",
    "InvalidPositionError",
    "InvalidRulesError",
    "LegalActions",
    "LegalSteps",
    "Limits",
    "Line",
    "Move",
    "Network",
    "Node",
    "NotationError",
    "Outcome",
    "Pass",
    "Phase",
    "PlaceTile",
    "PlaceTiles",
    "PonteError",
    "Position",
    "Reason",
    "RecordError",
    "Rule",
    "Rules",
    "Scene",
    "Score",
    "Seat",
    "Setup",
    "Step",
    "StepSpace",
    "Symmetry",
    "Tiebreak",
    "Turn",
    "Violation",
    "format_action",
    "format_cell",
    "format_half_turn",
    "format_rules",
    "format_setup",
    "format_state",
    "format_step",
    "parse_action",
    "parse_cell",
    "parse_half_turn",
    "parse_node",
    "parse_rules",
    "parse_setup",
    "parse_state",
    "parse_step",
    "perft",
    "symmetries",
]

drawn_by(lambda scene: str(import_module("pontedeldiavolo.svg").render(scene)))

if TYPE_CHECKING:
    # Imports for type checkers only: at run time a room is loaded when it is first touched.
    from pontedeldiavolo import adapters as adapters
    from pontedeldiavolo import batch as batch
    from pontedeldiavolo import html as html
    from pontedeldiavolo import json as json
    from pontedeldiavolo import messages as messages
    from pontedeldiavolo import players as players
    from pontedeldiavolo import presets as presets
    from pontedeldiavolo import raster as raster
    from pontedeldiavolo import records as records
    from pontedeldiavolo import svg as svg
    from pontedeldiavolo import text as text
else:
    __getattr__, __dir__ = rooms(
        __name__,
        __all__,
        {
            "adapters": (),
            "batch": ("numpy",),
            "html": (),
            "json": (),
            "messages": (),
            "players": (),
            "presets": (),
            "raster": ("PIL", "resvg_py"),
            "records": (),
            "svg": (),
            "text": (),
        },
    )
