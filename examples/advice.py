# python examples/advice.py [FILE] [--games 200] [--simulations 200] [--search 20000]
"""Test advice: play games from a position after the advised action and after another one.

The same MCTS player plays both sides. For each piece of advice the JSON file has the position as a
state text and the two actions. Each action has the number of games that the side to move won, drew
and lost, and the value of the position by a longer search.
"""

import argparse
import json
from datetime import date
from pathlib import Path

import pontedeldiavolo as pdd
from pontedeldiavolo.players import Match, MctsPlayer

START = "tiles=unlimited bridges=unlimited tiebreaks=islands,bridges rows="
PLAY = "phase=play to-move="
ADVICE = {
    "centre": (
        (
            f"10x10 {START}10/10/10/10/10/4ww4/10/10/10/10 built=-"
            " phase=color-choice to-move=- white=-"
        ),
        ("white", "red"),
    ),
    "sandbanks": (
        f"10x10 {START}10/10/5r4/4rr4/10/6w3/2ww1ww3/2w5r1/8rr/10 built=- {PLAY}white white=first",
        ("d4-f4", "b3,h5"),
    ),
    "ends": (
        (
            f"10x10 {START}10/10/2ww2rr2/2ww2rr2/10/1wwww1w3/6ww2/1rr7/1r2rrr3/10 built=-"
            f" {PLAY}white white=first"
        ),
        ("c5-c7", "e5-d7"),
    ),
    "burned": (
        f"10x10 {START}10/10/10/7w2/2rr3ww1/2r7/4w5/2wwrr4/5r4/10 built=- {PLAY}red white=first",
        ("c5-e3", "d5,e2"),
    ),
    "split": (
        (
            f"10x10 {START}10/rr8/rr8/3rr5/3rr5/www1www1ww/w2r2w1ww/3r6/2rr1rr3/5rr3"
            f" built=d2-f2,d7-b8 {PLAY}white white=first"
        ),
        ("c5-e5", "g5-i5"),
    ),
    "fork": (
        (
            f"10x10 {START}r9/r3ww4/4ww4/10/1ww4ww1/1ww1ww1ww1/10/10/1rr1rr1rr1/1rr1rr1rr1 built=-"
            f" {PLAY}white white=first"
        ),
        ("e6,f6", "e4,f4"),
    ),
    "guide": (
        (
            f"10x10 {START}10/4r5/4r5/4r2ww1/4r2ww1/10/3r3ww1/3r3ww1/3r6/3r6 built=-"
            f" {PLAY}white white=first"
        ),
        ("e5,f5", "h4-h6"),
    ),
    "space": (
        (
            f"10x10 {START}5rr1rr/5rr2r/9w/10/7ww1/4ww1ww1/2rrww4/2rr5w/w4rr2r/ww3rr1rr"
            f" built=g1-i1,g10-i10 {PLAY}white white=first"
        ),
        ("i2,i9", "b2,i9"),
    ),
    "kairos": (
        f"6x6 {START}1rrw2/1rwww1/1r1rrr/1w1wr1/1wr1ww/ww2wr built=- {PLAY}red white=first",
        ("b4-d4", "c1,d1"),
    ),
    "mean": (
        (
            f"10x10 {START}5rr1rr/5rr2r/9w/3ww1ww2/3ww1ww2/10/6ww2/w9/r2rr5/rr1rr5"
            f" built=b1-d1,g10-i10 {PLAY}white white=first"
        ),
        ("b2,i9", "g3,h3"),
    ),
}
"""Positions in the order of the author's advice: the state, the advised action and another one.

Most were constructed to show one idea; none is from a game.
"""


def play_games(state: pdd.GameState, seat: pdd.Seat, count: int, simulations: int) -> list[int]:
    """Play games from a state; return how many of them a seat won, drew and lost."""
    counts = [0, 0, 0]
    for number in range(count):
        players = [MctsPlayer(simulations=simulations, seed=2 * number + n) for n in range(2)]
        game = pdd.Game.new(state.rules, start=state)
        while (to_move := game.state.seat_to_move) is not None:
            game = game.play(players[to_move.index].choose(game.state))
        winner = game.state.outcome.winning_seat if game.state.outcome else None
        counts[1 if winner is None else 0 if winner is seat else 2] += 1
    return counts


def match_of(won: int, drawn: int, lost: int) -> Match:
    """Return games as a match, which has a score and a confidence interval."""
    # A match computes its interval from pairs of games: count each game as one pair.
    return Match("", "", 2 * won, 2 * drawn, 2 * lost, (lost, 0, drawn, 0, won))


def main() -> None:
    """Play all games, write the file, and print the scores."""
    parser = argparse.ArgumentParser(description="Games after advised and other actions.")
    parser.add_argument("file", nargs="?", type=Path, default=Path("advice.json"))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--search", type=int, default=20_000)
    options = parser.parse_args()
    report: dict[str, object] = {
        "date": date.today().isoformat(),  # noqa: DTZ011  # the day where it was computed
        "games": options.games,
        "simulations": options.simulations,
        "search": options.search,
    }
    for name, (text, actions) in ADVICE.items():
        state = pdd.parse_state(text)
        if (seat := state.seat_to_move) is None:
            raise ValueError(f"the game is over: {name}")
        tried = []
        for action in actions:
            after = state.apply(pdd.parse_action(action))
            value = MctsPlayer(simulations=options.search).analyse(after).value
            value = value if after.seat_to_move is seat else -value
            won, drawn, lost = play_games(after, seat, options.games, options.simulations)
            match = match_of(won, drawn, lost)
            low, high = match.score_interval
            tried.append(
                {
                    "action": action,
                    "games": [won, drawn, lost],
                    "score_interval": [round(low, 3), round(high, 3)],
                    "value": round(value, 2),
                }
            )
            score = f"{match.score:.0%}, {low:.0%} to {high:.0%}"
            print(f"{name}: {action}: {score}, value {value:+.2f}", flush=True)
        report[name] = {"state": pdd.format_state(state), "tried": tried}
        options.file.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
