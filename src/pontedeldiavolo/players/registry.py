"""Players by name, with options: ``mcts:seconds=0.5,threads=2``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, final

from attrs import evolve, field, frozen

from pontedeldiavolo.base.errors import PonteError, reason, require_type
from pontedeldiavolo.base.lazy import BATCH, needing
from pontedeldiavolo.rules.rules import Rules

from .book import Book
from .player import Player, require_rollout
from .simple_players import GreedyPlayer, RandomPlayer

Value: TypeAlias = int | float | str
Options: TypeAlias = Mapping[str, Value]
"""Values of options by name."""


@final
@frozen
class PlayerFactory:
    """A kind of player that has a name.

    Attributes:
        make: Its constructor, which takes options as keyword arguments.
        options: The functions that parse the values of its options.
    """

    make: Callable[..., Player]
    options: Mapping[str, Callable[[str], Value]] = field(factory=dict)


BUNDLED: Final = "bundled"
"""The value of the option ``book``: the book of the default rules."""


def _require_bundled(text: str) -> str:
    """Return *text* if it names a book.

    Raises:
        PonteError: If there is no such book.
    """
    if text != BUNDLED:
        raise PonteError(reason("unknown-book", book=f"{text[:40]!a}"))
    return text


def _mcts(*, book: str | None = None, **options: Any) -> Player:
    with needing("pontedeldiavolo.players.MctsPlayer", *BATCH):
        from .mcts.player import MctsPlayer  # noqa: PLC0415 - it needs NumPy and Numba

    return MctsPlayer(**options, book=None if book is None else Book.bundled(Rules()))


def _external(argument: str, name: str | None = None) -> Player:
    from .external import ExternalPlayer  # noqa: PLC0415 - browsers have no processes

    return ExternalPlayer(argument, name=name)


FACTORIES: Final[dict[str, PlayerFactory]] = {
    "random": PlayerFactory(RandomPlayer),
    "greedy": PlayerFactory(GreedyPlayer, {"candidates": int}),
    "mcts": PlayerFactory(
        _mcts,
        {
            "seconds": float,
            "simulations": int,
            "threads": int,
            "rollout": require_rollout,
            "book": _require_bundled,
        },
    ),
}
"""All players that have a name."""
WITH_COMMAND: Final = {"external": PlayerFactory(_external)}
"""The kinds of players for which the text after the colon is a command."""
BUDGET_OPTIONS: Final = frozenset({"seconds", "simulations"})
"""Mutually exclusive options: a player that has one does not get the default of the other."""


@final
@frozen
class Spec:
    """The name of a player, and its options."""

    name: str
    options: Options

    @property
    def factory(self) -> PlayerFactory:
        """The factory of players of this name."""
        return (FACTORIES | WITH_COMMAND)[self.name]

    def takes(self, option: str) -> bool:
        """Return whether such a player has an option."""
        return option in self.factory.options

    def with_defaults(self, options: Options) -> Spec:
        """Return a copy with *options* as defaults, as far as such a player supports them."""
        has_budget = bool(BUDGET_OPTIONS & {*self.options})
        unwanted = BUDGET_OPTIONS if has_budget else frozenset[str]()
        supported = {
            name: value
            for name, value in options.items()
            if self.takes(name) and name not in unwanted
        }
        return evolve(self, options={**supported, **self.options})

    def player(self, name: str | None = None) -> Player:
        """Return such a player, with a name in matches and records.

        Raises:
            ImportError: If a package that the player needs is not installed.
            PonteError: If an option is out of range, or the name cannot be used.
        """
        given = {} if name is None else {"name": name}
        return self.factory.make(**self.options, **given)


def parse_spec(text: str) -> Spec:
    """Read a name, optionally followed by a colon and options separated by commas.

    A tree search prints its name with its simulations or seconds, ``mcts 100`` or ``mcts 0.5 s``.
    Such a name is read as well.

    Raises:
        PonteError: If there is no such player or option, or a value cannot be read.
    """
    name, colon, rest = text.partition(":")
    name = name.strip().lower()
    if name in WITH_COMMAND and colon:
        return Spec(name, {"argument": rest})
    if name not in FACTORIES:
        if not colon and (printed := _parse_printed_name(name)) is not None:
            return printed
        raise _unknown_player(name)
    options: dict[str, Value] = {}
    for part in rest.split(",") if colon else ():
        option, _, value = part.partition("=")
        option = option.strip()
        if option in options:
            raise PonteError(reason("repeated-option", option=option))
        options[option] = _read(name, option, value.strip())
    return Spec(name, options)


def _parse_printed_name(name: str) -> Spec | None:
    """Read a name with a number of simulations or seconds; return ``None`` for any other name."""
    match name.split():
        case [kind, number]:
            option = "simulations"
        case [kind, number, "s"]:
            option = "seconds"
        case _:
            return None
    if kind not in FACTORIES or option not in FACTORIES[kind].options:
        return None
    try:
        return Spec(kind, {option: FACTORIES[kind].options[option](number)})
    except ValueError:
        return None


def _unknown_player(name: str) -> PonteError:
    """Return the error for a name that no player has.

    Many players print their options in their names, but only ``name:option=value`` can be read.
    """
    shown = f"{name[:40]!a}"
    kind = name.partition(" ")[0]
    if kind in FACTORIES and FACTORIES[kind].options:
        known = ", ".join(FACTORIES[kind].options)
        return PonteError(reason("player-options-form", name=shown, kind=kind, options=known))
    return PonteError(reason("unknown-player", name=shown, names=", ".join(FACTORIES)))


def _read(name: str, option: str, value: str) -> Value:
    """Read the value of an option."""
    known = FACTORIES[name].options
    if option not in known:
        values = {"name": name, "option": f"{option[:40]!a}"}
        if not known:
            raise PonteError(reason("no-options", **values))
        raise PonteError(reason("unknown-option", **values, options=", ".join(known)))
    try:
        return known[option](value)
    except PonteError:
        raise
    except ValueError:
        given = f"{value[:40]!a}"
        raise PonteError(reason("option-not-a-number", option=option, value=given)) from None


def names() -> tuple[str, ...]:
    """Return the names of all players that :func:`by_name` knows.

    >>> pdd.players.names()
    ('random', 'greedy', 'mcts')
    """
    return tuple(FACTORIES)


def by_name(name: str) -> Player:
    """Return a player by its name.

    >>> pdd.players.by_name("greedy").name
    'greedy'
    >>> pdd.players.by_name("mcts:simulations=200,rollout=uniform").name
    'mcts 200 uniform'
    >>> pdd.players.by_name("mcts 0.5 s").name
    'mcts 0.5 s'

    Args:
        name: The name, followed by a colon and options if wanted: ``random``, ``greedy``,
            ``mcts:seconds=0.5,threads=2``; also ``mcts 100`` (simulations) and
            ``mcts 0.5 s`` (seconds), the names that such players print. ``external:`` is
            followed by the command of a program that speaks the engine protocol, so never pass an
            untrusted name.

    Raises:
        EngineError: If the program cannot be started, or its handshake fails.
        PonteError: If there is no such player or option, or its value is out of range.
        ImportError: If a package that the player needs is not installed; the error names it.
    """
    require_type(name, str, "name")
    return parse_spec(name).player()
