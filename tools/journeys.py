"""List the files that a reader opens to follow a call: ``PYTHONPATH=src python tools/journeys.py``.

A journey is one call into the package, such as a question whether an action is legal. Its files
are those whose functions run, each once, in the order in which they are entered. The files named
in :data:`KNOWN` are not counted: enums, values and checks of arguments, which a reader knows by
their names. Nor are the files that a journey names as ``elsewhere``, because other journeys walk
through them. They are listed below the others.

``tools/journeys.py choose click`` lists only these two. The exit status is 1 if a journey has more
files than its limit. Kernels run as plain Python, so that the files of theirs are seen.

To add a journey, append a :class:`Journey` to :data:`JOURNEYS`, and its files to the page
*Architecture* of the documentation.
"""

from __future__ import annotations

import os

# Compiled functions cannot be traced. Numba reads the variable when it is imported.
os.environ["NUMBA_DISABLE_JIT"] = "1"

import asyncio
import inspect
import sys
import threading
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final, cast

import pontedeldiavolo as pdd

PACKAGE: Final = Path(pdd.__file__).parent

KNOWN: Final = (
    "base/enums.py",
    "base/errors.py",
    "base/exclusive.py",
    "base/guesses.py",
    "base/lazy.py",
    "base/values.py",
    "board/board.py",
    "board/bridge.py",
    "board/cell.py",
    "board/cell_set.py",
    "rules/actions.py",
    "rules/rules.py",
    "web/requests.py",
)
"""Files whose values, and checks of arguments and calls, a reader knows by their names."""


@dataclass(frozen=True)
class Journey:
    """A call whose files are counted.

    Attributes:
        name: Its name in one word, for the command line.
        title: What it shows.
        limit: The largest number of files.
        prepare: Makes what the call needs, and returns the call. Only the call is followed.
        elsewhere: Beginnings of paths, such as ``"state/"``, that are not counted: other journeys
            walk through these files.
        scripts: Files that run in the browser, which are not traced here.
    """

    name: str
    title: str
    limit: int
    prepare: Callable[[], Callable[[], object]]
    elsewhere: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()


def is_importing(frame: FrameType | None) -> bool:
    """Return whether a function runs because a module is imported, which no reader follows."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def files_of(call: Callable[[], object]) -> list[str]:
    """Return the files of the package whose functions run, in the order of their first calls."""
    found: dict[str, None] = {}

    def note(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        # The bodies of modules and classes, which run in an import, are not functions.
        is_function = code.co_flags & inspect.CO_OPTIMIZED
        path = Path(code.co_filename)
        if event == "call" and is_function and path.is_relative_to(PACKAGE):
            file = path.relative_to(PACKAGE).as_posix()
            if file not in found and not is_importing(frame):
                found[file] = None

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(found)


def walk(journey: Journey) -> bool:
    """Print the files of a journey, and return whether they are within its limit."""
    files = [*journey.scripts, *files_of(journey.prepare())]
    others = [file for file in files if file in KNOWN or file.startswith(journey.elsewhere)]
    counted = [file for file in files if file not in others]
    print(f"{journey.name}: {journey.title}: {len(counted)} files, at most {journey.limit}")
    for file in counted:
        print(f"    {file}")
    print(f"  not counted: {', '.join(others)}\n")
    return len(counted) <= journey.limit


def legal() -> Callable[[], object]:
    """Ask whether actions of each kind are legal, and explain every rule that they break."""
    setup = pdd.parse_setup(
        """
        5 . . . . . .
        4 . . . . . .
        3 w w w . r .
        2 . . . . . .
        1 w . w . w .
        bridges a1-c1
        """
    )
    state = pdd.GameState.from_position(setup.position())
    texts = ("b1,d3", "d3", "a1-c3", "c1-c3", "pass")
    actions = [(pdd.parse_action if "," in text else pdd.parse_step)(text) for text in texts]

    def call() -> None:
        for action in actions:
            if not state.is_legal(action):
                for violation in state.violations(action):
                    pdd.messages.explain(violation)

    return call


def record() -> Callable[[], object]:
    """Read a record with tags, NAGs, a comment, a variation and a result."""
    text = """
        [First "Ada"]
        [Rules "8x8 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"]
        [Result "second"]
        [Termination "resignation"]

        1. d4,g7! {[%clk 0:09:58] A good start} white (red 2. c3,c5 $6) 2. a1,b1
        3. c3,c5 second-wins
        """
    return lambda: pdd.records.loads(text)


def foreign() -> Callable[[], object]:
    """Read the bytes of a tree of SGF in another encoding, with a variation and a result."""
    text = """
        (;FF[4]CA[windows-1252]EV[Köln]DT[2026-11-05]RE[W+R]C[Ready];PD[d4,g7]WL[598]
        (;PD[white]C[A good choice])(;PD[red];PD[c3,c5]TE[1]))
    """
    octets = text.encode("windows-1252")
    return lambda: pdd.records.sgf.loads(octets)


def write() -> Callable[[], object]:
    """Write two games, one with a variation and an ending, to a file at a path."""
    line = pdd.Game.new(tags={"First": "Ada"}).play("d4,g7").play("white")
    games = [line.with_variation((1,), ["red"], "Why not?").resign(pdd.Seat.SECOND), line]
    folder = TemporaryDirectory()

    def call() -> None:
        with folder:
            pdd.records.write(games, Path(folder.name) / "games.pdd", pdd.records.Format.PDD)

    return call


def playout() -> Callable[[], object]:
    """Play a batch of games to their ends at random, in two threads."""
    games = pdd.batch.GameBatch.initial(size=4)
    return lambda: games.playout(seed=7, threads=2)


LATE: Final = """
    6x5 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges
    rows=w4w/ww1www/1w1r1r/r2rww/rr1rr1 built=- phase=play to-move=red white=second
"""
"""A state so late that alpha-beta can check an action, on a board on which the player does so."""


def choose() -> Callable[[], object]:
    """Let the tree search choose an action late in a game, with rollouts and alpha-beta."""
    return _second_choice(pdd.players.MctsPlayer(simulations=30))


def choose_evaluated() -> Callable[[], object]:
    """Let the tree search choose with an evaluation of the caller in place of rollouts."""

    def evaluate(games: Any) -> tuple[Any, Any]:
        return [[1] * len(games.space)] * games.size, [0] * games.size

    return _second_choice(pdd.players.MctsPlayer(simulations=30, evaluate=evaluate))


def _second_choice(player: pdd.players.MctsPlayer) -> Callable[[], object]:
    """Return the player's second choice in a game, for which it keeps the tree of the first."""
    state = pdd.parse_state(" ".join(LATE.split()))
    state = state.apply(player.choose(state))
    state = state.apply(state.legal_actions[0])
    return lambda: player.choose(state)


def click() -> Callable[[], object]:
    """Play the action of two clicks on the page of ``pontedeldiavolo serve``, over HTTP."""
    # Imported here, because the other journeys need no server.
    from pontedeldiavolo.web.folder import FolderStore  # noqa: PLC0415 - see above
    from pontedeldiavolo.web.http.app import create_app  # noqa: PLC0415 - see above
    from pontedeldiavolo.web.requests import Request  # noqa: PLC0415 - see above
    from pontedeldiavolo.web.routes import dispatch  # noqa: PLC0415 - see above
    from pontedeldiavolo.web.site import Site  # noqa: PLC0415 - see above

    folder = TemporaryDirectory()
    site = Site(FolderStore(Path(folder.name)))
    app = create_app(site)
    new_game = Request(body=b'{"rules": "original", "seat": "both"}')
    view = cast(dict[str, str], dispatch(site, "POST", "/games", new_game).content)
    headers = {
        "host": "localhost",
        "content-type": "application/json",
        "authorization": f"Bearer {view['token']}",
    }
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": f"/games/{view['id']}/actions",
        "query_string": b"",
        "headers": [(name.encode(), text.encode()) for name, text in headers.items()],
        "client": ("127.0.0.1", 50_000),
    }
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b'{"version": 1, "cells": ["d4", "g7"]}'}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    def call() -> None:
        with folder:
            asyncio.run(app(scope, receive, send))
        if sent[0]["status"] != HTTPStatus.OK:
            raise RuntimeError(sent)

    return call


OF_RULES: Final = ("state/state", "state/legal_actions.py", "position/", "board/geometry.py")
"""Files of states and legal actions, through which the journey *legal* walks."""

PARTS_OF_PAGE: Final = tuple(
    f"web/static/{name}.js"
    for name in (
        *("analysis", "cards", "dom", "games", "invitation", "keys", "languages", "line"),
        *("moments", "motion", "moves", "news", "notifications", "progress", "result", "review"),
        *("share", "sounds", "tools", "trial"),
    )
)
"""Scripts that show one part of the page each, when it shows a new view, and their helpers.

``moments`` and ``trial`` are also asked whether the board shows the game itself, which it does.
The page *Architecture* lists them, too; ``tests/browser/test_journey.py`` compares that list with
the scripts that run in a browser.
"""

JOURNEYS: Final = (
    Journey("legal", "legal, and why not", 8, legal),
    Journey(
        name="record",
        title="a record from text to a game",
        limit=6,
        prepare=record,
        # The texts of single values, such as rules, and the legality of actions.
        elsewhere=("base/", "board/", "notation/", "position/", "rules/", "state/"),
    ),
    Journey(
        name="foreign",
        title="a tree of SGF to a game",
        limit=11,
        prepare=foreign,
        elsewhere=("base/", "board/", "notation/", "position/", "rules/", "state/"),
    ),
    Journey(
        name="write",
        title="games to a file",
        limit=6,
        prepare=write,
        elsewhere=("base/", "board/", "notation/", "position/", "rules/", "state/"),
    ),
    Journey("playout", "a batch playout", 9, playout),
    Journey("choose", "a choice of MctsPlayer, with rollouts", 8, choose, (*OF_RULES, "batch/")),
    Journey("evaluated", "the same with an evaluation", 8, choose_evaluated, (*OF_RULES, "batch/")),
    Journey(
        "click",
        "a click on the page, to its answer",
        10,
        click,
        elsewhere=(
            # The functions of the library that the site calls; their names say what they do.
            *("base/", "board/", "game/", "html/", "json/", "notation/", "position/", "records/"),
            *("rules/", "state/", "svg/"),
            # Every request passes them; they do not depend on games.
            *("web/clients.py", "web/http/hosts.py", "web/http/work_slots.py"),
            "web/static/transport.js",
            # Who is at the seats, and what they are called, which every view says whether or not
            # anybody has clicked.
            *("web/presence.py", "web/names.py"),
            *PARTS_OF_PAGE,
        ),
        scripts=(
            *("web/static/cells.js", "web/static/clicks.js", "web/static/page.js"),
            *("web/static/transport.js", "web/static/view.js", "html/replay.js"),
            "html/parts.js",
            *PARTS_OF_PAGE,
        ),
    ),
)


def main(names: list[str]) -> int:
    """Print the journeys with these names, all without any, and return the exit status."""
    chosen = [journey for journey in JOURNEYS if not names or journey.name in names]
    within = [walk(journey) for journey in chosen]
    return 0 if all(within) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
