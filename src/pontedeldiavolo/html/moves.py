"""The lines of a game for a page: the list of moves, and the picture parts of each line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil
from typing import Final, NamedTuple, TypeAlias

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.enums import Color, Seat
from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.base.messages import Catalog, filled, result, sentence, word
from pontedeldiavolo.game.board_view import BoardView, GroupView, NetworkView, cells_of
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.sentences import (
    action_sentence,
    action_text,
    state_of_play,
)
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.rules.actions import BuildBridge, ChooseColor
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg import layers
from pontedeldiavolo.svg.captions import COLORS, Captions, escaped
from pontedeldiavolo.svg.layout import Layout
from pontedeldiavolo.svg.timeline import Timeline

SIGNS: Final = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
"""The NAGs that judge a move, with their signs."""
POSITION_SIGNS: Final = {
    7: "□",
    8: "□",
    9: "??",
    10: "=",
    11: "=",
    12: "=",
    13: "∞",
    14: "⩲",
    15: "⩱",
    16: "±",
    17: "∓",
    18: "+-",
    19: "-+",
    20: "+-",
    21: "-+",
    22: "⨀",
    23: "⨀",
    146: "N",
}
"""Other NAGs that have a meaning, with the signs of chess books; red takes the place of black.

NAGs without a meaning are shown as numbers, as in records.
"""

SIXTY: Final = 60
EXACT_BELOW_SECONDS: Final = 10
"""The time of a move below which tenths of a second are shown."""

_EVAL: Final = re.compile(r"[+-]?[01](\.[0-9]+)?")
_TITLE: Final = re.compile("<title>[^<]*</title>")
_GONE: Final = ' display="none"'
_EMPTY: Final = re.compile("></(?:path|rect)>")


Scores: TypeAlias = tuple[tuple[int, ...], ...]
"""The points of each network, for each colour."""


class Entry(NamedTuple):
    """The start of a game, or the state after a move."""

    name: str
    """The URL fragment of links to this entry."""
    turn: int
    color: Color | None
    move: Move | None
    announcement: str
    scores: Scores
    marks: tuple[str, ...]
    """The places of frames around the cells of the action."""
    mover: Seat | None
    """The player who made the move."""
    next_mover: Seat | None
    """The player who has the turn after it."""
    is_next_clear: bool
    """Whether the colours tell who that is, because they take turns."""


class Growth(NamedTuple):
    """The parts that a move adds to a page."""

    item: str
    """Its item in the list of moves."""
    layers: list[dict[int, str]]
    """The new parts of lines in each layer, by the number of the line."""
    view: BoardView
    """The new pieces, groups and networks."""
    groups: list[GroupView]
    """The groups that it has ended."""
    networks: list[NetworkView]
    """The networks that it has ended."""


class Replay:
    """One game on a page: the list of its moves, and its picture by layers and lines.

    All lines are parts of one picture: a variation adds only its changes to it.

    Args:
        game: The game.
        place: Its number on the page, from 1.
        words: The texts of the page.
        max_characters: The maximum number of characters of the list and the picture, without
            comments; ``None`` for no limit.
        is_live: Whether it is for the page for playing, which needs the actions in the notation
            of records, and knows whose turn it is.

    Raises:
        PonteError: If there are more characters.
    """

    def __init__(
        self,
        game: Game,
        place: int,
        words: Captions,
        max_characters: int | None,
        *,
        is_live: bool = False,
    ) -> None:
        self.game = game
        self.words = words
        self.context: layers.Context = layers.upright(game.rules.board, ENGLISH)
        self.layout: Layout = self.context.layout
        self.layers: list[dict[int, str]] = [{} for _ in layers.PIECES]
        """The parts of lines in each layer, by the number of the line."""
        self._prefix = f"game-{place}"
        self._max_characters = max_characters
        self._is_live = is_live
        self._length = 0
        self._lines = 0
        self._timeline = Timeline(game.start, networks=True)
        start = game.start
        said = self._standing(start, is_last=not game.line.moves)
        name = f"{self._prefix}-turn-{start.turn}"
        self.last: Entry = Entry(
            *(name, start.turn, None, None, said, self._scores(), (), None, start.seat_to_move),
            is_next_clear=False,
        )
        """The last entry of the main line."""
        self.values: dict[int, float] = {}
        """The evaluations after moves of the main line, for the first player, by move number."""
        self.clocks: dict[Seat, float] = {}
        """The seconds that players had left after their last move of the main line."""
        first = f"{''.join(self._item(self.last))}{comment(game.line.comment)}</li>"
        self.start_item: str = first
        """The item of the start."""
        self.moves: str = self._line(game.line, start, 0, 1, first)
        """The list of all moves."""
        self.view: BoardView = self._timeline.view

    def _line(self, line: Line, state: GameState, base: int, kept: int, first: str = "") -> str:
        """Return a line with its comment and all its variations.

        *kept* entries of earlier lines come before it; the last of them is in line *base*.
        """
        number = self._lines
        self._lines += 1
        mark = self._timeline.mark()
        items = "".join([first, *self._items(line, state, number, kept)])
        if number == 0:
            self._draw(number, self._timeline.view)
            return self.list_of(items)
        self._draw(number, self._timeline.since(mark))
        about = f' data-line="{number}" data-base="{base}" data-kept="{kept}"'
        gone = ";".join(self._gone(mark))
        if gone:
            about += self._counted(f' data-gone="{gone}"')
        # The line that this one varies goes on where it was.
        self._timeline = mark
        name = self.words.escaped("variation", number=number)
        head = f'<p class="name">{name}</p>{comment(line.comment)}'
        moves = f'<ol role="list" aria-label="{name}"{about}>{items}</ol>'
        return f'<div class="variation">{head}{moves}</div>'

    def list_of(self, items: str) -> str:
        """Return the list of moves with the items of the main line, below the heads of its columns.

        Screen readers get the colour with each move instead.
        """
        heads = "".join(
            f'<span class="{name}">{piece(name)}{escaped(capitalized(color))}</span>'
            for name, color in zip(COLORS, self.words.colors, strict=True)
        )
        points = f'<span class="sum">{self.words.escaped("points")}</span>'
        name = self.words.escaped("moves")
        return (
            f'<div class="heads" aria-hidden="true">{heads}{points}</div>'
            f'<ol role="list" aria-label="{name}" data-line="0">{items}</ol>'
        )

    def play(self, move: Move, before: GameState, after: GameState, place: int) -> Growth:
        """Play one more move of the main line, as the entry at an index.

        The list and the layers of the whole game stay as they were.
        """
        mark = self._timeline.mark()
        self.layers = [{} for _ in layers.PIECES]
        item = "".join(self._played(move, before, after, 0, place, is_last=False))
        view = self._timeline.since(mark)
        self._draw(0, view)
        groups = self._timeline.groups.gone_since(mark.groups)
        networks = self._timeline.networks.gone_since(mark.networks)
        return Growth(item, self.layers, view, groups, networks)

    def _items(self, line: Line, state: GameState, number: int, kept: int) -> Iterator[str]:
        """Yield the moves of a line that begins in a state, each with its variations."""
        for place, move in enumerate(line.moves):
            before = state
            state = state.apply_unchecked(move.action)
            is_last = place == len(line.moves) - 1
            yield from self._played(move, before, state, number, kept + place, is_last=is_last)

    def _played(
        self,
        move: Move,
        before: GameState,
        after: GameState,
        number: int,
        kept: int,
        *,
        is_last: bool,
    ) -> Iterator[str]:
        """Play a move, and yield its item with its variations.

        *kept* entries come before it, and the last of them belongs to line *number*, as it does.
        """
        # Variations start here, before the timeline goes on.
        variations = [self._line(each, before, number, kept) for each in move.variations]
        self._timeline.play(move.action)
        entry = self._entry(number, before, after, move, is_last=is_last)
        yield self._counted("".join(self._item(entry)))
        yield comment(move.comment)
        yield from variations
        yield "</li>"
        if number == 0:
            self.last = entry
            self._note_evaluation(kept, move)
            if move.clock is not None and before.seat_to_move is not None:
                self.clocks[before.seat_to_move] = move.clock

    def _note_evaluation(self, number: int, move: Move) -> None:
        """Note the evaluation in the annotations of a move of the main line, if it has one."""
        text = move.annotations.get("eval", "")
        if _EVAL.fullmatch(text):
            self.values[number] = max(-1.0, min(float(text), 1.0))

    def _counted(self, text: str) -> str:
        """Count the characters of a text and return it; raise an error beyond the limit."""
        self._length += len(text)
        if self._max_characters is not None and self._length > self._max_characters:
            raise PonteError(reason("oversized-page", max=self._max_characters))
        return text

    def _draw(self, number: int, view: BoardView) -> None:
        """Draw a line's part of each layer."""
        for drawn, layer in zip(self.layers, layers.PIECES, strict=True):
            text = untitled("".join(layer(view, self.context)))
            if not self._is_live:
                # The style sheet of replay pages hides what has gone.
                text = text.replace(_GONE, "")
            if text:
                drawn[number] = self._counted(text)

    def _gone(self, mark: Timeline) -> Iterator[str]:
        """Yield groups and networks of earlier lines that are no longer there in this line."""
        names = self.layout.names_of
        for group in self._timeline.groups.gone_since(mark.groups):
            yield f"{group.until} land {COLORS[group.color]} {names(group.cells)}"
        for network in self._timeline.networks.gone_since(mark.networks):
            cells = " ".join(map(names, network.groups))
            yield f"{network.until} network {COLORS[network.color]} {cells}"

    def _entry(
        self, number: int, before: GameState, state: GameState, move: Move, *, is_last: bool
    ) -> Entry:
        action = move.action
        catalog = self.words.catalog
        name = self._prefix
        said = []
        if number:
            name += f"-variation-{number}"
            said.append(sentence(catalog, "page-variation", number=number) + ".")
        name += f"-turn-{state.turn}"
        if isinstance(action, ChooseColor):
            name += "-choice"
        # A colour choice belongs to no colour, and its sentence names none.
        color = before.to_move
        said += [
            action_sentence(action, color or Color.WHITE, catalog),
            self._standing(state, is_last=is_last and not number),
        ]
        cells = map(self._timeline.geometry.index, cells_of(action))
        points = [self.layout.points[cell] for cell in cells]
        marks = tuple(f"{x},{y}" for x, y in points)
        next_mover = None if is_last and self._is_over(number, state) else state.seat_to_move
        is_clear = not is_last and state.color_of(Seat.FIRST) is not None
        return Entry(
            *(name, state.turn, color, move, " ".join(said), self._scores(), marks),
            *(before.seat_to_move, next_mover),
            is_next_clear=is_clear,
        )

    def _is_over(self, number: int, state: GameState) -> bool:
        """Return whether a line has ended: the main line may end before the game is played out."""
        return state.is_over or (number == 0 and self.game.ending is not None)

    def _standing(self, state: GameState, *, is_last: bool) -> str:
        """Return the sentence on the player to move, or on the result."""
        ended = self.game if is_last and self.game.ending is not None else state.outcome
        catalog = self.words.catalog
        return state_of_play(state, catalog) if ended is None else result(ended, catalog)

    def _scores(self) -> Scores:
        """Return the points of both colours."""
        networks = map(self._timeline.networks.living, (0, 1))
        return tuple(tuple([points for each in own if (points := each.points)]) for own in networks)

    def networks(self, color: int) -> list[NetworkView]:
        """Return the networks of a colour that count at the end, the best first."""
        found = [each for each in self._timeline.networks.living(color) if each.points]
        return sorted(found, key=lambda each: each.points, reverse=True)

    # The list

    def _item(self, entry: Entry) -> Iterator[str]:
        """Yield one entry, without its comment, its variations and its end tag."""
        white, red = entry.scores
        isolated = entry.move is None or isinstance(entry.move.action, ChooseColor)
        color = "" if isolated or entry.color is None else f' class="{entry.color.value}"'
        yield f'<li id="{entry.name}"{color} data-turn="{entry.turn}"'
        yield f' data-announcement="{escaped(entry.announcement)}"'
        yield f' data-white="{_written(white)}" data-red="{_written(red)}"'
        if entry.marks:
            yield f' data-marks="{" ".join(entry.marks)}"'
        if not entry.is_next_clear and not self._is_live:
            next_mover = entry.next_mover
            yield f' data-mover="{next_mover.value if next_mover else "none"}"'
        move = entry.move
        if move is None:
            yield f"><a>{self.words.escaped('start')}</a>"
            return
        if self._is_live:
            yield f' data-action="{format_action(move.action)}"'
        if move.clock is not None and entry.mover is not None:
            yield f' data-clock-{entry.mover.value}="{clock_text(move.clock)}"'
        if move.elapsed is not None:
            yield f' data-took="{escaped(duration_text(move.elapsed, self.words.catalog))}"'
        yield f"><a>{self._label(entry, move)}"
        yield from self._signs(move)
        yield f'</a> <span class="score">{sum(white)}–{sum(red)}</span>'

    def _label(self, entry: Entry, move: Move) -> str:
        """Return the text of a move; rows and pictures say its turn and colour to those who see."""
        catalog = self.words.catalog
        action = move.action
        if isinstance(action, ChooseColor):
            taken = sentence(catalog, "page-takes", player=Seat.SECOND, color=action.color)
            return escaped(taken)
        color = entry.color or Color.WHITE
        said = f"{entry.turn}. {capitalized(word(color, catalog))} "
        label = f'<span class="hide">{escaped(said)}</span>'
        if "-variation-" in entry.name:
            shown = f'<span class="soft" aria-hidden="true">{entry.turn}</span>'
            label += f"{shown}{piece(color.value)}"
        text = escaped(action_text(action, catalog).replace(",", " ").replace("-", "–"))
        arc = '<i class="arc"></i>' if isinstance(action, BuildBridge) else ""
        return f"{label}<b>{arc}{text}</b>"

    def _signs(self, move: Move) -> Iterator[str]:
        """Yield the NAGs of a move."""
        for nag in move.nags:
            sign = (SIGNS | POSITION_SIGNS).get(nag)
            if sign is None:
                yield f' <span class="nag">${nag}</span>'
                continue
            meaning = escaped(filled(self.words.catalog, f"nag-{nag}", {}))
            yield f' <span class="nag" role="img" aria-label="{meaning}">{sign}</span>'


def piece(color: str) -> str:
    """Return a small picture of a tile, which the style sheet draws."""
    return f'<i class="piece {color}"></i>'


def capitalized(text: str) -> str:
    """Return a text with a capital as its first letter."""
    return text[:1].upper() + text[1:]


def clock_text(seconds: float) -> str:
    """Return the time that is left as clocks show it, in seconds that have begun: ``9:58``."""
    minutes, rest = divmod(ceil(seconds), SIXTY)
    hours, minutes = divmod(minutes, SIXTY)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def duration_text(seconds: float, catalog: Catalog) -> str:
    """Return the time that a move took: ``4.1 s``, ``12 s`` or ``1:05``."""
    if round(seconds) >= SIXTY:
        return clock_text(round(seconds))
    rounded = round(seconds, 1) if seconds < EXACT_BELOW_SECONDS else round(seconds)
    count = f"{rounded:g}".replace(".", filled(catalog, "decimal-mark", {}))
    return filled(catalog, "page-seconds", {"count": count})


def _written(networks: tuple[int, ...]) -> str:
    """Return the points of networks in the form that the script reads: ``4 3+1``."""
    return f"{sum(networks)} {'+'.join(map(str, networks))}".rstrip()


def comment(text: str) -> str:
    """Return a comment as an element whose writing direction is isolated."""
    return f'<p class="comment" dir="auto">{escaped(text)}</p>' if text else ""


def untitled(drawn: str) -> str:
    """Return a part of the picture without titles: the table of cells is more detailed."""
    return _EMPTY.sub("/>", _TITLE.sub("", drawn))
