"""``match``, ``engine`` and ``warm-up``: matches, the engine protocol, and compiling ahead."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import isinf
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from pontedeldiavolo.base.errors import PonteError, printable
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.states import parse_state
from pontedeldiavolo.players.engine import Engine, messages_of
from pontedeldiavolo.players.matches import (
    BOUND,
    MAX_GAMES,
    MAX_PROCESSES,
    Match,
    SequentialTest,
)
from pontedeldiavolo.players.matches import match as play_match
from pontedeldiavolo.players.openings import DEFAULT_TURNS
from pontedeldiavolo.players.player import Clock, MatchWarning, prepare
from pontedeldiavolo.players.registry import Spec, by_name
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState

from .arguments import (
    FOLDER,
    PLAYER,
    PLAYERS,
    Input,
    file_name,
    make_players,
    opened,
    options,
    parsed_by,
    whole,
)
from .console import Advance, Screen, write_json
from .messages import (
    Refused,
    Unreadable,
    complain,
    explained,
    file_errors,
    in_language,
    message,
)
from .signals import INTERRUPTED

MAX_DIGITS = 10

if TYPE_CHECKING:
    from pontedeldiavolo.batch import GameBatch


def _even(_context: object, _parameter: object, games: int) -> int:
    if games % 2:
        raise click.BadParameter(f"games are played in pairs, and {games} is not even")
    return games


def _two(separator: str, expected: str, text: str) -> tuple[float, float]:
    try:
        one, other = map(float, text.split(separator))
    except ValueError:
        raise click.BadParameter(expected) from None
    return one, other


def _clock(text: str) -> tuple[float, float]:
    time, increment = _two("+", "seconds for a game and for each action, such as 60+1", text)
    # Constructing the clock of a new game refuses invalid times.
    Clock(time, time, increment)
    return time, increment


def _hypotheses(text: str) -> tuple[float, float]:
    test = SequentialTest(*_two(",", "two differences in Elo, such as 0,50", text))
    return test.elo0, test.elo1


@click.command(epilog=PLAYERS)
@click.argument("a", **dict(PLAYER, metavar="A"))
@click.argument("b", **dict(PLAYER, metavar="B"))
@whole("--games", 2, MAX_GAMES, "The maximum number of games, even.", default=100, callback=_even)
@options("seconds", "simulations")
@click.option(
    "--names", nargs=2, metavar="A B", help="The names of both players in the result and records."
)
@click.option("--seed", type=int, default=0, help="The seed of all random numbers.")
@click.option(
    "--openings",
    **file_name("N|FILE"),
    default=str(DEFAULT_TURNS),
    help="The number of random turns at the beginning of both games of a pair, or a file with the"
    " states to start from: states one per line, or records, of which the last state counts.",
)
@whole("--processes", 1, MAX_PROCESSES, "The number of games to play in parallel.", default=1)
@click.option(
    "--sprt",
    type=parsed_by(_hypotheses),
    metavar="ELO0,ELO1",
    help="Stop when a sequential test decides between these Elo differences, with errors of 5 %.",
)
@click.option(
    "--clock",
    type=parsed_by(_clock),
    metavar="TIME+INCREMENT",
    help="The seconds that each player has for a game, and those that each action adds.",
)
@click.option("--folder", **FOLDER, help="The folder for all games; a match there is continued.")
@options("json", "rules", "screen")
def match(
    *,
    a: Spec,
    b: Spec,
    games: int,
    names: tuple[str, str] | None,
    openings: str,
    folder: Path | None,
    as_json: bool,
    screen: Screen,
    **more: Any,
) -> None:
    """Play a match between two players, and estimate the difference in strength.

    A and B are names of players. Games come in pairs with the seats exchanged. Both games of a pair
    begin with the same random turns, and no two pairs with the same ones.

    The exit status is 0 if the match is complete, 1 if a player failed, 2 if DIR cannot be used,
    and 130 if Ctrl-C was pressed.

    Examples:
      pontedeldiavolo match greedy random --games 200 --processes 4
      pontedeldiavolo match greedy random --sprt 0,50 --folder greedy-random
      pontedeldiavolo match mcts mcts:rollout=uniform --names new old --openings openings.txt
    """
    limits = {name: more.pop(name) for name in ("seconds", "simulations")}
    one, other = make_players((a, b), names=names, **limits)
    begin = _openings(openings)
    found = list[Match]()
    name = printable(str(folder))
    against = message("against", one=one.name, other=other.name)
    bar = screen.progress(against, games, beside_data=as_json)
    try:
        with file_errors(name), bar as advance, _told_warnings():
            tell = partial(_store_standing, found, advance)
            play_match(one, other, games, openings=begin, folder=folder, on_pair=tell, **more)
    except KeyboardInterrupt:
        if as_json:
            # The output is a whole document or nothing.
            raise
        _write(screen, found)
        screen.line(message("match-unfinished"), "bold")
        if folder is not None:
            screen.line(message("match-continues"))
        raise click.exceptions.Exit(INTERRUPTED) from None
    except PonteError:
        if not as_json:
            # The games before the failure count; the error is reported after them.
            _write(screen, found, folder if found else None)
        raise
    if as_json:
        write_json("match", _values(found[0]))
    else:
        _write(screen, found, folder)


def _openings(text: str) -> int | list[GameState]:
    """Return a number of random turns, or the states in a file.

    Raises:
        Refused: If the file has something else.
        Unreadable: If it cannot be read.
    """
    if text.isascii() and text.isdecimal():
        # Any longer number is too large as well.
        return int(text[:MAX_DIGITS])
    with opened(text) as lines:
        source = lines.format_of_games(text)
        if source is not None:
            return [game.state for game in lines.games(lines.results(source))]
        return [*_listed_states(lines)]


def _listed_states(lines: Input) -> Iterator[GameState]:
    """Iterate over states, one per line."""
    for line in lines:
        text = line.strip()
        try:
            if text:
                yield parse_state(text)
        except PonteError as error:
            raise Refused(f"{lines.place}: {explained(error)}") from error


@contextmanager
def _told_warnings() -> Iterator[None]:
    """Write each warning about a match to standard error, as one sentence."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", MatchWarning)
        warnings.showwarning = partial(_show_warning, warnings.showwarning)
        yield


def _show_warning(others: Callable[..., None], warning: Warning | str, *place: Any) -> None:
    """Write a warning; *others* does so for those that are not about matches."""
    if isinstance(warning, MatchWarning):
        complain(message("warning", text=printable(explained(warning.reason))))
    else:
        others(warning, *place)


def _store_standing(found: list[Match], advance: Advance, match: Match) -> None:
    """Store the current result of the match, and show it."""
    advance(match.games - sum(each.games for each in found), _standing(match))
    found[:] = [match]


def _write(screen: Screen, found: list[Match], folder: Path | None = None) -> None:
    """Write the result of a match, if a pair was played, and the folder of its games."""
    for match in found:
        a = printable(match.a)
        b = printable(match.b)
        counts = [in_language(f"{count:,}") for count in (match.wins, match.draws, match.losses)]
        shares = [in_language(f"{share:.1%}") for share in (match.score, 1 - match.score)]
        rows = [(a, *counts, shares[0]), (b, *counts[::-1], shares[1])]
        screen.table(message("match-heads"), rows)
        screen.line()
        elo, low, high = map(_elo, (match.elo, *match.elo_interval))
        screen.line(message("elo", a=a, elo=elo, low=low, high=high), "bold")
        screen.line(message("los", b=b, los=in_language(f"{match.los:.1%}")))
        pair_counts = ", ".join(in_language(f"{count:,}") for count in match.pairs)
        screen.line(message("pairs-worth", counts=pair_counts))
        pairs = sum(match.pairs)
        if match.distinct < pairs:
            screen.line(message("distinct-pairs", distinct=match.distinct, pairs=pairs))
        if (test := match.sprt) is not None:
            numbers = {"low": f"{test.elo0:g}", "high": f"{test.elo1:g}", "bound": f"{BOUND:.2f}"}
            values = {name: in_language(number) for name, number in numbers.items()}
            if test.accepted is None:
                verdict = message("undecided")
            else:
                verdict = message("accepted", elo=in_language(f"{test.accepted:g}"))
            ratio = in_language(f"{test.llr:+.2f}")
            screen.line(message("test", verdict=verdict, ratio=ratio, **values))
    if folder is not None:
        screen.line(message("games-in", name=printable(str(folder))))


def _values(match: Match) -> dict[str, object]:
    """Return the result of a match for JSON, with ``None`` for infinity."""
    numbers = ("a", "b", "games", "wins", "draws", "losses", "pairs", "distinct", "score")
    test = match.sprt
    names_of_test = ("elo0", "elo1", "llr", "accepted")
    return {
        **{name: getattr(match, name) for name in numbers},
        "score_interval": [*match.score_interval],
        "los": match.los,
        "elo": _finite(match.elo),
        "elo_interval": [*map(_finite, match.elo_interval)],
        "sprt": test and {name: getattr(test, name) for name in names_of_test},
    }


def _finite(elo: float) -> float | None:
    return None if isinf(elo) else elo


def _standing(match: Match) -> str:
    """Return the standing of a match in a few words."""
    counts = {"wins": match.wins, "draws": match.draws, "losses": match.losses}
    low, high = map(_elo, match.elo_interval)
    test = "" if match.sprt is None else in_language(f", LLR {match.sprt.llr:+.2f}")
    return message("standing", a=match.a, low=low, high=high, **counts) + test


def _elo(elo: float) -> str:
    if isinf(elo):
        return f"{'+' if elo > 0 else '-'}{message('infinity')}"
    return in_language(f"{round(elo) + 0.0:+,.0f}")


@click.command(epilog=PLAYERS)
@click.argument("player", **PLAYER)
def engine(*, player: Spec) -> None:
    """Speak the engine protocol for PLAYER on standard input and output.

    Examples:
      pontedeldiavolo engine mcts:seconds=0.5
    """
    Engine(player, partial(print, flush=True)).run(messages_of(_own_input()))


def _own_input() -> IO[bytes]:
    """Return standard input for a thread that may wait for it when the process ends.

    The interpreter closes ``sys.stdin`` on exit, and aborts if a thread is reading from it.
    """
    stream = sys.stdin.buffer
    try:
        return open(stream.fileno(), "rb", closefd=False)
    except OSError:
        # The stream has no file descriptor, as in tests.
        return stream


@click.command("warm-up")
@options("rules")
def warm_up(*, rules: Rules) -> None:
    """Compile the player mcts, the solver and batch simulation before their first use.

    There is code for boards of four sizes: up to 16x16, 32x32, 16x64 and 64x64. The command
    compiles it for the size of the rules' board and stores it for later processes, in the folder
    NUMBA_CACHE_DIR or, by default, among the user's caches.

    Examples:
      pontedeldiavolo warm-up
      NUMBA_CACHE_DIR=/opt/kernels pontedeldiavolo warm-up --rules '20x20 tiles=99'
    """
    from pontedeldiavolo.batch.kernels import (  # noqa: PLC0415 - needs its extra
        announcements,
        code_cache,
        game,
        jit,
    )

    _call_all(rules)
    if jit.JIT_DISABLED:
        raise Unreadable(message("compilation-off"))
    if announcements.PROBLEMS:
        raise Unreadable(announcements.PROBLEMS[0])
    columns, rows = game.set_shape(rules.board.width, rules.board.height)
    folder = str(code_cache.code_folder())
    Screen().line(message("compiled", columns=columns, rows=rows, folder=folder))


def _call_all(rules: Rules) -> None:
    """Call each compiled function."""
    from pontedeldiavolo.batch import GameBatch, GamePool, replay  # noqa: PLC0415 - needs its extra
    from pontedeldiavolo.players import Solver  # noqa: PLC0415 - likewise

    games = GameBatch.initial(rules, 2).canonical()
    games = games.step(games.sample_steps(seed=0))
    games.playout(seed=0)
    games.playout(seed=0, details=True)
    games.planes()
    games.packed()
    games.hashes()
    pool = GamePool.from_games(games, planes=True)
    pool.step(pool.sample_steps(games.legal_mask()))
    pool.reset([0])
    replay([Game.new(rules)])
    Solver(max_nodes=1).value(GameState.initial(rules))
    player = by_name("mcts:simulations=100").for_game(0)
    prepare(player, rules)
    state = GameState.initial(rules)
    for _ in range(2):
        state = state.apply(player.choose(state))
    _search_network(games)
    # These properties are computed when they are read.
    _ = games.scores, games.keys, pool.games


def _search_network(games: GameBatch) -> None:
    """Call the functions of a search with a network, which rates all steps alike."""
    from pontedeldiavolo.players import BatchedSearch  # noqa: PLC0415 - needs its extra

    search = BatchedSearch(games, simulations=4, root_noise=(1.0, 0.25))
    while not search.done:
        leaves = search.leaves()
        search.backup([[1.0] * len(leaves.space)] * leaves.size, [0.0] * leaves.size)
    search.advance(search.best())
