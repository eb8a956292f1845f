"""``play``: a game at the terminal, against a player of this library or another person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import SEEK_END
from pathlib import Path
from random import SystemRandom
from re import search
from types import FrameType
from typing import Any, Final, cast

import click
from attrs import define, field

from pontedeldiavolo.base.enums import Ending, Seat
from pontedeldiavolo.base.errors import NotationError, PonteError, RecordError, printable, reason
from pontedeldiavolo.base.messages import explain, word
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import format_action, parse_action, parse_cell, parse_on
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.players.player import Player
from pontedeldiavolo.players.registry import Spec, names, parse_spec
from pontedeldiavolo.records import Format, dumps
from pontedeldiavolo.records.formats import FORMATS, detect_format
from pontedeldiavolo.rules.actions import Action, PlaceTile
from pontedeldiavolo.rules.violations import IllegalActionError

from .arguments import choice_of, file_name, make_players, opened, options, parsed_by, suffix_of
from .console import Screen, capital
from .messages import Unreadable, catalog, explained, file_errors, message
from .show import write_moves
from .signals import handled_by, is_importing, send_again

PERSON: Final = "person"


@click.command()
@click.option(
    "--opponent",
    type=parsed_by(lambda text: None if text == PERSON else parse_spec(text), (*names(), PERSON)),
    metavar="PLAYER",
    default="random",
    shell_complete=click.Choice((*names(), PERSON)).shell_complete,
    help=f"The opponent: {', '.join(names())}, or {PERSON} for two people at one keyboard.",
)
@options("seconds", "simulations", "rules")
@click.option(
    "--seat",
    **choice_of({seat.value: seat for seat in Seat}),
    default=Seat.FIRST.value,
    help="Your seat against a player. The first seat opens, the second chooses its colour.",
)
@click.option("--seed", type=int, help="The seed of the player's random numbers.")
@click.option(
    "--save",
    **file_name("FILE"),
    help="Add the record to this file, finished or not; its suffix decides the format.",
)
@options("screen")
def play(
    *, opponent: Spec | None, seat: Seat, save: str | None, screen: Screen, **settings: Any
) -> None:
    """Play a game.

    Type actions such as d4,g7, or help. The end of the input, quit, Ctrl-C and a closed window
    end the game; with --save it is saved in any case.

    Examples:
      pontedeldiavolo play --opponent mcts --seconds 2
      pontedeldiavolo play --opponent person --rules 8x8 --save games.pdd
    """
    players = {}
    tags = {}
    rules = settings.pop("rules")
    seed = settings.pop("seed")
    seed = SystemRandom().randrange(2**32) if seed is None else seed
    for player in make_players((opponent,) if opponent else (), **settings):
        players = {seat.opponent: player.for_game(seed)}
        called = {seat: "Person", seat.opponent: f"{capital(player.name)} (seed {seed})"}
        tags = {each.value.capitalize(): called[each] for each in Seat}
    session = _Session(screen, Game.new(rules, tags), players)
    if save is not None:
        _prepare(save)
    with handled_by(session.interrupt):
        try:
            session.run()
        except BaseException:
            if save is not None:
                _save(screen, save, session.game)
                screen.line(message("saved", name=printable(save)))
            raise
        # The record is saved first: writing to the terminal may fail.
        if save is not None:
            _save(screen, save, session.game)
        session.write_end()
        if save is not None:
            screen.line(message("saved", name=printable(save)))


def _format_of(path: str) -> Format:
    """Return the format in which a record is written to a file.

    It is the first one with the file's suffix that can hold every record; if there is none, it is
    this library's own.
    """
    suffix = suffix_of(path)
    named = (each for each, spec in FORMATS.items() if suffix in spec.suffixes and spec.is_lossless)
    return next(named, Format.PDD)


def _prepare(path: str) -> None:
    """Make sure before the game that its record can be added to a file.

    Raises:
        PonteError: If the record would break the file, or could not be read from it.
    """
    file = Path(path)
    name = printable(path)
    target = _format_of(path)
    is_new = True
    if file.is_file():
        # Files in other encodings have zeros, or bytes that are not valid UTF-8.
        with file_errors(name), file.open(encoding="utf-8", errors="surrogateescape") as text:
            for line in text:
                is_new = is_new and not line.strip("\ufeff \t\r\n")
                if search("[\0\udc80-\udcff]", line):
                    raise PonteError(reason("append-encoding", file=name))
        with opened(path) as lines:
            found = detect_format(lines.peek_beginning(), "")
            is_one_document = target is Format.JSON and suffix_of(path) != ".jsonl"
            if found is not None and (found is not target or is_one_document):
                raise PonteError(reason("append-format", file=name, format=found.value))
            first = next(lines.results(target), None)
            if found is None and isinstance(first, RecordError):
                # Bad games after a good one, or in a recognised format, do not affect later games.
                raise PonteError(reason("append-text", file=name, why=str(first)))
    if is_new and suffix_of(path) in FORMATS[Format.MOVES].suffixes:
        raise PonteError(reason("append-moves", file=name))
    # Open the file as for the record, to see whether that works: it does not for a pipe.
    with file_errors(name), file.open("a+b"):
        pass


def _save(screen: Screen, path: str, game: Game) -> None:
    """Add a record to a file; if that fails, show the record, so that it is not lost.

    Raises:
        Unreadable: If the file cannot be written.
    """
    try:
        _add(path, game)
    except Unreadable:
        screen.line(message("unsaved"))
        click.echo(dumps(game), nl=False)
        raise


def _add(path: str, game: Game) -> None:
    """Add a record to a file, completely or not at all."""
    spec = FORMATS[_format_of(path)]
    text = cast(Callable[[Game], str], spec.dumps)(game)
    record = "".join(spec.join(iter([text]), suffix_of(path))).encode()
    # Records of this library have an empty line between them; SGF and JSON need none.
    between = b"\n" if spec is FORMATS[Format.PDD] else b""
    with file_errors(printable(path)), Path(path).open("a+b", buffering=0) as file:
        size = file.seek(0, SEEK_END)
        if size:
            file.seek(-1, SEEK_END)
            # Complete the last line first, if it is not terminated.
            between = between if file.read(1) == b"\n" else b"\n" + between
        else:
            between = b""
        content = between + record
        try:
            while content:
                content = content[file.write(content) :]
        except BaseException:
            # The disk is full: a part of a record would be read as a bad game.
            file.truncate(size)
            raise


@define(eq=False)
class _Session:
    """A game between two people, or between a person and a player of this library.

    Attributes:
        screen: The screen on which the game is shown.
        game: The game so far.
    """

    screen: Screen
    game: Game
    _players: Mapping[Seat, Player]
    _is_running: bool = field(init=False, default=False)

    def run(self) -> None:
        """Play until the game ends or a person stops."""
        self.screen.line(message("rules", rules=format_rules(self.game.rules)))
        self.screen.legend()
        self.screen.line(message("type"))
        self._is_running = True
        try:
            while self.game.ending is None and (seat := self.game.state.seat_to_move):
                if seat in self._players:
                    self._play(self._chosen_by(self._players[seat]))
                elif not self._ask(seat):
                    return
        except KeyboardInterrupt:
            self.screen.line()
        finally:
            self._is_running = False

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Stop the game: Ctrl-C, the end of the terminal, and the end of the system do that.

        Further signals do not interrupt saving.

        Raises:
            KeyboardInterrupt: While the game is played.
        """
        if is_importing(frame):
            send_again(number)
        elif self._is_running:
            self._is_running = False
            raise KeyboardInterrupt

    def write_end(self) -> None:
        """Write the result of the game, or that it is unfinished."""
        if self.game.ending is None:
            self.screen.line(message("unfinished"), "bold")
        else:
            self.screen.line()
            self.screen.end(self.game)

    def _show(self) -> None:
        self.screen.line()
        self.screen.board(self.game.state, next(reversed(self.game.actions), None))

    def _chosen_by(self, player: Player) -> Action:
        """Return the choice of a player, and show on a terminal that the player is thinking."""
        with self.screen.waiting(message("thinks", name=capital(player.name))):
            return player.choose(self.game.state)

    def _play(self, action: Action) -> None:
        self.game = self.game.play(action)
        self.screen.turn(self.game.plies[-1], self.game.state, self.game.tags)

    def _ask(self, seat: Seat) -> bool:
        """Prompt a person until the game has changed; return ``False`` if the person stops."""
        before = self.game
        state = self.game.state
        self._show()
        self.screen.situation(state, before.tags)
        while self.game is before:
            line = self.screen.ask(f"{word(state.to_move or seat, catalog())}> ")
            if line is None or line.strip().lower() in ("quit", "exit"):
                return False
            self._obey(line, seat)
        return True

    def _obey(self, line: str, seat: Seat) -> None:
        """Carry out a line that a person typed."""
        match line.lower().split():
            case [] | ["help" | "?"]:
                self.screen.line(message("help"))
            case ["board"]:
                self._show()
            case ["score"]:
                self.screen.scores(self.game.state, self.game.tags)
            case ["moves"]:
                write_moves(self.screen, self.game.state, limit=10)
            case ["moves", cell]:
                self._write_moves_of(cell)
            case ["undo"]:
                self._undo()
            case ["resign"]:
                self.game = self.game.end(Ending.RESIGNATION, seat.opponent)
            case _:
                self._try(line)

    def _try(self, line: str) -> None:
        """Play the action that a person typed, or explain why it is refused."""
        try:
            self._play(parse_on(self.game.rules.board, parse_action, line))
        except NotationError as error:
            self.screen.line(f"{self._misread(error)} {message('type-help')}")
        except IllegalActionError as error:
            self.screen.line(message("not-legal"))
            for each in error.violations:
                self.screen.line(f"  {explain(each, catalog())}")

    def _misread(self, error: NotationError) -> str:
        return message("not-understood", why=f"{explained(error).removesuffix('.')}.")

    def _write_moves_of(self, text: str) -> None:
        """Write the legal actions with one cell."""
        try:
            cell = parse_on(self.game.rules.board, parse_cell, text)
        except NotationError as error:
            self.screen.line(self._misread(error))
            return
        legal = self.game.state.legal_actions
        name = str(cell)
        seconds = " ".join(map(str, legal.second_tiles(cell)))
        bridges = " ".join(map(format_action, legal.bridges_from(cell)))
        if seconds:
            self.screen.line(message("second-tiles", cell=name, cells=seconds))
        if bridges:
            self.screen.line(message("bridges-from", cell=name, bridges=bridges))
        if not seconds and not bridges:
            self.screen.line(message("nothing-legal", cell=name))
            for each in self.game.state.violations(PlaceTile(cell)):
                self.screen.line(f"  {explain(each, catalog())}")

    def _undo(self) -> None:
        """Undo the last action of a person, and all actions after it."""
        for count, ply in enumerate(reversed(self.game.plies), 1):
            if ply.seat not in self._players:
                self.game = self.game.undo(count)
                self.screen.line(message("undone", actions=message("action", count=count)))
                return
        self.screen.line(message("nothing-to-undo"))
