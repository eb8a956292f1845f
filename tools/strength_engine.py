"""An engine for :mod:`tools.strength`: a player of any version of the package.

It speaks the part of the engine protocol that a match needs, and works with early versions too.
Its arguments are its name, the folder of the package, and the player for ``players.by_name``.
"""

import os
import sys
from importlib import import_module
from pathlib import Path


def main() -> None:
    """Answer until ``quit``, or until standard input ends."""
    name, source, kind = sys.argv[1:]
    sys.path.insert(0, source)
    # Versions must not share compiled code.
    os.environ["NUMBA_CACHE_DIR"] = str(Path(source).parent / "build" / "kernels")
    pdd = import_module("pontedeldiavolo")
    seed = 0
    player = None
    state = None
    for line in sys.stdin:
        match line.split():
            case ["ponte", "1"]:
                hello = ("ponte 1", f"name {name}", "option seed integer 0 0 4294967295", "ready")
                print(*hello, sep="\n", flush=True)
            case ["option", "seed", value]:
                seed = int(value)
            case ["newgame", *_]:
                player = pdd.players.by_name(kind).for_game(seed)
                print("ready", flush=True)
            case ["position", "state", *words]:
                state = pdd.parse_state(" ".join(words))
            case ["go", *_]:
                assert player is not None
                print("best", pdd.format_action(player.choose(state)), flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    main()
