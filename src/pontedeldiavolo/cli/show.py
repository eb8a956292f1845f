"""``show``, ``rules``, ``replay``, ``moves``, ``perft``: show boards, turns and legal actions."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import islice
from textwrap import fill
from typing import Any, Final

import click
from rich.live import Live

from pontedeldiavolo.base.catalogs import rules_summary
from pontedeldiavolo.base.errors import NotationError, printable
from pontedeldiavolo.base.messages import explain, filled
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.tags import names_in_order
from pontedeldiavolo.json.codecs import fields_of
from pontedeldiavolo.json.snapshots import snapshot
from pontedeldiavolo.notation.actions import (
    format_action,
    parse_action,
    parse_cell,
    parse_on,
)
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.notation.states import format_state, parse_state
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.legal_actions import LegalActions
from pontedeldiavolo.state.spaces import perft as count_sequences
from pontedeldiavolo.state.state import GameState

from .arguments import file_name, loaded, loaded_state, options, recorded_game, seconds, whole
from .console import Screen, opened_output, situation, violation_values, write_json
from .messages import catalog, in_language, language, message
from .render import subject_of, svg_of


@click.command()
@options("screen")
def rules(*, screen: Screen) -> None:
    """Print the rules on one page.

    Examples:
      pontedeldiavolo rules --lang de | less
    """
    title, sections = rules_summary(language())
    screen.line(title, "bold")
    for section in sections:
        screen.line(f"\n{section.heading}", "bold")
        screen.line(fill(section.text, min(76, screen.console.width), break_on_hyphens=False))
        for board in section.boards:
            screen.line()
            screen.board(parse_state(board.state))


@click.command()
@options("what", "rules", "game", "from")
@click.option("--svg", "as_svg", is_flag=True, help="Write only a picture in SVG.")
@options("json", "screen")
def show(
    *, what: str | None, rules: Rules, as_svg: bool, as_json: bool, screen: Screen, **which: Any
) -> None:
    """Show a board.

    STATE is the text of a state. FILE contains games in any format, a state, or a diagram in
    letters; - is standard input. Of a game, the final board is shown; for a diagram that breaks the
    rules, the faults are listed. Without an argument, an empty board is shown.

    Examples:
      pontedeldiavolo show --rules brettspielnetz
      pontedeldiavolo show games.pdd --game 3
      echo 'w . w' | pontedeldiavolo show -
    """
    found = GameState.initial(rules) if what is None else next(loaded(what, **which))
    if as_svg:
        with opened_output("-", force=False) as put:
            put(svg_of({}, subject_of(found)))
        return
    match found:
        case Setup() if as_json:
            write_json("violations", {"violations": violation_values(found.violations())})
        case Game() | GameState() if as_json:
            write_json("snapshot", fields_of(snapshot(found, catalog=catalog())["value"]))
        case Game() as game:
            screen.end(game)
        case GameState() as state:
            screen.state(state)
        case _:
            _show_setup(screen, found)


def _show_setup(screen: Screen, setup: Setup) -> None:
    screen.board(setup)
    screen.legend()
    screen.line()
    if faults := setup.violations():
        screen.line(message("faults", places=message("place", count=len(faults))), "bold")
        for fault in faults:
            screen.line(f"  {explain(fault, catalog())}")
    else:
        screen.line(message("no-fault"))


DELAY = 0.3
"""The seconds for which a turn is shown on a terminal."""


@click.command()
@options("file")
@seconds("--delay", 0, f"The pause after each turn. [default: {DELAY} on a terminal, else 0]")
@click.option("--step", is_flag=True, help="Wait for Enter after each turn.")
@click.option("--only-end", is_flag=True, help="Show only the final board, not the turns.")
@options("game", "screen")
def replay(
    *, file: str, delay: float | None, step: bool, only_end: bool, number: int, screen: Screen
) -> None:
    """Replay a recorded game.

    The whole game is checked first. Then its turns are shown one after the other, and finally the
    networks and points of both colours, the winner and the deciding criterion.

    Examples:
      pontedeldiavolo replay games.pdd --game 3 --step
    """
    if step and file == "-":
        raise click.UsageError("--step waits for input, which cannot be the file as well.")
    game, has_more = recorded_game(file, number)
    for name in names_in_order(game.tags):
        screen.line(f"{name}: {printable(game.tags[name])}")
    screen.line(message("rules", rules=format_rules(game.rules)))
    screen.line()
    if delay is None:
        delay = DELAY if screen.console.is_terminal else 0
    if not only_end:
        # After the end of the input, the command no longer waits for Enter.
        answers = iter(partial(screen.ask, message("enter")), None)
        wait = (lambda: next(answers, None)) if step else partial(time.sleep, delay)
        _write_turns(screen, game, wait, in_place=screen.console.is_interactive and not step)
    # A file has the last board already.
    is_shown = not only_end and bool(game.actions) and not screen.console.is_terminal
    screen.end(game, board=not is_shown)
    if has_more:
        screen.line(message("more-games", number=number + 1), "dim")


def _write_turns(screen: Screen, game: Game, wait: Callable[[], object], *, in_place: bool) -> None:
    """Write every turn and the board after it, or one board that changes in place if it fits."""
    picture = screen.fitting_picture(game.state)
    if picture is None:
        screen.line(screen.too_narrow(game.state).plain)
    in_place = in_place and picture is not None and screen.fits(picture)
    # The board at the end is written with the scores.
    live = Live(console=screen.console, auto_refresh=False, transient=True) if in_place else None
    with live or nullcontext():
        for ply, state in zip(game.plies, islice(game.states(), 1, None), strict=True):
            screen.turn(ply, state, game.tags)
            found = screen.fitting_picture(state, ply.action)
            if live is not None and found is not None:
                live.update(found, refresh=True)
            elif found is not None:
                screen.board(state, ply.action)
                screen.line()
            wait()


REASONS: Final[dict[type, str]] = {
    PlaceTiles: "legal-tiles",
    PlaceTile: "legal-tile",
    BuildBridge: "legal-bridge",
    ChooseColor: "legal-choice",
}
"""The codes of the sentences that explain why an action other than a pass is legal."""


@click.command()
@options("what")
@click.option("--record", **file_name("FILE"), help="Use the end of a record in this file.")
@whole("--limit", 0, None, "List at most N actions of a kind.", default=20)
@click.option("--all", "everything", is_flag=True, help="List every action.")
@click.option("--explain", "question", metavar="ACTION", help="Say why ACTION is legal or not.")
@options("json", "rules", "game", "screen")
def moves(
    *,
    limit: int,
    everything: bool,
    question: str | None,
    as_json: bool,
    screen: Screen,
    **start: Any,
) -> None:
    """List the legal actions of a state.

    STATE is the text of a state. FILE contains a state or games; - is standard input. Of a game,
    the final state is used. Without an argument, the state is the start of a game.

    With --explain, the exit status is 0 if the action is legal and 1 if it is not.

    Examples:
      pontedeldiavolo moves --rules brettspielnetz
      pontedeldiavolo moves --record games.pdd --explain a1-c2
    """
    state = _start(**start)
    if question is not None:
        raise click.exceptions.Exit(_explain(screen, state, question, as_json=as_json))
    max_actions = None if everything else limit
    if as_json:
        write_json("moves", _values_of(state, max_actions))
    else:
        screen.line(situation(state, {}))
        write_moves(screen, state, max_actions)


def _start(*, what: str | None, rules: Rules, number: int, record: str | None = None) -> GameState:
    """Return the state in an argument or at the end of a record; by default the initial one."""
    if what is not None and record is not None:
        raise click.UsageError("Give a state or --record, not both.")
    if record is not None:
        return recorded_game(record, number)[0].state
    return GameState.initial(rules) if what is None else loaded_state(what, number)


def _values_of(state: GameState, max_actions: int | None) -> dict[str, object]:
    kinds = {
        kind: {"count": len(actions), "actions": [*islice(actions, max_actions)]}
        for kind, actions in _by_kind(state.legal_actions).items()
    }
    return {"state": format_state(state), "count": len(state.legal_actions), **kinds}


def _by_kind(legal: LegalActions) -> dict[str, Sequence[Action]]:
    """Return legal actions by kind."""
    return {
        "pairs": legal.pairs,
        "bridges": legal.bridges,
        "choices": [each for each in legal.others if isinstance(each, ChooseColor)],
        "passes": [
            each for each in legal.others if not isinstance(each, BuildBridge | ChooseColor)
        ],
    }


NOUNS: Final = {"pairs": "pair", "bridges": "bridge", "choices": "choice", "passes": "pass"}


def write_moves(screen: Screen, state: GameState, limit: int | None) -> None:
    """Write the number of legal actions of each kind, and up to *limit* actions of each."""
    screen.line(
        message("in-all", actions=message("legal-action", count=len(state.legal_actions))), "bold"
    )
    for kind, actions in _by_kind(state.legal_actions).items():
        if actions:
            screen.line(f"{message(NOUNS[kind], count=len(actions))}:")
        shown = len(actions) if limit is None else min(limit, len(actions))
        for action in islice(actions, shown):
            screen.line(f"  {format_action(action)}")
        if shown < len(actions):
            screen.line(f"  {message('more', count=len(actions) - shown)}", "dim")


def _explain(screen: Screen, state: GameState, question: str, *, as_json: bool) -> int:
    """Explain why an action is legal or not, and return the exit status."""
    action = _parsed(question, state.rules.board)
    texts = catalog()
    faults = state.violations(action)
    text = format_action(action)
    if as_json:
        found = violation_values(faults)
        write_json("explanation", {"action": text, "legal": not faults, "violations": found})
    else:
        screen.line(filled(texts, "illegal" if faults else "legal", {"action": text}), "bold")
        why_legal = filled(texts, REASONS.get(type(action), "legal-pass"), {})
        screen.line("\n".join(explain(fault, texts) for fault in faults) or why_legal)
    return 1 if faults else 0


def _parsed(question: str, board: Board) -> Action | PlaceTile:
    """Return the action in question, or one tile if the text is a single cell."""
    try:
        return parse_on(board, parse_action, question)
    except NotationError as error:
        try:
            return PlaceTile(parse_cell(question))
        except NotationError:
            raise click.BadParameter(str(error), param_hint="--explain") from error


NARROW: Final = 52
"""The number of columns of a table of counts; narrower terminals get a narrower one."""


@click.command()
@options("what")
# Greater depths take too long, except on tiny boards, where games end earlier.
@whole("--depth", 0, 100, "The number of actions in a sequence.", required=True)
@click.option("--divide", is_flag=True, help="Count per first action as well.")
@options("json", "rules", "game")
def perft(*, depth: int, divide: bool, as_json: bool, **start: Any) -> None:
    """Count the sequences of legal actions up to a depth.

    The choice of a colour is one action, and a finished game has no sequences. STATE is the
    text of a state. FILE contains a state or games; - is standard input. Of a game, the final
    state is used. Without an argument, the state is the start of a game.

    Examples:
      pontedeldiavolo perft --depth 3
      pontedeldiavolo perft --rules abstract-play-8 --depth 2 --divide
    """
    state = _start(**start)
    screen = Screen()
    rows = list[dict[str, object]]()
    is_narrow = screen.console.width < NARROW
    form = "{:>5} {:>12} {:>8} {:>9}" if is_narrow else "{:>5} {:>20} {:>10} {:>14}"
    if not as_json:
        screen.line(form.format(*message("perft-heads").split(",")), "bold")
    by_action: dict[str, int] = {}
    for level in range(min(depth, 1), depth + 1):
        started = time.perf_counter()
        by_action = _counts(screen, state, level)
        count = sum(by_action.values()) if level else 1
        seconds = time.perf_counter() - started
        rows.append({"depth": level, "count": count, "seconds": seconds})
        if not as_json:
            # If no time has elapsed, the speed is unknown.
            speed = f"{count / seconds:,.0f}" if seconds > 0 else "-"
            numbers = map(in_language, (f"{count:,}", f"{seconds:.3f}", speed))
            screen.line(form.format(level, *numbers))
    if as_json:
        parts = {"divide": by_action} if divide else {}
        write_json("perft", {"state": format_state(state), "depths": rows, **parts})
    elif divide:
        screen.line()
        for text, count in by_action.items():
            screen.line(f"{text}: {in_language(f'{count:,}')}")


def _counts(screen: Screen, state: GameState, depth: int) -> dict[str, int]:
    """Count sequences by their first actions, with a progress bar on a terminal."""
    counts = dict[str, int]()
    legal = state.legal_actions if depth else ()
    with screen.progress(message("depth", depth=depth), len(legal)) as advance:
        for action in legal:
            after = state.apply_unchecked(action)
            counts[format_action(action)] = count_sequences(after, depth - 1)
            advance(1)
    return counts
