"""Games stored as records in a folder, which outlive the process."""

from __future__ import annotations

import logging
import os
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from errno import ENOENT
from pathlib import Path
from stat import S_ISREG
from threading import Lock
from typing import Final, final

from pontedeldiavolo.base.enums import Ending, Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.folder_lock import LOCK_FILE, FolderLock
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records import dumps, loads
from pontedeldiavolo.records.atomic_file import (
    atomic_write,
    new_temporary_path,
    remove_temporary_files,
)
from pontedeldiavolo.rules.limits import Limits

from .requests import SiteError
from .store import (
    ID,
    MILLISECONDS,
    OFFERS,
    VERSION_NUMBER,
    Declined,
    Store,
    StoredGame,
    TimeControl,
)
from .thinkers import FORMER_NAMES, LEVELS

SUFFIX: Final = ".pdd"
CACHED_GAMES: Final = 500
"""The number of games that are kept in memory."""
SETTLED_NS: Final = 1_000_000_000
"""The age in nanoseconds from which the time of a file tells it from all later ones."""
LIMITS: Final = Limits().for_rereading()
"""The limits of stored records: any record read under the default limits can be read again."""
MAX_BYTES: Final = 16_000_000
"""The maximum size of a file: more than those limits allow, at four bytes per character."""

# The tags of stored games

VERSION: Final = "ServeVersion"
SEATS: Final = {Seat.FIRST: "ServeFirst", Seat.SECOND: "ServeSecond"}
COMPUTERS: Final = {Seat.FIRST: "ServeFirstComputer", Seat.SECOND: "ServeSecondComputer"}
CLOCK: Final = "ServeClock"
TURN_BEGAN: Final = "ServeTurnBegan"
TURN_TOOK: Final = "ServeTurnTook"
EXTRA: Final = {Seat.FIRST: "ServeFirstExtra", Seat.SECOND: "ServeSecondExtra"}
EXTRA_IN_READINGS: Final = "ServeExtraInReadings"
RETURNED: Final = {Seat.FIRST: "ServeFirstReturned", Seat.SECOND: "ServeSecondReturned"}
DRAW_OFFER: Final = "ServeDrawOffer"
UNDO_REQUEST: Final = "ServeUndoRequest"
DECLINED: Final = "ServeDeclined"
ASKED: Final = {Seat.FIRST: "ServeFirstAsked", Seat.SECOND: "ServeSecondAsked"}
NEXT_GAME: Final = "ServeNextGame"
REMATCH_REQUEST: Final = "ServeRematchRequest"

MAX_SHOWN: Final = 40
"""The number of characters of an invalid tag that a message shows."""
ROUNDING_SECONDS: Final = 0.1
"""The largest difference between seconds that are rounded for a tag and for the list of moves."""
EXTRA_SECONDS: Final = re.compile(r"[1-9][0-9]{0,8}")
"""The pattern of the seconds that a seat was given."""
PLACES_AND_SECONDS: Final = re.compile(r"[0-9]{1,9}:[1-9][0-9]{0,8}( [0-9]{1,9}:[1-9][0-9]{0,8})*")
"""The pattern of the places of moves, each with the given seconds that its reading includes."""
OFFERS_ASKED: Final = re.compile(f"({'|'.join(OFFERS)})( ({'|'.join(OFFERS)}))*")
"""The pattern of the offers and requests that a seat has made in vain."""
HASH: Final = re.compile(r"[0-9a-f]{64}")
"""The pattern of the hash of a token."""
SECONDS: Final = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}")
"""The pattern of the seconds that a turn has taken."""

_CHECKS: Final[Mapping[str, Callable[[str], object]]] = {
    VERSION: VERSION_NUMBER.fullmatch,
    **dict.fromkeys(SEATS.values(), HASH.fullmatch),
    **dict.fromkeys(COMPUTERS.values(), (LEVELS | FORMER_NAMES).__contains__),
    CLOCK: TimeControl.parse,
    TURN_BEGAN: VERSION_NUMBER.fullmatch,
    TURN_TOOK: SECONDS.fullmatch,
    **dict.fromkeys(EXTRA.values(), EXTRA_SECONDS.fullmatch),
    EXTRA_IN_READINGS: PLACES_AND_SECONDS.fullmatch,
    **dict.fromkeys(RETURNED.values(), EXTRA_SECONDS.fullmatch),
    DRAW_OFFER: [seat.value for seat in Seat].__contains__,
    UNDO_REQUEST: [seat.value for seat in Seat].__contains__,
    DECLINED: Declined.parse,
    **dict.fromkeys(ASKED.values(), OFFERS_ASKED.fullmatch),
    NEXT_GAME: ID.fullmatch,
    REMATCH_REQUEST: [seat.value for seat in Seat].__contains__,
}
"""Functions that return something true for a valid value, for each tag of a stored game."""


@final
class FolderStore(Store):
    """A store that keeps every game in a file: a record, with a tag for every other fact.

    Several processes may share a folder, and threads a store. The first failure to read or write
    is logged, and so is the first success after it.

    Args:
        folder: The folder of the files; it is created if it does not exist.
        max_games: The maximum number of games, including damaged ones; ``None`` for any number.
        lock_seconds: The time to wait while others write.

    Raises:
        OSError: If the folder cannot be created.
        SiteError: If the folder cannot be written to.
    """

    # Another folder may appear at the same path, for example when a disk is unmounted. Games stored
    # there would be lost when the disk is back, so a folder is recognised by its inode number or by
    # that of its lock file.

    def __init__(
        self, folder: Path, *, max_games: int | None = None, lock_seconds: float = 10
    ) -> None:
        super().__init__(max_games)
        self._folder = folder
        self._lock_seconds = lock_seconds
        # A stamp changes with the file.
        self._games: OrderedDict[Path, tuple[tuple[int, ...], StoredGame]] = OrderedDict()
        self._games_lock = Lock()
        self._outages: set[str] = set()
        self._outages_lock = Lock()
        folder.mkdir(parents=True, exist_ok=True)
        self._identities: set[tuple[int, ...]] = set()
        # A folder that cannot be written to is refused at once.
        with self._locked():
            self._identities = _identities(folder)
            _require_writable(folder)
            # Killed processes have left temporary files; the lock keeps others from writing now.
            remove_temporary_files(folder)

    def load(self, game_id: str) -> StoredGame:
        """Return a game without locking; its file is read again only if it has changed."""
        path = self._path(game_id)
        with self._reading():
            try:
                stored = self._cached(path, _stamp_of(path))
            except FileNotFoundError:
                self._require_folder()
                raise SiteError("no-such-game", 404) from None
        return stored

    def has(self, game_id: str) -> bool:
        """Return whether there is a game with an ID."""
        if self._has(game_id):
            return True
        # It may just be about to be stored: see create_next.
        with suppress(SiteError), self._locked():
            return self._has(game_id)
        return False

    def save_seconds(self, old: StoredGame, seconds: float) -> None:
        """Store the seconds of a turn, unless the turn is over or somebody else is writing."""
        with self._locked(waits=False):
            self._save_seconds(old, seconds)

    def stamps(self) -> Mapping[str, Hashable]:
        """Return the time, the size and the number of each file, by the IDs of the games."""
        stamps = ((path.stem, self.stamp(path.stem)) for path in self._files())
        return {game_id: stamp for game_id, stamp in stamps if stamp is not None}

    def stamp(self, game_id: str) -> Hashable:
        """Return the time, the size and the number of the file of a game."""
        with suppress(OSError):
            return _stamp_of(self._path(game_id))
        return None

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
        return [path for path in self._folder.glob(f"*{SUFFIX}") if ID.fullmatch(path.stem)]

    def _locked(self, *, waits: bool = True) -> FolderLock:
        """Return the lock of the folder, which others may hold.

        Args:
            waits: Whether it waits while others hold it.

        Raises:
            SiteError: If the folder cannot be locked.
        """
        try:
            self._require_folder()
            return FolderLock(self._folder, self._lock_seconds if waits else 0.0)
        except OSError as error:
            why = f"the folder cannot be locked: {error}"
            refusal = SiteError("store-unwritable", 503, why=why)
            # If this call does not wait, a lock held by another process is not a failure.
            if waits:
                self._note_failure(refusal)
            raise refusal from error

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn errors of the system into refusals."""
        try:
            yield
        except OSError as error:
            refusal = SiteError("store-unreadable", 503, why=str(error))
            self._note_failure(refusal)
            raise refusal from error
        self._note_success("store-unreadable")

    def _note_failure(self, refusal: SiteError) -> None:
        """Log the first failure of its kind."""
        with self._outages_lock:
            is_first = refusal.code not in self._outages
            self._outages.add(refusal.code)
        if is_first:
            logging.getLogger(__name__).error("%s: %s", self._folder, refusal.values["why"])

    def _note_success(self, code: str) -> None:
        """Log the first success after a failure."""
        if code not in self._outages:
            return
        with self._outages_lock:
            self._outages.discard(code)
        what = "read" if code == "store-unreadable" else "stored"
        logging.getLogger(__name__).warning("%s: games can be %s again.", self._folder, what)

    def _require_folder(self) -> None:
        """Refuse to go on if another folder has taken the place of this one.

        This happens if a disk is unmounted: an empty folder remains.

        Raises:
            OSError: If there is another folder, or none.
        """
        if not self._identities:
            return
        found = _identities(self._folder)
        if not found & self._identities:
            raise OSError(ENOENT, "The folder of the games is not there", str(self._folder))
        # If the lock file was deleted, or the disk is mounted again, one of them is new.
        self._identities = found

    def _path(self, game_id: str) -> Path:
        if not ID.fullmatch(game_id):
            raise SiteError("no-such-game", 404)
        return self._folder / f"{game_id}{SUFFIX}"

    def _has(self, game_id: str) -> bool:
        with self._reading():
            return self._path(game_id).exists()

    def _count(self) -> int:
        with self._reading():
            return len(self._files())

    def _cached(self, path: Path, stamp: tuple[int, ...]) -> StoredGame:
        """Return the game of a file that has a stamp; the file is read if it had another one."""
        with self._games_lock:
            found = self._games.get(path)
            if found is not None and found[0] == stamp:
                self._games.move_to_end(path)
                return found[1]
        stored = _read_file(path)
        self._remember(path, stamp, stored)
        return stored

    def _remember(self, path: Path, stamp: tuple[int, ...], stored: StoredGame) -> None:
        """Keep a game in memory, without those whose files were written or read least recently."""
        with self._games_lock:
            self._games[path] = (stamp, stored)
            self._games.move_to_end(path)
            while len(self._games) > CACHED_GAMES:
                self._games.popitem(last=False)

    def _read(self, game_id: str) -> StoredGame:
        """Return a game while the folder is locked.

        A file that was written just now is read again: within the smallest step of the file
        system's clock, two files can have the same stamp, and a change must not be lost.
        """
        path = self._path(game_id)
        with self._reading():
            try:
                stamp = _stamp_of(path)
                is_settled = abs(time.time_ns() - stamp[0]) > SETTLED_NS
                return self._cached(path, stamp) if is_settled else _read_file(path)
            except FileNotFoundError:
                raise SiteError("no-such-game", 404) from None

    def _write(self, stored: StoredGame) -> StoredGame:
        if not VERSION_NUMBER.fullmatch(str(stored.version)):
            raise _damaged("its version is the last one")
        content = dumps(_record_of(stored))
        path = self._path(stored.id)
        try:
            with atomic_write(path) as file:
                file.write(content)
        except OSError as error:
            why = f"the game cannot be stored: {error}"
            refusal = SiteError("store-unwritable", 503, why=why)
            self._note_failure(refusal)
            raise refusal from error
        self._note_success("store-unwritable")
        # Without its stamp the file is read when somebody asks for it.
        with suppress(OSError):
            self._remember(path, _stamp_of(path), stored)
        return stored

    def _delete(self, game_id: str) -> None:
        try:
            self._path(game_id).unlink()
        except OSError as error:
            why = f"the game cannot be removed: {error}"
            refusal = SiteError("store-unwritable", 503, why=why)
            self._note_failure(refusal)
            raise refusal from error


def _stamp_of(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size, found.st_ino


def _identities(folder: Path) -> set[tuple[int, ...]]:
    """Return the numbers of a folder and of its lock file, if there is one."""
    found = folder.stat()
    identities: set[tuple[int, ...]] = {(found.st_dev, found.st_ino)}
    with suppress(OSError):
        identities.add(((folder / LOCK_FILE).stat().st_ino,))
    return identities


def _require_writable(folder: Path) -> None:
    """Refuse a folder in which no file can be created: even so, its lock can be held.

    Raises:
        SiteError: If no file can be created.
    """
    draft = new_temporary_path(folder)
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        draft.unlink()
    except OSError as error:
        why = f"no file can be created there: {error.strerror}"
        raise SiteError("store-unwritable", 503, why=why) from error


def _read_file(path: Path) -> StoredGame:
    """Read a file. Files are replaced as a whole, never changed.

    Raises:
        OSError: If it cannot be read.
        SiteError: If it contains no game, or its tags are invalid.
    """
    found = path.stat()
    content = b""
    # Files that are not regular can block the process for ever, or have no end.
    is_readable = S_ISREG(found.st_mode) and found.st_size <= MAX_BYTES
    if is_readable:
        with path.open("rb") as file:
            # It may have grown in the meantime.
            content = file.read(MAX_BYTES + 1)
    if not is_readable or len(content) > MAX_BYTES:
        raise _damaged(f"it is not a file of at most {MAX_BYTES:,} bytes")
    try:
        game = loads(content.decode(), limits=LIMITS)
    except (PonteError, UnicodeDecodeError) as error:
        raise _damaged(str(error)) from error
    return _stored_game(path.stem, game)


def _damaged(why: str) -> SiteError:
    return SiteError("game-damaged", 500, why=why)


def _record_of(stored: StoredGame) -> Game:
    """Return the record of a stored game: the game, with a tag for everything else."""
    tags = dict(stored.game.tags)
    tags[VERSION] = str(stored.version)
    tags[TURN_BEGAN] = str(stored.turn_version)
    for seat, token_hash in stored.token_hashes.items():
        tags[SEATS[seat]] = token_hash
    for seat, level in stored.levels.items():
        tags[COMPUTERS[seat]] = level
    tags |= _tags_of_clocks(stored)
    seats = {
        DRAW_OFFER: stored.draw_offer,
        UNDO_REQUEST: stored.undo_request,
        REMATCH_REQUEST: stored.rematch_request,
    }
    tags |= {tag: seat.value for tag, seat in seats.items() if seat is not None}
    if stored.declined is not None:
        tags[DECLINED] = str(stored.declined)
    for seat, asked in stored.asked_already.items():
        tags[ASKED[seat]] = " ".join(sorted(asked))
    if stored.next_id is not None:
        tags[NEXT_GAME] = stored.next_id
    return stored.game.with_tags(tags)


def _tags_of_clocks(stored: StoredGame) -> dict[str, str]:
    """Return the tags with the time control, and with the seconds that were used and given."""
    tags = {}
    if stored.time_control is not None:
        tags[CLOCK] = str(stored.time_control)
    if stored.seconds_used:
        tags[TURN_TOOK] = f"{stored.seconds_used:.{MILLISECONDS}f}"
    for seat, seconds in stored.extra_seconds.items():
        tags[EXTRA[seat]] = str(seconds)
    for seat, seconds in stored.returned_seconds.items():
        tags[RETURNED[seat]] = str(seconds)
    if stored.extra_in_readings:
        pairs = stored.extra_in_readings.items()
        tags[EXTRA_IN_READINGS] = " ".join(f"{place}:{seconds}" for place, seconds in pairs)
    return tags


def _stored_game(game_id: str, record: Game) -> StoredGame:
    """Return the stored game of a record; :func:`_record_of` is the inverse.

    Raises:
        SiteError: If a tag of a stored game is invalid or contradicts another one.
    """
    tags = dict(record.tags)
    facts = {tag: tags.pop(tag) for tag in _CHECKS if tag in tags}
    _require_valid(facts)
    levels = {seat: facts[tag] for seat, tag in COMPUTERS.items() if tag in facts}
    stored = StoredGame(
        game_id,
        int(facts[VERSION]),
        record.with_tags(tags),
        token_hashes={seat: facts[tag] for seat, tag in SEATS.items() if tag in facts},
        levels={seat: FORMER_NAMES.get(level, level) for seat, level in levels.items()},
        time_control=TimeControl.parse(facts.get(CLOCK, "")),
        turn_version=int(facts.get(TURN_BEGAN, "1")),
        seconds_used=float(facts.get(TURN_TOOK, "0")),
        extra_seconds={seat: int(facts[tag]) for seat, tag in EXTRA.items() if tag in facts},
        extra_in_readings=_places_and_seconds(facts.get(EXTRA_IN_READINGS, "")),
        returned_seconds={seat: int(facts[tag]) for seat, tag in RETURNED.items() if tag in facts},
        draw_offer=Seat(facts[DRAW_OFFER]) if DRAW_OFFER in facts else None,
        undo_request=Seat(facts[UNDO_REQUEST]) if UNDO_REQUEST in facts else None,
        declined=Declined.parse(facts.get(DECLINED, "")),
        asked_already={
            seat: frozenset(facts[tag].split()) for seat, tag in ASKED.items() if tag in facts
        },
        next_id=facts.get(NEXT_GAME),
        rematch_request=Seat(facts[REMATCH_REQUEST]) if REMATCH_REQUEST in facts else None,
    )
    _require_consistent(stored)
    return stored


def _places_and_seconds(text: str) -> dict[int, int]:
    """Return what a text such as ``3:15 7:30`` means."""
    pairs = (pair.split(":") for pair in text.split())
    return {int(place): int(seconds) for place, seconds in pairs}


def _require_valid(facts: Mapping[str, str]) -> None:
    """Refuse tags with values that the server does not write.

    Raises:
        SiteError: If there is such a tag, or no version.
    """
    if VERSION not in facts:
        raise _damaged(f"it has no tag {VERSION}")
    for tag, text in facts.items():
        if not _CHECKS[tag](text):
            raise _damaged(f"the tag {tag} is invalid: {text[:MAX_SHOWN]!a}")


def _require_consistent(stored: StoredGame) -> None:
    """Refuse a stored game that the server does not write.

    Raises:
        SiteError: If two of its tags contradict each other.
    """
    if stored.token_hashes.keys() & stored.levels.keys():
        raise _damaged("a seat belongs to a person and to the computer")
    if stored.next_id == stored.id:
        raise _damaged("it is its own rematch")
    if stored.rematch_request is not None and stored.game.ending is None:
        raise _damaged("somebody asks for a rematch before the end")
    if stored.draw_offer in stored.levels:
        raise _damaged("the computer offers a draw, which it never does")
    if stored.draw_offer is not None and stored.game.ending is not None:
        raise _damaged("a draw is offered after the end")
    if stored.undo_request is not None and stored.requested_undo_count(stored.undo_request) is None:
        raise _damaged("nothing can be undone, but it is asked for")
    _require_consistent_clocks(stored)


def _require_consistent_clocks(stored: StoredGame) -> None:
    """Refuse seconds that the server does not write.

    Raises:
        SiteError: If they contradict each other, or the game.
    """
    if any(place >= len(stored.game.actions) for place in stored.extra_in_readings):
        raise _damaged(f"there is no such move: {EXTRA_IN_READINGS}")
    for owner, seconds in stored.returned_seconds.items():
        if seconds > stored.extra_seconds.get(owner, 0):
            raise _damaged(f"more seconds came back than there are: {RETURNED[owner]}")
    # A player who has lost on time has no time left.
    has_lost = stored.game.ending is Ending.TIME
    seat = stored.game.state.seat_to_move
    had = None if seat is None or has_lost else stored.times_left(0.0).get(seat)
    if had is not None and stored.seconds_used > had + ROUNDING_SECONDS:
        raise _damaged(f"the turn has taken more time than there was: {TURN_TOOK}")
