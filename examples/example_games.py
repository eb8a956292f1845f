# python examples/example_games.py FOLDER [--simulations 100000] [--analysis 50000] [--seed 1]
"""Write one game for each preset, played by the MCTS player against itself, and a first game.

The first game, ``first_game.pdd`` beside the folder, is short and fits a terminal: the readme shows
it. Both of its players are MCTS players with names.
This program made the games in ``examples/games``. An analysis adds comments to two of them and, to
one of these, the lines that it prefers as variations. That one is played with a hundredth of the
simulations: in the others the analysis would find few mistakes.
"""

import argparse
from pathlib import Path
from typing import cast

import pontedeldiavolo as pdd
from pontedeldiavolo.players import MctsPlayer, annotate

COMMENTED = ("abstract-play-8", "board-game-arena")
WITH_VARIATIONS = "abstract-play-8"
REMARK = (
    "An analysis by the player in the tag Annotator. Values are for player 1,"
    " from -1 (lost) to 1 (won). NAGs mark actions that lose 0.2 or more."
)
FIRST = pdd.Rules(pdd.Board(6, 6))
NAMES = {pdd.Seat.FIRST: "Anna", pdd.Seat.SECOND: "Ben"}
FIRST_SEED = 10
FIRST_SHARE = 5
HANDICAP = 100
MAX_VARIATIONS = 5
MAX_ACTIONS = 4
MIN_GAIN = 0.02


def play_game(
    event: str, rules: pdd.Rules, simulations: int, seed: int, *, is_first: bool = False
) -> pdd.Game:
    """Play a game of the MCTS player against itself."""
    players = {
        seat: MctsPlayer(
            simulations=simulations,
            seed=seed + seat.index,
            name=NAMES[seat] if is_first else None,
        )
        for seat in pdd.Seat
    }
    tags = {"Event": event, "Seed": str(seed)}
    tags |= {seat.value.title(): player.name for seat, player in players.items()}
    game = pdd.Game.new(rules, tags=tags)
    while (seat := game.state.seat_to_move) is not None:
        game = game.play(players[seat].choose(game.state))
    return game


def value_of(action: pdd.Action, state: pdd.GameState, player: MctsPlayer) -> float:
    """Return the value of an action for the seat to move, by an analysis of the next state."""
    seat = cast(pdd.Seat, state.seat_to_move)
    after = state.apply(action)
    if after.outcome is not None:
        return after.outcome.value(seat)
    value = player.analyse(after).value
    return value if after.seat_to_move is seat else -value


def add_variations(game: pdd.Game, analyst: MctsPlayer) -> pdd.Game:
    """Return a game with variations for the actions that lose most by an analysis."""
    mistakes = []
    for ply, (state, action) in enumerate(zip(game.states(), game.actions, strict=False)):
        analysis = analyst.analyse(state)
        if action != analysis.best:
            gain = value_of(analysis.best, state, analyst) - value_of(action, state, analyst)
            mistakes.append((gain, ply, analysis))
    mistakes.sort(key=lambda mistake: -mistake[0])
    for gain, ply, analysis in mistakes[:MAX_VARIATIONS]:
        if gain >= MIN_GAIN:
            comment = f"The analysis prefers this by {gain:.2f}."
            game = game.with_variation((ply,), analysis.line[:MAX_ACTIONS], comment)
    return game


def main(arguments: list[str] | None = None) -> None:
    """Write the games."""
    parser = argparse.ArgumentParser(description="One game for each preset.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--simulations", type=int, default=100_000)
    parser.add_argument("--analysis", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(pdd.presets.names()):
        share = HANDICAP if name == WITH_VARIATIONS else 1
        simulations = max(1, options.simulations // share)
        rules = pdd.presets.by_name(name)
        event = f"Example game: {name}"
        game = play_game(event, rules, simulations, options.seed + 2 * number)
        analyst = MctsPlayer(simulations=options.analysis, seed=options.seed)
        if name in COMMENTED:
            game = annotate(game.with_tags({**game.tags, "Annotator": analyst.name}), analyst)
            game = game.with_comment(REMARK, ())
        if name == WITH_VARIATIONS:
            game = add_variations(game, analyst)
        path = options.folder / f"{name}.pdd"
        path.write_text(pdd.records.dumps(game), "utf-8")
        print(f"{path.name}: {len(game.actions)} actions, {game.result}", flush=True)
    simulations = max(1, options.simulations // FIRST_SHARE)
    first = play_game("A first game", FIRST, simulations, FIRST_SEED, is_first=True)
    path = options.folder.parent / "first_game.pdd"
    path.write_text(pdd.records.dumps(first), "utf-8")
    print(f"{path.name}: {len(first.actions)} actions, {first.result}")


if __name__ == "__main__":
    main()
