"""This version reads the data of earlier versions with the same meaning.

Each folder of ``tests/data/compatibility`` has the files of one version. The folder of a released
version is never changed; a new version adds a folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.base.catalogs import tables_of
from pontedeldiavolo.players.engine import Engine
from pontedeldiavolo.players.registry import parse_spec
from pontedeldiavolo.records import Format
from pontedeldiavolo.testing import conformance
from support.documents import EXAMPLES
from support.paths import DATA, example
from support.transcripts import messages

STORED = DATA / "compatibility"
OTHERS = {
    ("sgf", ".sgf"): Format.SGF,
    ("boardspace", ".sgf"): Format.BOARDSPACE,
    ("abstract_play", ".json"): Format.ABSTRACT_PLAY,
    ("abstract_play", ".txt"): Format.MOVES,
}
"""Files whose games are also stored as records."""


def read_document(path: Path) -> None:
    text = path.read_text("utf-8")
    value = EXAMPLES[path.stem]
    assert pdd.json.loads(text) == pdd.json.loads(text, type(value)) == value
    assert pdd.json.dumps(value, indent=2) + "\n" == text


def read_records(path: Path) -> None:
    for game in pdd.records.iter_games(path):
        assert pdd.records.loads(pdd.records.dumps(game)) == game


def read_games(path: Path) -> None:
    games = list(pdd.records.iter_games(path.with_suffix(".pdd")))
    found = pdd.records.read(path, format=OTHERS[path.parent.name, path.suffix])
    assert [each for each in found if isinstance(each, pdd.Game)] == games


def read_nodes(path: Path) -> None:
    stored = json.loads(path.read_text("utf-8"))
    for row in stored["nodes"]:
        node = pdd.parse_node(row["text"])
        assert pdd.format_state(node) == row["text"]
        assert node.packed().hex() == row["packed"]
        assert node.canonical_packed().hex() == row["canonical"]
        assert node.packed(owners=False).hex() == row["without_owners"]
        assert type(node).unpack(node.rules, bytes.fromhex(row["packed"])) == node
    for row in stored["spaces"]:
        is_whole = row["kind"] == "actions"
        kind = pdd.ActionSpace if is_whole else pdd.StepSpace
        space = kind(pdd.Board(*row["board"]))
        texts = [pdd.format_action(space.decode(code)) for code in range(len(space))]
        assert len(texts) == row["size"]
        assert hashlib.sha256("\n".join(texts).encode()).hexdigest() == row["sha256"]


def read_codes(path: Path) -> None:
    assert {*path.read_text("utf-8").split()} <= {*tables_of("en")["errors"]}


def read_vectors(path: Path) -> None:
    answer = example("conformance")["answer"]
    needed = {"hash", "solve", "perft"}  # other tests read these files, which need further packages
    for vector in conformance.load(path):
        if vector.request["do"] not in needed:
            assert answer(vector.request) == vector.answer, vector.request


def read_tables(path: Path) -> None:
    pytest.importorskip("numba", reason="not installed: extra batch")
    table = pdd.players.Tablebase.open(path)
    start = pdd.GameState.initial(table.rules)
    found = table.probe(start.apply(pdd.parse_action("a1,b2")))
    solved = pdd.players.Solver().solve(start.apply(pdd.parse_action("a1,b2")))
    assert (found.value, found.best) == (solved.value, solved.best)


def read_books(path: Path) -> None:
    book = pdd.players.Book.open(path)
    state = pdd.GameState.initial(book.rules).apply(pdd.parse_action("a1,b1"))
    found = [pdd.format_action(each.action) for each in book.lookup(state)]
    assert (found, book.lookup(state)[0].value) == (["white", "red"], 0.2)


KEPT = {"best": 1, "error": 1, "info": 1, "name": 1, "option": 3}
"""How many first words of some messages later versions keep; other messages stay as they are."""


def replay(path: Path) -> None:
    """Send the stored messages of a host to an engine; its answers must have the same form."""
    told = SimpleQueue[str | None]()
    heard = SimpleQueue[str]()
    run = Engine(parse_spec(path.stem), heard.put).run
    thread = Thread(target=run, args=(iter(told.get, None),), daemon=True)
    thread.start()
    start = pdd.GameState.initial()
    node: pdd.Node = start
    parse: Callable[[str], Any] = pdd.parse_action
    for mark, message in messages(path):
        word, *rest = message.split(" ")
        if mark == "<":
            while (answer := heard.get(timeout=250).split(" "))[0] in {"info", "option"} - {word}:
                pass
            assert answer[: KEPT.get(word)] == [word, *rest][: KEPT.get(word)]
            if word == "info":
                assert answer[1:9:2] == rest[:8:2] == ["depth", "visits", "value", "line"]
            if word == "best":
                assert node.is_legal(parse(answer[1]))
            continue
        told.put(f"{message}\n")
        if word == "newgame" and "tiles=" in message:
            start = pdd.GameState.initial(pdd.parse_rules(" ".join(rest)))
        elif rest[:1] == ["moves"]:
            node = reduce(pdd.GameState.apply, map(pdd.parse_action, rest[1:]), start)
        elif rest[:1] == ["state"]:
            node = pdd.parse_node(" ".join(rest[1:]))
        elif word == "go":
            is_step = rest[:1] == ["step"] or isinstance(node, pdd.HalfTurn)
            parse = pdd.parse_step if is_step else pdd.parse_action
    told.put(None)
    thread.join(60)
    assert heard.empty()


def read_protocol(path: Path) -> None:
    if path.stem == "mcts":
        pytest.importorskip("numba", reason="not installed: extra batch")
    replay(path)


def read_networks(path: Path) -> None:
    pytest.importorskip("numba", reason="not installed: extra batch")
    player = example("learn")["LearnedPlayer"](path)
    # The test fixes the opening, because symmetric ones are equally good.
    game = pdd.Game.new(player.rules).play(pdd.parse_action("a1,b3"))
    while game.ending is None:
        game = game.play(player.choose(game.state))
    _, values = player.evaluate(pdd.batch.GameBatch.initial(player.rules))
    actions = " ".join(map(pdd.format_action, game.actions))
    assert (actions, round(float(values[0]), 3)) == OUTPUTS[path.name]


OUTPUTS = {"3x3.npz": ("a1,b3 white b2,c2 b1,a2 a3,c3 pass pass", 0.018)}
"""A game of a network against itself, and the value that it gives to the start."""
READERS: dict[str, Callable[[Path], None]] = {
    "conformance.json": read_vectors,
    "error_codes.txt": read_codes,
    "stored.json": read_nodes,
}
FOLDERS = {"json": read_document, "protocol": read_protocol}
ELSEWHERE = {"conformance.schema.json", "host.txt", "public_api.json", "report.schema.json"}
"""Files that ``tests/examples``, ``tests/players``, ``nox -s lint`` and ``tests/records`` use."""


def reader_of(path: Path) -> Callable[[Path], None]:
    """Return the function that reads a file, depending on its name or folder."""
    if (path.parent.name, path.suffix) in OTHERS and path.with_suffix(".pdd").exists():
        return read_games
    if path.parent.name in FOLDERS:
        return FOLDERS[path.parent.name]
    folders = {
        ".pdd": read_records,
        ".tablebase": read_tables,
        ".npz": read_networks,
        ".book": read_books,
    }
    return READERS.get(path.name) or folders[path.suffix]


FILES = [
    # The first search compiles.
    pytest.param(path, marks=pytest.mark.slow) if path.stem == "mcts" else path
    for folder in (STORED, DATA / "boardspace")
    for path in sorted(folder.rglob("*"))
    if path.suffix not in {"", ".md"} and path.is_file() and path.name not in ELSEWHERE
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(DATA)))
def test_stored_data_is_read(path: Path) -> None:
    reader_of(path)(path)


@pytest.mark.parametrize(
    "path", sorted(STORED.glob("*/stored.json")), ids=lambda each: each.parts[-2]
)
def test_stored_hashes_and_planes(path: Path) -> None:
    pytest.importorskip("numba", reason="not installed: extra batch")
    stored = json.loads(path.read_text("utf-8"))
    for row in stored["nodes"]:
        node = pdd.parse_node(row["text"])
        (found,) = pdd.batch.GameBatch.from_states([node]).hashes()
        assert f"{found:016x}" == row["hash"]
        if stored["planes_version"] == pdd.batch.PLANES_VERSION:
            assert hashlib.sha256(pdd.batch.planes(node).tobytes()).hexdigest() == row["planes"]
