# python examples/solve.py 3x2 3x3 4x3
"""Solve small boards: compute the result of each opening with perfect play.

Openings that are equal under a symmetry count once. It does not matter which seat owns which
colour, so red is chosen after each opening, and the choice is evaluated afterwards: with it the
first seat at best draws, and does so if any opening is a draw. So `--choice` looks for one drawn
opening and stops there; `--openings b2,d4` selects openings. `--table FOLDER` values all positions.
`--json FILE` adds the results to a file, from which the documentation makes its tables.
"""

import argparse
import json
import platform
import time
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import pontedeldiavolo as pdd
from pontedeldiavolo import batch

RED = pdd.ChooseColor(pdd.Color.RED)
DAY_SECONDS = 86_400


class Solution(NamedTuple):
    """The results of a board."""

    openings: dict[str, int]  # the value for white's owner, one opening per class of equal ones
    nodes: int  # those that the solver searched
    seconds: float  # of one core


def openings_of(rules: pdd.Rules) -> dict[str, pdd.GameState]:
    """Return the states after every opening and the choice of red, without symmetric duplicates."""
    start = pdd.GameState.initial(rules)
    found = {start.apply(each).canonical(): None for each in start.legal_actions}
    states = {
        ",".join(map(str, state.position.tiles(pdd.Color.WHITE))) or "pass": state
        for state in found
    }
    return {name: state.apply(RED) for name, state in sorted(states.items())}


def solve(
    rules: pdd.Rules,
    solver: pdd.players.Solver,
    wanted: Sequence[str] = (),
    *,
    choice: bool = False,
) -> Solution:
    """Return the values of all or of the *wanted* openings; with *choice*, stop at a draw.

    Raises:
        TimeoutError: If the solver's limits do not suffice.
    """
    begin = time.process_time()
    values = dict[str, int]()
    start = pdd.GameState.initial(rules)
    states = {each: start.apply(pdd.parse_action(each)).apply(RED) for each in wanted}
    for name, state in (states or openings_of(rules)).items():
        red = solver.value(state)
        if red is None:
            raise TimeoutError(name)
        values[name] = -red
        if choice and red == 0:
            break
    return Solution(values, solver.nodes_searched, time.process_time() - begin)


def levels_of(rules: pdd.Rules) -> Iterator[batch.GameBatch]:
    """Yield all positions after each number of turns, without symmetric duplicates."""
    games = batch.GameBatch.initial(rules)
    white = games.space.encode(pdd.ChooseColor(pdd.Color.WHITE))
    while games.size:
        yield games
        mask = games.legal_mask()
        mask[:, white] = 0
        rows, codes = np.nonzero(mask)
        after = games.take(rows).step(codes)
        halves = after.take(after.placed_tile >= 0)
        mask = halves.legal_mask()
        mask[np.arange(mask.shape[1]) <= halves.placed_tile[:, np.newaxis]] = (
            0  # each pair in one order
        )
        rows, codes = np.nonzero(mask)
        whole = [after.take(after.placed_tile < 0), halves.take(rows).step(codes)]
        games = batch.GameBatch.concat(whole).canonical()
        packed = games.packed()
        keys = packed.view(f"S{packed.shape[1]}").reshape(-1)
        games = games.take(np.unique(keys, return_index=True)[1])


def table_of(rules: pdd.Rules, solver: pdd.players.Solver) -> tuple[pdd.players.Tablebase, int]:
    """Return the table of all positions, and the number of positions in all phases."""
    positions = 0
    games = list[batch.GameBatch]()
    values = list[int]()
    # The last levels first, because the solver remembers the values of later positions.
    for level in reversed([*levels_of(rules)]):
        positions += level.size
        games.append(level.take((level.to_move >= 0) & (level.white_owner >= 0)))
        for state in games[-1]:
            value = solver.value(state)
            if value is None:
                raise TimeoutError("the whole table")
            values.append(value)
    return pdd.players.Tablebase.from_values(batch.GameBatch.concat(games), values), positions


def row_of(board: pdd.Board, found: Solution, counted: int, *, whole: bool) -> str:
    """Return a row of the printed table."""
    values = [*found.openings.values()]
    openings = f"{len(found.openings)}"
    counts = " | ".join(str(values.count(value)) for value in (1, 0, -1))
    # The seat that chooses takes the better colour.
    without = max(values)
    choice = max(-abs(value) for value in values)
    first = f"{without:+}".replace("+0", "0") if whole else ""
    first += f" | {choice}"
    shown = f"{board.width}×{board.height} | {openings} | {counts} | {first}"
    return f"| {shown} | {found.nodes:,} | {found.seconds:.1f} | {counted:,} |"


def processor() -> str:
    """Return the name of the processor, if the system knows it."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text("utf-8").splitlines() if cpuinfo.exists() else []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return names[0].replace("(R)", "").replace(" Processor", "") if names else platform.processor()


def add_to(path: Path, kind: str, name: str, found: Solution, counted: int) -> None:
    """Add the results of a board to a JSON file.

    *kind* is "all" for the results of all openings, "openings" for those of selected ones, and
    "choice" for the first drawn one. If the positions were not counted, their number in the file
    stays.
    """
    report: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    boards = report.setdefault(kind, {})
    before = boards.get(name, {}).get("positions")
    boards[name] = {
        "values": found.openings,
        "nodes": found.nodes,
        "seconds": round(found.seconds, 1),
        "positions": counted or before,
        "date": date.today().isoformat(),  # noqa: DTZ011  # the day where it was computed
        "processor": processor(),
    }
    path.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


def main(arguments: list[str] | None = None) -> None:
    """Print the results of these boards as tables."""
    parser = argparse.ArgumentParser(description="Small boards, solved.")
    parser.add_argument("boards", nargs="*", default=["2x2", "3x2", "3x3"])
    parser.add_argument("--openings", nargs="+", default=(), metavar="A1,B2")
    parser.add_argument("--choice", action="store_true", help="stop at the first drawn opening")
    parser.add_argument("--gib", type=float, default=1.0, help="memory of the table")
    parser.add_argument("--table", metavar="FOLDER", help="where to write all values to")
    parser.add_argument("--json", type=Path, metavar="FILE", help="a file to add the results to")
    given = parser.parse_args(arguments)
    whole = not given.openings and not given.choice
    kind = "all" if whole else "openings" if given.openings else "choice"
    columns = "openings", "white wins", "draws", "red wins", "no choice", "choice", "nodes"
    print("| board |", " | ".join((*columns, "seconds", "positions")), "|")
    print("|---|" + "--:|" * 9)
    notes = []
    for name in given.boards:
        board = pdd.Board(*map(int, name.split("x")))
        rules = pdd.Rules(board)
        solver = pdd.players.Solver(DAY_SECONDS, memory=int(given.gib * 2**30))
        found = solve(rules, solver, given.openings, choice=given.choice)
        counted = 0
        if given.table:
            table, counted = table_of(rules, solver)
            table.save(f"{given.table}/{name}.tablebase")
        print(row_of(board, found, counted, whole=whole), flush=True)
        if given.json:
            add_to(given.json, kind, name, found, counted)
        for value, winner in ((1, "white wins"), (-1, "red wins"), (0, "a draw")):
            which = " ".join(key for key, each in found.openings.items() if each == value)
            if which and (value or not whole):
                notes.append(f"{board.width}×{board.height}, {winner} after: {which}")
    print("", *notes, sep="\n")


if __name__ == "__main__":
    main()
