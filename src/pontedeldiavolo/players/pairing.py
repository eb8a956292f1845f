"""The games of a match: pairs with exchanged seats, and the folder that keeps them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from inspect import signature
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final, TypeAlias, TypeGuard, cast, final, get_args

from attrs import frozen

from pontedeldiavolo.base.enums import Ending, Seat
from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.records.atomic_file import atomic_write
from pontedeldiavolo.records.pdd import dumps, iter_games
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.rules import Rules

from .player import GRACE_SECONDS, Clock, ClockPlayer, EngineError, Player, PlayerError, prepare

SEED: Final = "MatchSeed"
"""The tag for the seed of a match."""
TIME_CONTROL: Final = "TimeControl"
"""The tag for the clocks of a match."""

Pair: TypeAlias = tuple[Game, Game]

_ACTIONS: Final = get_args(Action)


@final
@frozen(eq=False)
class Pairing:
    """Two players, the rules, the seed and the clock: all of a match but its number of games.

    Attributes:
        a: The player with the first seat in the first game of a pair.
        b: The player with the first seat in the second game.
        rules: The rules.
        seed: The seed of all random numbers.
        clock: The time of each seat and the increment for each action, in seconds.
    """

    a: Player
    b: Player
    rules: Rules
    seed: int
    clock: tuple[float, float] | None = None

    def tags(self, pair: int, game: int) -> Mapping[str, str]:
        """Return the tags of game 1 or 2 of a pair."""
        names = (self.a.name, self.b.name)
        tags = {"Event": f"{names[0]} against {names[1]}", "Round": f"{pair}.{game}"}
        tags |= zip(("First", "Second"), names if game == 1 else names[::-1], strict=True)
        tags[SEED] = str(self.seed)
        if self.clock is not None:
            tags[TIME_CONTROL] = "{:g}+{:g}".format(*self.clock)
        return tags

    def play(self, pair: int) -> Pair:
        """Return the two games of a pair, numbered from 1.

        Seeds belong to seats: in both games a seat has the same seed.

        Raises:
            PlayerError: If a player fails or chooses something illegal.
        """
        # A string as a seed gives the same numbers in every process.
        rng = Random(f"{self.seed}/{pair}")  # noqa: S311 - equal seeds must give equal games
        seeds = {seat: rng.getrandbits(32) for seat in Seat}
        return self._game(pair, 1, seeds), self._game(pair, 2, seeds)

    def _game(self, pair: int, number: int, seeds: Mapping[Seat, int]) -> Game:
        game = Game.new(self.rules, self.tags(pair, number))
        both = dict(zip(Seat, (self.a, self.b)[:: 1 if number == 1 else -1], strict=True))
        seated = {seat: seated_player(both[seat], seeds[seat], game) for seat in Seat}
        names = {seat: both[seat].name for seat in Seat}
        for seat in Seat if self.clock else ():
            with _blame(names[seat], "prepare", game):
                prepare(seated[seat], game.rules)
        base, increment = self.clock or (0.0, 0.0)
        left = dict.fromkeys(Seat, base)
        while game.ending is None:
            seat = cast(Seat, game.state.seat_to_move)
            clock = Clock(left[seat], left[seat.opponent], increment) if self.clock else None
            game = _played(game, seated[seat], names[seat], clock)
            for move in game.line.moves[-1:]:
                left[seat] = move.clock or 0.0
        return game


def seated_player(player: Player, seed: int, game: Game) -> Player:
    """Return the player that *player* provides for a game.

    Raises:
        PlayerError: If it provides none.
    """
    with _blame(player.name, "for_game", game):
        found = player.for_game(seed)
    if not isinstance(found, Player):
        why = reason("player-gave-no-player", player=player.name, kind=type(found).__name__)
        raise PlayerError(player.name, why, game)
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
    begin, seat = perf_counter(), cast(Seat, game.state.seat_to_move)
    try:
        with _blame(name, "choose", game):
            if clock is not None and takes_clock(player):
                action = player.choose(game.state, clock=clock)
            else:
                action = player.choose(game.state)
    except EngineError as error:
        return game.end(cast(Ending, error.ending), seat.opponent).with_comment(str(error))
    if not isinstance(action, _ACTIONS):
        why = reason("player-chose-no-action", player=name, kind=type(action).__name__)
        raise PlayerError(name, why, game)
    left = elapsed = None
    if clock is not None:
        elapsed = perf_counter() - begin
        left = max(0.0, clock.own - elapsed) + clock.increment
        if elapsed > clock.own + GRACE_SECONDS:
            return game.flag(seat)
    try:
        return game.play(action, clock=left, elapsed=elapsed)
    except PonteError as error:
        why = reason("player-chose-illegal", player=name, fault=error.reason)
        raise PlayerError(name, why, game) from error


@final
class MatchFolder:
    """A folder with a file for each pair, so that a match can be resumed.

    Args:
        folder: The folder, which is created if it does not exist.
        pairing: The match.

    Raises:
        OSError: If it cannot be created.
    """

    def __init__(self, folder: str | os.PathLike[str], pairing: Pairing) -> None:
        self._folder = Path(folder)
        self._pairing = pairing
        self._saved: list[int] = []
        self._folder.mkdir(parents=True, exist_ok=True)

    def pair(self, number: int) -> Pair | None:
        """Return a pair if it is stored. A damaged file counts as missing if it is the last one.

        Raises:
            PonteError: If a file belongs to another match, or is damaged and not the last one.
        """
        path = self._path(number)
        if not path.exists():
            return None
        fault: Exception = PonteError(reason("match-file-no-pair"))
        try:
            games = [*iter_games(path)]
        except (PonteError, UnicodeDecodeError) as error:
            games, fault = [], error
        for place, game in enumerate(games, 1):
            self._require_same(path, game, number, place)
        match games:
            case [first, second] if None not in (first.ending, second.ending):
                return first, second
        # Only the last file to be written may be damaged.
        if self._path(number + 1).exists():
            raise PonteError(reason("match-file-damaged", file=str(path), problem=str(fault)))
        return None

    def save(self, number: int, pair: Pair) -> None:
        """Store a pair.

        Raises:
            OSError: If it cannot be written.
        """
        with atomic_write(self._path(number)) as file:
            file.write("\n".join(map(dumps, pair)))
        self._saved.append(number)

    def trim(self, pairs: int) -> None:
        """Remove the pairs after this number that this run has stored: the test ended before them.

        Pairs that earlier runs stored stay.
        """
        for number in self._saved:
            if number > pairs:
                self._path(number).unlink()

    def _path(self, number: int) -> Path:
        return self._folder / f"pair-{number:06}.pdd"

    def _require_same(self, path: Path, game: Game, number: int, place: int) -> None:
        """Refuse a game of another match."""
        tags, rules = self._pairing.tags(number, place), format_rules(self._pairing.rules)
        wanted = {TIME_CONTROL: None, **tags, "Rules": rules}
        found = {**game.tags, "Rules": format_rules(game.rules)}
        for name, value in wanted.items():
            if found.get(name) != value:
                expected = repr(value or "nothing")
                values = {"file": str(path), "tag": name, "found": repr(found.get(name, "nothing"))}
                raise PonteError(reason("match-file-of-another", expected=expected, **values))
