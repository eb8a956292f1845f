# python examples/match_ray.py --folder games greedy random
"""Play a match on a Ray cluster until a sequential test (SPRT) decides it, and keep its records.

A task is a pair of games with exchanged seats; its number is its seed, from which its random turns
are drawn as well. The test looks at the pairs in the order of their numbers, so it does not prefer
short games, and counts only different pairs as evidence. If a worker is killed, Ray repeats
its task. A pair is stored as soon as it is over: a program that is started again plays only the
missing ones. Without --address the program starts Ray on this machine.
"""

import argparse
from pathlib import Path

import ray

import pontedeldiavolo as pdd

MAX_RETRIES = 5  # of a pair

Moves = tuple[tuple[pdd.Action, ...], ...]
"""The actions of both games of a pair."""


def play_pair(
    names: tuple[str, str], number: int, side: int, folder: Path
) -> tuple[pdd.players.Match, Moves]:
    """Play a pair, or read it again, and return its result and its moves."""
    a, b = map(pdd.players.by_name, names)
    rules = pdd.Rules(pdd.Board(side, side))
    own = folder / f"{number:06}"
    found = pdd.players.match(a, b, 2, rules=rules, seed=number, folder=own)
    (path,) = own.glob("*.pdd")
    return found, tuple(game.actions for game in pdd.records.iter_games(path))


def play_match(options: argparse.Namespace) -> pdd.players.SequentialTest:
    """Play pairs until the test is decided, and return it."""
    task = ray.remote(max_retries=MAX_RETRIES)(play_pair)
    arguments = options.side, options.folder.resolve()
    # A few tasks for each worker wait for the test, not more.
    ahead = 2 * int(ray.cluster_resources()["CPU"])
    running: list[ray.ObjectRef[tuple[pdd.players.Match, Moves]]] = []
    test = pdd.players.SequentialTest(*options.sprt)
    pairs = [0] * 5
    # Each task is a match of its own and cannot see copies of games in other tasks: count here.
    different: set[Moves] = set()
    for number in range(options.pairs + ahead):
        if number < options.pairs:
            running.append(task.remote((options.a, options.b), number, *arguments))
        if number < ahead or not running:
            continue
        found, moves = ray.get(running.pop(0))
        pairs = [one + other for one, other in zip(pairs, found.pairs, strict=True)]
        different.add(moves)
        test = test.after(tuple(pairs), len(different))
        if test.accepted is not None:
            break
    for each in running:
        ray.cancel(each)
    print(
        f"pairs {pairs}, {len(different)} different, "
        f"log-likelihood ratio {test.llr:.2f}, accepted {test.accepted}"
    )
    return test


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("a", help="a player, such as mcts:simulations=200")
    parser.add_argument("b", help="the other player")
    parser.add_argument("--folder", type=Path, required=True, help="folder for the records")
    parser.add_argument("--address", help="of a cluster; auto: the cluster of this machine")
    parser.add_argument("--workers", type=int, default=3, help="workers, without --address")
    parser.add_argument("--pairs", type=int, default=200, help="pairs of games at most")
    parser.add_argument("--sprt", type=float, nargs=2, default=(0, 50), help="two Elo differences")
    parser.add_argument("--side", type=int, default=6, help="side of the board")
    return parser


def main(options: argparse.Namespace) -> None:
    """Start Ray, play and end it."""
    if options.address:
        ray.init(address=options.address)
    else:
        ray.init(num_cpus=options.workers, include_dashboard=False, object_store_memory=100 << 20)
    play_match(options)
    ray.shutdown()


if __name__ == "__main__":
    main(make_parser().parse_args())
