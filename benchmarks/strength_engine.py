"""Play for :mod:`benchmarks.strength`: a player of the package that ``PYTHONPATH`` names.

It reads a message a line from standard input: ``game SEED PLAYER`` begins a game, ``STATE`` asks
for an action, which it writes. It uses nothing that earlier versions do not have.
"""

import sys

import pontedeldiavolo as pdd


def main() -> None:
    """Answer until standard input ends."""
    player = pdd.players.by_name("random")
    for line in sys.stdin:
        kind, _, rest = line.rstrip("\n").partition(" ")
        if kind == "game":
            seed, _, name = rest.partition(" ")
            player = pdd.players.by_name(name).for_game(int(seed))
        else:
            print(pdd.format_action(player.choose(pdd.parse_state(rest))), flush=True)


if __name__ == "__main__":
    main()
