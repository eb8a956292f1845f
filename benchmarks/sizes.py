"""Measure the sizes of pictures, pages, snapshots and animations, and the memory of games.

    python -m benchmarks.sizes --write [PART...]

A part is ``pictures`` or ``games``, for example; without one, all are measured. ``--write`` stores
the figures in ``sizes.json``, from which the pages of the documentation take them. The figures do
not depend on the machine. The memory of a pool or of a batch is how much more memory a process
holds after 200 random steps, when some games have ended in every one of the last steps. This needs
Linux. The memory of games in Python is what their objects take. The program fails if a size exceeds
its limit. It needs the extras ``batch`` and ``png``.
"""

from __future__ import annotations

import argparse
import datetime as dt
import gc
import json
import platform
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

from benchmarks.states import forget, random_states

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, GamePool
from support.pages import long_game
from support.strategies import Player, play_out

FILE: Final = Path(__file__).with_name("sizes.json")
GAMES: Final = 20
POOLS: Final = (256, 1_024, 4_096, 16_384, 65_536)
KINDS: Final[dict[str, Literal["packed"] | bool]] = {
    "masks": False,
    "planes": True,
    "packed": "packed",
}
"""The kinds of pools, and their arguments ``planes``."""
BATCH: Final = "batch"
BOARDS: Final = (6, 8, 10, 12, 18, 26)
"""The sides of the boards whose games in Python are measured."""
LIMITS: Final = {
    ("pictures", "full boards, most"): 25_000,
    ("pages", "most"): 160_000,
    ("pages", "with ten variations, most"): 160_000,
    ("snapshots", "most"): 8_000,
}
"""The largest sizes that are allowed."""
STEPS: Final = 200
GAMES_HELD: Final = 16_384
"""The least number of games that are measured together."""


def full_games() -> list[pdd.Game]:
    """Return games of players that build a bridge whenever they can."""
    return [play_out(pdd.Rules(), Player(Random(seed), builder=True)) for seed in range(GAMES)]


def length(picture: pdd.svg.Svg | pdd.html.Html) -> int:
    """Return the number of bytes of a picture or a page."""
    return len(str(picture).encode())


def pictures() -> dict[str, int]:
    """Return the bytes of pictures in SVG."""
    games = full_games()
    # Each state of a game has its last action, and a colour to move for the targets.
    moments = [
        (state, action)
        for game in games
        for state, action in zip([*game.states()][1:], game.actions, strict=True)
        if not state.is_over
    ]
    ends = [length(pdd.svg.render(game.state)) for game in games]
    cells = [*pdd.Board().cells]
    marked = [
        length(pdd.svg.render(pdd.GameState.initial(), highlights=cells[:count]))
        for count in (0, 1, 11)
    ]
    return {
        "last action and targets, most": max(
            length(pdd.svg.render(state, last=action, targets=True)) for state, action in moments
        ),
        "the same with networks, most": max(
            length(pdd.svg.render(state, last=action, targets=True, networks=True))
            for state, action in moments
        ),
        "first highlighted cell": marked[1] - marked[0],
        "each further highlighted cell": (marked[2] - marked[1]) // 10,
        "full boards, least": min(ends),
        "full boards, most": max(ends),
        "game, most": max(length(pdd.svg.render(game)) for game in games),
    }


def pages() -> dict[str, int]:
    """Return the bytes of replay pages of games with 50 turns and a comment on each."""
    pages = [length(pdd.html.replay(long_game(seed))) for seed in range(GAMES)]
    varied = [length(pdd.html.replay(long_game(seed, variations=10))) for seed in range(GAMES)]
    empty = length(pdd.html.replay(pdd.Game.new(pdd.Rules())))
    return {
        "most": max(pages),
        "with ten variations, most": max(varied),
        "each move": round((sum(pages) / GAMES - empty) / 50),
        "each variation": round((sum(varied) - sum(pages)) / GAMES / 10),
    }


def snapshots() -> dict[str, int]:
    """Return the bytes of snapshots of the states of random games."""
    texts = [json.dumps(pdd.json.snapshot(state)) for state in random_states(GAMES)]
    return {"most": max(len(text.encode()) for text in texts)}


def animations() -> dict[str, int]:
    """Return the bytes of animations of games with 50 turns, without and with a size."""
    found: dict[str, list[int]] = {}
    kinds: tuple[Literal["apng", "gif"], ...] = ("apng", "gif")
    for seed in range(5):
        game = long_game(seed)
        for kind in kinds:
            for name, size in (("", None), (", 864 pixels", 864)):
                data = pdd.raster.animation(game, kind, size=size)
                found.setdefault(f"{kind}{name}", []).append(len(data))
    return {
        f"{name}, {word}": choose(values)
        for name, values in found.items()
        for word, choose in (("least", min), ("most", max))
    }


def pool(size: int, *, planes: Literal["packed"] | bool) -> GamePool:
    """Return a pool after random steps."""
    made = GamePool(size=size, planes=planes)
    for _ in range(STEPS):
        made.step(made.sample_steps())
    return made


def games_of(size: int) -> GameBatch:
    """Return a batch after random steps."""
    made = GameBatch.initial(size=size)
    for seed in range(STEPS):
        made = made.step(made.sample_steps(seed))
    return made


def resident() -> int:
    """Return the bytes of memory that this process holds, apart from files."""
    gc.collect()
    [found] = re.findall(r"RssAnon:\s+(\d+) kB", Path("/proc/self/status").read_text("utf-8"))
    return int(found) * 1024


def held(kind: str, size: int) -> int:
    """Return the additional memory that this process holds with a pool or a batch."""

    def make(size: int) -> GamePool | GameBatch:
        return games_of(size) if kind == BATCH else pool(size, planes=KINDS[kind])

    # This compiles, and makes the tables of the board.
    make(1)
    before = resident()
    # Small ones would fit into memory that the process has freed before: so there are several.
    made = [make(size) for _ in range(max(1, GAMES_HELD // size))]
    after = resident()
    return (after - before) // len(made)


def memory() -> dict[str, dict[str, int]]:
    """Return the bytes of pools and batches on 10×10, by their numbers of games."""
    command = (sys.executable, "-m", "benchmarks.sizes", "--memory")
    found: dict[str, dict[str, int]] = {}
    for size in POOLS:
        found[str(size)] = {}
        for kind in (*KINDS, BATCH):
            # What a process has freed may be used again: so each figure has its own process.
            done = subprocess.run([*command, kind, str(size)], stdout=subprocess.PIPE, check=True)
            found[str(size)][kind] = int(done.stdout)
    return found


def traced(make: Callable[[], list[object]]) -> int:
    """Return the bytes of objects that a function makes, caches included."""
    gc.collect()
    tracemalloc.start()
    made = make()
    gc.collect()
    size, _peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del made
    return size


def random_game(side: int, seed: int) -> pdd.Game:
    """Play a game at random to its end, action by action."""
    rng = Random(seed)
    game = pdd.Game.new(pdd.Rules(pdd.Board(side, side)))
    while not game.state.is_over:
        game = game.play(game.state.legal_actions.sample(rng))
    return game


def kept_states(games: list[pdd.Game]) -> list[object]:
    """Return all states of games, without their cached legal actions."""
    return [forget(state) for game in games for state in game.states()]


def games_of_side(side: int) -> dict[str, int]:
    """Return the bytes of a game, of a state of it and of the tables of its board."""
    # What all boards share is made before.
    random_game(5, 0)
    first = traced(lambda: [random_game(side, 0)])
    again = traced(lambda: [random_game(side, 0)])
    games = [random_game(side, seed) for seed in range(GAMES)]
    # The last state belongs to the game itself.
    states = sum(len(game.actions) for game in games)
    return {
        "tables": first - again,
        "actions": round(states / GAMES),
        "game": traced(lambda: [random_game(side, seed) for seed in range(GAMES)]) // GAMES,
        "state": traced(lambda: kept_states(games)) // states,
    }


def live_games() -> dict[str, dict[str, int]]:
    """Return the memory of games in Python by the sides of their boards."""
    command = (sys.executable, "-m", "benchmarks.sizes", "--games")
    found: dict[str, dict[str, int]] = {}
    for side in BOARDS:
        # The tables of a board stay in the process, so each board has its own.
        done = subprocess.run([*command, str(side)], stdout=subprocess.PIPE, check=True)
        found[f"{side}×{side}"] = json.loads(done.stdout)
    return found


def beyond_limits(found: dict[str, Any]) -> list[str]:
    """Return a line for each size above its limit."""
    return [
        f"{part}, {name}: {found[part][name]:,} bytes, at most {limit:,} are allowed"
        for (part, name), limit in LIMITS.items()
        if found[part][name] > limit
    ]


PARTS: Final[dict[str, Callable[[], Mapping[str, object]]]] = {
    "pictures": pictures,
    "pages": pages,
    "snapshots": snapshots,
    "animations": animations,
    "memory": memory,
    "games": live_games,
}
"""The parts of the file, with the functions that measure them."""


def main() -> None:
    """Measure and print the figures; with ``--write`` store them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="the parts; by default all")
    parser.add_argument("--memory", nargs=2, metavar=("KIND", "GAMES"), help="print one figure")
    parser.add_argument("--games", type=int, metavar="SIDE", help="print the memory of games")
    given = parser.parse_args()
    if given.memory:
        print(held(given.memory[0], int(given.memory[1])))
        return
    if given.games:
        print(json.dumps(games_of_side(given.games)))
        return
    before = json.loads(FILE.read_text("utf-8")) if given.parts else {}
    today = dt.datetime.now(dt.UTC).date().isoformat()
    wanted = given.parts or [*PARTS]
    found: dict[str, Any] = {
        "dates": {part: today if part in wanted else before["dates"][part] for part in PARTS},
        "python": platform.python_version(),
    }
    for part, measure in PARTS.items():
        found[part] = measure() if part in wanted else before[part]
    text = json.dumps(found, indent=1, ensure_ascii=False)
    print(text)
    if given.write:
        FILE.write_text(f"{text}\n", "utf-8")
    if too_large := beyond_limits(found):
        raise SystemExit("\n".join(too_large))


if __name__ == "__main__":
    main()
