"""Names and calls that people guess, and what to write instead.

The rows of both tables are wrong names and calls that users tried first. A wrong name raises an
``AttributeError`` that says what to write. A wrong call of a function or class in :data:`USAGES`
raises a ``TypeError`` that shows a right one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Container, Mapping
from functools import wraps
from typing import Any, Final, NoReturn, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=type)

GUESSED_NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "pontedeldiavolo": {
        "GameBatch": "batch.GameBatch",
        "IllegalMoveError": "IllegalActionError",
        "MctsPlayer": "players.MctsPlayer",
        "ParseError": "NotationError",
        "PlaceBridge": "BuildBridge",
        "State": "GameState",
        "abstract_play": "records.abstract_play",
        "boardspace": "records.boardspace",
        "explain": "messages.explain",
        "format_cell": "str(cell)",
        "format_half_turn": "format_state, which takes half turns, too",
        "format_step": "format_action, which takes steps, too",
        "match": "players.match",
        "parse_half_turn": "parse_node, which reads states and half turns",
        "sgf": "records.sgf",
        "symmetries": "board.symmetries",
    },
    "pontedeldiavolo.json": {
        "FORMAT": "'pontedeldiavolo', the field format of every document",
        "JSON": "object, or the dict or list that you expect",
        "Value": "object, or the class that loads(text, kind) returns",
        "dump": "dumps, which returns the text",
        "load": "loads(text)",
    },
    "pontedeldiavolo.messages": {
        "Catalog": "Mapping[Hashable, str]",
        "ENGLISH": "'en' for catalog=, or LANGUAGES['en'] for its texts",
        "GERMAN": "'de' for catalog=, or LANGUAGES['de'] for its texts",
        "Language": "LANGUAGES['de']['language-name'] for the name of a language",
        "explain_all": "explain, which takes several violations, too",
    },
    "pontedeldiavolo.players": {
        "MCTS": "MctsPlayer",
        "MCTSPlayer": "MctsPlayer",
        "PatternPlayer": "GreedyPlayer(candidates=10), or MctsPlayer",
        "SPRT": "SequentialTest, or match(..., sprt=(0, 50))",
    },
    "pontedeldiavolo.presets": {
        "register": "Rules(...): rules need no name, and any rules work like a preset",
    },
    "pontedeldiavolo.records": {
        "pdd": "records.loads, records.dumps and so on: they read and write the native format",
    },
    "pontedeldiavolo.text": {
        "legend": "render(state, legend=True)",
    },
    "GameState": {
        "from_diagram": "GameState.from_position(parse_setup(diagram).position())",
        "is_game_over": "is_over, a property without ()",
        "legal_moves": "legal_actions, a property without ()",
        "push": "apply, which returns the next state",
        "result": "outcome, or Game.result",
        "winner": "outcome.winner, a colour, or outcome.winning_seat",
    },
    "Game": {
        "clock": "play(action, clock=seconds) and Move.clock: a game measures no time",
        "legal_actions": "state.legal_actions",
        "legal_moves": "state.legal_actions",
        "offer_draw": "end(Ending.AGREEMENT) when both players agree",
        "pop": "undo",
        "push": "play, which returns the longer game",
        "winner": "winning_seat",
    },
    "ActionSpace": {
        "n": "len(space)",
        "size": "len(space)",
    },
    "StepSpace": {
        "n": "len(space)",
        "size": "len(space)",
    },
}
"""The right name for each guessed one, by the module or the class that lacks it."""

USAGES: Final[Mapping[str, str]] = {
    "BatchedSearch": "BatchedSearch(games, simulations=100)",
    "MctsPlayer": "MctsPlayer(simulations=1000)",
    "Rules": "Rules(Board(10, 10), tiles_per_color=40, bridges=15)",
    "explain": "explain(error, 'de')",
    "match": "match(a, b, games=100, openings=2, sprt=(0, 50))",
    "png": "png(state, highlights=[cell], size=800)",
    "render": "render(state, highlights=[cell], size=800)",
}
"""A right call of each function or class whose arguments are often guessed."""


def no_such_name(module: str, name: str) -> AttributeError:
    """Return the error for a name that a module lacks; its ``__getattr__`` raises it."""
    return AttributeError(_answer(f"module {module!r}", module, name), name=name)


def _answer(what: str, owner: str, name: str) -> str:
    text = f"{what} has no attribute {name!r}"
    answer = GUESSED_NAMES.get(owner, {}).get(name)
    return text if answer is None else f"{text}: write {answer}"


class _GuessedName:
    """An attribute that is always missing: reading it is an error that says what to write.

    A ``__getattr__`` would make every attribute of the class slower on Python 3.11, and would not
    see names that are guessed on the class itself.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> NoReturn:
        text = _answer(owner.__name__, owner.__name__, self.name)
        # With obj=instance, Python would add a suggestion of its own.
        raise AttributeError(text, name=self.name)


def suggests_right_names(kind: C) -> C:
    """Decorate a class: wrong names and calls of the tables are answered with the right ones.

    ``hasattr`` is false for a guessed name, and the ``dir`` of an instance does not list it.
    """
    names = GUESSED_NAMES.get(kind.__name__, {})
    for name in names:
        setattr(kind, name, _GuessedName(name))
    if names:
        setattr(kind, "__dir__", _directory_without(names))  # noqa: B010 - mypy forbids an assignment
    if kind.__name__ in USAGES:
        constructor = shows_usage(vars(kind)["__init__"], USAGES[kind.__name__])
        setattr(kind, "__init__", constructor)  # noqa: B010 - mypy forbids an assignment
    return kind


def _directory_without(names: Container[str]) -> Callable[[object], list[str]]:
    def directory(self: object) -> list[str]:
        return [name for name in object.__dir__(self) if name not in names]

    return directory


def shows_usage(function: Callable[P, R], usage: str | None = None) -> Callable[P, R]:
    """Decorate a function: the error of a call with wrong arguments shows its usage."""
    usage = usage or USAGES[function.__name__]

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            if _can_be_called(function, args, kwargs):
                # The arguments have wrong types, and the error already says so.
                raise
            raise TypeError(f"{error}: write {usage}") from None

    return call


def _can_be_called(
    function: Callable[..., object], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> bool:
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return False
    return True
