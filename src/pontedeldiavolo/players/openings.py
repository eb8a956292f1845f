"""Openings of a match: random turns, or states from a list. Both games of a pair share one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Final, NamedTuple, Protocol, SupportsIndex, TypeAlias, final

from pontedeldiavolo.base.errors import PonteError, reason, require_type, whole_number
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.notation.states import format_state
from pontedeldiavolo.rules.actions import Action, ChooseColor
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState, HalfTurn

DEFAULT_TURNS: Final = 2
"""The number of random turns with which the games of a match begin."""
MAX_TURNS: Final = 1000
DRAWS: Final = 200
"""After this number of draws that only repeat earlier openings, the remaining ones are listed."""
MAX_LISTED: Final = 100_000
"""The maximum number of states that are visited for this list, which bounds its time and memory."""

Actions: TypeAlias = tuple[Action, ...]


class Opening(NamedTuple):
    """The beginning of both games of a pair.

    Attributes:
        start: The state in which the games start.
        actions: The random actions at the beginning, which no player chooses.
    """

    start: GameState
    actions: Actions = ()


class Openings(Protocol):
    """The openings of all pairs of a match."""

    @abstractmethod
    def of_pair(self, pair: int) -> Opening | None:
        """Return the opening of a pair, numbered from 1; ``None`` if there are fewer."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """The text by which a folder recognises the openings."""


@final
class RandomOpenings:
    """Random turns from the empty board, different ones for each pair.

    The choice of a colour does not count as a turn; where it lies between the turns, it is random
    as well. An opening stops before an action that would end the game. No two openings lead to the
    same state. As long as there are others, none leads to a mirror image of an earlier state
    either, because players that treat all sides of the board alike would repeat their game.

    If random draws find no more openings, the remaining ones are listed. The list has a limit, so
    that a match with very many turns on a small board may end although there would be others.

    Args:
        rules: The rules.
        seed: The seed of the match. The openings depend on it and on the number of the pair.
        turns: The number of turns; 0 for games from the empty board.
    """

    def __init__(self, rules: Rules, seed: int, turns: int) -> None:
        self._initial = GameState.initial(rules)
        self._seed = seed
        self._turns = turns
        # The number of draws that each pair skips because an earlier pair has them already, for
        # the pairs drawn so far. Openings are drawn again when they are needed: a list of them
        # would take hundreds of megabytes in the longest matches.
        self._skipped: list[int] = []
        self._seen: set[bytes] = set()
        # The openings of the remaining pairs, once all openings have been listed.
        self._rest: list[Actions] | None = None

    @property
    def identity(self) -> str:
        """The number of turns."""
        return f"random turns: {self._turns}"

    def of_pair(self, pair: int) -> Opening | None:
        """Return the opening of a pair, numbered from 1; ``None`` if there are fewer."""
        if not self._turns:
            return Opening(self._initial)
        while len(self._skipped) < pair and self._rest is None:
            self._draw_next()
        if pair <= len(self._skipped):
            return Opening(self._initial, self._drawn(pair))
        rest = self._rest or []
        place = pair - len(self._skipped) - 1
        return Opening(self._initial, rest[place]) if place < len(rest) else None

    def _draw_next(self) -> None:
        """Draw the opening of the next pair; list all others if none seems to be new."""
        rng = self._rng(len(self._skipped) + 1)
        for skipped in range(DRAWS):
            _, state = self._draw(rng)
            key = state.canonical_packed()
            if key not in self._seen:
                self._seen.add(key)
                self._skipped.append(skipped)
                return
        self._rest = self._unused()

    def _rng(self, pair: int) -> Random:
        """Return the random numbers for the opening of a pair."""
        # A string as a seed gives the same numbers in every process.
        return Random(f"{self._seed}/{pair}/opening")  # noqa: S311 - equal seeds, equal games

    def _drawn(self, pair: int) -> Actions:
        """Return the actions of an opening that was drawn."""
        rng = self._rng(pair)
        for _ in range(self._skipped[pair - 1]):
            self._draw(rng)
        return self._draw(rng)[0]

    def _draw(self, rng: Random) -> tuple[Actions, GameState]:
        """Return random actions, and the state after them."""
        state = self._initial
        actions: list[Action] = []
        turns = 0
        while turns < self._turns:
            action = state.legal_actions.sample(rng)
            after = state.apply_unchecked(action)
            if after.is_over:
                break
            actions.append(action)
            state = after
            turns += not isinstance(action, ChooseColor)
        return tuple(actions), state

    def _unused(self) -> list[Actions]:
        """Return all openings that lead to other states than those drawn so far, shuffled."""
        used = set[bytes]()
        for pair in range(1, len(self._skipped) + 1):
            state = self._initial
            for action in self._drawn(pair):
                state = state.apply_unchecked(action)
            used.add(state.packed())
        found: list[Actions] = []
        for actions, state in self._all():
            key = state.packed()
            if key not in used:
                used.add(key)
                found.append(actions)
        Random(f"{self._seed}/openings").shuffle(found)  # noqa: S311 - equal seeds, equal games
        return found

    def _all(self) -> Iterator[tuple[Actions, GameState]]:
        """Iterate over what :meth:`_draw` can return: actions for each state, and the state.

        After ``MAX_LISTED`` states the rest is left out.
        """
        left: list[tuple[Actions, GameState, int]] = [((), self._initial, 0)]
        known = set[tuple[int, bytes]]()
        while left and len(known) < MAX_LISTED:
            actions, state, turns = left.pop()
            # Several orders of the same actions lead to one state.
            key = turns, state.packed()
            if key in known:
                continue
            known.add(key)
            can_stop = turns == self._turns
            for action in () if can_stop else state.legal_actions:
                after = state.apply_unchecked(action)
                if after.is_over:
                    can_stop = True
                elif len(left) < MAX_LISTED:
                    more = 0 if isinstance(action, ChooseColor) else 1
                    left.append(((*actions, action), after, turns + more))
            if can_stop:
                yield actions, state


@final
class ListedOpenings:
    """States that a caller gives, one for each pair.

    Args:
        states: The states, which :func:`make_openings` has checked.
    """

    def __init__(self, states: tuple[GameState, ...]) -> None:
        self._states = states

    @property
    def identity(self) -> str:
        """The number of states, and a digest of all of them."""
        text = "\n".join(map(format_state, self._states))
        return f"states: {len(self._states)}, sha256: {sha256(text.encode()).hexdigest()}"

    def of_pair(self, pair: int) -> Opening | None:
        """Return the opening of a pair, numbered from 1; ``None`` if there are fewer."""
        return Opening(self._states[pair - 1]) if pair <= len(self._states) else None


def make_openings(
    openings: SupportsIndex | Sequence[GameState], rules: Rules, seed: int
) -> Openings:
    """Return the openings for the argument of a match.

    Raises:
        PonteError: If a number is out of range, the list is empty, or a state in it has other
            rules, is over, or is a half turn.
    """
    if isinstance(openings, Sequence) and not isinstance(openings, (str, bytes, bytearray)):
        return ListedOpenings(_checked(openings, rules))
    if not isinstance(openings, SupportsIndex):
        kind = type(openings).__name__
        raise TypeError(f"openings must be a whole number or a sequence of GameState, not {kind}")
    turns = whole_number(openings, "openings")
    if not 0 <= turns <= MAX_TURNS:
        raise PonteError(f"openings must be from 0 to {MAX_TURNS:,}, not {turns}")
    return RandomOpenings(rules, seed, turns)


def _checked(states: Sequence[GameState], rules: Rules) -> tuple[GameState, ...]:
    """Return states of a list, if games can start from all of them."""
    found = tuple(states)
    if not found:
        raise PonteError(reason("no-openings"))
    for number, state in enumerate(found, 1):
        if isinstance(state, HalfTurn):
            raise PonteError(reason("opening-half-turn", number=number))
        require_type(state, GameState, f"openings[{number - 1}]")
        if state.rules != rules:
            values = {"found": format_rules(state.rules), "rules": format_rules(rules)}
            raise PonteError(reason("opening-rules", number=number, **values))
        if state.is_over:
            raise PonteError(reason("opening-over", number=number))
    return found
