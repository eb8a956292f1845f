"""Lists of moves, as Abstract Play takes them: reading and writing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from textwrap import fill
from typing import Final

from pontedeldiavolo.base.enums import Color, Ending, Seat
from pontedeldiavolo.base.errors import reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import format_action, scan_action
from pontedeldiavolo.notation.scanner import Scanner
from pontedeldiavolo.records.abstract_play.moves import Moves
from pontedeldiavolo.records.abstract_play.site import (
    DEFAULT_SIDE,
    END_WORDS,
    RULES,
    as_played_there,
    choice_lost,
    losses_there,
)
from pontedeldiavolo.records.chunk import Chunk
from pontedeldiavolo.records.lines import Lines
from pontedeldiavolo.records.splitting import Fault, Part, Piece, begins_foreign, paragraphs
from pontedeldiavolo.records.verbs import Found, Writing, found_at, found_in
from pontedeldiavolo.rules.actions import ChooseColor

_OPTION = re.compile(r"(?:size-(8|10|12)|pie-invoked|pied)(?![\w-])", re.ASCII | re.IGNORECASE)
# No column has three letters.
_WORD = re.compile(r"[A-Za-z]{3,}")
_MOVE_WORDS = ("white", "red", "pass")
_NUMBER = re.compile(r"[0-9]+\.+[ \t]*")
_BETWEEN_MOVES = re.compile(r"[ \t\r\n,;]*+")
_WIDTH = 79

# Reading


def find(lines: Lines) -> Iterator[Found]:
    """Iterate over the games in a file of lists."""
    return found_in(_without_foreign(paragraphs(lines)), lines.limits, _find_in)


def _without_foreign(parts: Iterator[Part]) -> Iterator[Part]:
    """Iterate over paragraphs: where another format has begun, none of them is a list."""
    is_foreign = False
    for part in parts:
        if isinstance(part, Piece) and is_foreign:
            yield Fault((part.line, part.column), reason("list-of-moves"))
        else:
            yield part
            is_foreign = is_foreign or (isinstance(part, Piece) and begins_foreign(part.text))


def _find_in(chunk: Chunk) -> Iterator[Found]:
    start = len(chunk.text) - len(chunk.text.lstrip(" \t\r"))
    yield found_at(chunk, start, chunk.number, partial(_game, chunk))


def _game(chunk: Chunk) -> Game:
    """Return the game of a list of moves.

    Raises:
        NotationError: If something in it cannot be read.
        RecordError: If an action breaks a rule.
    """
    text = chunk.text
    scanner, side, moves = Scanner(text), None, Moves()
    scanner.run(_BETWEEN_MOVES)
    while option := _OPTION.match(text, scanner.offset):
        named = option.group(1)
        if named and side not in (None, int(named)):
            scanner.fail("one-board")
        side = int(named) if named else side
        moves.pie = moves.pie or named is None
        scanner.offset = option.end()
        scanner.run(_BETWEEN_MOVES)
    while scanner.peek():
        _read_item(scanner, moves)
    if not moves.actions and side is None:
        # The site asks for a move before anybody can give up; no size and no move is no game.
        scanner.fail("move-or-size", 0)
    chunk.require_side(RULES[side or DEFAULT_SIDE].board, 0)
    game = moves.game(chunk, RULES[side or DEFAULT_SIDE], chunk.number)
    if moves.word is None:
        return game
    if game.ending is not None:
        chunk.fail("no-word-after-end", moves.word_offset)
    ending = END_WORDS[moves.word]
    loses = ending in (Ending.RESIGNATION, Ending.TIME)
    mover = game.state.seat_to_move or Seat.FIRST
    return game.end(ending, mover.opponent if loses else None)


def _read_item(scanner: Scanner, moves: Moves) -> None:
    """Read a move, or the word that ends the game, and what stands before the next one."""
    if moves.word is not None:
        scanner.fail("end-after-word", word=moves.word)
    scanner.run(_NUMBER)
    offset = scanner.offset
    found = _WORD.match(scanner.text, offset)
    word = found.group().lower() if found else ""
    if word in END_WORDS:
        scanner.offset += len(word)
        moves.word, moves.word_offset = word, offset
    elif word and word not in _MOVE_WORDS:
        scanner.fail("move-or-word", words=", ".join(END_WORDS))
    else:
        moves.add(scan_action(scanner), offset)
    if not scanner.run(_BETWEEN_MOVES) and scanner.peek():
        scanner.fail("blank-after-move")


# Writing


def move_list(game: Game) -> str:
    """Return the main line of a game as a list of moves.

    Raises:
        PonteError: If Abstract Play can have no such game.
    """
    as_played_there(game, "a list of moves")
    width = game.rules.board.width
    words = [] if width == DEFAULT_SIDE and game.actions else [f"size-{width}"]
    if ChooseColor(Color.WHITE) in game.actions[:2]:
        words.append("pie-invoked")
    words += [format_action(each) for each in game.actions if not isinstance(each, ChooseColor)]
    words += [word for word in END_WORDS if word == _last_word(game)]
    return fill(" ".join(words), _WIDTH, break_long_words=False, break_on_hyphens=False) + "\n"


def _last_word(game: Game) -> str | None:
    """Return the word at the end of a list of moves that says how the game ended, if any can."""
    seat, winner = game.state.seat_to_move, game.winning_seat
    loses = game.ending in (Ending.RESIGNATION, Ending.TIME)
    if seat is None or winner is not (seat.opponent if loses else None):
        return None
    return next((word for word, ending in END_WORDS.items() if ending is game.ending), None)


def list_losses(game: Game) -> Iterator[str]:
    """Iterate over what a list of moves cannot hold of a game."""
    yield from losses_there(game)
    if game.tags:
        yield "the tags"
    if game.ending not in (None, Ending.SCORED) and _last_word(game) is None:
        yield "how it ended"
    yield from choice_lost(game)


LISTS: Final = Writing(move_list, list_losses)
