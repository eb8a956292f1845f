"""The rules of Ponte del Diavolo, Martin Ebel's game of islands and bridges.

Everything that most programs need is here::

    import pontedeldiavolo as pdd

    state = pdd.GameState.initial()
    state = state.apply(pdd.parse_action("d4,g7"))
"""

from pontedeldiavolo import messages, presets, records
from pontedeldiavolo.action_space import ActionSpace
from pontedeldiavolo.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    PlaceTiles,
    Step,
)
from pontedeldiavolo.board import Board, symmetries
from pontedeldiavolo.bridge import Bridge
from pontedeldiavolo.cell import Cell
from pontedeldiavolo.cell_set import CellSet
from pontedeldiavolo.effects import Effects
from pontedeldiavolo.errors import (
    IllegalActionError,
    InvalidPositionError,
    InvalidRulesError,
    NotationError,
    PonteError,
    RecordError,
)
from pontedeldiavolo.game import Game, Turn
from pontedeldiavolo.half_turn import HalfTurn
from pontedeldiavolo.legal_actions import LegalActions
from pontedeldiavolo.legal_steps import LegalSteps
from pontedeldiavolo.line import Line, Move
from pontedeldiavolo.networks import Group, Network
from pontedeldiavolo.notation import (
    format_action,
    format_cell,
    format_rules,
    format_setup,
    format_state,
    parse_action,
    parse_cell,
    parse_rules,
    parse_setup,
    parse_state,
)
from pontedeldiavolo.outcome import Outcome
from pontedeldiavolo.perft import perft
from pontedeldiavolo.position import Position
from pontedeldiavolo.rules import Rules
from pontedeldiavolo.score import Score
from pontedeldiavolo.setup import Setup
from pontedeldiavolo.state import GameState
from pontedeldiavolo.step_space import StepSpace
from pontedeldiavolo.symmetry import Symmetry
from pontedeldiavolo.violation import Violation
from pontedeldiavolo.vocabulary import (
    Color,
    DecidedBy,
    Ending,
    Phase,
    Rule,
    Seat,
    Tiebreak,
)

__version__ = "0.1.0"

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
    "Line",
    "Move",
    "Network",
    "NotationError",
    "Outcome",
    "Pass",
    "Phase",
    "PlaceTile",
    "PlaceTiles",
    "PonteError",
    "Position",
    "RecordError",
    "Rule",
    "Rules",
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
    "format_rules",
    "format_setup",
    "format_state",
    "messages",
    "parse_action",
    "parse_cell",
    "parse_rules",
    "parse_setup",
    "parse_state",
    "perft",
    "presets",
    "records",
    "symmetries",
]
