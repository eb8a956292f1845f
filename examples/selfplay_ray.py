# python examples/selfplay_ray.py --folder games
"""Self-play on a Ray cluster: games and rows to train on, written by the workers themselves.

Without --address it starts Ray on this machine; with --address auto it uses the cluster that the
machine is part of, and the folder must be one that all its machines share. Each task plays so many
games and puts two files in place when both are complete: NUMBER.pdd with the games, then
NUMBER.parquet with the rows. A task whose rows are there is done. So a worker that is killed loses
nothing: Ray has its task done again, and with the same seed the result is the same; starting
the program once more adds the missing rows. It plays in turn with each number of --workers.
"""

import argparse
import os
import shutil
import socket
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
import ray

import pontedeldiavolo as pdd
from pontedeldiavolo import batch

ATTEMPTS = 5  # of a task that is done again


class Steps(NamedTuple):
    """The steps that were played: arrays of shape (steps, games, …)."""

    planes: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.uint8]  # a bit for each code, the lowest first
    codes: npt.NDArray[np.int32]  # -1 where a game was over
    seats: npt.NDArray[np.int8]


def played(pool: batch.GamePool) -> Steps:
    """Play all games of a pool to their end."""
    steps = []
    while (pool.seat_to_move >= 0).any():
        codes = pool.sample()  # a network would give weights
        masks = np.packbits(pool.mask, axis=1, bitorder="little")
        steps.append((pool.planes.copy(), masks, codes, pool.seat_to_move.copy()))
        pool.step(codes)
    return Steps._make(map(np.stack, zip(*steps, strict=True)))


def game_of(rules: pdd.Rules, codes: npt.NDArray[np.int32]) -> pdd.Game:
    """Return the game that was played by these steps, every one of them judged once more."""
    space, actions = pdd.StepSpace(rules.board), list[pdd.Action]()
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


def notes_of(rules: pdd.Rules, games: int) -> dict[bytes, bytes]:
    """Return what is said of rows in their file."""
    version = str(batch.PLANES_VERSION)
    notes = {"rules": pdd.format_rules(rules), "games": str(games), "planes_version": version}
    return {key.encode(): value.encode() for key, value in notes.items()}


def table_of(rules: pdd.Rules, steps: Steps, rewards: npt.NDArray[np.int8]) -> pa.Table:
    """Return a row for every step: what was seen, what was legal, what was done, how it ended."""
    step, game = np.nonzero(steps.codes >= 0)
    columns = {
        "game": pa.array(game.astype(np.int32)),
        "planes": blobs(steps.planes[step, game]),
        "mask": blobs(steps.masks[step, game]),
        "code": pa.array(steps.codes[step, game].astype(np.int16)),
        "result": pa.array(rewards[game, steps.seats[step, game]]),
    }
    return pa.table(columns).replace_schema_metadata(notes_of(rules, len(rewards)))


def blobs(rows: npt.NDArray[np.uint8]) -> pa.FixedSizeBinaryArray:
    """Return each row as bytes."""
    flat = np.ascontiguousarray(rows.reshape(len(rows), -1))
    buffers = [None, pa.py_buffer(flat)]
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(flat.shape[1]), len(flat), buffers)


class Done(NamedTuple):
    """The outcome of a task."""

    games: int  # none if it had been done before
    abandoned: int  # how often it was begun before and not finished


def play(number: int, games: int, side: int, folder: Path) -> Done:
    """Do a task, unless that has been done."""
    left = list(folder.glob(f".{number:06}-*"))
    for each in left:
        shutil.rmtree(each, ignore_errors=True)
    rules = pdd.Rules(pdd.Board(side, side))
    ready = folder / f"{number:06}.parquet"
    if ready.exists():
        if pq.read_schema(ready).metadata != notes_of(rules, games):
            raise ValueError(f"{ready} was made with other settings")
        return Done(0, len(left))
    # Nobody else has this name, so nobody takes for complete what is not.
    own = folder / f".{number:06}-{socket.gethostname()}-{os.getpid()}"
    own.mkdir(parents=True)
    pool = batch.GamePool(rules, games, seed=number, restart=False, planes=True)
    steps = played(pool)
    records = (game_of(rules, codes) for codes in steps.codes.T)
    pdd.records.write(records, own / "games", pdd.records.Format.PDD)
    pq.write_table(table_of(rules, steps, pool.games.rewards), own / "rows", compression="zstd")
    (own / "games").replace(folder / f"{number:06}.pdd")
    (own / "rows").replace(ready)
    own.rmdir()
    return Done(games, len(left))


def warm_up(side: int) -> None:
    """Do a small task for nothing, so that all that a worker needs is loaded."""
    with tempfile.TemporaryDirectory() as folder:
        play(0, 1, side, Path(folder))


def run(options: argparse.Namespace, workers: int, numbers: list[int]) -> list[Done]:
    """Do tasks, so many at a time."""
    # A worker that dies is Ray's business: it has the task done again.
    task = ray.remote(max_retries=ATTEMPTS)(play)
    running: list[object] = []
    done: list[Done] = []
    while numbers or running:
        while numbers and len(running) < workers:
            about = options.games, options.side, options.folder.resolve()
            running.append(task.remote(numbers.pop(0), *about))
        finished, running = ray.wait(running)
        done += ray.get(finished)
    return done


def main(options: argparse.Namespace) -> None:
    """Share the tasks among all numbers of workers, and print how fast they were."""
    if options.address:
        ray.init(address=options.address)
    else:
        memory = 100 << 20
        most = max(options.workers)
        ray.init(num_cpus=most, include_dashboard=False, object_store_memory=memory)
    ray.get([ray.remote(warm_up).remote(options.side) for _ in range(max(options.workers))])
    print("| workers | tasks | games | seconds | games/s | begun in vain |")
    print("|--:|--:|--:|--:|--:|--:|")
    shares = np.array_split(np.arange(options.tasks), len(options.workers))
    for workers, numbers in zip(options.workers, shares, strict=True):
        begin = time.perf_counter()
        done = run(options, workers, numbers.tolist())
        seconds = time.perf_counter() - begin
        games, abandoned = (sum(each) for each in zip(*done, strict=True))
        shown = f"{len(done)} | {games:,} | {seconds:.1f} | {games / seconds:.0f} | {abandoned}"
        print(f"| {workers} | {shown} |", flush=True)
    ray.shutdown()


def arguments() -> argparse.ArgumentParser:
    """Return what may be asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="where the files go")
    parser.add_argument("--address", help="of a cluster: auto for that of this machine")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="at a time")
    parser.add_argument("--tasks", type=int, default=12, help="in all")
    parser.add_argument("--games", type=int, default=512, help="of a task")
    parser.add_argument("--side", type=int, default=10, help="of the board")
    return parser


if __name__ == "__main__":
    main(arguments().parse_args())
