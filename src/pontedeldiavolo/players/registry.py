"""Players by their names, with what they are to be made with: ``mcts:seconds=0.5,threads=2``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Final, cast, final

from attrs import evolve, field, frozen

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.players.greedy_player import GreedyPlayer
from pontedeldiavolo.players.player import Player
from pontedeldiavolo.players.random_player import RandomPlayer

Options = Mapping[str, int | float]
"""What a player is made with, by name."""


@final
@frozen
class Kind:
    """Players of one name.

    Attributes:
        make: What makes one: called with options by name.
        options: Which options there are, and what reads their numbers.
    """

    make: Callable[..., Player]
    options: Mapping[str, Callable[[str], int | float]] = field(factory=dict)


def _mcts(**options: float) -> Player:
    # Loaded when it is wanted: it needs more than other players do.
    players = import_module("pontedeldiavolo.players")
    return cast(Player, players.MctsPlayer(**options))


def _guided(text: str) -> bool:
    """Read 0 or 1."""
    number = int(text)
    if number not in (0, 1):
        raise PonteError(f"guided must be 0 or 1, not {number}")
    return bool(number)


KINDS: Final[dict[str, Kind]] = {
    "random": Kind(RandomPlayer),
    "greedy": Kind(GreedyPlayer),
    "mcts": Kind(_mcts, {"seconds": float, "simulations": int, "threads": int, "guided": _guided}),
}
"""All players that have a name."""
BUDGET: Final = frozenset({"seconds", "simulations"})
"""Options that say the same in two ways: who is told one is not told the other."""


@final
@frozen
class Spec:
    """A name, and options: what a player is made of."""

    name: str
    options: Options

    @property
    def kind(self) -> Kind:
        """What the name means."""
        return KINDS[self.name]

    def takes(self, option: str) -> bool:
        """Tell whether such a player can have an option."""
        return option in self.kind.options

    def completed(self, options: Options) -> Spec:
        """Return the same with those options that it can have and does not say itself."""
        said = {*self.options}
        if not BUDGET.isdisjoint(said):
            said |= BUDGET
        more = {
            name: value for name, value in options.items() if self.takes(name) and name not in said
        }
        return evolve(self, options={**more, **self.options})

    def player(self) -> Player:
        """Return such a player.

        Raises:
            ImportError: If what it needs is not installed.
            PonteError: If an option is out of range.
        """
        return self.kind.make(**self.options)


def parse_spec(text: str) -> Spec:
    """Return what a text says: a name, and after a colon options with commas between them.

    Raises:
        PonteError: If there is no such player, or no such option, or it is not a number.
    """
    name, colon, rest = text.partition(":")
    name = name.strip().lower()
    if name not in KINDS:
        raise PonteError(f"no player is named {name[:40]!a}; there are {', '.join(names())}")
    options: dict[str, int | float] = {}
    for part in rest.split(",") if colon else ():
        option, _, value = (each.strip() for each in part.partition("="))
        read = KINDS[name].options.get(option)
        if read is None:
            known = ", ".join(KINDS[name].options) or "none"
            raise PonteError(f"{name} has no option {option[:40]!a}; there are: {known}")
        if option in options:
            raise PonteError(f"the option {option} is given twice")
        try:
            options[option] = read(value)
        except PonteError:
            raise
        except ValueError:
            raise PonteError(f"{option} must be a number, not {value[:40]!a}") from None
    return Spec(name, options)


def names() -> tuple[str, ...]:
    """Return the names of all players that :func:`by_name` knows."""
    return tuple(KINDS)


def by_name(name: str) -> Player:
    """Return a player by its name.

    Args:
        name: Its name, and after a colon what it is to be made with, for players that can be made
            with something: ``random``, ``greedy``, ``mcts:seconds=0.5,threads=2``.

    Raises:
        TypeError: If *name* is not a string.
        PonteError: If there is no such player, or it cannot be made with that.
        ImportError: If what it needs is not installed; it says what to install.
    """
    require_type(name, str, "name")
    return parse_spec(name).player()
