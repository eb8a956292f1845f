# python examples/self_play.py FOLDER [--games 1000] [--simulations 12000] [--processes 2]
"""Statistics of games between two searching players: winners, points, first tiles.

The games are kept in a folder, as records by their numbers; those that are there are not played
again. Every share is of the points of a game, a draw half of one for each, with its interval of
95 %.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median

import pontedeldiavolo as pdd
from pontedeldiavolo import players
from pontedeldiavolo.players import MctsPlayer

WHITE = pdd.Color.WHITE
LIES = {
    (0, 1): "side by side",
    (0, 2): "two apart in a row, one cell between them",
    (1, 1): "diagonally next to each other",
    (1, 2): "a knight's move apart",
}
OTHERWISE = "any other way"


def share(worth: list[float]) -> str:
    """Return the mean of games, each worth 0, 1/2 or 1, with its interval."""
    losses, draws, wins = (worth.count(each) for each in (0, 0.5, 1))
    # The interval of a match rests on pairs of games. Here each game stands for a pair of its kind.
    pairs = (losses, 0, draws, 0, wins)
    match = players.Match("", "", 2 * wins, 2 * draws, 2 * losses, pairs)
    low, high = match.score_interval
    return f"{match.score:.1%} ({low:.1%} to {high:.1%})"


def outcome_of(game: pdd.Game) -> pdd.Outcome:
    """Return how a game ended."""
    if (outcome := game.state.outcome) is None:
        raise ValueError("the game is not over")
    return outcome


def worth(game: pdd.Game, side: pdd.Color | pdd.Seat) -> float:
    """Return 1 if a colour or a seat has won, 0 if the other has, else a half."""
    outcome = outcome_of(game)
    winner = outcome.winner if isinstance(side, pdd.Color) else outcome.winning_seat
    return 0.5 if winner is None else float(winner is side)


SHARES: dict[str, Callable[[pdd.Game], float]] = {
    "the first seat, which opens": lambda game: worth(game, pdd.Seat.FIRST),
    "white": lambda game: worth(game, WHITE),
    "white was chosen": lambda game: pdd.ChooseColor(WHITE) in game.actions,
}


def lie(game: pdd.Game) -> str:
    """Return how the first two tiles lie."""
    action = game.actions[0]
    if not isinstance(action, pdd.PlaceTiles):
        return "none"
    first, second = action.cells
    columns, rows = abs(first.column - second.column), abs(first.row - second.row)
    return LIES.get((min(columns, rows), max(columns, rows)), OTHERWISE)


def show(games: list[pdd.Game]) -> None:
    """Print tables in Markdown."""
    outcomes = [*map(outcome_of, games)]
    scores = [(each.white, each.red) for each in outcomes]
    points = [sorted((white.points, red.points), reverse=True) for white, red in scores]
    margins = [more - less for more, less in points]
    turns = [game.state.turn for game in games]
    kinds = Counter(type(turn.action).__name__ for game in games for turn in game.turns)
    rows = {name: share([*map(of, games)]) for name, of in SHARES.items()} | {
        "drawn games": share([each.winner is None for each in outcomes]),
        "equal in points, drawn or not": share([margin == 0 for margin in margins]),
        "points of the better, of the other": " and ".join(
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
    print(f"| of {len(games)} games | |\n|---|--:|")
    for name, value in rows.items():
        print(f"| {name} | {value} |")
    print("\n| the first two tiles | games |", " | ".join(SHARES), "|")
    print("|---|--:|" + "--:|" * len(SHARES))
    by_lie: dict[str, list[pdd.Game]] = {name: [] for name in (*LIES.values(), OTHERWISE)}
    for game in games:
        by_lie.setdefault(lie(game), []).append(game)
    for name, some in by_lie.items():
        if some:
            shares = " | ".join(share([*map(of, some)]) for of in SHARES.values())
            print(f"| {name} | {len(some)} | {shares} |")


def event(simulations: int) -> str:
    """Return what games are called."""
    return f"Self-play of {MctsPlayer(simulations=simulations).name}"


def play(folder: Path, rules: pdd.Rules, simulations: int, number: int) -> Path:
    """Play the game of a number, unless it is there, and return its file."""
    path = folder / f"{number:06}.pdd"
    if not path.exists():
        # Every seat of every game has its own seed.
        seated = [MctsPlayer(simulations=simulations, seed=2 * number + n) for n in range(2)]
        tags = {"Event": event(simulations), "Round": str(number)}
        game = pdd.Game.new(rules, tags)
        while (seat := game.state.seat_to_move) is not None:
            game = game.play(seated[seat.index].choose(game.state))
        pdd.records.write([game], path, pdd.records.Format.PDD)
    return path


def main() -> None:
    """Play what is missing, and show what came of it."""
    parser = argparse.ArgumentParser(description="Statistics of self-play.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--simulations", type=int, default=12_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--board", default="10x10")
    given = parser.parse_args()
    rules = pdd.Rules(pdd.Board(*map(int, given.board.split("x"))))
    given.folder.mkdir(parents=True, exist_ok=True)
    play_one = partial(play, given.folder, rules, given.simulations)
    found, wanted = [], (rules, event(given.simulations))
    with ProcessPoolExecutor(given.processes, get_context("spawn")) as workers:
        at_once = workers.map if given.processes > 1 else map
        for number, path in enumerate(at_once(play_one, range(1, given.games + 1)), start=1):
            game = pdd.records.loads(path.read_text("utf-8"))
            if (game.rules, game.tags["Event"]) != wanted:
                parser.error(f"{path} is a game of other players or by other rules")
            found.append(game)
            print(f"{number} of {given.games} games", end="\r", file=sys.stderr)
    show(found)


if __name__ == "__main__":
    main()
