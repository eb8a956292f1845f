# python examples/selfplay_ray.py --folder games
"""Self-play on a Ray cluster: the workers write records and training rows.

Without --address the program starts Ray on this machine. With --address auto it uses the cluster of
this machine; the folder must be shared by all machines of the cluster. Each task plays a number of
games and writes two files, which it renames when both are complete: NUMBER.pdd with the records,
then NUMBER.parquet with the rows. If a worker is killed, Ray retries its task, and the same seed
gives the same result. The program skips tasks that have their rows, so you can start it again to
run the missing ones. It runs a share of the tasks with each number of --workers.

--weights names a NumPy file with the weights of a linear policy, (features, steps). Ray stores them
once on each machine, whatever the number of its tasks.
"""

import argparse
import os
import shutil
import socket
import tempfile
import time
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
import ray

import pontedeldiavolo as pdd
from pontedeldiavolo import batch

MAX_RETRIES = 5  # of a task


class Steps(NamedTuple):
    """The steps of all games: arrays of shape (steps, games, …)."""

    planes: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.uint8]  # a bit for each code, the lowest bit first
    codes: npt.NDArray[np.int32]  # -1 after the end of a game
    seats: npt.NDArray[np.int8]


Weights: TypeAlias = npt.NDArray[np.float32]


def policy(pool: batch.GamePool, weights: Weights) -> Weights:
    """Return the weight of each step; replace this function by your network."""
    logits = pool.planes.reshape(len(pool.planes), -1) @ weights
    found: Weights = np.exp(logits - logits.max(axis=1, keepdims=True)) + np.float32(1e-6)
    return found


def play_games(pool: batch.GamePool, weights: Weights | None) -> Steps:
    """Play all games of a pool to the end."""
    steps = []
    while (pool.seat_to_move >= 0).any():
        codes = pool.sample_steps() if weights is None else pool.sample_steps(policy(pool, weights))
        masks = np.packbits(pool.legal_mask, axis=1, bitorder="little")
        steps.append((pool.planes.copy(), masks, codes, pool.seat_to_move.copy()))
        pool.step(codes)
    return Steps._make(map(np.stack, zip(*steps, strict=True)))


def game_of(rules: pdd.Rules, codes: npt.NDArray[np.int32]) -> pdd.Game:
    """Return the game of a sequence of step codes; the library checks every action."""
    space = pdd.StepSpace(rules.board)
    actions = list[pdd.Action]()
    first: pdd.PlaceTile | None = None
    for step in map(space.decode, codes[codes >= 0]):
        if not isinstance(step, pdd.PlaceTile):
            actions.append(step)
        elif first is None:
            first = step
        else:
            actions.append(pdd.PlaceTiles(first.cell, step.cell))
            first = None
    return pdd.Game.from_actions(rules, actions, tags={"First": "random", "Second": "random"})


def metadata_of(rules: pdd.Rules, games: int) -> dict[bytes, bytes]:
    """Return the metadata of a file of rows."""
    version = str(batch.PLANES_VERSION)
    texts = {"rules": pdd.format_rules(rules), "games": str(games), "planes_version": version}
    return {key.encode(): value.encode() for key, value in texts.items()}


def table_of(rules: pdd.Rules, steps: Steps, rewards: npt.NDArray[np.int8]) -> pa.Table:
    """Return a row for each step: the planes, the mask, the step, and the result for the mover."""
    step, game = np.nonzero(steps.codes >= 0)
    columns = {
        "game": pa.array(game.astype(np.int32)),
        "planes": binary_column(steps.planes[step, game]),
        "mask": binary_column(steps.masks[step, game]),
        "code": pa.array(steps.codes[step, game].astype(np.int16)),
        "result": pa.array(rewards[game, steps.seats[step, game]]),
    }
    return pa.table(columns).replace_schema_metadata(metadata_of(rules, len(rewards)))


def binary_column(rows: npt.NDArray[np.uint8]) -> pa.FixedSizeBinaryArray:
    """Return a column with the bytes of each row."""
    flat = np.ascontiguousarray(rows.reshape(len(rows), -1))
    buffers = [None, pa.py_buffer(flat)]
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(flat.shape[1]), len(flat), buffers)


class TaskResult(NamedTuple):
    """The result of a task."""

    games: int  # 0 if an earlier run has completed the task
    abandoned: int  # earlier attempts that were killed


def run_task(
    number: int, games: int, side: int, folder: Path, weights: Weights | None = None
) -> TaskResult:
    """Run a task unless its rows exist."""
    abandoned = list(folder.glob(f".{number:06}-*"))
    for path in abandoned:
        shutil.rmtree(path, ignore_errors=True)
    rules = pdd.Rules(pdd.Board(side, side))
    rows = folder / f"{number:06}.parquet"
    if rows.exists():
        if pq.read_schema(rows).metadata != metadata_of(rules, games):
            raise ValueError(f"{rows} was made with other settings")
        return TaskResult(0, len(abandoned))
    # Each process writes to a temporary folder of its own.
    temp = folder / f".{number:06}-{socket.gethostname()}-{os.getpid()}"
    temp.mkdir(parents=True)
    pool = batch.GamePool(rules, games, seed=number, autoreset=False, planes=True)
    steps = play_games(pool, weights)
    records = (game_of(rules, codes) for codes in steps.codes.T)
    pdd.records.write(records, temp / "games", pdd.records.Format.PDD)
    pq.write_table(table_of(rules, steps, pool.games.rewards), temp / "rows", compression="zstd")
    (temp / "games").replace(folder / f"{number:06}.pdd")
    (temp / "rows").replace(rows)
    temp.rmdir()
    return TaskResult(games, len(abandoned))


def warm_up(side: int) -> None:
    """Run a small task, so that the worker imports and compiles everything before the timing."""
    with tempfile.TemporaryDirectory() as folder:
        run_task(0, 1, side, Path(folder))


def run_tasks(options: argparse.Namespace, workers: int, numbers: list[int]) -> list[TaskResult]:
    """Run tasks, as many at a time as there are workers."""
    # Ray retries the task of a worker that dies.
    task = ray.remote(max_retries=MAX_RETRIES)(run_task)
    weights = None if options.weights is None else ray.put(np.load(options.weights))
    running: list[object] = []
    results: list[TaskResult] = []
    while numbers or running:
        while numbers and len(running) < workers:
            arguments = options.games, options.side, options.folder.resolve(), weights
            running.append(task.remote(numbers.pop(0), *arguments))
        finished, running = ray.wait(running)
        results += ray.get(finished)
    return results


def main(options: argparse.Namespace) -> None:
    """Run a share of the tasks with each number of workers, and print the speeds."""
    if options.address:
        ray.init(address=options.address)
    else:
        memory = 100 << 20
        cpus = max(options.workers)
        ray.init(num_cpus=cpus, include_dashboard=False, object_store_memory=memory)
    ray.get([ray.remote(warm_up).remote(options.side) for _ in range(max(options.workers))])
    print("| workers | tasks | games | seconds | games/s | tasks restarted |")
    print("|--:|--:|--:|--:|--:|--:|")
    shares = np.array_split(np.arange(options.tasks), len(options.workers))
    for workers, numbers in zip(options.workers, shares, strict=True):
        start = time.perf_counter()
        results = run_tasks(options, workers, numbers.tolist())
        seconds = time.perf_counter() - start
        games, abandoned = (sum(each) for each in zip(*results, strict=True))
        shown = f"{len(results)} | {games:,} | {seconds:.1f} | {games / seconds:.0f} | {abandoned}"
        print(f"| {workers} | {shown} |", flush=True)
    ray.shutdown()


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="folder for the files")
    parser.add_argument("--address", help="of a cluster; auto: the cluster of this machine")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="numbers of workers")
    parser.add_argument("--tasks", type=int, default=12, help="number of tasks")
    parser.add_argument("--games", type=int, default=512, help="games in a task")
    parser.add_argument("--weights", type=Path, help="NumPy file with the weights of a policy")
    parser.add_argument("--side", type=int, default=10, help="side of the board")
    return parser


if __name__ == "__main__":
    main(make_parser().parse_args())
