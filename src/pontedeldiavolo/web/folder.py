"""Games stored as records in a folder, which outlive the process."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG
from typing import Final, final

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import Limits
from pontedeldiavolo.records.atomic_file import atomic_write
from pontedeldiavolo.records.pdd import dumps, loads

from .requests import SiteError
from .store import Store, StoredGame
from .thinkers import LEVELS

SUFFIX, LOCK = ".pdd", ".lock"
VERSION: Final = "ServeVersion"
SEATS: Final = {Seat.FIRST: "ServeFirst", Seat.SECOND: "ServeSecond"}
COMPUTERS: Final = {Seat.FIRST: "ServeFirstComputer", Seat.SECOND: "ServeSecondComputer"}
STORE_TAGS: Final = {VERSION, *SEATS.values(), *COMPUTERS.values()}
CACHED_GAMES: Final = 500
LIMITS: Final = Limits().for_rereading()
"""The limits of stored records: any record read under the default limits can be read again."""
MAX_BYTES: Final = 16_000_000
"""The maximum size of a file: more than those limits allow, at four bytes per character."""

_DRAFT = re.compile(r"\.[0-9a-f]{16}\.tmp")
_NAME = re.compile(r"[0-9a-f]{32}")
_HASH = re.compile(r"[0-9a-f]{64}")
_VERSION = re.compile(r"[1-9][0-9]{0,8}")


@final
class FolderStore(Store):
    """A store that keeps every game in a file, with tags for its version and its seats.

    Several processes may share a folder.

    Args:
        folder: The folder of the files; it is created if it does not exist.
        max_games: The maximum number of games, including damaged ones; ``None`` for any number.
        lock_seconds: The time to wait while others write.

    Raises:
        OSError: If the folder cannot be created.
        SiteError: If the folder cannot be written to.
    """

    def __init__(
        self, folder: Path, *, max_games: int | None = None, lock_seconds: float = 10
    ) -> None:
        super().__init__(max_games)
        self._folder = folder
        self._lock_seconds = lock_seconds
        # The stamp in the key changes with the file.
        self._cached = lru_cache(CACHED_GAMES)(lambda path, _stamp: _read_file(path))
        folder.mkdir(parents=True, exist_ok=True)
        # A folder that cannot be written to is refused at once.
        with self._locked():
            # Drafts were left behind by killed processes; the lock keeps others from writing now.
            for path in folder.glob(".*.tmp"):
                if _DRAFT.fullmatch(path.name):
                    with suppress(OSError):
                        path.unlink()

    def load(self, name: str) -> StoredGame:
        """Return a game without locking; its file is read again only if it has changed."""
        path = self._path(name)
        try:
            found = path.stat()
            return self._cached(path, (found.st_mtime_ns, found.st_size, found.st_ino))
        except FileNotFoundError:
            raise SiteError("no-such-game", 404) from None
        except OSError as error:
            raise SiteError("store-unreadable", 503, why=str(error)) from error

    def damaged(self) -> Iterator[tuple[Path, str]]:
        """Iterate over damaged files that have the name of a game, each with its fault."""
        for path in sorted(self._files()):
            try:
                _read_file(path)
            except SiteError as error:
                yield path, str(error.values["why"])
            except OSError as error:
                yield path, str(error.strerror)

    def _files(self) -> list[Path]:
        """Return the files that have the name of a game."""
        return [path for path in self._folder.glob(f"*{SUFFIX}") if _NAME.fullmatch(path.stem)]

    @contextmanager
    def _locked(self) -> Iterator[None]:
        # The only lock in the standard library that works on every system, between threads and
        # between processes, and that is released when its process ends.
        try:
            path, seconds = self._folder / LOCK, self._lock_seconds
            with closing(sqlite3.connect(path, timeout=seconds, isolation_level=None)) as lock:
                lock.execute("BEGIN EXCLUSIVE")
                yield
        except (sqlite3.Error, OSError) as error:
            is_lock = isinstance(error, sqlite3.Error)
            what = "the folder cannot be locked" if is_lock else "the game cannot be stored"
            raise SiteError("store-unwritable", 503, why=f"{what}: {error}") from error

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise SiteError("no-such-game", 404)
        return self._folder / f"{name}{SUFFIX}"

    def _count(self) -> int:
        return len(self._files())

    def _read(self, name: str) -> StoredGame:
        try:
            return _read_file(self._path(name))
        except FileNotFoundError:
            raise SiteError("no-such-game", 404) from None

    def _write(self, stored: StoredGame) -> StoredGame:
        with atomic_write(self._path(stored.id)) as file:
            file.write(dumps(_tagged(stored)))
        return stored


def _tagged(stored: StoredGame) -> Game:
    """Return a game with tags for its version and its seats."""
    tags = {**stored.game.tags, VERSION: str(stored.version)}
    tags |= {SEATS[seat]: token_hash for seat, token_hash in stored.seats.items()}
    tags |= {COMPUTERS[seat]: name for seat, name in stored.computer.items()}
    return stored.game.with_tags(tags)


def _read_file(path: Path) -> StoredGame:
    """Read a file. Files are replaced as a whole, never changed.

    Raises:
        OSError: If it cannot be read.
        SiteError: If it contains no game, or its tags are invalid.
    """
    found = path.stat()
    # Files that are not regular can block the process for ever, or have no end.
    if not S_ISREG(found.st_mode) or found.st_size > MAX_BYTES:
        raise _damaged(f"it is no file of at most {MAX_BYTES:,} bytes")
    with path.open("rb") as file:
        content = file.read(MAX_BYTES)
    try:
        game = loads(content.decode(), limits=LIMITS)
    except (PonteError, UnicodeDecodeError) as error:
        raise _damaged(str(error)) from error
    return _stored(path.stem, game)


def _damaged(why: str) -> SiteError:
    return SiteError("game-damaged", 500, why=why)


def _stored(name: str, game: Game) -> StoredGame:
    """Return a game without the tags of the store.

    Raises:
        SiteError: If the tags for the version or the seats are invalid.
    """
    version = game.tags.get(VERSION, "")
    seats, computer = (
        {seat: game.tags[name] for seat, name in names.items() if name in game.tags}
        for names in (SEATS, COMPUTERS)
    )
    if (
        not _VERSION.fullmatch(version)
        or not all(map(_HASH.fullmatch, seats.values()))
        or not LEVELS.keys() >= {*computer.values()}
        or seats.keys() & computer.keys()
    ):
        raise _damaged("its tags do not say which version it is and who sits where")
    tags = {name: value for name, value in game.tags.items() if name not in STORE_TAGS}
    return StoredGame(name, int(version), game.with_tags(tags), seats, computer)
