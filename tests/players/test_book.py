"""Opening books: their files, their actions on all sides of a board, and players that use them."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from attrs.exceptions import FrozenInstanceError

import pontedeldiavolo as pdd
from pontedeldiavolo.players import ActionStats, Book
from pontedeldiavolo.players import book as books
from pontedeldiavolo.players.book import Search
from pontedeldiavolo.players.identity import identity_of
from support.checks import error_of

DEFAULT = pdd.Rules()
SMALL = pdd.Rules(pdd.Board(4, 4))
FILE = Path(str(books.bundled_file(DEFAULT)))
INVALID = "invalid-book"
MAX_FILE_BYTES = 200_000


@cache
def content() -> books.Content:
    """Return the content of the book of the package."""
    return books.read(FILE)


def bundled() -> Book:
    """Return the book of the package."""
    return Book.bundled(DEFAULT)


def state_after(text: str, rules: pdd.Rules = DEFAULT) -> pdd.GameState:
    """Return the state after some actions."""
    state = pdd.GameState.initial(rules)
    for action in text.split():
        state = state.apply(pdd.parse_action(action))
    return state


def search(line: str, simulations: int, value: float, *actions: str) -> Search:
    """Return a search, with an action, its visits and its value in each of the last texts."""
    stats = []
    for each in actions:
        action, visits, mean = each.split()
        stats.append(ActionStats(pdd.parse_action(action), int(visits), float(mean)))
    return Search(tuple(map(pdd.parse_action, line.split())), simulations, value, tuple(stats))


def values(book: Book, state: pdd.GameState) -> dict[str, tuple[int, float]]:
    """Return the visits and values of the actions of a state."""
    found = book.lookup(state)
    return {pdd.format_action(each.action): (each.visits, each.value) for each in found}


def states_of(every: int) -> list[pdd.GameState]:
    """Return some states of the bundled book: a regular sample, and the first two phases."""
    lines = [each.line for each in content().searches[::every]]
    texts = [" ".join(map(pdd.format_action, line)) for line in lines]
    return [pdd.GameState.initial(), *map(state_after, [texts[0].split()[0], *texts])]


# The book of the package


def test_the_file_is_small_and_written_in_one_way_only() -> None:
    data = FILE.read_bytes()
    assert len(data) < MAX_FILE_BYTES
    assert books.written(DEFAULT, reversed(content().searches)) == data


def test_every_opening_is_there_with_a_choice_and_answers() -> None:
    start = pdd.GameState.initial()
    openings = {each.action for each in bundled().lookup(start)}
    keys = {books.key_of(start.apply(action)) for action in openings}
    assert len(openings) == len(keys)
    for action in start.legal_actions:
        state = start.apply(action)
        assert books.key_of(state) in keys
        red, white = sorted(
            bundled().lookup(state), key=lambda each: pdd.format_action(each.action)
        )
        assert (red.action, white.action) == (books.RED, books.WHITE)
        assert red.value == -white.value
        assert bundled().lookup(state.apply(red.action))


def test_every_action_is_legal_and_the_best_is_first() -> None:
    for each in content().searches:
        state = pdd.GameState.initial()
        for action in each.line:
            assert bundled().lookup(state)
            state = state.apply(action)
        found = bundled().lookup(state)
        assert all(state.is_legal(stats.action) for stats in found)
        assert [stats.value for stats in found] == sorted(
            (stats.value for stats in found), reverse=True
        )
        assert min(stats.visits for stats in found) > 0


@pytest.mark.parametrize("symmetry", DEFAULT.board.symmetries, ids=range(8))
def test_a_symmetric_state_has_symmetric_actions(symmetry: pdd.Symmetry) -> None:
    for state in states_of(every=20):
        image = state.transform(symmetry)
        fixing = [each for each in DEFAULT.board.symmetries if image.transform(each) == image]
        expected = bundled().lookup(state)
        found = bundled().lookup(image)
        assert len(found) == len(expected)
        for one, other in zip(expected, found, strict=True):
            turned = one.action.transform(symmetry)
            assert other.action in {turned.transform(each) for each in fixing}
            assert (other.visits, other.value) == (one.visits, one.value)


def test_the_owners_of_the_colours_do_not_matter() -> None:
    for line in ("e5,e6", "a1,c4"):
        after_red = values(bundled(), state_after(f"{line} red"))
        assert after_red
        assert values(bundled(), state_after(f"{line} white")) == after_red


def test_other_rules_have_no_book() -> None:
    others = (SMALL, pdd.presets.ORIGINAL, pdd.Rules(pdd.Board(12, 12)))
    for rules in others:
        error = error_of(pdd.PonteError, Book.bundled, rules)
        assert error.code == "no-book"
        assert pdd.format_rules(rules) in str(error)
        assert bundled().lookup(pdd.GameState.initial(rules)) == ()


def test_a_late_state_is_not_in_the_book() -> None:
    assert bundled().lookup(state_after("a1,j10 red a10,j1 a2,j9 b10,i1 c5,c7")) == ()


# A book is a value


def test_a_book_cannot_change() -> None:
    with pytest.raises(FrozenInstanceError):
        bundled().rules = SMALL  # type: ignore[misc]
    assert copy.copy(bundled()) is copy.deepcopy(bundled()) is bundled()


def test_a_pickled_book_is_equal() -> None:
    other = pickle.loads(pickle.dumps(bundled()))
    assert other == bundled()
    assert hash(other) == hash(bundled())
    assert len(other) == len(bundled()) > len(content().searches)
    assert books.digest_of(other) == books.digest_of(bundled())
    assert "_entries" not in repr(other)


# Values


def test_values_come_from_the_positions_after_the_actions() -> None:
    searches = (
        search("a1,b1 red", 100, 0.1, "c3,d3 40 0.3", "c3,c4 20 0.25"),
        search("a1,b1 red c3,d3", 200, 0.2, "a3,a4 90 0.4"),
    )
    book = Book(SMALL, books.entries_of(SMALL, searches))
    # The mean of all simulations is 0.2 less than that of the best action.
    assert values(book, state_after("a1,b1 red c3,d3", SMALL)) == {"a3,a4": (90, 0.2)}
    # One action was searched, and the other one is corrected by 0.2.
    after_red = {"c3,c4": (20, 0.05), "c3,d3": (200, -0.2)}
    assert values(book, state_after("a1,b1 red", SMALL)) == after_red
    # Red's only searched action loses, so the second seat takes white.
    assert values(book, state_after("a1,b1", SMALL)) == {"white": (100, 0.2), "red": (100, -0.2)}
    assert values(book, pdd.GameState.initial(SMALL)) == {"a1,b1": (100, -0.2)}


def test_a_player_ignores_actions_with_few_visits_or_low_values() -> None:
    def good(simulations: int, *actions: str) -> list[str]:
        searches = [search("a1,b1 red", simulations, 0.1, *actions)]
        book = Book(SMALL, books.entries_of(SMALL, searches))
        found = books.good_actions(book, state_after("a1,b1 red", SMALL))
        return [pdd.format_action(each.action) for each in found]

    # Half of the visits of the most visited action are enough.
    visits = ("c3,d3 30 0.1", "a3,b3 14 0.1", "c4,d4 15 0.095", "a4,b4 29 0.08")
    assert good(1_000, *visits) == ["c3,d3", "c4,d4"]
    # A fifth of all simulations is enough, too.
    assert good(70, *visits) == ["c3,d3", "a3,b3", "c4,d4"]
    late = state_after("a1,b1 red c3,d3", SMALL)
    book = Book(SMALL, books.entries_of(SMALL, [search("a1,b1 red", 9, 0, "a3,b3 9 0.9")]))
    assert books.good_actions(book, late) == []


# Damaged files


def code_of(path: Path, data: bytes) -> str:
    """Return the code of the error by which a file is refused."""
    path.write_bytes(data)
    return error_of(pdd.PonteError, Book.open, path).code


def file_of(body: bytes, rules: bytes = b"", version: bytes = b"pontedeldiavolo book 1") -> bytes:
    """Return a file with a valid checksum for any content."""
    rules = rules or pdd.format_rules(SMALL).encode()
    digest = sha256(b"%b\n%b\n%b" % (version, rules, body)).hexdigest().encode()
    return b"%b\n%b\n%b\n%b" % (version, rules, digest, body)


GOOD = b"a1,b1 red: 100 0.100; c3,d3 40 0.300\n"
"""The body of a small book."""


def test_no_flipped_byte_is_overlooked(tmp_path: Path) -> None:
    good = file_of(GOOD)
    for place in range(len(good)):
        damaged = bytearray(good)
        damaged[place] ^= 1 << place % 8
        assert code_of(tmp_path / "book", bytes(damaged)) == INVALID, place


def test_no_missing_and_no_further_byte_is_overlooked(tmp_path: Path) -> None:
    good = file_of(GOOD)
    for size in range(len(good)):
        assert code_of(tmp_path / "book", good[:size]) == INVALID
    for more in (b"!", b"\0", b"\n", good):
        assert code_of(tmp_path / "book", good + more) == INVALID


def test_content_that_no_book_has_is_refused(tmp_path: Path) -> None:
    """Files with a valid checksum are refused if no book has their content."""
    path = tmp_path / "book"
    path.write_bytes(file_of(GOOD))
    assert len(Book.open(path)) == 3
    later = b"a1,b1 red c3,d3: 100 0.100; a3,a4 40 0.300\n"
    bodies = (
        b"\n",
        GOOD.rstrip(),
        GOOD + GOOD,
        later + GOOD,
        # The same position from another side.
        GOOD + b"a1,a2 red: 100 0.100; c3,d3 40 0.300\n",
        GOOD.replace(b" red", b" white"),
        GOOD.replace(b" red", b""),
        GOOD.replace(b"a1,b1", b"a1,a1"),
        GOOD.replace(b"a1,b1", b"b1,a1"),
        GOOD.replace(b"a1,b1", b"a1,b9"),
        GOOD.replace(b"c3,d3", b"a1,d3"),
        GOOD.replace(b"c3,d3", b"pass"),
        GOOD.replace(b"; c3,d3 40 0.300", b""),
        GOOD.replace(b"0.100", b"nan"),
        GOOD.replace(b"0.100", b"1.001"),
        GOOD.replace(b"0.300", b"-1.001"),
        GOOD.replace(b"0.100", b"0.1"),
        GOOD.replace(b"100 ", b"0 "),
        GOOD.replace(b"100 ", b"-1 "),
        GOOD.replace(b"100 ", b"1_00 "),
        GOOD.replace(b"40", b"-1"),
        GOOD.replace(b"100 ", b"9" * 5_000 + b" "),
        GOOD.replace(b"red", b"\xff"),
        GOOD.replace(b": ", b" c3,c4" * 2_000 + b": "),
    )
    for body in bodies:
        assert code_of(path, file_of(body)) == INVALID, body[:80]
    for rules in (b"4x4", b"65x65", pdd.format_rules(SMALL).encode() + b" ", b"\xff"):
        assert code_of(path, file_of(GOOD, rules)) == INVALID, rules
    for version in (b"pontedeldiavolo book 0", b"pontedeldiavolo book 2", b""):
        assert code_of(path, file_of(GOOD, version=version)) == INVALID, version


def test_a_file_that_is_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = file_of(GOOD)
    path = tmp_path / "book"
    path.write_bytes(good)
    monkeypatch.setattr(books, "MAX_BYTES", len(good))
    assert Book.open(path).rules == SMALL
    monkeypatch.setattr(books, "MAX_BYTES", len(good) - 1)
    assert error_of(pdd.PonteError, Book.open, path).code == INVALID


def test_a_damaged_book_of_the_package_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(books, "FOLDER", tmp_path)
    (tmp_path / FILE.name).write_bytes(FILE.read_bytes()[:-1])
    books._bundled.cache_clear()
    assert error_of(pdd.PonteError, Book.bundled, DEFAULT).code == INVALID


# Players


LAST = "e5,e6 red a1,j10 a10,j1"
"""Actions to a state that no book has."""


@cache
def tree_search(**options: Any) -> Any:
    """Return a tree search with a small budget."""
    pytest.importorskip("numba", reason="not installed: extra batch")
    return pdd.players.MctsPlayer(**{"simulations": 20, **options})


def played(player: Any, length: int) -> str:
    """Return the first actions of a game of a player against itself."""
    state = pdd.GameState.initial()
    texts = []
    for _ in range(length):
        action = player.choose(state)
        texts.append(pdd.format_action(action))
        state = state.apply(action)
    return " ".join(texts)


def test_a_player_takes_good_actions_of_the_book() -> None:
    player = tree_search(book=bundled())
    for state in states_of(every=40):
        good = {each.action for each in books.good_actions(bundled(), state)}
        fixing = [each for each in DEFAULT.board.symmetries if state.transform(each) == state]
        for seed in range(3):
            chosen = player.for_game(seed).choose(state)
            assert state.is_legal(chosen)
            assert good & {chosen.transform(each) for each in fixing}


def test_the_seed_decides_which_action_of_the_book_is_played() -> None:
    player = tree_search(book=bundled())
    games = [played(player.for_game(seed), 3) for seed in range(12)]
    assert games == [played(player.for_game(seed), 3) for seed in range(12)]
    assert len({game.split()[0] for game in games}) > 6
    # Asking twice changes nothing.
    start = pdd.GameState.initial()
    assert len({player.choose(start) for _ in range(5)}) == 1
    assert player.search(start).actions == (player.choose(start),)


def test_another_process_chooses_the_same() -> None:
    """Hashes of texts differ from process to process, and ``-O`` leaves out assertions."""
    pytest.importorskip("numba", reason="not installed: extra batch")
    code = (
        "import pontedeldiavolo as pdd\n"
        "player = pdd.players.by_name('mcts:simulations=20,book=bundled').for_game(5)\n"
        "state = pdd.GameState.initial()\n"
        "for _ in range(4):\n"
        "    action = player.choose(state)\n"
        "    print(pdd.format_action(action))\n"
        "    state = state.apply(action)\n"
    )
    command = [sys.executable, "-O", "-c", code]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    player = tree_search(book=bundled()).for_game(5)
    assert " ".join(answer.stdout.split()) == played(player, 4)


def test_a_player_searches_where_the_book_ends() -> None:
    state = state_after(LAST)
    with_book = tree_search(book=bundled()).for_game(7)
    without = tree_search().for_game(7)
    assert with_book.choose(state) == without.choose(state)
    small = pdd.GameState.initial(SMALL)
    assert with_book.for_game(8).choose(small) == without.for_game(8).choose(small)


def test_a_player_with_more_simulations_than_the_book_searches() -> None:
    state = pdd.GameState.initial(SMALL)
    searches = [search("a1,b1 red", 100, 0.1, "c3,d3 40 0.3")]
    book = Book(SMALL, books.entries_of(SMALL, searches))
    assert tree_search(simulations=100, book=book).search(state).depth == 0
    assert tree_search(simulations=101, book=book).search(state).depth > 0
    by_time = pdd.players.MctsPlayer(seconds=0.01, book=book)
    assert by_time.search(state).depth == 0
    assert by_time.search(state, simulations=101).depth > 0


def test_a_line_and_an_analysis_have_the_values_of_the_book() -> None:
    player = tree_search(book=bundled())
    state = state_after("e5,e6")
    best = bundled().lookup(state)[0]
    line = player.search(state)
    assert (line.actions, line.value, line.visits) == ((best.action,), best.value, best.visits)
    assert 0 < line.half_width < 0.1
    assert not line.proven
    assert player.analyse(state).book == bundled().lookup(state)
    half_turn = pdd.GameState.initial().step(pdd.parse_step("e5"))
    assert isinstance(half_turn, pdd.HalfTurn)
    assert player.analyse(half_turn).book == ()
    assert isinstance(player.choose(half_turn), pdd.PlaceTile)
    assert tree_search().analyse(state).book == ()


def test_a_player_ponders_with_a_book() -> None:
    player = tree_search(book=bundled()).for_game(1)
    state = pdd.GameState.initial()
    for _ in range(3):
        player.ponder(state)
        state = state.apply(player.choose(state))
    player.stop()


def test_a_player_keeps_its_book() -> None:
    player = tree_search(book=bundled())
    assert player.name == "mcts 20 book"
    start = pdd.GameState.initial()
    assert pickle.loads(pickle.dumps(player)).choose(start) == player.choose(start)
    digest = identity_of(player, player.name)["book"]
    assert digest == books.digest_of(bundled())
    assert "book" not in identity_of(tree_search(), "mcts")


def test_a_name_can_ask_for_the_book() -> None:
    pytest.importorskip("numba", reason="not installed: extra batch")
    assert pdd.players.by_name("mcts:simulations=20,book=bundled").name == "mcts 20 book"
    error = error_of(pdd.PonteError, pdd.players.by_name, "mcts:book=mine")
    assert error.code == "unknown-book"


# The tool that makes the book


def test_a_book_that_was_made_in_parts_is_the_same_file(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="not installed: extra batch")
    from tools import opening_book as tool  # noqa: PLC0415 - it needs the extra batch

    path = tmp_path / "book"
    at_once = tool.Maker(SMALL, first=20, others=40)
    in_parts = tool.Maker(SMALL, first=20, others=40)
    for _ in range(8):
        assert at_once.run_batch()
        assert in_parts.run_batch()
        path.write_bytes(books.written(SMALL, in_parts.searches.values()))
        in_parts = tool.Maker(SMALL, books.read(path).searches, first=20, others=40)
    assert books.written(SMALL, at_once.searches.values()) == path.read_bytes()
    assert at_once.count == in_parts.count > 40
    searches = books.read(path).searches
    assert max(len(each.line) for each in searches) > 2
    assert tool.different(searches, SMALL, 10) == []
    changed = tuple(each._replace(value=0.5) for each in searches)
    assert len(tool.different(changed, SMALL, 3)) == 3
