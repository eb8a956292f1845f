"""Measure the sizes of pictures, pages and animations, and the memory of pools and batches.

    python -m benchmarks.sizes --write

``--write`` stores the figures in ``sizes.json``, from which the pages of the documentation take
them. The figures do not depend on the machine. The memory of a pool or of a batch is that which
NumPy and Python have allocated for it after ten random steps. The program needs the extras
``batch`` and ``png``.
"""

from __future__ import annotations

import argparse
import datetime as dt
import gc
import json
import platform
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, Literal

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
        "each move": round((sum(pages) / GAMES - empty) / 50),
        "each variation": round((sum(varied) - sum(pages)) / GAMES / 10),
    }


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


def traced(make: Callable[[], object]) -> int:
    """Return the bytes that NumPy and Python allocate for a new object and keep."""
    make()
    gc.collect()
    tracemalloc.start()
    made = make()
    gc.collect()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del made
    return size


def pool(size: int, *, planes: Literal["packed"] | bool) -> GamePool:
    """Return a pool after ten random steps."""
    made = GamePool(size=size, planes=planes)
    for _ in range(10):
        made.step(made.sample_steps())
    return made


def games_of(size: int) -> GameBatch:
    """Return a batch after ten random steps."""
    made = GameBatch.initial(size=size)
    for seed in range(10):
        made = made.step(made.sample_steps(seed))
    return made


def memory() -> dict[str, dict[str, int]]:
    """Return the bytes of pools and batches on 10×10, by their numbers of games."""
    return {
        str(size): {
            **{kind: traced(partial(pool, size, planes=planes)) for kind, planes in KINDS.items()},
            "batch": traced(partial(games_of, size)),
        }
        for size in POOLS
    }


def main() -> None:
    """Measure and print the figures; with ``--write`` store them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    given = parser.parse_args()
    found = {
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "python": platform.python_version(),
        "pictures": pictures(),
        "pages": pages(),
        "animations": animations(),
        "memory": memory(),
    }
    text = json.dumps(found, indent=1, ensure_ascii=False)
    print(text)
    if given.write:
        FILE.write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main()
