# python examples/self_play.py FOLDER [--games 1000] [--simulations 12000] [--processes 2]
"""Compute statistics of MCTS self-play: scores, points, first tiles.

The folder keeps each game as a numbered record, and the program plays only the missing games. A
score counts a draw as half a win, and has its 95 % confidence interval in brackets. With
`--json FILE` the statistics go to a file, from which the documentation makes its tables.
"""

import argparse
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median

import pontedeldiavolo as pdd
from pontedeldiavolo import players
from pontedeldiavolo.players import MctsPlayer

WHITE = pdd.Color.WHITE
COLORS = (WHITE, pdd.Color.RED)
PLACEMENTS = {
    (0, 1): "side by side",
    (0, 2): "two apart in a row, one cell between them",
    (1, 1): "diagonally next to each other",
    (1, 2): "a knight's move apart",
}
OTHER_PLACEMENT = "any other way"


def mean_score(scores: list[float]) -> str:
    """Return the mean of scores, each 0, 1/2 or 1, with its confidence interval."""
    losses, draws, wins = (scores.count(each) for each in (0, 0.5, 1))
    # A match computes its interval from pairs of games: count each game as one pair.
    pairs = (losses, 0, draws, 0, wins)
    match = players.Match("", "", 2 * wins, 2 * draws, 2 * losses, pairs)
    low, high = match.score_interval
    return f"{match.score:.1%} ({low:.1%} to {high:.1%})"


def outcome_of(game: pdd.Game) -> pdd.Outcome:
    """Return the outcome of a game."""
    if (outcome := game.state.outcome) is None:
        raise ValueError("the game is not over")
    return outcome


def score(game: pdd.Game, side: pdd.Color | pdd.Seat) -> float:
    """Return the score of a colour or a seat: 1 for a win, 1/2 for a draw, 0 for a loss."""
    outcome = outcome_of(game)
    winner = outcome.winner if isinstance(side, pdd.Color) else outcome.winning_seat
    return 0.5 if winner is None else float(winner is side)


SCORES: dict[str, Callable[[pdd.Game], float]] = {
    "the first seat, which opens": lambda game: score(game, pdd.Seat.FIRST),
    "white": lambda game: score(game, WHITE),
    "white was chosen": lambda game: pdd.ChooseColor(WHITE) in game.actions,
}


def placement(game: pdd.Game) -> str:
    """Return the placement of the first two tiles, in words."""
    action = game.actions[0]
    if not isinstance(action, pdd.PlaceTiles):
        return "none"
    first, second = action.cells
    columns = abs(first.column - second.column)
    rows = abs(first.row - second.row)
    return PLACEMENTS.get((min(columns, rows), max(columns, rows)), OTHER_PLACEMENT)


def tables_of(games: list[pdd.Game]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the figures of all games, and those of the games with each placement of tiles."""
    outcomes = [*map(outcome_of, games)]
    scores = [(each.white, each.red) for each in outcomes]
    points = [sorted((white.points, red.points), reverse=True) for white, red in scores]
    margins = [winner - loser for winner, loser in points]
    turns = [game.state.turn for game in games]
    kinds = Counter(type(ply.action).__name__ for game in games for ply in game.plies)
    rows = {name: mean_score([*map(of, games)]) for name, of in SCORES.items()} | {
        "drawn games": mean_score([each.winner is None for each in outcomes]),
        "equal in points, drawn or not": mean_score([margin == 0 for margin in margins]),
        "points of the winner, of the loser": " and ".join(
            f"{mean(side):.1f}" for side in zip(*points, strict=True)
        ),
        "islands of each": f"{mean(each.islands for pair in scores for each in pair):.2f}",
        "margin in points: mean, median, most": (
            f"{mean(margins):.1f}, {median(margins):g}, {max(margins)}"
        ),
        "turns: least, median, most": f"{min(turns)}, {median(turns):g}, {max(turns)}",
        "bridges, passes in a game": " and ".join(
            f"{kinds[kind] / len(games):.1f}" for kind in ("BuildBridge", "Pass")
        ),
    }
    groups: dict[str, list[pdd.Game]] = {n: [] for n in (*PLACEMENTS.values(), OTHER_PLACEMENT)}
    for game in games:
        groups.setdefault(placement(game), []).append(game)
    placements = {
        name: [str(len(group)), *(mean_score([*map(of, group)]) for of in SCORES.values())]
        for name, group in groups.items()
        if group
    }
    return rows, placements


def print_tables(games: list[pdd.Game]) -> None:
    """Print the statistics as Markdown tables."""
    rows, placements = tables_of(games)
    print(f"| of {len(games)} games | |\n|---|--:|")
    for name, value in rows.items():
        print(f"| {name} | {value} |")
    print("\n| the first two tiles | games |", " | ".join(SCORES), "|")
    print("|---|--:|" + "--:|" * len(SCORES))
    for name, cells in placements.items():
        print(f"| {name} | {' | '.join(cells)} |")


def write_report(path: Path, games: list[pdd.Game], simulations: int) -> None:
    """Write the statistics and a few counts to a JSON file."""
    rows, placements = tables_of(games)
    outcomes = [*map(outcome_of, games)]
    chosen = {color: [g for g in games if pdd.ChooseColor(color) in g.actions] for color in COLORS}
    report = {
        "date": date.today().isoformat(),  # noqa: DTZ011  # the day where it was computed
        "games": len(games),
        "simulations": simulations,
        "drawn": sum(each.winner is None for each in outcomes),
        "equal in points": sum(each.white.points == each.red.points for each in outcomes),
        "score of the colour where it was chosen": {
            color.value: mean_score([score(game, color) for game in some])
            for color, some in chosen.items()
            if some
        },
        "rows": rows,
        "first tiles": {"columns": ["games", *SCORES], "rows": placements},
    }
    path.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


def event(simulations: int) -> str:
    """Return the tag Event of the games."""
    return f"Self-play of {MctsPlayer(simulations=simulations).name}"


def file_of(folder: Path, number: int) -> Path:
    """Return the file of a game."""
    return folder / f"{number:06}.pdd"


def play_game(folder: Path, rules: pdd.Rules, simulations: int, number: int) -> Path:
    """Play a game unless its file exists, and return the file."""
    path = file_of(folder, number)
    if not path.exists():
        # Each player of each game has its own seed.
        opponents = [MctsPlayer(simulations=simulations, seed=2 * number + n) for n in range(2)]
        tags = {"Event": event(simulations), "Round": str(number)}
        game = pdd.Game.new(rules, tags)
        while (seat := game.state.seat_to_move) is not None:
            game = game.play(opponents[seat.index].choose(game.state))
        pdd.records.write([game], path, pdd.records.Format.PDD)
    return path


def main() -> None:
    """Play the missing games, and print the statistics of all."""
    parser = argparse.ArgumentParser(description="Statistics of self-play.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--simulations", type=int, default=12_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--board", default="10x10")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the statistics")
    options = parser.parse_args()
    rules = pdd.Rules(pdd.Board(*map(int, options.board.split("x"))))
    options.folder.mkdir(parents=True, exist_ok=True)
    play_one = partial(play_game, options.folder, rules, options.simulations)
    settings = (rules, event(options.simulations))
    games = []
    try:
        for path in played(options.folder, play_one, options.games, options.processes):
            game = pdd.records.loads(path.read_text("utf-8"))
            if (game.rules, game.tags["Event"]) != settings:
                parser.error(f"{path} is a game of other players or by other rules")
            games.append(game)
            print(f"{len(games)} of {options.games} games", end="\r", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nInterrupted. The same command plays the missing games.", file=sys.stderr)
        sys.exit(130)
    print_tables(games)
    if options.json:
        write_report(options.json, games, options.simulations)


def played(folder: Path, play_one: Callable[[int], Path], games: int, count: int) -> Iterator[Path]:
    """Iterate over the files of all games, in order; several processes share them."""
    if count == 1:
        yield from map(play_one, range(1, games + 1))
        return
    shares = [range(first, games + 1, count) for first in range(1, count + 1)]
    context = get_context("spawn")
    # Processes that are daemons end with this one.
    processes = [
        context.Process(target=play_share, args=(play_one, share), daemon=True) for share in shares
    ]
    # They inherit that Ctrl-C is ignored, even while they start.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    for process in processes:
        process.start()
    signal.signal(signal.SIGINT, handler)
    for number in range(1, games + 1):
        process = processes[(number - 1) % count]
        path = file_of(folder, number)
        while process.is_alive() and not path.exists():
            time.sleep(0.02)
        if process.exitcode:
            raise RuntimeError(f"a process has ended, with exit code {process.exitcode}")
        yield path


def play_share(play_one: Callable[[int], Path], numbers: range) -> None:
    """Play some of the games."""
    for number in numbers:
        play_one(number)


if __name__ == "__main__":
    main()
