"""Games kept in a folder, a record each, which outlives the process."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, final

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records.pdd import dumps, loads
from pontedeldiavolo.web.requests import SiteError
from pontedeldiavolo.web.store import OPPONENTS, Store, Stored

SUFFIX: Final = ".pdd"
LOCK: Final = ".lock"
VERSION: Final = "ServeVersion"
SEATS: Final = {Seat.FIRST: "ServeFirst", Seat.SECOND: "ServeSecond"}
COMPUTERS: Final = {Seat.FIRST: "ServeFirstComputer", Seat.SECOND: "ServeSecondComputer"}
STORE_TAGS: Final = {VERSION, *SEATS.values(), *COMPUTERS.values()}
CACHED_GAMES: Final = 100

_NAME = re.compile(r"[0-9a-f]{32}")
_HASH = re.compile(r"[0-9a-f]{64}")
_VERSION = re.compile(r"[1-9][0-9]{0,8}")

_Stamp = tuple[int, int, int]


@final
class FolderStore(Store):
    """Keeps every game in a file, whose tags say its version and who sits where.

    Several processes may share a folder.

    Args:
        folder: The folder of the files; it is made if it is not there.
        max_games: How many games there may be, damaged ones among them; ``None`` for any number.
        lock_seconds: How long to wait while others write.

    Raises:
        OSError: If there can be no such folder.
        SiteError: If nothing can be written in it.
    """

    def __init__(
        self, folder: Path, *, max_games: int | None = None, lock_seconds: float = 10
    ) -> None:
        super().__init__(max_games)
        self._folder = folder
        self._lock_seconds = lock_seconds
        self._cache: dict[str, tuple[_Stamp, Stored]] = {}
        folder.mkdir(parents=True, exist_ok=True)
        with self._locked():
            pass  # a folder that cannot be written in is refused at once

    def load(self, name: str) -> Stored:
        """Return a game; it is read again only if its file has changed."""
        known = self._cache.get(name)
        if known is not None and known[0] == self._stamp(name):
            return known[1]
        with self._locked():
            stamp, stored = self._stamp(name), self._read(name)
        while len(self._cache) >= CACHED_GAMES:
            # Another thread may have been here first.
            self._cache.pop(next(iter(self._cache)), None)
        self._cache[name] = stamp, stored
        return stored

    def damaged(self) -> Iterator[tuple[Path, str]]:
        """Iterate over files that have the name of a game and hold none, each with its fault."""
        for path in sorted(self._files()):
            try:
                _stored(path)
            except SiteError as error:
                yield path, str(error.values.get("why", error))

    def _files(self) -> Iterator[Path]:
        """Iterate over the files that have the name of a game."""
        for path in self._folder.glob(f"*{SUFFIX}"):
            if _NAME.fullmatch(path.stem):
                yield path

    @contextmanager
    def _locked(self) -> Iterator[None]:
        # The one lock of the standard library that works on every system, between threads as
        # between processes, and that is gone when its process is.
        try:
            lock = sqlite3.connect(
                self._folder / LOCK, timeout=self._lock_seconds, isolation_level=None
            )
            with closing(lock):
                lock.execute("BEGIN EXCLUSIVE")
                yield
        except sqlite3.Error as error:
            raise _unwritable(f"the folder cannot be locked: {error}") from error
        except OSError as error:
            raise _unwritable(f"the game cannot be stored: {error}") from error

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise SiteError("no-such-game", 404)
        return self._folder / f"{name}{SUFFIX}"

    def _stamp(self, name: str) -> _Stamp:
        """Return values that change with every change of a file."""
        try:
            found = self._path(name).stat()
        except FileNotFoundError:
            raise SiteError("no-such-game", 404) from None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _count(self) -> int:
        return sum(1 for _ in self._files())

    def _read(self, name: str) -> Stored:
        return _stored(self._path(name))

    def _write(self, stored: Stored) -> None:
        path = self._path(stored.id)
        draft = path.with_name(f".{stored.id}.draft")
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(dumps(_tagged(stored)))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)


def _unwritable(why: str) -> SiteError:
    return SiteError("store-unwritable", 503, why=why)


def _tagged(stored: Stored) -> Game:
    """Return a game with its version and its seats in its tags."""
    tags = {**stored.game.tags, VERSION: str(stored.version)}
    tags |= {SEATS[seat]: token_hash for seat, token_hash in stored.seats.items()}
    tags |= {COMPUTERS[seat]: name for seat, name in stored.computer.items()}
    return stored.game.with_tags(tags)


def _stored(path: Path) -> Stored:
    """Read a file.

    Raises:
        SiteError: If it is missing, has no game in it, or does not say who sits where.
    """
    try:
        game = loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise SiteError("no-such-game", 404) from None
    except (PonteError, UnicodeDecodeError) as error:
        raise SiteError("game-damaged", 500, why=str(error)) from error
    version = game.tags.get(VERSION, "")
    seats = _of_seats(game, SEATS)
    computer = _of_seats(game, COMPUTERS)
    if (
        not _VERSION.fullmatch(version)
        or not all(map(_HASH.fullmatch, seats.values()))
        or not OPPONENTS.keys() >= {*computer.values()}
        or seats.keys() & computer.keys()
    ):
        why = "its tags do not say which version it is and who sits where"
        raise SiteError("game-damaged", 500, why=why)
    tags = {name: value for name, value in game.tags.items() if name not in STORE_TAGS}
    return Stored(path.stem, int(version), game.with_tags(tags), seats, computer)


def _of_seats(game: Game, names: Mapping[Seat, str]) -> dict[Seat, str]:
    return {seat: game.tags[name] for seat, name in names.items() if name in game.tags}
