"""A folder with odd files, drafts, faults of the disk, and other readers and writers."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.web import folder
from pontedeldiavolo.web.folder import LIMITS, LOCK, MAX_BYTES, FolderStore
from pontedeldiavolo.web.requests import SiteError
from pontedeldiavolo.web.routes import Site
from pontedeldiavolo.web.store import Stored, hash_token
from support.http_client import SMALL, Guest

NAME = "a" * 32
GAME = pdd.Game.new(pdd.parse_rules(SMALL))
LINKS = pytest.mark.skipif(os.name == "nt", reason="needs links and special files")


def begun(store: FolderStore) -> Stored:
    return store.create(GAME, seats={pdd.Seat.FIRST: hash_token("a")}, computer={})


def code_of(work: Callable[[], object]) -> str:
    with pytest.raises(SiteError) as caught:
        work()
    return caught.value.code


def link_to(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(300_000_000)


# Odd files


@LINKS
@pytest.mark.parametrize(
    ("make", "fault", "code"),
    [
        (link_to("nowhere"), "No such file", "no-such-game"),
        (link_to(f"{NAME}.pdd"), "Too many levels of symbolic links", "store-unreadable"),
        (link_to("/dev/full"), "it is no file", "game-damaged"),
        (link_to("/dev/zero"), "it is no file", "game-damaged"),
        (Path.mkdir, "it is no file", "game-damaged"),
        (getattr(os, "mkfifo", Path.mkdir), "it is no file", "game-damaged"),
        (huge, "it is no file of at most", "game-damaged"),
    ],
    ids=["dangling", "loop", "full", "endless", "folder", "fifo", "huge"],
)
def test_odd_files_are_named_and_skipped(
    tmp_path: Path, make: Callable[[Path], None], fault: str, code: str
) -> None:
    path = tmp_path / f"{NAME}.pdd"
    make(path)
    store = FolderStore(tmp_path)
    [(named, why)] = store.damaged()
    assert named == path
    assert why.startswith(fault)
    assert code_of(lambda: store.load(NAME)) == code
    assert code_of(lambda: store.replace(Stored(NAME, 1, GAME), GAME)) in (code, "store-unwritable")
    # Other games are played all the same.
    stored = begun(store)
    assert store.load(stored.id) == stored


@LINKS
def test_an_odd_lock_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / LOCK)
    assert code_of(lambda: FolderStore(tmp_path, lock_seconds=0.1)) == "store-unwritable"


def test_the_longest_record_is_read_again() -> None:
    assert MAX_BYTES >= 4 * (LIMITS.characters or 0) > 8 * (pdd.Limits().characters or 0)


def test_a_record_may_be_longer_than_what_it_was_read_from(tmp_path: Path) -> None:
    comment = "blanks and line ends " * 30_000
    game = GAME.play("a1,b1").with_comment(comment).play("red").with_comment(comment)
    store = FolderStore(tmp_path)
    stored = store.create(game, seats={}, computer={})
    [path] = tmp_path.glob("*.pdd")
    assert path.stat().st_size > (pdd.Limits().characters or 0)
    assert store.load(stored.id).game.actions == game.actions


# Faults of the disk


def test_a_failed_write_leaves_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FolderStore(tmp_path)

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for _ in range(3):
        assert code_of(lambda: begun(store)) == "store-unwritable"
    assert [path.name for path in tmp_path.iterdir()] == [LOCK]


def test_a_game_and_its_name_are_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, synced = FolderStore(tmp_path), []
    monkeypatch.setattr(os, "fsync", lambda number: synced.append(os.fstat(number).st_ino))
    game = tmp_path / f"{begun(store).id}.pdd"
    expected = [game, tmp_path] if os.name == "posix" else [game]
    assert synced == [path.stat().st_ino for path in expected]


def test_drafts_of_killed_processes_are_deleted(tmp_path: Path) -> None:
    (tmp_path / f".{NAME}.draft").write_text("half a rec", "utf-8")
    kept = [tmp_path / ".mine.draft", tmp_path / f"{NAME}.draft", tmp_path / f".{'b' * 32}.draft"]
    for path in kept[:2]:
        path.write_text("mine", "utf-8")
    kept[2].mkdir()
    store = FolderStore(tmp_path)
    assert sorted(path for path in tmp_path.iterdir() if path.name != LOCK) == sorted(kept)
    assert [*store.damaged()] == []


def test_a_read_that_fails_is_no_bug(tmp_path: Path) -> None:
    place = tmp_path / "games"
    store = FolderStore(place)
    guest = Guest(Site(store)).seated()
    assert guest.get()["version"] == 1
    place.rename(tmp_path / "old")
    place.write_text("no folder", "utf-8")
    for reader in (guest, Guest(Site(FolderStore(tmp_path / "old")), NAME)):
        code = reader.get("", 503 if reader is guest else 404)["code"]
        assert code == ("store-unreadable" if reader is guest else "no-such-game")
    assert guest.post("resignation", 503, version=1, seat="first")["code"] == "store-unreadable"


# Other readers and writers


def test_reading_needs_no_lock(tmp_path: Path) -> None:
    stored = begun(FolderStore(tmp_path))
    store = FolderStore(tmp_path, lock_seconds=0)
    holder = sqlite3.connect(tmp_path / LOCK, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    assert store.load(stored.id) == stored
    assert code_of(lambda: store.replace(stored, GAME.play("a1,b1"))) == "store-unwritable"
    holder.close()
    assert store.replace(stored, GAME.play("a1,b1")).version == 2


def test_many_read_while_one_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "CACHED_GAMES", 2)
    store = FolderStore(tmp_path)
    names = [begun(store).id for _ in range(4)]

    def read(start: int) -> int:
        return sum(store.load(names[(start + i) % 4]).version > 0 for i in range(100))

    def write() -> int:
        for each in names * 3:
            store.replace(store.load(each), GAME)
        return store.load(names[0]).version

    with ThreadPoolExecutor(5) as threads:
        readers = [threads.submit(read, start) for start in range(4)]
        assert threads.submit(write).result() == 4
        assert [each.result() for each in readers] == [100] * 4


@pytest.mark.parametrize("busy", [0, 1, 3, 4])
def test_a_file_that_is_being_read_is_replaced_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, busy: int
) -> None:
    """Windows replaces no file that is open."""
    store, left = FolderStore(tmp_path), [busy]
    stored, replace = begun(store), Path.replace

    def refuse(self: Path, target: Path) -> Path:
        if left[0]:
            left[0] -= 1
            raise PermissionError(13, "Access is denied")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr(folder, "sleep", lambda _seconds: None)
    if busy > len(folder.RETRY_SECONDS):
        assert code_of(lambda: store.replace(stored, GAME.play("a1,b1"))) == "store-unwritable"
        assert store.load(stored.id) == stored
    else:
        assert store.replace(stored, GAME.play("a1,b1")).version == 2
    assert [*tmp_path.glob(".*.draft")] == []
