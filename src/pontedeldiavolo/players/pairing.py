"""The games of a match: pairs with exchanged seats, which share an opening."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from inspect import signature
from random import Random
from time import perf_counter
from typing import Final, TypeAlias, TypeGuard, cast, final, get_args

from attrs import Factory, field, frozen

from pontedeldiavolo.base.enums import Ending, Seat
from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.states import format_state
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.rules import Rules

from .identity import names_in_match
from .openings import Opening, Openings, RandomOpenings
from .player import GRACE_SECONDS, Clock, ClockPlayer, EngineError, Player, PlayerError, prepare

SEED: Final = "MatchSeed"
"""The tag for the seed of a match."""
TIME_CONTROL: Final = "TimeControl"
"""The tag for the clocks of a match."""
RANDOM_ACTIONS: Final = "RandomActions"
"""The tag for the number of actions at the beginning that no player has chosen."""

Pair: TypeAlias = tuple[Game, Game]

_ACTIONS: Final = get_args(Action)


class NoOpeningError(PonteError):
    """There is no opening left for a pair, so the match ends before this pair."""


def pair_digest(pair: Pair) -> bytes:
    """Return a digest that is equal for pairs with equal games, move by move.

    The first games of both pairs are compared, and the second ones: their starts, actions, endings
    and winners. Times, comments and tags do not count.
    """
    digest = sha256()
    for game in pair:
        actions = map(format_action, game.actions)
        ending = f"{game.ending} {game.winning_seat}"
        digest.update("\n".join((format_state(game.start), *actions, ending, "")).encode())
    return digest.digest()


def _without_openings(pairing: Pairing) -> Openings:
    return RandomOpenings(pairing.rules, pairing.seed, 0)


def _names(pairing: Pairing) -> tuple[str, str]:
    return names_in_match(pairing.a, pairing.b)


@final
@frozen(eq=False)
class Pairing:
    """Two players, their games' rules, seed, clock and openings: a match without its length.

    Attributes:
        a: The player with the first seat in the first game of a pair.
        b: The player with the first seat in the second game.
        rules: The rules.
        seed: The seed of all random numbers.
        clock: The time of each seat and the increment for each action, in seconds.
        openings: The beginnings of the games.
        names: The names of both players in this match.
    """

    a: Player
    b: Player
    rules: Rules
    seed: int
    clock: tuple[float, float] | None = None
    openings: Openings = field(default=Factory(_without_openings, takes_self=True))
    names: tuple[str, str] = field(default=Factory(_names, takes_self=True))

    def opening(self, pair: int) -> Opening:
        """Return the opening of a pair, numbered from 1.

        Raises:
            NoOpeningError: If the earlier pairs have used all openings up.
        """
        found = self.openings.of_pair(pair)
        if found is None:
            raise NoOpeningError(reason("openings-used-up", pairs=pair - 1))
        return found

    def tags(self, pair: int, game: int, opening: Opening) -> Mapping[str, str]:
        """Return the tags of game 1 or 2 of a pair, given its opening."""
        names = self.names
        tags = {"Event": f"{names[0]} against {names[1]}", "Round": f"{pair}.{game}"}
        tags |= zip(("First", "Second"), names if game == 1 else names[::-1], strict=True)
        tags[SEED] = str(self.seed)
        if self.clock is not None:
            tags[TIME_CONTROL] = "{:g}+{:g}".format(*self.clock)
        if opening.actions:
            tags[RANDOM_ACTIONS] = str(len(opening.actions))
        return tags

    def play(self, pair: int) -> Pair:
        """Return the two games of a pair, numbered from 1.

        Seeds belong to seats: in both games a seat has the same seed.

        Raises:
            NoOpeningError: If the earlier pairs have used all openings up.
            PlayerError: If a player fails or chooses something illegal.
        """
        # A string as a seed gives the same numbers in every process.
        rng = Random(f"{self.seed}/{pair}")  # noqa: S311 - equal seeds must give equal games
        seeds = {seat: rng.getrandbits(32) for seat in Seat}
        opening = self.opening(pair)
        first = self._game(pair, 1, opening, seeds)
        return first, self._game(pair, 2, opening, seeds)

    def _game(self, pair: int, number: int, opening: Opening, seeds: Mapping[Seat, int]) -> Game:
        tags = self.tags(pair, number, opening)
        game = Game.new(self.rules, tags, start=opening.start)
        order = (0, 1) if number == 1 else (1, 0)
        both = (self.a, self.b)
        players: dict[Seat, Player] = {}
        names: dict[Seat, str] = {}
        for seat, place in zip(Seat, order, strict=True):
            names[seat] = self.names[place]
            players[seat] = seated_player(both[place], names[seat], seeds[seat], game)
        if self.clock is not None:
            for seat in Seat:
                with _blame(names[seat], "prepare", game):
                    prepare(players[seat], game.rules)
        for action in opening.actions:
            game = game.play(action)
        base, increment = self.clock or (0.0, 0.0)
        left = dict.fromkeys(Seat, base)
        while game.ending is None:
            seat = cast(Seat, game.state.seat_to_move)
            clock = Clock(left[seat], left[seat.opponent], increment) if self.clock else None
            game = _played(game, players[seat], names[seat], clock)
            for move in game.line.moves[-1:]:
                left[seat] = move.clock or 0.0
        return game


def seated_player(player: Player, name: str, seed: int, game: Game) -> Player:
    """Return the player that *player*, called *name* in the match, provides for a game.

    Raises:
        PlayerError: If it provides none.
    """
    with _blame(name, "for_game", game):
        found = player.for_game(seed)
    if not isinstance(found, Player):
        problem = f"gave no player for a game, but {type(found).__name__}"
        raise PlayerError(name, problem, game)
    return found


@contextmanager
def _blame(name: str, method: str, game: Game) -> Iterator[None]:
    """Turn an exception in a player's method into a ``PlayerError``, unless it loses the game."""
    try:
        yield
    except Exception as error:
        if not isinstance(error, EngineError):
            text = " ".join(str(error).split())
            values = {"error": type(error).__name__, "text": text and f" ({text})"}
            why = reason("player-raised", player=name, method=method, **values)
        elif error.ending is None:
            why = error.reason
        else:
            raise
        raise PlayerError(name, why, game) from error


def takes_clock(player: Player) -> TypeGuard[ClockPlayer]:
    """Return whether ``choose`` of a player has the argument ``clock``."""
    try:
        return "clock" in signature(player.choose).parameters
    except ValueError:
        # A compiled function may have no signature.
        return False


def _played(game: Game, player: Player, name: str, clock: Clock | None) -> Game:
    """Return a game with one more action of a player, or ended as a loss for this player."""
    begin = perf_counter()
    seat = cast(Seat, game.state.seat_to_move)
    try:
        with _blame(name, "choose", game):
            if clock is not None and takes_clock(player):
                action = player.choose(game.state, clock=clock)
            else:
                action = player.choose(game.state)
    except EngineError as error:
        return game.end(cast(Ending, error.ending), seat.opponent).with_comment(str(error))
    if not isinstance(action, _ACTIONS):
        problem = f"chose no action, but {type(action).__name__}"
        raise PlayerError(name, problem, game)
    left = None
    elapsed = None
    if clock is not None:
        elapsed = perf_counter() - begin
        left = max(0.0, clock.own - elapsed) + clock.increment
        if elapsed > clock.own + GRACE_SECONDS:
            return game.lose_on_time(seat)
    try:
        return game.play(action, clock=left, elapsed=elapsed)
    except PonteError as error:
        why = reason("player-chose-illegal", player=name, fault=error.reason)
        raise PlayerError(name, why, game) from error
