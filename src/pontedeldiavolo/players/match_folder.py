"""The folder of a match: a file with the facts about the match, and one for each pair of games."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, final

from pontedeldiavolo._version import __version__
from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.notation.states import format_state
from pontedeldiavolo.records import dumps, iter_games
from pontedeldiavolo.records.atomic_file import atomic_write, remove_temporary_files

from .identity import identity_of
from .openings import Opening
from .pairing import RANDOM_ACTIONS, TIME_CONTROL, Pair, Pairing
from .player import MatchWarning

FACTS_FILE: Final = "match.json"
"""The file with the facts about the match."""
FORMAT: Final = "pontedeldiavolo match"
VERSION: Final = 1
MAX_FACTS_BYTES: Final = 1_000_000
"""The maximum size of that file."""
WARNING_LEVEL: Final = 5
"""The depth of :meth:`MatchFolder.locked` below the caller of ``match``, whom a warning names."""
UNCOMPARED: Final = frozenset({"library"})
"""Facts for people who read the file: another value does not make it another match."""
MISSING: Final = "nothing"
"""The text of a value that one side does not have."""


@final
class MatchFolder:
    """A folder with a file for each pair, so that a match can be resumed.

    Its file ``match.json`` has the facts by which a match is recognised: rules, seed, clock,
    openings and players. Only one process at a time may use a folder: see :meth:`locked`.

    Args:
        folder: The folder, which is created if it does not exist.
        pairing: The match.

    Raises:
        OSError: If it cannot be created.
        PonteError: If a player cannot be distinguished from others.
    """

    def __init__(self, folder: str | os.PathLike[str], pairing: Pairing) -> None:
        self._folder = Path(folder)
        self._pairing = pairing
        self._saved: list[int] = []
        self._facts = _facts(pairing)
        self._folder.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from using the folder, and require that it is of this match.

        Files that killed processes have left unfinished are removed.

        Warns:
            MatchWarning: If the file system has no locks, as some network file systems, or the
                folder is read-only.

        Raises:
            OSError: If the folder cannot be written.
            PonteError: If another process uses it, or it is of another match.
        """
        with ExitStack() as stack:
            problem = self._lock(stack)
            if problem is not None:
                why = reason("match-folder-unlocked", folder=str(self._folder), problem=problem)
                warnings.warn(MatchWarning(why), stacklevel=WARNING_LEVEL)
            self._require_same_match()
            if problem is None:
                remove_temporary_files(self._folder)
            yield

    def _lock(self, stack: ExitStack) -> str | None:
        """Lock the folder until the stack is closed; return the reason if that is impossible.

        Raises:
            PonteError: If another process uses it.
        """
        try:
            # Browsers have no SQLite.
            from pontedeldiavolo.base.folder_lock import (  # noqa: PLC0415
                FolderLock,
                FolderLockError,
            )
        except ImportError as error:
            return str(error)
        try:
            stack.enter_context(FolderLock(self._folder))
        except FolderLockError as error:
            if error.is_in_use:
                in_use = reason("match-folder-in-use", folder=str(self._folder))
                raise PonteError(in_use) from error
            return str(error)
        return None

    def _require_same_match(self) -> None:
        """Compare the facts in the folder with those of this match; write them if it is new.

        A folder is new as long as no pair is over, so that a match with a mistake in its options
        can be started again.
        """
        path = self._folder / FACTS_FILE
        if not any(self._folder.glob("pair-*.pdd")):
            with atomic_write(path) as file:
                file.write(self._facts)
            return
        if not path.exists():
            values = {"folder": str(self._folder), "file": FACTS_FILE}
            raise PonteError(reason("match-folder-without-facts", **values))
        found = _read(path)
        wanted = _parsed(self._facts)
        _refuse_difference(path, found, wanted, (*wanted, *found))

    def pair(self, number: int) -> Pair | None:
        """Return a pair if it is stored. A damaged file counts as missing if it is the last one.

        Raises:
            NoOpeningError: If there are fewer openings.
            PonteError: If a file belongs to another match, or is damaged and not the last one.
        """
        path = self._path(number)
        if not path.exists():
            return None
        fault: Exception = PonteError(reason("match-file-no-pair"))
        try:
            games = [*iter_games(path)]
        except (PonteError, UnicodeDecodeError) as error:
            games = []
            fault = error
        opening = self._pairing.opening(number)
        for place, game in enumerate(games, 1):
            self._require_same(path, game, self._pairing.tags(number, place, opening), opening)
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
        """Remove the pairs with higher numbers: the test ended before them.

        Only pairs that this run has stored are removed; those of earlier runs stay.
        """
        for number in self._saved:
            if number > pairs:
                # Somebody may have removed it already.
                self._path(number).unlink(missing_ok=True)

    def _path(self, number: int) -> Path:
        return self._folder / f"pair-{number:06}.pdd"

    def _require_same(
        self, path: Path, game: Game, tags: Mapping[str, str], opening: Opening
    ) -> None:
        """Refuse a game of another match."""
        wanted = {
            TIME_CONTROL: MISSING,
            RANDOM_ACTIONS: MISSING,
            **tags,
            "Rules": format_rules(self._pairing.rules),
            "opening": _opening_text(opening),
        }
        begun = Opening(game.start, game.actions[: len(opening.actions)])
        found = {
            **game.tags,
            "Rules": format_rules(game.rules),
            "opening": _opening_text(begun),
        }
        _refuse_difference(path, found, wanted, wanted)


def _refuse_difference(
    path: Path, found: Mapping[str, str], wanted: Mapping[str, str], names: Iterable[str]
) -> None:
    """Refuse a file in which one of these facts differs from this match.

    Raises:
        PonteError: If the file belongs to another match.
    """
    for name in names:
        there = found.get(name, MISSING)
        expected = wanted.get(name, MISSING)
        if there != expected and name not in UNCOMPARED:
            values = {"file": str(path), "tag": name}
            sides = {"found": f"{there!r}", "expected": f"{expected!r}"}
            raise PonteError(reason("match-file-of-another", **values, **sides))


def _opening_text(opening: Opening) -> str:
    return " ".join((format_state(opening.start), *map(format_action, opening.actions)))


def _facts(pairing: Pairing) -> str:
    """Return the facts by which a match is recognised, as they are written to the folder."""
    clock = None if pairing.clock is None else "{!r}+{!r}".format(*pairing.clock)
    facts = {
        "format": FORMAT,
        "version": VERSION,
        "library": __version__,
        "rules": format_rules(pairing.rules),
        "seed": pairing.seed,
        "clock": clock,
        "openings": pairing.openings.identity,
        "a": identity_of(pairing.a, pairing.names[0]),
        "b": identity_of(pairing.b, pairing.names[1]),
    }
    return json.dumps(facts, indent=2) + "\n"


def _read(path: Path) -> dict[str, str]:
    """Return the facts in a file, as :func:`_parsed` does.

    Raises:
        PonteError: If it is damaged, or of a later version.
    """
    with path.open("rb") as file:
        data = file.read(MAX_FACTS_BYTES + 1)
    problem = f"not in the format {FORMAT}, version {VERSION}"
    if len(data) <= MAX_FACTS_BYTES:
        try:
            found = _parsed(data.decode())
        except (ValueError, RecursionError) as error:
            problem = " ".join(str(error).split())
        else:
            if (found.get("format"), found.get("version")) == (FORMAT, str(VERSION)):
                return found
    raise PonteError(reason("match-facts-damaged", file=str(path), problem=problem))


def _parsed(text: str) -> dict[str, str]:
    """Return facts by name, each as a text; the name of a player's fact begins with its letter.

    Raises:
        ValueError: If the text is no JSON.
        RecursionError: If it is nested too deep.
    """
    # Numbers stay texts: Python refuses to convert a very long one.
    found = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    return _flat(found) if isinstance(found, dict) else {}


def _flat(facts: dict[str, object], before: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in facts.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{before}{name}.")
        elif isinstance(value, str):
            found[f"{before}{name}"] = value
        else:
            found[f"{before}{name}"] = json.dumps(value)
    return found
