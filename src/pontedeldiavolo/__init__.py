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
from pontedeldiavolo.base.lazy import lazy_attach

if TYPE_CHECKING:
    # For type checkers only: at run time all names are imported when they are first used.
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
    from pontedeldiavolo.base.enums import Color as Color
    from pontedeldiavolo.base.enums import DecidedBy as DecidedBy
    from pontedeldiavolo.base.enums import Ending as Ending
    from pontedeldiavolo.base.enums import Phase as Phase
    from pontedeldiavolo.base.enums import Seat as Seat
    from pontedeldiavolo.base.enums import Tiebreak as Tiebreak
    from pontedeldiavolo.base.enums import ViolationCode as ViolationCode
    from pontedeldiavolo.base.errors import InvalidRulesError as InvalidRulesError
    from pontedeldiavolo.base.errors import NotationError as NotationError
    from pontedeldiavolo.base.errors import PonteError as PonteError
    from pontedeldiavolo.base.errors import Reason as Reason
    from pontedeldiavolo.base.errors import RecordError as RecordError
    from pontedeldiavolo.board.board import Board as Board
    from pontedeldiavolo.board.bridge import Bridge as Bridge
    from pontedeldiavolo.board.cell import Cell as Cell
    from pontedeldiavolo.board.cell_set import CellSet as CellSet
    from pontedeldiavolo.board.geometry import Geometry as Geometry
    from pontedeldiavolo.board.symmetry import Symmetry as Symmetry
    from pontedeldiavolo.game.game import Game as Game
    from pontedeldiavolo.game.game import Ply as Ply
    from pontedeldiavolo.game.line import Line as Line
    from pontedeldiavolo.game.line import Move as Move
    from pontedeldiavolo.notation.actions import format_action as format_action
    from pontedeldiavolo.notation.actions import parse_action as parse_action
    from pontedeldiavolo.notation.actions import parse_cell as parse_cell
    from pontedeldiavolo.notation.actions import parse_step as parse_step
    from pontedeldiavolo.notation.rules import format_rules as format_rules
    from pontedeldiavolo.notation.rules import parse_rules as parse_rules
    from pontedeldiavolo.notation.setups import format_setup as format_setup
    from pontedeldiavolo.notation.setups import parse_setup as parse_setup
    from pontedeldiavolo.notation.states import format_state as format_state
    from pontedeldiavolo.notation.states import parse_node as parse_node
    from pontedeldiavolo.notation.states import parse_state as parse_state
    from pontedeldiavolo.position.legality import Effects as Effects
    from pontedeldiavolo.position.networks import Group as Group
    from pontedeldiavolo.position.networks import Network as Network
    from pontedeldiavolo.position.pieces import Pieces as Pieces
    from pontedeldiavolo.position.position import Position as Position
    from pontedeldiavolo.position.position import Setup as Setup
    from pontedeldiavolo.rules.actions import Action as Action
    from pontedeldiavolo.rules.actions import BuildBridge as BuildBridge
    from pontedeldiavolo.rules.actions import ChooseColor as ChooseColor
    from pontedeldiavolo.rules.actions import Pass as Pass
    from pontedeldiavolo.rules.actions import PlaceTile as PlaceTile
    from pontedeldiavolo.rules.actions import PlaceTiles as PlaceTiles
    from pontedeldiavolo.rules.actions import Step as Step
    from pontedeldiavolo.rules.limits import Limits as Limits
    from pontedeldiavolo.rules.rules import Outcome as Outcome
    from pontedeldiavolo.rules.rules import Rules as Rules
    from pontedeldiavolo.rules.rules import Score as Score
    from pontedeldiavolo.rules.violations import IllegalActionError as IllegalActionError
    from pontedeldiavolo.rules.violations import InvalidPositionError as InvalidPositionError
    from pontedeldiavolo.rules.violations import Violation as Violation
    from pontedeldiavolo.state.legal_actions import LegalActions as LegalActions
    from pontedeldiavolo.state.legal_actions import LegalSteps as LegalSteps
    from pontedeldiavolo.state.spaces import ActionSpace as ActionSpace
    from pontedeldiavolo.state.spaces import StepSpace as StepSpace
    from pontedeldiavolo.state.spaces import perft as perft
    from pontedeldiavolo.state.state import GameState as GameState
    from pontedeldiavolo.state.state import HalfTurn as HalfTurn
    from pontedeldiavolo.state.state import Node as Node

    __all__: list[str]
else:
    __all__, __getattr__, __dir__ = lazy_attach(
        __name__,
        {
            "base.enums": (
                "Color",
                "DecidedBy",
                "Ending",
                "Phase",
                "Seat",
                "Tiebreak",
                "ViolationCode",
            ),
            "base.errors": (
                "InvalidRulesError",
                "NotationError",
                "PonteError",
                "Reason",
                "RecordError",
            ),
            "board.board": ("Board",),
            "board.bridge": ("Bridge",),
            "board.cell": ("Cell",),
            "board.cell_set": ("CellSet",),
            "board.geometry": ("Geometry",),
            "board.symmetry": ("Symmetry",),
            "game.game": ("Game", "Ply"),
            "game.line": ("Line", "Move"),
            "notation.actions": (
                "format_action",
                "parse_action",
                "parse_cell",
                "parse_step",
            ),
            "notation.rules": ("format_rules", "parse_rules"),
            "notation.setups": ("format_setup", "parse_setup"),
            "notation.states": (
                "format_state",
                "parse_node",
                "parse_state",
            ),
            "position.legality": ("Effects",),
            "position.networks": ("Group", "Network"),
            "position.pieces": ("Pieces",),
            "position.position": ("Position", "Setup"),
            "rules.actions": (
                "Action",
                "BuildBridge",
                "ChooseColor",
                "Pass",
                "PlaceTile",
                "PlaceTiles",
                "Step",
            ),
            "rules.limits": ("Limits",),
            "rules.rules": ("Outcome", "Rules", "Score"),
            "rules.violations": ("IllegalActionError", "InvalidPositionError", "Violation"),
            "state.legal_actions": ("LegalActions", "LegalSteps"),
            "state.spaces": ("ActionSpace", "StepSpace", "perft"),
            "state.state": ("GameState", "HalfTurn", "Node"),
        },
        (
            "adapters",
            "batch",
            "html",
            "json",
            "messages",
            "players",
            "presets",
            "raster",
            "records",
            "svg",
            "testing",
            "text",
        ),
        exports_submodules=False,
        needs={"batch": ("numpy",), "raster": ("PIL", "resvg_py")},
    )
