"""Stores: stored games, conflicting writers, odd files, and faults of the folder."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any

import pytest
from attrs import evolve

import pontedeldiavolo as pdd
from pontedeldiavolo.base.folder_lock import LOCK_FILE
from pontedeldiavolo.records import atomic_file
from pontedeldiavolo.web import folder
from pontedeldiavolo.web.folder import LIMITS, MAX_BYTES, FolderStore
from pontedeldiavolo.web.requests import SiteError
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import (
    Declined,
    MemoryStore,
    Store,
    StoredGame,
    TimeControl,
    hash_token,
    new_id,
)
from pontedeldiavolo.web.thinkers import FORMER_NAMES, LEVELS
from support.http_client import SMALL, Guest, fixed_seed
from support.processes import run_python

FIRST, SECOND = pdd.Seat
PATIENCE = 60.0
NAME = "a" * 32
GAME = pdd.Game.new(pdd.parse_rules(SMALL), {"First": "Ada"})


@pytest.fixture(params=["memory", "folder"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return MemoryStore() if request.param == "memory" else FolderStore(tmp_path / "games")


def new(game: pdd.Game = GAME, **facts: Any) -> StoredGame:
    """Return a new game that is not stored yet."""
    return StoredGame(new_id(), 1, game, **facts)


def begun(store: Store) -> StoredGame:
    return store.create(new(token_hashes={FIRST: hash_token("a")}))


def played(old: StoredGame, action: str = "a1,b1") -> StoredGame:
    """Return the next version of a game."""
    return old.with_change(old.game.play(action), 0.0)


LINKS = pytest.mark.skipif(os.name == "nt", reason="needs links and special files")


@contextmanager
def refused(code: str, why: str = "") -> Iterator[None]:
    """Expect an error with a code and the beginning of a reason."""
    with pytest.raises(SiteError) as caught:
        yield
    assert caught.value.code == code
    assert str(caught.value.values.get("why", "")).startswith(why)


def test_games_are_kept(store: Store) -> None:
    stored = begun(store)
    assert stored == StoredGame(stored.id, 1, GAME, {FIRST: hash_token("a")}, {})
    assert len(stored.id) == 32
    assert store.load(stored.id) == stored
    later = store.replace(played(stored))
    assert (later.version, later.game.actions) == (2, GAME.play("a1,b1").actions)
    assert store.load(stored.id) == later
    assert begun(store).id != stored.id


@pytest.mark.parametrize("kind", ["memory", "folder"])
def test_stores_have_a_largest_number_of_games(tmp_path: Path, kind: str) -> None:
    store = MemoryStore(3) if kind == "memory" else FolderStore(tmp_path, max_games=3)
    if kind == "folder":
        # Other files are not games.
        (tmp_path / "notes.pdd").write_text("mine", "utf-8")
    kept = [begun(store) for _ in range(3)]
    with refused("too-many-games"):
        begun(store)
    store.replace(played(kept[0]))
    if kind == "folder":
        (tmp_path / f"{kept[1].id}.pdd").unlink()
        begun(store)
        with refused("too-many-games"):
            begun(store)


@pytest.mark.parametrize(
    "game",
    [
        GAME.play("a1,b1").play("red").resign(SECOND),
        pdd.Game.new(start=GAME.play("a1,b1").state, tags={"Event": 'With "quotes" and \\'}),
    ],
)
def test_games_of_every_kind_are_stored(store: Store, game: pdd.Game) -> None:
    stored = store.create(new(game, levels={SECOND: "level-4"}))
    found = store.load(stored.id)
    assert found == stored
    assert found.game.ending == game.ending


def test_every_fact_of_a_game_is_stored(store: Store) -> None:
    stored = store.create(
        StoredGame(
            NAME,
            7,
            GAME.play("a1,b1"),
            token_hashes={FIRST: hash_token("a"), SECOND: hash_token("b")},
            time_control=TimeControl(300, 5),
            turn_version=6,
            seconds_used=1.234,
            draw_offer=SECOND,
            next_id="b" * 32,
        )
    )
    assert store.load(NAME) == stored
    assert store.load(NAME).game.tags == {"First": "Ada"}


def test_a_change_ends_what_belonged_to_the_last_version() -> None:
    old = new(time_control=TimeControl(60, 0), seconds_used=9.0, draw_offer=FIRST)
    turn = old.with_change(GAME.play("a1,b1"), 10.0)
    assert (turn.version, turn.turn_version, turn.seconds_used) == (2, 2, 0.0)
    assert turn.draw_offer is None
    # The turn continues, and so does its clock.
    same = turn.with_change(turn.game, 12.34567)
    assert (same.version, same.turn_version, same.seconds_used) == (3, 2, 12.346)
    ended = evolve(same.with_change(same.game.resign(SECOND), 13.0), next_id=NAME)
    assert (ended.turn_version, ended.seconds_used) == (2, 13.0)
    assert ended.with_change(ended.game, 13.0).next_id == NAME
    resumed = ended.with_change(ended.game.undo(0), 13.0)
    assert (resumed.turn_version, resumed.seconds_used, resumed.next_id) == (5, 0.0, None)


def test_only_one_of_two_changes_succeeds(store: Store) -> None:
    stored = begun(store)
    store.replace(played(stored))
    with refused("outdated"):
        store.replace(played(stored, "c1,d1"))
    assert store.load(stored.id).game == GAME.play("a1,b1")


def test_a_seat_is_taken_once(store: Store) -> None:
    stored = store.create(new(levels={FIRST: "level-1"}))
    later = store.take_seat(stored.id, SECOND, hash_token("b"))
    assert (later.version, later.token_hashes) == (1, {SECOND: hash_token("b")})
    for seat in pdd.Seat:
        with refused("seat-taken"):
            store.take_seat(stored.id, seat, hash_token("c"))
    assert store.load(stored.id) == later


def test_a_seat_that_is_taken_meanwhile_is_not_lost(store: Store) -> None:
    stored = begun(store)
    store.take_seat(stored.id, SECOND, hash_token("b"), {"Second": "Bo"})
    later = store.replace(played(stored))
    assert later.token_hashes == {FIRST: hash_token("a"), SECOND: hash_token("b")}
    assert later.game.tags == {"First": "Ada", "Second": "Bo"}
    assert store.load(stored.id) == later


@pytest.mark.parametrize("name", ["0" * 32, "nothing", "..", "../x", "a/b", "", "\0"])
def test_unknown_games_and_pages(store: Store, name: str) -> None:
    with refused("no-such-game"):
        store.load(name)
    with refused("no-such-game"):
        store.take_seat(name, FIRST, hash_token("a"))
    with refused("no-such-game"):
        store.replace(StoredGame(name, 2, GAME))


def race(writers: Sequence[Callable[[], object]]) -> list[str | None]:
    """Let all writers write at once; return the codes of their errors."""
    barrier = Barrier(len(writers))

    def write(work: Callable[[], object]) -> str | None:
        barrier.wait(PATIENCE)
        try:
            work()
        except SiteError as error:
            return error.code
        return None

    with ThreadPoolExecutor(len(writers)) as threads:
        return [*threads.map(write, writers)]


def test_only_one_of_many_writers_succeeds(tmp_path: Path) -> None:
    """Each writer has its own store, like a process, with the same folder."""
    stores = [FolderStore(tmp_path) for _ in range(4)]
    stored = begun(stores[0])
    game = GAME
    rng = Random(1)
    for version in range(2, 12):
        games = [game.play(game.state.legal_actions.sample(rng)) for _ in stores]

        moves = zip(stores, games, strict=True)
        codes = race([partial(each.replace, stored.with_change(to, 0)) for each, to in moves])
        assert codes.count("outdated") == 3
        game = games[codes.index(None)]
        assert {each.load(stored.id).version for each in stores} == {version}
        assert all(each.load(stored.id).game == game for each in stores)
        stored = stores[0].load(stored.id)
    assert stored.token_hashes == {FIRST: hash_token("a")}


def test_a_seat_is_taken_once_by_many(tmp_path: Path) -> None:
    stores = [FolderStore(tmp_path) for _ in range(4)]
    stored = begun(stores[0])
    sitters = [partial(each.take_seat, stored.id, SECOND, hash_token("b")) for each in stores]
    assert race(sitters).count("seat-taken") == 3


WRITER = """
from pathlib import Path
from pontedeldiavolo.web.folder import FolderStore
from pontedeldiavolo.web.requests import SiteError

store, name, wins = FolderStore(Path({!r})), {!r}, 0
while True:
    old = store.load(name)
    if old.game.ending is not None:
        break
    try:
        store.replace(old.with_change(old.game.play(old.game.state.legal_actions[0]), 0))
        wins += 1
    except SiteError:
        pass
print(wins)
"""


@pytest.mark.slow
def test_two_processes_lose_nothing(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    stored = begun(store)
    program = WRITER.format(str(tmp_path), stored.id)
    with ThreadPoolExecutor(2) as threads:
        wins = [int(done.stdout) for done in threads.map(run_python, [program] * 2)]
    end = store.load(stored.id)
    assert end.game.ending is pdd.Ending.SCORED
    assert end.version == 1 + sum(wins) == 1 + len(end.game.actions)


def test_games_outlive_the_process(tmp_path: Path) -> None:
    guest = Guest(Site(FolderStore(tmp_path), fixed_seed)).seated(opponent="level-4", seat="second")
    before = guest.play("white")
    again = Guest(Site(FolderStore(tmp_path), fixed_seed), guest.game, guest.token)
    assert again.get() == before
    assert again.post("undo", version=2)["version"] == 3


def test_a_game_is_a_record_for_everybody(tmp_path: Path) -> None:
    store = FolderStore(tmp_path / "new" / "games")
    game = GAME.play("a1,b1")
    stored = store.create(
        new(game, token_hashes={FIRST: hash_token("a")}, levels={SECOND: "level-4"})
    )
    [path] = (tmp_path / "new" / "games").glob("*.pdd")
    assert path.stem == stored.id
    found = pdd.records.loads(path.read_text("utf-8"))
    assert found.actions == game.actions
    own = {
        "ServeVersion": "1",
        "ServeTurnBegan": "1",
        "ServeFirst": hash_token("a"),
        "ServeSecondComputer": "level-4",
    }
    assert found.tags == {"First": "Ada", **own}
    assert [*store.damaged()] == []


def changed(text: str, old: str, new: str) -> bytes:
    assert old in text
    return text.replace(old, new).encode()


@pytest.mark.parametrize(
    ("old", "by"),
    [
        ("a1,b1", "a1,a1"),
        ("a1,b1", "a1;b1"),
        ('[ServeVersion "1"]', ""),
        ('ServeVersion "1"', 'ServeVersion "0"'),
        ('ServeVersion "1"', 'ServeVersion "one"'),
        ('"level-4"', '"strong"'),
        (hash_token("a"), "a"),
        ("ServeSecondComputer", "ServeFirstComputer"),
        ("[First", "\0"),
    ],
)
def test_damaged_games_are_reported_and_left_alone(tmp_path: Path, old: str, by: str) -> None:
    store = FolderStore(tmp_path)
    game = GAME.play("a1,b1")
    stored = store.create(
        new(game, token_hashes={FIRST: hash_token("a")}, levels={SECOND: "level-4"})
    )
    [path] = tmp_path.glob("*.pdd")
    broken = changed(path.read_text("utf-8"), old, by)
    path.write_bytes(broken)
    with refused("game-damaged"):
        store.load(stored.id)
    with refused("game-damaged"):
        store.replace(stored.with_change(game, 0))
    with refused("game-damaged"):
        store.take_seat(stored.id, FIRST, hash_token("c"))
    [(named, fault)] = store.damaged()
    assert (named, bool(fault)) == (path, True)
    assert path.read_bytes() == broken
    guest = Guest(Site(store), stored.id, "a")
    assert guest.get("", 500)["error"] == "The stored game is damaged. It was left as it is."


def test_files_that_are_not_text_are_damaged(tmp_path: Path) -> None:
    (tmp_path / f"{'0' * 32}.pdd").write_bytes(b"\xff\xfe")
    (tmp_path / "mine.pdd").write_bytes(b"\xff\xfe")
    store = FolderStore(tmp_path)
    assert [path.stem for path, _ in store.damaged()] == ["0" * 32]
    with refused("game-damaged"):
        store.load("0" * 32)


def test_a_change_by_others_is_seen(tmp_path: Path) -> None:
    one = FolderStore(tmp_path)
    other = FolderStore(tmp_path)
    stored = begun(one)
    assert other.load(stored.id) is other.load(stored.id)
    one.replace(played(stored))
    assert other.load(stored.id).version == 2
    [path] = tmp_path.glob("*.pdd")
    path.unlink()
    with refused("no-such-game"):
        other.load(stored.id)
    with refused("no-such-game"):
        other.replace(played(stored))


def test_few_games_are_held_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "CACHED_GAMES", 3)
    store = FolderStore(tmp_path)
    names = [begun(store).id for _ in range(5)]
    loaded = [store.load(name) for name in names]
    assert store.load(names[-1]) is loaded[-1]
    assert store.load(names[0]) is not loaded[0]
    assert store.load(names[0]) == loaded[0]


def test_a_game_that_is_read_often_stays_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "CACHED_GAMES", 3)
    # A file that was written just now would be read again.
    monkeypatch.setattr(folder, "SETTLED_NS", -1)
    store = FolderStore(tmp_path)
    busy = begun(store).id
    loaded = store.load(busy)
    for _ in range(4):
        begun(store)
        assert store.load(busy) is loaded


def test_a_held_lock_blocks_other_stores(tmp_path: Path) -> None:
    store = FolderStore(tmp_path, lock_seconds=0.1)
    guest = Guest(Site(store)).seated()
    holder = sqlite3.connect(tmp_path / LOCK_FILE, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    why = "The game cannot be stored now. Nothing has changed."
    assert guest.post("resignation", 503, version=1, seat="first")["error"] == why
    # Readers need no lock.
    assert Guest(Site(store), guest.game).get()["version"] == 1
    with refused("store-unwritable", "the folder cannot be locked"):
        FolderStore(tmp_path, lock_seconds=0.1)
    holder.close()
    assert guest.post("resignation", version=1, seat="first")["version"] == 2


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FolderStore(tmp_path)
    stored = begun(store)

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with refused("store-unwritable", "the game cannot be stored: [Errno 28] No space left"):
        store.replace(played(stored))
    for _ in range(3):
        with refused("store-unwritable"):
            begun(store)
    assert {path.name for path in tmp_path.iterdir()} == {LOCK_FILE, f"{stored.id}.pdd"}
    monkeypatch.undo()
    assert store.load(stored.id) == stored
    assert store.replace(played(stored)).version == 2


@LINKS
def test_a_game_that_cannot_be_read_is_not_one_that_cannot_be_stored(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A request that changes a game reads it first, so the error must name reading."""
    store = FolderStore(tmp_path)
    (tmp_path / f"{NAME}.pdd").symlink_to(f"{NAME}.pdd")
    old = StoredGame(NAME, 1, GAME)
    with refused("store-unreadable", "[Errno"):
        store.replace(played(old))
    with refused("store-unreadable", "[Errno"):
        store.create_next(old, old.rematch())
    assert [record.getMessage().count("cannot be stored") for record in caplog.records] == [0]


def test_a_lock_is_no_sign_that_games_can_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log reports success only after a game has been stored."""
    store = FolderStore(tmp_path, max_games=9)

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for _ in range(3):
        with refused("store-unwritable"):
            begun(store)
        assert store.places_left() == 9
    assert len(caplog.records) == 1
    monkeypatch.undo()
    begun(store)
    assert caplog.records[1].getMessage().endswith("games can be stored again.")


def test_no_folder_where_a_file_is(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("mine", "utf-8")
    with pytest.raises(FileExistsError):
        FolderStore(tmp_path / "games")


def link_to(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(300_000_000)


@LINKS
@pytest.mark.parametrize(
    ("make", "fault", "code"),
    [
        (link_to("nowhere"), "No such file", "no-such-game"),
        (link_to(f"{NAME}.pdd"), "Too many levels of symbolic links", "store-unreadable"),
        (link_to("/dev/full"), "it is not a file", "game-damaged"),
        (link_to("/dev/zero"), "it is not a file", "game-damaged"),
        (Path.mkdir, "it is not a file", "game-damaged"),
        (getattr(os, "mkfifo", Path.mkdir), "it is not a file", "game-damaged"),
        (huge, "it is not a file of at most", "game-damaged"),
    ],
    ids=["dangling", "loop", "full", "endless", "folder", "fifo", "huge"],
)
def test_odd_files(tmp_path: Path, make: Callable[[Path], None], fault: str, code: str) -> None:
    path = tmp_path / f"{NAME}.pdd"
    make(path)
    store = FolderStore(tmp_path)
    [(named, why)] = store.damaged()
    assert named == path
    assert why.startswith(fault)
    with refused(code):
        store.load(NAME)
    # A store that cannot read a file may also be unable to replace it.
    with pytest.raises(SiteError) as caught:
        store.replace(StoredGame(NAME, 2, GAME))
    assert caught.value.code in (code, "store-unwritable")
    # Other games can still be played.
    stored = begun(store)
    assert store.load(stored.id) == stored


@LINKS
def test_an_odd_lock_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / LOCK_FILE)
    with refused("store-unwritable"):
        FolderStore(tmp_path, lock_seconds=0.1)


def test_the_longest_record_is_read_again() -> None:
    assert MAX_BYTES >= 4 * (LIMITS.characters or 0) > 8 * (pdd.Limits().characters or 0)


def test_a_record_may_be_longer_than_what_it_was_read_from(tmp_path: Path) -> None:
    comment = "blanks and line ends " * 30_000
    game = GAME.play("a1,b1").with_comment(comment).play("red").with_comment(comment)
    store = FolderStore(tmp_path)
    stored = store.create(new(game))
    [path] = tmp_path.glob("*.pdd")
    assert path.stat().st_size > (pdd.Limits().characters or 0)
    assert store.load(stored.id).game.actions == game.actions


def test_games_and_their_names_are_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FolderStore(tmp_path)
    synced = []
    monkeypatch.setattr(os, "fsync", lambda number: synced.append(os.fstat(number).st_ino))
    game = tmp_path / f"{begun(store).id}.pdd"
    expected = [game, tmp_path] if os.name == "posix" else [game]
    assert synced == [path.stat().st_ino for path in expected]


def test_drafts_of_killed_processes_are_deleted(tmp_path: Path) -> None:
    (tmp_path / f".{'a' * 16}.tmp").write_text("half a rec", "utf-8")
    kept = [tmp_path / ".mine.tmp", tmp_path / f"{NAME}.tmp", tmp_path / f".{'b' * 16}.tmp"]
    for path in kept[:2]:
        path.write_text("mine", "utf-8")
    kept[2].mkdir()
    store = FolderStore(tmp_path)
    assert sorted(path for path in tmp_path.iterdir() if path.name != LOCK_FILE) == sorted(kept)
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


def test_many_read_while_one_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "CACHED_GAMES", 2)
    store = FolderStore(tmp_path)
    names = [begun(store).id for _ in range(4)]

    def read(start: int) -> int:
        return sum(store.load(names[(start + i) % 4]).version > 0 for i in range(100))

    def write() -> int:
        for each in names * 3:
            store.replace(store.load(each).with_change(GAME, 0))
        return store.load(names[0]).version

    with ThreadPoolExecutor(5) as threads:
        readers = [threads.submit(read, start) for start in range(4)]
        assert threads.submit(write).result() == 4
        assert [each.result() for each in readers] == [100] * 4


@pytest.mark.parametrize("busy", [0, 1, 3, 4])
def test_busy_files_are_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, busy: int) -> None:
    """Windows cannot replace an open file."""
    store = FolderStore(tmp_path)
    left = [busy]
    stored = begun(store)
    replace = Path.replace

    def refuse(self: Path, target: Path) -> Path:
        if left[0]:
            left[0] -= 1
            raise PermissionError(13, "Access is denied")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr(atomic_file, "sleep", lambda _seconds: None)
    if busy > len(atomic_file.RETRY_SECONDS):
        with refused("store-unwritable"):
            store.replace(played(stored))
        assert store.load(stored.id) == stored
    else:
        assert store.replace(played(stored)).version == 2
    assert [*tmp_path.glob(".*.tmp")] == []


# Tags of stored games

BAD_VALUES = [
    *("", " ", "abc", "-1", "0", "1e400", "NaN", "inf", "1.5", "9" * 400, "null", "true", "[]"),
    # Values of other tags.
    *(
        "first",
        "first 2",
        "greedy",
        "level-4",
        "level-0",
        "300+5",
        "0+0",
        "300+",
        "1.500",
        "0" * 32,
        "A" * 64,
    ),
    *("first -1", "third 2", "1764115200.123", "javascript:alert(1)", "//evil.example/", "../x"),
    *(
        "\u0663\u0660+\u0665",
        "\ufeff1",
        "1\u2028",
        "\x7f",
        "\x00",
        "\x1b[2J",
        "\ud7ff",
        "1\n2",
        '"',
        "\\",
    ),
]
TAGS = [
    *("ServeVersion", "ServeFirst", "ServeSecond", "ServeFirstComputer", "ServeSecondComputer"),
    *("ServeDrawOffer", "ServeNextGame", "ServeClock", "ServeTurnBegan", "ServeTurnTook"),
    *("First", "Second", "Event", "Date", "Rules", "Result", "Start", "State", "Variant"),
]


def record_with(tag: str, value: str) -> bytes:
    """Return the text of a stored game in which a tag has a value."""
    tags = {
        "First": "Ada",
        "Second": "Bo",
        "Rules": SMALL,
        "Result": "*",
        "ServeVersion": "2",
        "ServeFirst": hash_token("a"),
        "ServeSecond": hash_token("b"),
        "ServeClock": "300+5",
        "ServeTurnBegan": "2",
        "ServeTurnTook": "1.500",
    }
    if tag == "ServeFirstComputer":
        del tags["ServeFirst"]
    if tag == "ServeSecondComputer":
        del tags["ServeSecond"]
    tags[tag] = value
    lines = [f'[{name} "{text}"]' for name, text in tags.items()]
    return "\n".join([*lines, "", "1. a1,b1 *", ""]).encode()


GOOD = {
    "ServeDrawOffer": {"first"},
    "ServeNextGame": {"0" * 32},
    "ServeClock": {"300+5"},
    "ServeTurnTook": {"1.5", "1.500"},
    "ServeFirstComputer": {"level-4", "greedy"},
    "ServeSecondComputer": {"level-4", "greedy"},
}
"""Valid values of the server's tags."""


def with_bad_values(folder: Path, tag: str) -> tuple[FolderStore, dict[str, str], set[str]]:
    """Return a store with bad values of a tag, the IDs of its games, and the refused IDs."""
    names = {f"{number:032x}": value for number, value in enumerate(BAD_VALUES)}
    for name, value in names.items():
        (folder / f"{name}.pdd").write_bytes(record_with(tag, value))
    store = FolderStore(folder)
    damaged = {path.stem: why for path, why in store.damaged()}
    assert all(why.isprintable() and len(why) < 300 for why in damaged.values())
    return store, names, {*damaged}


@pytest.mark.parametrize("tag", [tag for tag in TAGS if tag.startswith("Serve")])
def test_every_tag_of_the_server_is_checked_when_it_is_read(tmp_path: Path, tag: str) -> None:
    _, names, damaged = with_bad_values(tmp_path, tag)
    assert {value for name, value in names.items() if name not in damaged} <= GOOD.get(tag, set())


@pytest.mark.parametrize("former", FORMER_NAMES)
def test_games_with_a_former_name_of_a_level_go_on(tmp_path: Path, former: str) -> None:
    name = "0" * 32
    (tmp_path / f"{name}.pdd").write_bytes(record_with("ServeSecondComputer", former))
    store = FolderStore(tmp_path)
    stored = store.load(name)
    assert stored.levels == {SECOND: FORMER_NAMES[former]}
    assert stored.levels[SECOND] in LEVELS
    # The next version has the new name.
    store.replace(evolve(stored, version=stored.version + 1), stored)
    assert (
        f'[ServeSecondComputer "{FORMER_NAMES[former]}"]' in (tmp_path / f"{name}.pdd").read_text()
    )


@pytest.mark.slow
@pytest.mark.parametrize("tag", TAGS)
def test_games_with_a_bad_tag_are_refused_or_played(tmp_path: Path, tag: str) -> None:
    (tmp_path / f"{'f' * 32}.pdd").write_bytes(record_with("First", "Ada"))
    store, names, damaged = with_bad_values(tmp_path, tag)
    site = Site(store, fixed_seed)
    for name in names:
        guest = Guest(site, name, "b")
        for path in ("", "/record"):
            answer = guest.get(path, 500 if name in damaged else 200)
            assert name not in damaged or answer["code"] == "game-damaged"
        if name not in damaged:
            shown = guest.get()
            assert set(shown["seconds_left"]) <= {"first", "second"}
            assert shown["rematch_id"] in (None, "0" * 32)
            if "second" in shown["yours"] and shown["ending"] is None:
                assert guest.play("red")["version"] == shown["version"] + 1
    assert Guest(site, "f" * 32, "b").play("red")["version"] == 3


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        ("ServeNextGame", NAME),
        # The line has two tags, by which the second seat belongs to the computer.
        ("ServeDrawOffer", 'second"]\n[ServeSecondComputer "greedy'),
        ("ServeTurnTook", "300.200"),
        ("ServeTurnTook", "999999999.000"),
    ],
)
def test_tags_that_contradict_others_are_damage(tmp_path: Path, tag: str, value: str) -> None:
    content = record_with(tag, value).decode()
    if "Computer" in value:
        content = content.replace(f'[ServeSecond "{hash_token("b")}"]\n', "")
    (tmp_path / f"{NAME}.pdd").write_text(content, "utf-8")
    store = FolderStore(tmp_path)
    [(_, why)] = store.damaged()
    assert why
    with refused("game-damaged"):
        store.load(NAME)


def test_no_draw_is_offered_after_the_end(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    ended = GAME.play("a1,b1").resign(SECOND)
    store.create(StoredGame(NAME, 3, ended, draw_offer=FIRST))
    with refused("game-damaged", "a draw is offered after the end"):
        FolderStore(tmp_path).load(NAME)


def test_a_game_that_was_stored_here_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[Path] = []
    read_file = folder._read_file

    def counted(path: Path) -> StoredGame:
        reads.append(path)
        return read_file(path)

    monkeypatch.setattr(folder, "_read_file", counted)
    store = FolderStore(tmp_path)
    first = begun(store)
    path = tmp_path / f"{first.id}.pdd"
    assert store.load(first.id) is first
    assert reads == []
    # Two files that were written at nearly the same time may look the same.
    second = store.replace(played(first))
    assert reads == [path]
    os.utime(path, ns=(1, 1))
    assert store.load(first.id) == second
    third = store.replace(played(second, "red"))
    assert reads == [path, path]
    # Another process has stored the game.
    other = FolderStore(tmp_path)
    fourth = other.replace(played(third, "f1,f5"))
    assert store.load(first.id) == fourth
    assert store.load(first.id).game.actions == fourth.game.actions
    with refused("outdated"):
        store.replace(played(third, "e1,f3"))


def test_a_stored_game_is_what_is_read(tmp_path: Path) -> None:
    """The game that stays in memory is the one that is in the file."""
    store = FolderStore(tmp_path)
    clock = TimeControl(300, 5)
    game = GAME.play("a1,b1", clock=305.0).play("red", clock=299.5)
    facts: list[dict[str, Any]] = [
        {"token_hashes": {FIRST: hash_token("a"), SECOND: hash_token("b")}, "undo_request": FIRST},
        {"token_hashes": {FIRST: hash_token("a")}, "levels": {SECOND: "level-4"}},
        {"time_control": clock, "seconds_used": 1.25, "turn_version": 3, "draw_offer": SECOND},
        {"time_control": clock, "extra_seconds": {FIRST: 30}, "extra_in_readings": {0: 15, 1: 30}},
        {"time_control": clock, "extra_seconds": {FIRST: 30}, "returned_seconds": {FIRST: 15}},
        {"declined": Declined("draw", SECOND)},
        {"asked_already": {FIRST: frozenset(["draw", "undo"]), SECOND: frozenset(["rematch"])}},
        {"next_id": "0" * 32},
    ]
    for each in facts:
        stored = store.create(StoredGame(new_id(), 3, game, **each))
        assert store.load(stored.id) is stored
        assert FolderStore(tmp_path).load(stored.id) == stored


def test_seconds_are_stored_for_all_games_that_are_left(store: Store) -> None:
    gone = new(GAME.play("a1,b1"))
    kept = store.create(new(GAME.play("a1,b1")))
    store.save_all_seconds([(gone, 7.0), (kept, 8.0)])
    assert store.load(kept.id).seconds_used == 8.0


def test_after_a_full_disk_no_other_seconds_are_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FolderStore(tmp_path)
    kept = [begun(store) for _ in range(2)]
    tries = []

    def full(number: int) -> None:
        tries.append(number)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with refused("store-unwritable"):
        store.save_all_seconds([(each, 8.0) for each in kept])
    assert len(tries) == 1


def test_the_last_version_is_not_changed(tmp_path: Path) -> None:
    (tmp_path / f"{NAME}.pdd").write_bytes(record_with("ServeVersion", "999999999"))
    guest = Guest(Site(FolderStore(tmp_path), fixed_seed), NAME, "b")
    refused = guest.post("actions", 500, version=999_999_999, action="red")
    assert refused["code"] == "game-damaged"
    assert guest.get()["version"] == 999_999_999


def test_a_file_that_grows_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file must not be truncated silently."""
    store = FolderStore(tmp_path)
    game = GAME.with_comment("before").play("a1,b1")
    stored = store.create(new(game))
    [path] = tmp_path.glob("*.pdd")
    monkeypatch.setattr(folder, "MAX_BYTES", path.stat().st_size)
    assert FolderStore(tmp_path).load(stored.id) == stored
    with path.open("ab") as file:
        file.write(b"\n\n[Event]")
    seen = path.stat()
    short = os.stat_result([*seen[:6], seen.st_size - 9, *seen[7:]])
    monkeypatch.setattr(Path, "stat", lambda _path: short)
    with refused("game-damaged", "it is not a file of at most"):
        folder._read_file(path)


# Folders that disappear and return


def test_another_folder_in_the_same_place_is_not_the_folder(tmp_path: Path) -> None:
    """An unmounted disk leaves an empty folder."""
    place = tmp_path / "games"
    store = FolderStore(place)
    guest = Guest(Site(store)).seated()
    place.rename(tmp_path / "disk")
    for is_empty in (False, True):
        if is_empty:
            place.mkdir()
        assert guest.get("", 503)["code"] == "store-unreadable"
        assert guest.post("resignation", 503, version=1, seat="first")["code"] == "store-unreadable"
        assert guest.begin(503, rules=SMALL)["code"] == "store-unwritable"
        assert not is_empty or [*place.iterdir()] == []
    place.rmdir()
    (tmp_path / "disk").rename(place)
    assert guest.post("resignation", version=1, seat="first")["version"] == 2
    # A deleted game is gone, and a deleted lock is created again.
    guest.begin(rules=SMALL)
    (place / f"{guest.game}.pdd").unlink()
    (place / LOCK_FILE).unlink()
    assert guest.get("", 404)["code"] == "no-such-game"
    guest.begin(rules=SMALL)
    assert (place / LOCK_FILE).exists()


def test_a_copy_of_the_folder_with_its_lock_is_the_folder(tmp_path: Path) -> None:
    """A disk that is mounted again may have another device number."""
    store = FolderStore(tmp_path / "games")
    guest = Guest(Site(store)).seated()
    (tmp_path / "games").rename(tmp_path / "old")
    (tmp_path / "games").mkdir()
    for path in (tmp_path / "old").iterdir():
        path.rename(tmp_path / "games" / path.name)
    assert guest.get()["version"] == 1
    assert guest.post("resignation", version=1, seat="first")["version"] == 2


def test_a_read_only_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FolderStore(tmp_path)
    opened = os.open

    def refuse(path: Any, flags: int, *more: Any, **others: Any) -> int:
        if flags & os.O_CREAT:
            raise OSError(30, "Read-only file system")
        return opened(path, flags, *more, **others)

    monkeypatch.setattr(os, "open", refuse)
    with refused("store-unwritable", "no file can be created there: Read-only file system"):
        FolderStore(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [LOCK_FILE]


def test_an_outage_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    place = tmp_path / "games"
    store = FolderStore(place)
    guest = Guest(Site(store)).seated()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    for _ in range(2):
        caplog.clear()
        monkeypatch.setattr(os, "fsync", full)
        for _ in range(5):
            guest.begin(503, rules=SMALL)
        monkeypatch.undo()
        guest.begin(rules=SMALL)
        place.rename(tmp_path / "gone")
        for _ in range(5):
            guest.get("", 503)
        (tmp_path / "gone").rename(place)
        guest.get()
        lines = [record.getMessage() for record in caplog.records]
        assert [line.partition(": ")[2][:44] for line in lines] == [
            "the game cannot be stored: [Errno 28] No spa",
            "games can be stored again.",
            "[Errno 2] No such file or directory: '" + str(place)[:6],
            "games can be read again.",
        ]
