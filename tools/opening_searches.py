"""Search the openings of games that the tree search plays with itself, and write its visit counts.

``python -m tools.opening_searches build/opening_searches.jsonl`` plays the first 20 actions of
games on 10×10. Each state gets a search of its own, and the search's visits choose the
action: a step is sampled with its visit count as its weight, so games differ and moderate mistakes
occur, too. A line of the file is a JSON object:

- ``game``, ``ply`` and ``simulations``: where the state occurred, both from 0, and the size of
  its search;
- ``state``: its text; ``value``: its value for the seat to move, from -1 to 1;
- ``visits``: the visit count of each legal step, by its text: a tile, a bridge, a colour or a pass;
- ``second``: for the most visited first tile, and each with 200 visits or more, the visit counts of
  its second tiles.

A game depends on its number and on the simulations of each search only. Lines are written as soon
as they are known, and a run that was cut goes on after the last complete game of the file, so that
it ends with the same file.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain, count, islice
from pathlib import Path
from random import Random
from typing import Any, Final

import pontedeldiavolo as pdd
from pontedeldiavolo.players.mcts.rollout_tree import RolloutTree

PLIES: Final = 21
"""The searches of a game: of plies 0 to 20."""
SIMULATIONS: Final = 8_000
MIN_SIMULATIONS: Final = 1_000
"""With fewer simulations, second tiles have hardly any visits."""
SECOND_TILE_VISITS: Final = 200
"""The second tiles of a first tile with this many visits are written."""
TILE: Final = re.compile("[a-z]+[0-9]+")
"""The text of a tile."""


def step_text(step: pdd.Step) -> str:
    """Return the text of a step; that of a tile is its cell."""
    return str(step.cell) if isinstance(step, pdd.PlaceTile) else pdd.format_action(step)


def visits_below(tree: RolloutTree, space: pdd.StepSpace, node: int = 0) -> dict[str, int]:
    """Return the visit counts of the steps from a node of a tree."""
    return {step_text(space.decode(each.code)): each.visits for each in tree.children(node)}


def sampled(rng: Random, visits: Mapping[str, int]) -> str:
    """Return a step, with visit counts as weights."""
    return rng.choices([*visits], [*visits.values()])[0]


def searched(state: pdd.GameState, simulations: int, seed: int) -> dict[str, Any]:
    """Return what a search of a state has found: value, visits and second tiles."""
    tree = RolloutTree(state, seed)
    tree.run(simulations)
    space = pdd.StepSpace(state.rules.board)
    steps = [*tree.children()]
    total = sum(each.visits for each in steps)
    tiles = [each for each in steps if isinstance(space.decode(each.code), pdd.PlaceTile)]
    most = max((each.visits for each in tiles), default=0)
    second = {
        step_text(space.decode(each.code)): visits_below(tree, space, each.node)
        for each in tiles
        if each.visits >= min(most, SECOND_TILE_VISITS)
    }
    return {
        "value": round(sum(each.total_reward for each in steps) / total - 1, 4),
        "visits": visits_below(tree, space),
        "second": {first: visits for first, visits in second.items() if any(visits.values())},
    }


def action_of(found: Mapping[str, Any], rng: Random) -> str:
    """Return the text of an action, sampled step by step from what a search has found."""
    # Too few simulations went through other first tiles to choose their second tiles.
    steps = {
        step: count
        for step, count in found["visits"].items()
        if step in found["second"] or not TILE.fullmatch(step)
    }
    first = sampled(rng, steps)
    if not TILE.fullmatch(first):
        return first
    return f"{first},{sampled(rng, found['second'][first])}"


def searches_of(game: int, simulations: int) -> Iterator[dict[str, Any]]:
    """Yield the searches of a game's opening."""
    rng = Random(game)
    state = pdd.GameState.initial()
    for ply in range(PLIES):
        if state.is_over:
            return
        found = searched(state, simulations, rng.getrandbits(63))
        place = {"game": game, "ply": ply, "simulations": simulations}
        yield {**place, "state": pdd.format_state(state), **found}
        state = state.apply(pdd.parse_action(action_of(found, rng)))


def complete_lines(path: Path) -> list[str]:
    """Return the lines of the complete games of a file: all games but the last one."""
    lines = path.read_text("utf-8").splitlines(keepends=True) if path.exists() else []
    whole = [line for line in lines if line.endswith("\n")]
    last = json.loads(whole[-1])["game"] if whole else 0
    return [line for line in whole if json.loads(line)["game"] != last]


def extend(path: Path, positions: int, simulations: int) -> None:
    """Extend a file to a number of positions, with searches of some simulations.

    Raises:
        ValueError: If the file has searches of another size.
    """
    kept = complete_lines(path)[:positions]
    if kept and json.loads(kept[0])["simulations"] != simulations:
        raise ValueError(f"{path} has searches of another size")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(kept), "utf-8")
    begin = json.loads(kept[-1])["game"] + 1 if kept else 0
    found = chain.from_iterable(searches_of(game, simulations) for game in count(begin))
    with path.open("a", encoding="utf-8") as file:
        for number, line in enumerate(islice(found, positions - len(kept)), len(kept) + 1):
            file.write(json.dumps(line) + "\n")
            file.flush()
            print(f"{number} positions: game {line['game']}, ply {line['ply']}", flush=True)


def main() -> None:
    """Extend the file of the arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--positions", type=int, default=4_000, help="the lines of the file")
    parser.add_argument("--simulations", type=int, default=SIMULATIONS, help="of each search")
    asked = parser.parse_args()
    if asked.simulations < MIN_SIMULATIONS:
        parser.error(f"a search has at least {MIN_SIMULATIONS:,} simulations")
    extend(asked.file, asked.positions, asked.simulations)


if __name__ == "__main__":
    main()
