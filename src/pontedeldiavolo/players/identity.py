"""Names of players, and the facts by which the folder of a match recognises a player."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeAlias, runtime_checkable

from pontedeldiavolo.base.errors import PonteError, reason, require_type

from .player import Player

MAX_NAME: Final = 200
"""The maximum number of characters in a name that a caller gives to a player."""

Fact: TypeAlias = str | int | float | bool | Mapping[str, str] | None
"""A value of an option, or a digest of weights."""


@runtime_checkable
class KnownPlayer(Protocol):
    """A player of this library: it knows whether it was given a name, and its own options."""

    _given_name: str | None

    @abstractmethod
    def _facts(self) -> Mapping[str, Fact]:
        """Return the options and weights that make this player what it is, except the seed.

        Raises:
            PonteError: If the player cannot be distinguished from another one.
        """


def checked_name(name: str | None) -> str | None:
    """Return a name that a caller gives to a player; ``None`` if the caller gives none.

    Raises:
        PonteError: If it is empty, has over 200 characters or one that cannot be printed, or
            begins or ends with a space.
    """
    require_type(name, (str, type(None)), "name")
    if name is None:
        return None
    if not 0 < len(name) <= MAX_NAME or not name.isprintable() or name != name.strip():
        raise PonteError(reason("player-name", max=MAX_NAME, name=f"{name[:40]!a}"))
    return name


def exact(number: float) -> str:
    """Return the shortest text from which exactly this number can be read again."""
    short = f"{number:g}"
    return short if float(short) == number else repr(number)


def names_in_match(a: Player, b: Player) -> tuple[str, str]:
    """Return the names of two players in a match: different ones.

    Raises:
        PonteError: If both players were given the same name.
    """
    one = a.name
    other = b.name
    require_type(one, str, "the name of a")
    require_type(other, str, "the name of b")
    if one != other:
        return one, other
    if all(isinstance(each, KnownPlayer) and each._given_name is not None for each in (a, b)):
        raise PonteError(reason("equal-names", name=one))
    return f"{one} (a)", f"{other} (b)"


def identity_of(player: Player, name: str) -> dict[str, Fact]:
    """Return the facts by which a folder recognises a player that is called *name* in a match.

    A player of another program or module is known by its name alone.

    Raises:
        PonteError: If the player uses a function without a digest and was given no name.
    """
    if not isinstance(player, KnownPlayer):
        return {"name": name}
    return {"name": name, "kind": type(player).__name__, **player._facts()}


def digest_of(evaluate: Callable[..., object]) -> str | None:
    """Return the digest of a function that evaluates positions; ``None`` if it has none.

    A method has the digest of its object. An empty digest identifies nothing, so it counts as none.
    """
    owner: object = getattr(evaluate, "__self__", None)
    found: str | None = getattr(evaluate, "digest", None)
    if found is None:
        found = getattr(owner, "digest", None)
    if found is None:
        return None
    require_type(found, str, "the digest of evaluate")
    return found or None
