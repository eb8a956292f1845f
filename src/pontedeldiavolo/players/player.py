"""The protocols of players, their analyses, errors and checks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from math import isfinite
from random import Random
from typing import (
    Final,
    Literal,
    Protocol,
    SupportsFloat,
    SupportsIndex,
    TypeAlias,
    cast,
    final,
    get_args,
    runtime_checkable,
)

from attrs import field, frozen

from pontedeldiavolo.base import errors
from pontedeldiavolo.base.enums import Ending
from pontedeldiavolo.base.errors import MessageValue, PonteError, Reason, reason, require_type
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.tags import MAX_SECONDS
from pontedeldiavolo.notation.states import format_state
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState, Node


@runtime_checkable
class Player(Protocol):
    """Any object with a name that chooses actions.

    >>> class FirstPlayer:
    ...     name = "first"
    ...     def choose(self, state):
    ...         return state.legal_actions[0]
    ...     def for_game(self, seed):
    ...         return self
    ...
    >>> isinstance(FirstPlayer(), pdd.players.Player)
    True
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """The player's name in records and tables."""

    @abstractmethod
    def choose(self, state: GameState, /) -> Action:
        """Return a legal action for the seat to move.

        Raises:
            PonteError: If the game is over.
        """

    @abstractmethod
    def for_game(self, seed: int) -> Player:
        """Return a player for a new game; it shares no memory with this one, and can be pickled.

        Args:
            seed: The seed of its random numbers: with equal seeds, players make equal choices.
        """


GRACE_SECONDS: Final = 0.05
"""The time by which a player may exceed its clock without losing the game."""


def _seconds(value: SupportsFloat, name: str) -> float:
    seconds = errors.real_number(value, name)
    if not 0 <= seconds <= MAX_SECONDS:
        raise PonteError(
            f"a time of a clock must be from 0 to {MAX_SECONDS:,} seconds, not {seconds}"
        )
    return seconds


def _own(seconds: SupportsFloat) -> float:
    return _seconds(seconds, "own")


def _other(seconds: SupportsFloat) -> float:
    return _seconds(seconds, "other")


def _increment(seconds: SupportsFloat) -> float:
    return _seconds(seconds, "increment")


@final
@frozen(order=False)
class Clock(ImmutableValue):
    """The clocks of both seats when a player is asked for an action, in seconds.

    >>> clock = pdd.players.Clock(60, 58.5, increment=1)
    >>> clock.own, clock.share
    (60.0, 3.75)

    Attributes:
        own: The time that the seat to move has left.
        other: The time that the other seat has left.
        increment: The time that each action adds.

    Raises:
        PonteError: If a time is not from 0 to 10⁹.
    """

    own: float = field(converter=_own)
    other: float = field(converter=_other)
    increment: float = field(default=0.0, converter=_increment)

    @property
    def share(self) -> float:
        """A reasonable share of the time for one action, in seconds."""
        return min(self.own / 20 + 0.75 * self.increment, 0.8 * self.own)


class ClockPlayer(Player, Protocol):
    """A player that receives its clock: ``choose`` has an argument ``clock``.

    >>> class Hurried:
    ...     name = "hurried"
    ...     def choose(self, state, *, clock=None):
    ...         seconds = 1 if clock is None else clock.share
    ...         return pdd.players.MctsPlayer(seconds=seconds).choose(state)
    ...     def for_game(self, seed):
    ...         return self
    """

    @abstractmethod
    def choose(self, state: GameState, /, *, clock: Clock | None = None) -> Action:
        """Return a legal action for the seat to move.

        Args:
            state: The state.
            clock: Both clocks; ``None`` in a game without clocks.

        Raises:
            PonteError: If the game is over.
        """


def prepare(player: Player, rules: Rules) -> None:
    """Let a player prepare for a game if it can: start a program, or compile code."""
    method = getattr(player, "prepare", None)
    if callable(method):
        method(rules)


def make_rng(seed: SupportsIndex) -> Random:
    """Return the random number generator of a player."""
    return Random(errors.whole_number(seed, "seed"))  # noqa: S311 - equal seeds must give equal games


def require_unfinished(
    node: Node, kinds: tuple[type, ...] = (GameState,), name: str = "state"
) -> None:
    """Refuse a node without legal steps.

    Raises:
        PonteError: If the game is over.
    """
    require_type(node, kinds, name)
    if node.is_over:
        raise PonteError(reason("nothing-to-choose"))


def never() -> bool:
    """Return false: the search goes on until its other limits end it."""
    return False


def require_in_range(value: SupportsIndex, name: str, maximum: int) -> int:
    """Return *value* as an ``int`` from 1 to *maximum*.

    Raises:
        PonteError: If it is out of range.
    """
    number = errors.whole_number(value, name)
    if not 1 <= number <= maximum:
        values: dict[str, int | str] = {"name": name, "max": maximum, "value": str(number)}
        raise PonteError(reason("number-out-of-range", **values))
    return number


Rollout: TypeAlias = Literal["heuristic", "uniform"]
"""The policy with which a tree search plays simulations to their end."""


def require_rollout(text: str) -> Rollout:
    """Return *text* if it names a kind of rollout.

    Raises:
        PonteError: If there is no such kind.
    """
    require_type(text, str, "rollout")
    if text not in get_args(Rollout):
        raise PonteError(reason("unknown-rollout", rollout=f"{text[:40]!a}"))
    return cast(Rollout, text)


def require_positive(value: SupportsFloat, name: str, *, or_zero: bool = False) -> float:
    """Return *value* as a ``float``, which must be above 0, or may also be 0 if *or_zero*.

    Raises:
        PonteError: If it is negative, infinite, not a number, or a 0 that is not allowed.
    """
    found = errors.real_number(value, name)
    if not (isfinite(found) and (found > 0 or (or_zero and found == 0))):
        raise PonteError(reason("number-not-positive", name=name, value=str(found)))
    return found


def _value(value: SupportsFloat) -> float:
    """Return *value* as a plain number from -1 to 1."""
    number = errors.real_number(value, "value")
    if not -1 <= number <= 1:
        raise PonteError(f"a value is from -1, lost, to 1, won, not {number}")
    return number


def _half_width(value: SupportsFloat) -> float:
    return abs(errors.real_number(value, "half_width"))


def _visits(visits: SupportsIndex) -> int:
    return _count(visits, "visits")


def _depth(depth: SupportsIndex) -> int:
    return _count(depth, "depth")


def _count(value: SupportsIndex, name: str) -> int:
    count = errors.whole_number(value, name)
    if count < 0:
        raise PonteError(f"{name} must not be negative: {count}")
    return count


@final
@frozen(order=False)
class ActionStats(ImmutableValue):
    """The visit count and the value of an action after a search.

    >>> stats = pdd.players.ActionStats(pdd.parse_action("a1,b1"), visits=40, value=0.25)
    >>> stats.visits, stats.value
    (40, 0.25)

    Attributes:
        action: The action.
        visits: The visit count: for a tree search, the simulations that went through it.
        value: The expected result for the seat to move, from -1 (loss) to 1 (win).

    Raises:
        PonteError: If *visits* is negative, or *value* is not from -1 to 1.
    """

    action: Action = field(validator=errors.instance_of(Action))
    visits: int = field(converter=_visits)
    value: float = field(converter=_value)


@final
@frozen(order=False)
class AnalysisLine(ImmutableValue):
    """An action with its expected continuation.

    >>> pair = pdd.parse_action("a1,b1")
    >>> line = pdd.players.AnalysisLine((pair,), 0.25, 0.1, visits=300, depth=4, proven=False)
    >>> line.value - line.half_width
    0.15

    Attributes:
        actions: The action and the expected continuation.
        value: The expected result for the seat to move, from -1 (loss) to 1 (win).
        half_width: Half of the 95 % interval of the mean of the simulations; 0 for a proof. The
            interval covers their sampling error only, not mistakes of the search.
        visits: The visit count of the action.
        depth: The number of steps from the root to the deepest node below the action.
        proven: Whether the value is proven.

    Raises:
        PonteError: If *visits* or *depth* is negative, or *value* is not from -1 to 1.
    """

    actions: tuple[Action, ...] = field(validator=errors.tuple_of(Action))
    value: float = field(converter=_value)
    half_width: float = field(converter=_half_width)
    visits: int = field(converter=_visits)
    depth: int = field(converter=_depth)
    proven: bool = field(validator=errors.instance_of(bool))


@final
@frozen(order=False)
class Analysis(ImmutableValue):
    """A player's evaluation of a state.

    >>> pdd.players.Analysis(best=pdd.parse_action("a1,b1"), value=0.25).line
    ()

    Attributes:
        best: The action that the player would choose.
        value: The expected result for the seat to move, from -1 (loss) to 1 (win).
        actions: The actions that were evaluated, most visits first.
        line: The principal variation, which begins with *best*.
        lines: The best actions with their continuations, beginning with *best*.
        book: The actions of the player's opening book; see :meth:`Book.lookup`.

    Raises:
        PonteError: If *value* is not from -1 to 1.
    """

    best: Action = field(validator=errors.instance_of(Action))
    value: float = field(converter=_value)
    actions: tuple[ActionStats, ...] = field(default=(), validator=errors.tuple_of(ActionStats))
    line: tuple[Action, ...] = field(default=(), validator=errors.tuple_of(Action))
    lines: tuple[AnalysisLine, ...] = field(default=(), validator=errors.tuple_of(AnalysisLine))
    book: tuple[ActionStats, ...] = field(default=(), validator=errors.tuple_of(ActionStats))


@runtime_checkable
class Analyst(Player, Protocol):
    """A player that evaluates states.

    >>> isinstance(pdd.players.MctsPlayer(), pdd.players.Analyst)
    True
    """

    @abstractmethod
    def analyse(self, state: GameState, /) -> Analysis:
        """Return the evaluation of a state.

        Raises:
            PonteError: If the game is over.
        """


@final
class PlayerError(PonteError):
    """A player has failed, or has chosen something illegal.

    >>> class Quitter:
    ...     name = "quitter"
    ...     def choose(self, state):
    ...         return pdd.Pass()
    ...     def for_game(self, seed):
    ...         return self
    ...
    >>> try:
    ...     pdd.players.match(Quitter(), pdd.players.RandomPlayer(), openings=0)
    ... except pdd.players.PlayerError as error:
    ...     print(error.player, len(error.game.actions))
    quitter 0

    Attributes:
        player: The player's name.
        problem: The player's mistake: an English text that follows the name, or a reason.
        game: The game so far; the error happened in its last state.
    """

    __module__ = "pontedeldiavolo.players"

    def __init__(self, player: str, problem: str | Reason, game: Game) -> None:
        require_type(player, str, "player")
        require_type(problem, (str, Reason), "problem")
        require_type(game, Game, "game")
        self.player: str = player
        self.problem: str | Reason = problem
        self.game: Game = game
        super().__init__(player, problem, game)

    @property
    def reason(self) -> Reason:
        """The player's name and its mistake, without the game's state."""
        if isinstance(self.problem, Reason):
            return self.problem
        return errors.reason_of(f"{self.player} {self.problem}")

    @property
    def values(self) -> Mapping[str, MessageValue]:
        """The values for its sentence, including ``player`` and ``state``."""
        return self.reason.values | {"player": self.player, "state": format_state(self.game.state)}

    def __str__(self) -> str:
        state = self.game.state
        seat = "" if state.seat_to_move is None else f" as {state.seat_to_move.value} seat"
        number = self.game.tags.get("Round")
        game = "" if number is None else f" of game {number}"
        return (
            f"{self.reason},{seat} after {len(self.game.actions)} actions{game}, "
            f"in {format_state(state)}"
        )


@final
class EngineError(PonteError):
    """An engine breaks the engine protocol, chooses an illegal action, or is late.

    >>> try:
    ...     pdd.players.ExternalPlayer("no-such-engine")
    ... except pdd.players.EngineError as error:
    ...     print(error.code, error.ending)
    engine-not-started None

    Attributes:
        ending: The ending of the game that the engine loses; ``None`` if there is no game to lose.
    """

    __module__ = "pontedeldiavolo.players"

    def __init__(self, problem: Reason, ending: Ending | None = None) -> None:
        require_type(problem, Reason, "problem")
        require_type(ending, (Ending, type(None)), "ending")
        self.ending: Ending | None = ending
        super().__init__(problem, ending)

    def __str__(self) -> str:
        return str(self.reason)


@final
class MatchWarning(UserWarning):
    """A match gives less evidence than its number of games suggests, or ends early.

    One is issued at the first pair of games that repeats an earlier one move by move, one when all
    openings are used up, and one if the folder of a match cannot be locked.

    >>> import warnings
    >>> class First:
    ...     name = "first"
    ...     def choose(self, state):
    ...         return state.legal_actions[0]
    ...     def for_game(self, seed):
    ...         return self
    ...
    >>> rules = pdd.Rules(pdd.Board(3, 3))
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always", pdd.players.MatchWarning)
    ...     match = pdd.players.match(First(), First(), games=10, rules=rules, openings=0)
    ...
    >>> match.games, match.distinct, caught[0].message.code
    (10, 1, 'match-repeats')

    Attributes:
        reason: The reason, for a sentence in any language.
    """

    __module__ = "pontedeldiavolo.players"

    def __init__(self, reason: Reason) -> None:
        require_type(reason, Reason, "reason")
        self.reason: Reason = reason
        super().__init__(reason)

    @property
    def code(self) -> str:
        """A stable name: ``match-repeats``, ``openings-used-up`` or ``match-folder-unlocked``."""
        return self.reason.code

    @property
    def values(self) -> Mapping[str, MessageValue]:
        """The values of its sentence, by name."""
        return self.reason.values

    def __str__(self) -> str:
        return str(self.reason)
