"""Who plays whom, by which rules, and with which dice: games come in pairs, each by its number."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final, cast, final, get_args

from attrs import frozen

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.players.player import Player
from pontedeldiavolo.players.player_error import PlayerError
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.rules import Rules

SEED: Final = "MatchSeed"
"""The tag for what the dice of a match begin with."""

Pair = tuple[Game, Game]

_ACTIONS: Final = get_args(Action)
_SEED_BITS: Final = 32


@final
@frozen(eq=False)
class Fixture:
    """A match, but for how many games it has.

    Attributes:
        a: Who has the first seat in the first game of a pair.
        b: Who has it in the second game.
        rules: The rules.
        seed: What all dice come from.
    """

    a: Player
    b: Player
    rules: Rules
    seed: int

    def tags(self, pair: int, game: int) -> Mapping[str, str]:
        """Return the tags of a game, 1 or 2, of a pair."""
        names = (self.a.name, self.b.name)
        first, second = names if game == 1 else names[::-1]
        return {
            "Event": f"{names[0]} against {names[1]}",
            "Round": f"{pair}.{game}",
            "First": first,
            "Second": second,
            SEED: str(self.seed),
        }

    def play(self, pair: int) -> Pair:
        """Return the two games of a pair, numbered from 1.

        The dice belong to the seats: in both games each seat begins with the same numbers.

        Raises:
            PlayerError: If a player does not play by the rules.
        """
        # A text as a seed means the same in every process.
        source = Random(f"{self.seed}/{pair}")  # noqa: S311 - nothing here is secret
        seeds = {seat: source.getrandbits(_SEED_BITS) for seat in Seat}
        return self._game(pair, 1, seeds), self._game(pair, 2, seeds)

    def _game(self, pair: int, number: int, seeds: Mapping[Seat, int]) -> Game:
        game = Game.new(self.rules, self.tags(pair, number))
        both = (self.a, self.b) if number == 1 else (self.b, self.a)
        sitting = {
            seat: sat_down(player, seeds[seat], game)
            for seat, player in zip(Seat, both, strict=True)
        }
        names = {seat: player.name for seat, player in zip(Seat, both, strict=True)}
        while (seat := game.state.seat_to_move) is not None:
            game = _played(game, sitting[seat], names[seat])
        return game


def sat_down(player: Player, seed: int, game: Game) -> Player:
    """Return a player for a game, whoever wrote it.

    Raises:
        PlayerError: If there is none.
    """
    try:
        found = player.for_game(seed)
    except Exception as error:
        raise PlayerError(player.name, _raised("for_game", error), game) from error
    if not isinstance(found, Player):
        kind = type(found).__name__
        raise PlayerError(player.name, f"gave no player for a game, but {kind}", game)
    return found


def _played(game: Game, player: Player, name: str) -> Game:
    """Return a game with one more action, that of a player whoever wrote it."""
    try:
        action = player.choose(game.state)
    except Exception as error:
        raise PlayerError(name, _raised("choose", error), game) from error
    if not isinstance(action, _ACTIONS):
        raise PlayerError(name, f"chose no action, but {type(action).__name__}", game)
    try:
        return game.play(cast(Action, action))
    except PonteError as error:
        raise PlayerError(name, f"chose what is not legal: {error}", game) from error


def _raised(method: str, error: Exception) -> str:
    """Say in one line what came out of a method of a player."""
    said = " ".join(str(error).split())
    return f"raised {type(error).__name__} in {method}{said and f' ({said})'}"
