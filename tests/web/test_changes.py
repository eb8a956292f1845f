"""The changes of a game that a page gets: they are small, and make the same view as a whole one."""

from __future__ import annotations

import gc
import json
import random
import re
import shutil
import subprocess
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.base.catalogs import LanguageCatalog
from pontedeldiavolo.base.enums import ISLAND_SIZE
from pontedeldiavolo.game import board_view
from pontedeldiavolo.html.page import parts
from pontedeldiavolo.web import views
from pontedeldiavolo.web.folder import FolderStore
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MAX_SEEN_VERSIONS, MemoryStore, StoredGame
from pontedeldiavolo.web.views import ShownGame, ShownGames
from support.http_client import Guest, fixed_seed
from support.page_views import View, changed

ENGLISH = pdd.messages.LANGUAGES["en"]
STANDARD = "tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"
MAX_BYTES = {"10x10": 4_000, "26x26": 12_000}
"""The maximum size of a change on the boards for which one is promised."""
MANY = 60
"""The number of plies that are all compared: more than a game on 10×10 has."""
SOME = 30
"""Of later plies, every one of so many is compared."""
BOARDS = [
    f"10x10 {STANDARD}",
    f"26x26 {STANDARD}",
    f"1x9 {STANDARD}",
    f"9x1 {STANDARD}",
    "6x5 tiles=unlimited bridges=6 tiebreaks=islands,bridges",
    "8x8 tiles=20 bridges=3 tiebreaks=none",
    "1x1 tiles=unlimited bridges=unlimited tiebreaks=none",
]
VIEW_JS = Path(str(pdd.__file__)).parent / "web" / "static" / "view.js"
NODE = f"""
import {{ createInterface }} from "node:readline";
const {{ nextView }} = await import({json.dumps(VIEW_JS.as_uri())});
let view = null;
for await (const line of createInterface({{ input: process.stdin }})) {{
  const before = JSON.stringify(view);
  const found = nextView(view, JSON.parse(line));
  if (JSON.stringify(view) !== before) throw new Error("the old view has changed");
  if (found) view = found;
  console.log(JSON.stringify(found));
}}
"""
PART = re.compile(r"<(?:path|rect)[^>]*/>|<g class=\"(?:network|points) [^>]*>")


def raw(guest: Guest, method: str, path: str = "", **fields: object) -> Any:
    """Send a request, and return the response as it is in JSON."""
    body = json.dumps(fields).encode() if method == "POST" else b""
    query = {} if method == "POST" else {name: str(value) for name, value in fields.items()}
    answer = guest.raw(method, f"/games/{guest.game}{path}", body, **query)
    assert answer.status in (200, 204), answer.content
    return json.loads(json.dumps(answer.content))


def size_of(content: object) -> int:
    return len(json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode())


def without_clocks(view: View | None) -> View:
    """Return a view without its parts, which a page takes from several responses."""
    assert view is not None
    return {name: value for name, value in view.items() if name not in ("drawn", "token")}


def next_action(game: pdd.Game, rng: random.Random, eager: float) -> str:
    """Return an action: often a bridge, so that networks grow."""
    legal = game.state.legal_actions
    others = legal.others
    action = rng.choice(others) if others and rng.random() < eager else legal.sample(rng)
    return pdd.format_action(action)


def pieces_of(picture: str) -> Counter[str]:
    """Return how often each part is in a picture; the water under pieces is drawn or not."""
    found = (each for each in PART.findall(picture) if 'class="cell"' not in each)
    # The marks of the last action are placed by the script.
    return Counter(each for each in found if "M8,2" not in each)


@pytest.fixture(scope="module")
def script() -> Iterator[Callable[[object], Any]]:
    """Return the page's own function for changes, which keeps the view itself."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    command = [node, "--input-type=module", "--eval", NODE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:

        def apply(change: object) -> Any:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(change).encode() + b"\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield apply
        assert process.stdin is not None
        process.stdin.close()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("eager", [0.3, 0.9])
@pytest.mark.parametrize(
    "rules",
    [pytest.param(rules, marks=pytest.mark.slow if "26x26" in rules else ()) for rules in BOARDS],
)
def test_changes_make_the_whole_view_at_each_ply(rules: str, eager: float, language: str) -> None:
    rng = random.Random(f"{rules} {eager}")
    guest = Guest(query={"lang": language}).seated(rules=rules)
    view = changed(None, raw(guest, "GET"))
    most = MAX_BYTES.get(rules.split(" ", maxsplit=1)[0])
    while view is not None and view["ending"] is None:
        game = guest.site.store.load(guest.game).game
        action = next_action(game, rng, eager)
        change = raw(guest, "POST", "/actions", version=view["version"], action=action)
        assert change["base"] == view["version"]
        assert len(change["plies"]) == 1
        assert most is None or size_of(change) < most
        view = changed(view, change)
        # A whole view of a large board is long, so not every one is compared.
        if len(game.actions) < MANY or len(game.actions) % SOME == 0:
            assert without_clocks(view) == without_clocks(changed(None, raw(guest, "GET")))
    assert view is not None
    assert without_clocks(view) == without_clocks(changed(None, raw(guest, "GET")))
    game = guest.site.store.load(guest.game).game
    picture, moves = parts(game, pdd.messages.LANGUAGES[language])
    assert pieces_of(view["svg"]) == pieces_of(picture)
    # The slider of the whole page begins with its last place; the script sets it, too.
    items = moves.partition("<ol")[2].removesuffix("</div>")
    assert view["movesHtml"].partition("<ol")[2].removesuffix("</div>") == items


@pytest.mark.parametrize("rules", [BOARDS[0], BOARDS[4], BOARDS[2]])
def test_the_script_makes_the_same_views(rules: str, script: Callable[[object], Any]) -> None:
    rng = random.Random(rules)
    guest = Guest(query={"lang": "en"}).seated(rules=rules)
    whole = raw(guest, "GET")
    view = changed(None, whole)
    shown = script(whole)
    while view is not None and view["ending"] is None:
        assert without_clocks(shown) == json.loads(json.dumps(without_clocks(view)))
        game = guest.site.store.load(guest.game).game
        version = view["version"]
        if view["can_undo"] and rng.random() < 0.1:
            change = raw(guest, "POST", "/undo", version=version)
        else:
            action = next_action(game, rng, 0.5)
            change = raw(guest, "POST", "/actions", version=version, action=action)
        view = changed(view, change)
        shown = script(change)
    assert without_clocks(shown) == json.loads(json.dumps(without_clocks(view)))


def test_a_page_that_is_behind_gets_all_that_it_misses(script: Callable[[object], Any]) -> None:
    rng = random.Random(5)
    guest = Guest().seated(rules=BOARDS[0])
    watcher = guest.looking_on()
    version = raw(guest, "GET")["version"]
    view: View | None = None
    for steps in (1, 3, 7, 2, 20):
        for _ in range(steps):
            game = guest.site.store.load(guest.game).game
            action = next_action(game, rng, 0.4)
            version = raw(guest, "POST", "/actions", version=version, action=action)["version"]
        change = raw(watcher, "GET") if view is None else raw(watcher, "GET", after=view["version"])
        if view is not None:
            assert (change["base"], len(change["plies"])) == (view["version"], steps)
        view = changed(view, change)
        assert view is not None
        whole = changed(None, raw(watcher, "GET"))
        assert without_clocks(view) == without_clocks(whole)
        assert without_clocks(script(change)) == json.loads(json.dumps(without_clocks(whole)))
        assert raw(watcher, "GET", after=version) is None


def test_what_was_taken_back_goes() -> None:
    guest = Guest().seated(rules=BOARDS[0])
    view = changed(None, raw(guest, "GET"))
    seen = [view]
    for action in ("d4,g7", "red", "a1,c3", "j10,h8", "e5,i1"):
        view = changed(view, raw(guest, "POST", "/actions", version=len(seen), action=action))
        seen.append(view)
    version = len(seen)
    for _ in range(3):
        change = raw(guest, "POST", "/undo", version=version)
        assert (change["plies"], size_of(change) < MAX_BYTES["10x10"]) == ([], True)
        view = changed(view, change)
        version += 1
        assert without_clocks(view) == without_clocks(changed(None, raw(guest, "GET")))
    # Another action than before, for a page that has not seen that anything was taken back.
    raw(guest, "POST", "/actions", version=version, action="b9,f2")
    late = raw(guest, "GET", after=6)
    assert (late["base"], late["plies_kept"], len(late["plies"])) == (6, 3, 1)
    assert without_clocks(changed(seen[-1], late)) == without_clocks(
        changed(None, raw(guest, "GET"))
    )


def test_a_page_that_cannot_use_a_change_is_told_so() -> None:
    guest = Guest().seated(rules=BOARDS[4])
    first = changed(None, raw(guest, "GET"))
    changes = []
    for version, action in enumerate(("a1,b1", "red", "f1,f5"), 1):
        changes.append(raw(guest, "POST", "/actions", version=version, action=action))
    second = changed(first, changes[0])
    assert second is not None
    assert changed(None, changes[0]) is None
    assert changed(first, changes[1]) is None
    assert changed(second, changes[0]) is not None
    # A response that was overtaken by a later one changes nothing.
    third = changed(second, changes[1])
    assert changed(third, changes[0]) is third
    german = Guest(guest.site, guest.game, guest.token, {"lang": "de"})
    assert changed(second, raw(german, "GET", after=2)) is None
    other = guest.seated(rules=BOARDS[4])
    raw(other, "POST", "/actions", version=1, action="a1,b1")
    assert changed(first, raw(other, "GET", after=1)) is None


def test_the_whole_view_comes_after_a_restart(tmp_path: Path) -> None:
    guest = Guest(Site(FolderStore(tmp_path), fixed_seed)).seated(rules=BOARDS[4])
    guest.play("a1,b1", "red")
    again = Guest(Site(FolderStore(tmp_path), fixed_seed), guest.game, guest.token)
    # The new process has not seen version 1, but it has seen version 3, which it has stored.
    assert raw(again, "GET", after=1)["base"] is None
    view = changed(None, raw(again, "GET"))
    change = raw(again, "POST", "/actions", version=3, action="f1,f5")
    assert change["base"] == 3
    assert without_clocks(changed(view, change)) == without_clocks(changed(None, raw(again, "GET")))
    # The first action after a restart, for a page that was open all the time.
    later = Guest(Site(FolderStore(tmp_path), fixed_seed), guest.game, guest.token)
    assert raw(later, "POST", "/actions", version=4, action="a2,b2")["base"] == 4


def test_two_processes_share_a_game(tmp_path: Path) -> None:
    guest = Guest(Site(FolderStore(tmp_path), fixed_seed)).seated(rules=BOARDS[4])
    other = Guest(Site(FolderStore(tmp_path), fixed_seed), guest.game, guest.token)
    view = changed(None, raw(guest, "GET"))
    raw(other, "POST", "/actions", version=1, action="a1,b1")
    raw(other, "POST", "/undo", version=2)
    raw(other, "POST", "/actions", version=3, action="a2,b2")
    change = raw(guest, "GET", after=1)
    assert (change["base"], change["plies_kept"]) == (1, 1)
    assert without_clocks(changed(view, change)) == without_clocks(changed(None, raw(guest, "GET")))
    # The first process has never seen version 2.
    assert raw(guest, "GET", after=2)["base"] is None


def test_a_file_from_a_backup_is_shown_whole(tmp_path: Path) -> None:
    guest = Guest(Site(FolderStore(tmp_path), fixed_seed)).seated(rules=BOARDS[4])
    file = tmp_path / f"{guest.game}.pdd"
    backup = file.read_bytes()
    guest.play("a1,b1", "red")
    file.write_bytes(backup)
    shown = raw(guest, "GET", after=3)
    assert (shown["version"], shown["base"]) == (1, None)
    raw(guest, "POST", "/actions", version=1, action="a2,b2")
    change = raw(guest, "POST", "/actions", version=2, action="red")
    assert change["version"] == 3
    view = changed(None, raw(guest, "GET"))
    change = raw(guest, "POST", "/actions", version=3, action="f1,f5")
    assert without_clocks(changed(view, change)) == without_clocks(changed(None, raw(guest, "GET")))


def test_other_changes_bring_no_plies() -> None:
    first = Guest().seated(rules=BOARDS[0], seat="first")
    view = changed(None, raw(first, "GET"))
    second = first.at(first.looking_on().post("seats", 201, seat="second"))
    # A seat was taken: the version is the same.
    change = raw(first, "GET", after=1, seats_taken=1)
    assert (change["base"], change["plies"], change["seats_taken"]) == (1, [], 2)
    view = changed(view, change)
    change = raw(second, "POST", "/draw", version=1)
    assert (change["plies"], change["draw_offer"]) == ([], "second")
    change = raw(first, "GET", after=1, seats_taken=2)
    view = changed(view, change)
    assert view is not None
    assert view["draw_offer"] == "second"
    change = raw(first, "POST", "/resignation", version=2)
    assert (change["plies"], change["ending"]) == ([], "resignation")
    view = changed(view, change)
    assert without_clocks(view) == without_clocks(changed(None, raw(first, "GET")))


def test_records_with_variations_and_values_go_on() -> None:
    text = "1. d4,g7 {Far apart.} (1. a1,b1 red) red {[%eval 0.25]} 2. c3,c5 $6 (2. e5,f6)"
    guest = Guest().seated(start=text)
    view = changed(None, raw(guest, "GET"))
    assert view is not None
    assert view["movesHtml"].count('class="variation"') == 2
    for action in ("a10,j1", "j10,b9"):
        version = view["version"]
        change = raw(guest, "POST", "/actions", version=version, action=action)
        view = changed(view, change)
        assert without_clocks(view) == without_clocks(changed(None, raw(guest, "GET")))
        assert view is not None
    game = guest.site.store.load(guest.game).game
    picture, moves = parts(game, pdd.messages.LANGUAGES["en"])
    assert view["movesHtml"] == moves
    assert pieces_of(view["svg"]) == pieces_of(picture)


def test_the_cost_of_a_change_does_not_grow_with_the_plies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The number of moves that are drawn is that of the new ones, however many there are."""
    from pontedeldiavolo.html.moves import Replay  # noqa: PLC0415 - only its method is replaced

    drawn: list[int] = []
    entry = Replay._entry

    def counted(self: Replay, *args: Any, **more: Any) -> Any:
        drawn.append(1)
        return entry(self, *args, **more)

    monkeypatch.setattr(Replay, "_entry", counted)
    rng = random.Random(2)
    guest = Guest().seated(rules=BOARDS[0])
    raw(guest, "GET")
    version = 1
    for _ in range(40):
        drawn.clear()
        game = guest.site.store.load(guest.game).game
        change = raw(guest, "POST", "/actions", version=version, action=next_action(game, rng, 0.4))
        version = change["version"]
        assert len(drawn) == 1


def test_a_large_game_is_shown_without_a_view_of_the_whole_board_at_each_ply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many plies a game has, its first view makes the same number of whole views."""
    whole: list[str] = []
    named: list[int] = []
    make = board_view._view
    cells = board_view.BoardView.cells
    describe = board_view.cell_views

    def make_counted(*args: Any) -> Any:
        whole.append("view")
        return make(*args)

    def cells_counted(self: board_view.BoardView) -> Any:
        whole.append("cells")
        return cells(self)

    def describe_counted(pieces: Any, places: int) -> Any:
        named.append(places.bit_count())
        return describe(pieces, places)

    monkeypatch.setattr(board_view, "_view", make_counted)
    monkeypatch.setattr(board_view.BoardView, "cells", cells_counted)
    monkeypatch.setattr(views, "cell_views", describe_counted)
    rng = random.Random(3)
    counts = []
    for plies in (1, 50):
        guest = Guest().seated(rules=f"64x64 {STANDARD}")
        game = guest.site.store.load(guest.game).game
        for _ in range(plies):
            game = game.play(next_action(game, rng, 0.5))
        whole.clear()
        named.clear()
        shown = views.ShownGame(game, pdd.messages.LANGUAGES["en"])
        found: Any = shown.plies(game, 0)
        assert len(found["plies"]) == 1 + plies
        counts.append(Counter(whole))
        # The start names every cell; an action those of its groups, or of its bridge.
        assert named[0] == 64 * 64
        assert max(named[1:]) <= 2 * ISLAND_SIZE
    assert counts[0] == counts[1]


@pytest.mark.parametrize("rules", [BOARDS[0], BOARDS[4], BOARDS[2]])
def test_cells_are_described_as_in_a_view_of_the_whole_board(rules: str) -> None:
    rng = random.Random(rules)
    game = pdd.Game.new(pdd.parse_rules(rules))
    while game.ending is None:
        game = game.play(next_action(game, rng, 0.6))
        found = board_view.view_of(game.state).cells()
        every = (1 << len(found)) - 1
        assert dict(board_view.cell_views(game.state.pieces, every)) == dict(enumerate(found))


def test_only_some_games_and_versions_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pontedeldiavolo.web.store.MAX_SEEN_GAMES", 2)
    site = Site(MemoryStore(), fixed_seed)
    guests = [Guest(site).seated(rules=BOARDS[4]) for _ in range(3)]
    for guest in guests:
        raw(guest, "POST", "/actions", version=1, action="a1,b1")
    assert [raw(guest, "GET", after=1)["base"] for guest in reversed(guests)] == [1, 1, None]
    guest = guests[-1]
    for version in range(2, 2 * MAX_SEEN_VERSIONS, 2):
        raw(guest, "POST", "/undo", version=version)
        raw(guest, "POST", "/actions", version=version + 1, action="a1,b1")
    last = raw(guest, "GET")["version"]
    assert raw(guest, "GET", after=last - MAX_SEEN_VERSIONS + 1)["base"] is not None
    assert raw(guest, "GET", after=last - MAX_SEEN_VERSIONS)["base"] is None


def new_stored(size: int, game_id: str = "") -> StoredGame:
    return StoredGame(game_id, 1, pdd.Game.new(pdd.parse_rules(f"{size}x{size} {STANDARD}")))


def drawn_bytes(size: int, moves: int) -> tuple[int, int]:
    """Return the memory that drawn games of a size take, and the memory that they count."""
    game = new_stored(size).game
    rng = random.Random(7)
    for _ in range(moves):
        game = game.play(game.state.legal_actions.sample(rng))
    # What all games share.
    ShownGame(game, ENGLISH).plies(game, 0)
    gc.collect()
    tracemalloc.start()
    shown = [ShownGame(game, ENGLISH) for _ in range(5)]
    for each in shown:
        each.plies(game, 0)
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return taken, sum(each.size for each in shown)


@pytest.mark.parametrize("moves", [0, 6, 30])
@pytest.mark.parametrize("size", [10, 26, 64])
def test_drawn_games_count_the_memory_that_they_take(size: int, moves: int) -> None:
    taken, counted = drawn_bytes(size, moves)
    assert 0.8 * counted < taken < 1.25 * counted


def test_the_drawn_parts_of_games_have_a_bound() -> None:
    size = ShownGame(new_stored(10).game, ENGLISH).size
    shown = ShownGames(max_bytes=3 * size)
    games = [new_stored(10, str(number)) for number in range(5)]
    drawn = [shown.find(stored, ENGLISH) for stored in games]
    assert [shown.find(stored, ENGLISH) for stored in games[2:]] == drawn[2:]
    # A larger board takes the place of several small ones, and the latest game always stays.
    large = new_stored(26, "large")
    kept = shown.find(large, ENGLISH)
    assert shown.find(large, ENGLISH) is kept
    assert shown.find(games[4], ENGLISH) is not drawn[4]


def test_moves_count_for_the_memory_of_drawn_games() -> None:
    stored = new_stored(10)
    shown = ShownGame(stored.game, ENGLISH)
    before = shown.size
    shown.plies(stored.game.play("d4,g7").play("white"), 0)
    assert shown.size > before


@pytest.mark.parametrize("part", ["html.growing.GrowingGame._ended", "web.views._descriptions"])
def test_after_a_failed_drawing_no_ply_is_missing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, part: str
) -> None:
    def fail(*_arguments: object) -> None:
        raise MemoryError

    guest = Guest().seated(rules=BOARDS[4])
    with monkeypatch.context() as patch:
        patch.setattr(f"pontedeldiavolo.{part}", fail)
        body = b'{"version": 1, "action": "a1,b1"}'
        assert guest.raw("POST", f"/games/{guest.game}/actions", body).status == 500
        # It cannot be drawn yet.
        assert guest.raw("GET", f"/games/{guest.game}").status == 500
    assert len(caplog.records) == 2
    shown = raw(guest, "GET")
    other = Guest(Site(guest.site.store), guest.game, guest.token)
    assert shown["version"] == 2
    assert shown["plies"] == raw(other, "GET")["plies"]
    assert len(shown["plies"]) == 2


def test_a_game_is_drawn_while_another_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, quick = new_stored(10, "slow"), new_stored(10, "quick")
    has_begun, may_end = Event(), Event()

    def draw(game: pdd.Game, language: LanguageCatalog) -> ShownGame:
        if game is slow.game:
            has_begun.set()
            assert may_end.wait(10)
        return ShownGame(game, language)

    monkeypatch.setattr(views, "ShownGame", draw)
    shown = ShownGames()
    with ThreadPoolExecutor() as threads:
        drawing = threads.submit(shown.find, slow, ENGLISH)
        assert has_begun.wait(10)
        other = threads.submit(shown.find, quick, ENGLISH)
        try:
            assert other.result(10) is shown.find(quick, ENGLISH)
        finally:
            may_end.set()
        assert drawing.result(10) is shown.find(slow, ENGLISH)


@pytest.mark.parametrize("after", ["0", "-1", "x", "1" * 30, "99", "", "1.0", "\u0661"])
def test_a_version_that_never_was_gets_the_whole_view(after: str) -> None:
    guest = Guest().seated(rules=BOARDS[4])
    shown = raw(guest, "GET", after=after)
    assert (shown["base"], shown["plies_kept"], len(shown["plies"])) == (None, 0, 1)
