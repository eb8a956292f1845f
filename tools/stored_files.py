"""Make the files that later versions must read.

``PYTHONPATH=src:tests python -m tools.stored_files`` writes the folder of this version in
``tests/data/compatibility`` from the code as it is, and the JSON Schema in ``tests/data``, and
names every file that has changed. Files that come from elsewhere, such as reports of a site or a
network that was trained, are only read, as the tests read them. ``--check`` writes nothing, and
exits with 1 if a file would change. Names of groups restrict it to these.

The folder of a version is made until the version is released, and never changed after that. Each
group of files is made on its own, so that one that fails does not keep back the others.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import runpy
import shutil
import sys
import traceback
from collections.abc import Callable, Iterator
from itertools import chain, cycle
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Final, TypeAlias

import jsonschema
from attrs import frozen

import pontedeldiavolo as pdd
from support.paths import example

ROOT: Final = Path(__file__).parents[1]
DATA: Final = ROOT / "tests" / "data"
STORED: Final = DATA / "compatibility"
FOLDER: Final = STORED / pdd.__version__
"""The folder of this version."""
EVERY: Final = 25
"""One of so many conformance vectors is compared with the schema, because that takes long."""

Contents: TypeAlias = Iterator[tuple[Path, str | bytes]]
"""Paths and the contents that the files should have."""


# Documents, codes and names


def documents() -> Contents:
    """Yield a JSON document of each kind, and the JSON Schema of all."""
    from support.documents import EXAMPLES  # noqa: PLC0415 - it reads the folder that is made here

    for value in EXAMPLES.values():
        document: Any = pdd.json.to_json(value)
        yield FOLDER / "json" / f"{document['kind']}.json", pdd.json.dumps(value, indent=2) + "\n"
    yield DATA / "json_schema.json", "\n".join(lines_of(pdd.json.schema())) + "\n"


def lines_of(schema: Any) -> Iterator[str]:
    """Yield the lines of a schema, with each kind and each definition in a line of its own."""
    yield "{"
    for number, (name, part) in enumerate(schema.items(), 1):
        comma = "," if number < len(schema) else ""
        if isinstance(part, list):
            items = ",\n".join(f"    {json.dumps(each, ensure_ascii=False)}" for each in part)
            yield f'  "{name}": [\n{items}\n  ]{comma}'
        elif isinstance(part, dict):
            items = ",\n".join(
                f'    "{key}": {json.dumps(each, ensure_ascii=False)}' for key, each in part.items()
            )
            yield f'  "{name}": {{\n{items}\n  }}{comma}'
        else:
            yield f'  "{name}": {json.dumps(part, ensure_ascii=False)}{comma}'
    yield "}"


def codes() -> Contents:
    """Yield the list of the codes of all errors."""
    from pontedeldiavolo.base.catalogs import tables_of  # noqa: PLC0415 - see the docstring above

    yield (
        FOLDER / "error_codes.txt",
        "".join(f"{code}\n" for code in sorted(tables_of("en")["errors"])),
    )


def names() -> Contents:
    """Yield the public names with their parameters."""
    from . import public_api  # noqa: PLC0415 - griffe may be missing

    yield FOLDER / "public_api.json", public_api.text()


def vectors() -> Contents:
    """Yield the conformance vectors and their schema."""
    from . import conformance_vectors  # noqa: PLC0415 - it plays games when it is imported

    text = conformance_vectors.text()
    schema = conformance_vectors.schema()
    document = json.loads(text)
    some = document["vectors"][::EVERY]
    jsonschema.validate({**document, "vectors": some}, schema)
    yield FOLDER / "conformance.json", text
    yield FOLDER / "conformance.schema.json", json.dumps(schema, indent=1) + "\n"


# Keys, hashes, planes and numbers of actions

STATES: Final = """\
10x10 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges
    rows=10/10/10/10/10/10/10/10/10/10 built=-
    phase=opening to-move=white white=-
4x4 tiles=9 bridges=unlimited tiebreaks=none
    rows=4/w1w1/4/1r2 built=a3-c3
    phase=play to-move=red white=second
10x10 tiles=40 bridges=15 tiebreaks=islands,bridges
    rows=rrrwrwwww1/r1w1r4r/w1r1wrwwrr/wrrrw1w1r1/w2ww1w1ww/wrrr3rrw/1r3wrw1w/2wrrw1w1r/rr1r1w1w1r/rrwr1w1wrr
    built=f1-h2,a2-b4,b2-d2,f2-h4,d3-c5,e3-d5,h3-j4,f4-g6,b5-b7,e6-g7,c7-a9,c8-a10,e8-c9,g8-f10,h8-g10
    phase=over to-move=- white=first
7x5 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges
    rows=rrrr1ww/6w/1rrrw1w/1rw1w1r/www1wwr built=b3-a5,c3-b5,e3-f5
    phase=last-turn to-move=red white=first
3x3 tiles=unlimited bridges=0 tiebreaks=none
    rows=3/1ww/3 built=-
    phase=color-choice to-move=- white=-
"""
"""States of all phases; indented lines continue from the state above them."""
HALF: Final = (1, "d4")
"""The number of the state that is also stored as a half turn, and the tile that is placed in it."""
BOARDS: Final = ((10, 10), (5, 7), (12, 12))


def keys() -> Contents:
    """Yield texts, keys, hashes and planes of nodes, and checksums of the spaces of actions."""
    place, tile = HALF
    nodes: list[pdd.Node] = [pdd.parse_state(text) for text in re.split(r"\n(?! )", STATES.strip())]
    nodes.insert(place + 1, nodes[place].step(pdd.parse_step(tile)))
    stored = {
        "planes_version": pdd.batch.PLANES_VERSION,
        "nodes": [*map(row_of_node, nodes)],
        "spaces": [row_of_space(size, kind) for size in BOARDS for kind in ("actions", "steps")],
    }
    yield FOLDER / "stored.json", json.dumps(stored, indent=1) + "\n"


def row_of_node(node: pdd.Node) -> dict[str, str]:
    """Return what is stored of a node."""
    (number,) = pdd.batch.GameBatch.from_states([node]).hashes()
    return {
        "text": pdd.format_state(node),
        "packed": node.packed().hex(),
        "canonical": node.canonical_packed().hex(),
        "without_owners": node.packed(owners=False).hex(),
        "hash": f"{number:016x}",
        "planes": hashlib.sha256(pdd.batch.planes(node).tobytes()).hexdigest(),
    }


def row_of_space(size: tuple[int, int], kind: str) -> dict[str, Any]:
    """Return what is stored of the space of all actions or steps on a board."""
    board = pdd.Board(*size)
    space: Any = pdd.ActionSpace(board) if kind == "actions" else pdd.StepSpace(board)
    texts = "\n".join(pdd.format_action(space.decode(code)) for code in range(len(space)))
    digest = hashlib.sha256(texts.encode()).hexdigest()
    return {"board": [*size], "kind": kind, "size": len(space), "sha256": digest}


# Records


def records() -> Contents:
    """Yield records in this library's own format, and the same games in others.

    A record here is read and written again. Files of other formats that this library writes are
    made of the record beside them; of all others the record is made.
    """
    for folder, suffix in (("sgf", ".sgf"), ("abstract_play", ".json")):
        own = {"sgf": ("annotated", "last-turns"), "abstract_play": ("export",)}[folder]
        module = getattr(pdd.records, folder)
        for name in own:
            path = FOLDER / folder / f"{name}.pdd"
            games = [*pdd.records.iter_games(path)]
            yield path, written(games)
            yield path.with_suffix(suffix), "".join(map(module.dumps, games))
    for folder, name in (
        ("sgf", "resaved.sgf"),
        ("abstract_play", "archive.json"),
        ("abstract_play", "pie-8x8.json"),
        ("abstract_play", "moves.txt"),
    ):
        path = FOLDER / folder / name
        games = [each for each in pdd.records.read(path) if isinstance(each, pdd.Game)]
        yield path.with_suffix(".pdd"), written(games)


def written(games: list[pdd.Game]) -> str:
    """Return the records of games, with an empty line between two."""
    return "\n".join(map(pdd.records.dumps, games))


# Conversations of the engine protocol

UNTIL_STOP: Final = "time 3600000"
"""A limit so high that the host ends the search, after the first line of the engine."""


@frozen
class Conversation:
    """The messages that a host sends to an engine of this library.

    Attributes:
        options: The options that the host sets.
        rules: The rules of the game that both play.
        limits: The limits of one search after the other, again and again; the last one once, after
            the engine has pondered.
        has_half_turns: Whether the host asks for second tiles; not all players choose them.
    """

    options: tuple[str, ...]
    rules: pdd.Rules
    limits: tuple[str, ...]
    has_half_turns: bool


CONVERSATIONS: Final = {
    "random": Conversation(
        options=("seed 1",),
        rules=pdd.Rules(pdd.Board(4, 4)),
        limits=("time 500", "nodes 3", "step clock 60000 55000 1000", "", "nodes 9 time 100"),
        has_half_turns=False,
    ),
    "mcts": Conversation(
        options=("rollout uniform", "threads 1", "seed 7"),
        rules=pdd.Rules(pdd.Board(5, 4), 8, 2, (pdd.Tiebreak.BRIDGES, pdd.Tiebreak.ISLANDS)),
        limits=("nodes 40", "time 50", "step clock 300 9000 0", "nodes 30 time 9000", UNTIL_STOP),
        has_half_turns=True,
    ),
}
"""The conversations by the player that answers."""
WITHOUT_BRIDGES: Final = "12x3 tiles=0 bridges=0 tiebreaks=none"


def conversations() -> Contents:
    """Yield conversations of a host with engines of this library, and of an engine with its host.

    Searches with limits of time differ each time. So a conversation is recorded anew only if an
    engine of today no longer answers it as the tests ask for.
    """
    replay = runpy.run_path(str(ROOT / "tests" / "api" / "test_compatibility.py"))["replay"]
    for name, conversation in CONVERSATIONS.items():
        path = FOLDER / "protocol" / f"{name}.txt"
        try:
            replay(path)
        except (AssertionError, Empty, OSError, ValueError):
            yield path, "".join(f"{line}\n" for line in recorded(name, conversation))
        else:
            yield path, path.read_text("utf-8")
    host = FOLDER / "protocol" / "host.txt"
    test = runpy.run_path(str(ROOT / "tests" / "players" / "test_external.py"))
    with TemporaryDirectory() as folder:
        record = Path(folder, "host.txt")
        test["play_with_stored_engine"](host, record)
        yield host, record.read_text("utf-8")


def recorded(name: str, conversation: Conversation) -> list[str]:
    """Return the lines of a conversation with a player of this library."""
    from pontedeldiavolo.players.engine import Engine  # noqa: PLC0415 - see the docstring above
    from pontedeldiavolo.players.registry import parse_spec  # noqa: PLC0415 - as above

    told = SimpleQueue[str | None]()
    heard = SimpleQueue[str]()
    run = Engine(parse_spec(name), heard.put).run
    thread = Thread(target=run, args=(iter(told.get, None),), daemon=True)
    thread.start()
    lines: list[str] = []

    def tell(message: str, *last: str) -> str:
        """Send a message; return the engine's answer that begins with one of the words *last*."""
        lines.append(f"> {message}")
        told.put(f"{message}\n")
        return hear(*last) if last else ""

    def hear(*last: str) -> str:
        """Wait for the answer that begins with a word; keep the latest of the lines of a search."""
        while True:
            answer = heard.get(timeout=250)
            if answer.startswith("info") and lines[-1].startswith("< info"):
                lines.pop()
            lines.append(f"< {answer}")
            if answer.split(" ")[0] in last:
                return answer

    tell("ponte 1", "ready")
    for option in conversation.options:
        tell(f"option {option}")
    tell(f"newgame {pdd.format_rules(conversation.rules)}", "ready")
    play(conversation, tell, hear)
    tell("stop")
    tell("no-such-message 1", "error")
    tell("newgame 64 by 64", "error")
    tell(f"newgame {WITHOUT_BRIDGES}", "ready")
    tell("position moves")
    tell("go", "best")
    tell("quit")
    told.put(None)
    thread.join(60)
    return lines


def play(conversation: Conversation, tell: Callable[..., str], hear: Callable[..., str]) -> None:
    """Let the engine play a game against itself, in which every form of the messages occurs."""
    game = pdd.Game.new(conversation.rules)
    *limits, last = conversation.limits
    for limit in chain(limits, [last], cycle(limits)):
        if game.state.is_over:
            return
        played = " ".join(map(pdd.format_action, game.actions))
        position = f"position moves {played}".rstrip()
        if limit.startswith("step"):
            position = f"position state {pdd.format_state(game.state)}"
        if limit == last:
            tell(position)
            tell("ponder")
        tell(position)
        # The engine ends a search without a line if it knows the result already.
        words = ("info", "best") if limit == UNTIL_STOP else ("best",)
        best = tell(f"go {limit}".rstrip(), *words)
        if best.startswith("info"):
            tell("stop")
            best = hear("best")
        chosen = best.split(" ")[1]
        node = game.state.step(pdd.parse_step(chosen)) if limit.startswith("step") else None
        if isinstance(node, pdd.HalfTurn):
            second = pdd.format_action(node.legal_steps[0])
            if conversation.has_half_turns:
                tell(f"position state {pdd.format_state(node)}")
                second = tell("go nodes 20", "best").split(" ")[1]
            chosen = f"{chosen},{second}"
        game = game.play(chosen)


# Solved positions


def tables() -> Contents:
    """Yield the table of a small board."""
    path = FOLDER / "3x3.tablebase"
    solver = pdd.players.Solver()
    table, _ = example("solve")["table_of"](pdd.Rules(pdd.Board(3, 3)), solver)
    with TemporaryDirectory() as folder:
        saved = Path(folder, path.name)
        table.save(saved)
        yield path, saved.read_bytes()


# An opening book

SEARCHES: Final = """\
a1,b1 red: 100 0.100; c3,d3 40 0.300; c3,c4 20 0.250
a1,b1 red c3,d3: 200 0.200; a3,a4 90 0.400
"""
"""The searches of a small book."""


def opening_books() -> Contents:
    """Yield the book of a small board."""
    from pontedeldiavolo.players import book as books  # noqa: PLC0415 - see the docstring above

    searches = map(books.parse_search, SEARCHES.splitlines())
    yield FOLDER / "4x4.book", books.written(pdd.Rules(pdd.Board(4, 4)), searches)


GROUPS: Final = (
    documents,
    codes,
    names,
    vectors,
    keys,
    records,
    conversations,
    tables,
    opening_books,
)


def begin_version() -> None:
    """Copy the folder of the last version, if this version has none."""
    if not FOLDER.exists():
        versions = [path for path in STORED.iterdir() if path.is_dir()]
        last = max(versions, key=lambda path: [*map(int, path.name.split("."))])
        shutil.copytree(last, FOLDER)


def make(group: Callable[[], Contents], *, writes: bool) -> tuple[set[Path], list[str]]:
    """Make a group of files; return their paths and what is to be reported."""
    made = set[Path]()
    said: list[str] = []
    try:
        for path, content in group():
            octets = content.encode() if isinstance(content, str) else content
            made.add(path)
            shown = path.relative_to(DATA)
            if path.exists() and path.read_bytes() == octets:
                continue
            said.append(f"{'written' if writes else 'differs'}: {shown}")
            if writes:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(octets)
    except Exception:  # noqa: BLE001 - the other groups are made all the same
        said.append(f"FAILED: {group.__name__}\n{traceback.format_exc()}")
    return made, said


def check_others(made: set[Path]) -> Iterator[str]:
    """Read the files that nothing here makes, as the tests read them; yield what fails."""
    tests = runpy.run_path(str(ROOT / "tests" / "api" / "test_compatibility.py"))
    for path in sorted(FOLDER.rglob("*")):
        if path in made or not path.is_file() or path.suffix == ".md":
            continue
        if path.parent.name == "json":
            yield f"superfluous: {path.relative_to(DATA)}"
        elif path.name not in tests["ELSEWHERE"]:
            try:
                tests["reader_of"](path)(path)
            except Exception:  # noqa: BLE001 - the other files are read all the same
                yield f"FAILED: {path.relative_to(DATA)}\n{traceback.format_exc()}"


def main() -> int:
    """Write or check the files; return 1 if one failed, or would have to change."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("groups", nargs="*", help=", ".join(each.__name__ for each in GROUPS))
    given = parser.parse_args()
    if not given.check:
        begin_version()
    made = set[Path]()
    faults = 0
    for group in GROUPS:
        if given.groups and group.__name__ not in given.groups:
            continue
        paths, said = make(group, writes=not given.check)
        made |= paths
        print(f"{group.__name__}: {len(paths)} files", *said, sep="\n  ", flush=True)
        faults += sum(given.check or line.startswith("FAILED") for line in said)
    if not given.groups:
        others = [*check_others(made)]
        print("files that come from elsewhere", *(others or ["all are read"]), sep="\n  ")
        faults += len(others)
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
