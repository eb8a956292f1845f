"""The rules of Ponte del Diavolo, Martin Ebel's game of islands and bridges.

>>> import pontedeldiavolo as pdd
>>> state = pdd.GameState.initial()
>>> state = state.apply(pdd.parse_action("d4,g7"))
>>> state.phase
<Phase.COLOR_CHOICE: 'color-choice'>

An *action* is what a player does in a turn: place two tiles, build a bridge, choose a colour or
pass. A *step* is what one click can do: place a single tile, or any action but a pair of tiles. A
*move* is an action in a game's tree, with its comments and variations.

Lazy submodules need no separate import: ``pdd.presets``, ``pdd.messages``, ``pdd.records``,
``pdd.json``, ``pdd.text``, ``pdd.svg``, ``pdd.html``, ``pdd.players``, ``pdd.batch`` (extra
``batch``), ``pdd.raster`` (extra ``png``), ``pdd.testing``, and ``pdd.adapters``, with an extra for
each framework.
``dir(pdd)`` lists all public names.
"""

# First of all: it lets Ctrl-C end the command without a traceback while the rest is imported.
from pontedeldiavolo._start import is_command as _is_command  # noqa: F401 - for its effect

# isort: split
from typing import TYPE_CHECKING

from pontedeldiavolo._version import __version__ as __version__
from pontedeldiavolo.base.enums import (
    Color,
    DecidedBy,
    Ending,
    Phase,
    Seat,
    Tiebreak,
    ViolationCode,
)
from pontedeldiavolo.base.errors import (
    InvalidRulesError,
    NotationError,
    PonteError,
    Reason,
    RecordError,
)
from pontedeldiavolo.base.lazy import lazy_attach
from pontedeldiavolo.board.board import Board, symmetries
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.cell_set import CellSet
from pontedeldiavolo.board.geometry import Geometry
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.notation.actions import (
    format_action,
    format_cell,
    format_step,
    parse_action,
    parse_cell,
    parse_step,
)
from pontedeldiavolo.notation.rules import format_rules, parse_rules
from pontedeldiavolo.notation.setups import format_setup, parse_setup
from pontedeldiavolo.notation.states import (
    format_half_turn,
    format_state,
    parse_half_turn,
    parse_node,
    parse_state,
)
from pontedeldiavolo.position.legality import Effects
from pontedeldiavolo.position.networks import Group, Network
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    PlaceTiles,
    Step,
)
from pontedeldiavolo.rules.limits import Limits
from pontedeldiavolo.rules.rules import Outcome, Rules, Score
from pontedeldiavolo.rules.violations import IllegalActionError, InvalidPositionError, Violation
from pontedeldiavolo.state.legal_actions import LegalActions, LegalSteps
from pontedeldiavolo.state.state import GameState, HalfTurn, Node

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
    "Geometry",
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
    "Pieces",
    "PlaceTile",
    "PlaceTiles",
    "Ply",
    "PonteError",
    "Position",
    "Reason",
    "RecordError",
    "Rules",
    "Score",
    "Seat",
    "Setup",
    "Step",
    "StepSpace",
    "Symmetry",
    "Tiebreak",
    "Violation",
    "ViolationCode",
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


if TYPE_CHECKING:
    # For type checkers only: at run time these submodules are imported lazily.
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
    from pontedeldiavolo import testing as testing
    from pontedeldiavolo import text as text
    from pontedeldiavolo.game.game import Game, Ply
    from pontedeldiavolo.game.line import Line, Move
    from pontedeldiavolo.state.spaces import ActionSpace, StepSpace, perft
else:
    __getattr__, __dir__ = lazy_attach(
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
            "testing": (),
            "text": (),
        },
        {
            "ActionSpace": "state.spaces",
            "Game": "game.game",
            "Line": "game.line",
            "Move": "game.line",
            "Ply": "game.game",
            "StepSpace": "state.spaces",
            "perft": "state.spaces",
        },
    )
