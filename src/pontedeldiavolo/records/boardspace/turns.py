"""Replaying the clicks of Boardspace's records: turns, times and the last tile of a robot."""

from __future__ import annotations

from typing import Final, NamedTuple, cast, final

from attrs import define, evolve, field

from pontedeldiavolo import presets
from pontedeldiavolo.base.enums import Color, Ending, Phase, Seat, ViolationCode
from pontedeldiavolo.base.errors import NotationError, reason
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.records.reading import CommentBuilder, GameText, LocatedText
from pontedeldiavolo.rules.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    PlaceTiles,
)
from pontedeldiavolo.rules.violations import IllegalActionError, reasons
from pontedeldiavolo.state.state import GameState

BOARD: Final = Board(10, 10)

DIRECTIONS: Final = {
    "30": (-2, -1),
    "45": (-2, -2),
    "60": (-1, -2),
    "90": (0, -2),
    "120": (1, -2),
    "135": (2, -2),
    "150": (2, -1),
    "180": (-2, 0),
}
"""The offset of a bridge's far end from its anchor, in columns and rows, by its name.

The order is the site's: a new bridge gets the last of all legal directions.
"""


class Token(NamedTuple):
    """One click of a player.

    Attributes:
        player: The number of the player, 0 or 1.
        verb: The action.
        offset: The offset in the text.
        color: The colour of its tile; ``None`` if it names no tile.
        direction: The name of its bridge; "" if it names none. A person's bridge gets its
            direction when it is put down, regardless of this name.
        cell: Its cell; a1 if it names none.
        starter: The number of the player who starts; 0 if it names none.
    """

    player: int
    verb: str
    offset: int
    color: Color | None
    direction: str
    cell: Cell
    starter: int


@final
@define(eq=False)
class _TurnTimer:
    """The time that both players have used in all their turns, in milliseconds.

    Attributes:
        now: The time up to now; ``None`` if it is not known.
        before: The time up to the end of the last turn.
    """

    now: list[int | None] = field(factory=lambda: [None, None])
    before: list[int | None] = field(factory=lambda: [0, 0])

    def begin(self, player: int) -> None:
        """Start a player's turn: time spent waiting, or setting up the board, does not count."""
        if self.now[player] is not None:
            self.end(player)

    def end(self, player: int) -> float | None:
        """End a player's turn and return its seconds; ``None`` if they are not known.

        They are also unknown if the turn before has no time, or if the time has decreased.
        """
        before = self.before[player]
        now = self.now[player]
        self.before[player] = now
        self.now[player] = None
        if before is None or now is None or now < before:
            return None
        return (now - before) / 1000


def _leading_seat(state: GameState) -> Seat | None:
    """Return the seat that would win if the game were over; ``None`` for a draw."""
    color, _ = state.rules.decide(state.score(Color.WHITE), state.score(Color.RED))
    return None if color is None else state.owner(color)


def _after_last_tile(state: GameState, cell: Cell, *, is_over: bool) -> Game:
    """Return a game that begins in the state after half a turn, a single last tile.

    Args:
        state: The state before that turn.
        cell: The cell of the tile.
        is_over: Whether there are no more turns; otherwise red has the last one, if white placed
            the tile.
    """
    color = cast("Color", state.to_move)
    is_white = color is Color.WHITE
    tiles = (*state.position.tiles(color), cell)
    setup = state.position.setup()
    setup = evolve(setup, white=tiles) if is_white else evolve(setup, red=tiles)
    start = GameState.from_position(
        setup.position(),
        rules=state.rules,
        to_move=Color.RED,
        white_owner=state.owner(Color.WHITE),
        phase=Phase.LAST_TURN if is_white and not is_over else Phase.OVER,
    )
    return Game.new(start=start)


_IN_THE_END = ("start", "pass", "done", "resign", "winontime", "gameover")
"""Tokens that may follow the end of a game and change nothing."""


@final
@define(eq=False)
class _Turn:
    """The clicks of a turn that is not over yet.

    Attributes:
        held: The piece in the player's hand: a colour, or the name of a bridge.
        tiles: The cells of the tiles that have been placed.
        anchor: The anchor of the bridge that has been placed.
        bridges: The candidates for that bridge; the last one counts.
        swapped: Whether the colours are exchanged.
        passed: Whether the player passes.
        resigned: The player who gives up, if there is one.
    """

    held: Color | str | None = None
    tiles: list[Cell] = field(factory=list)
    anchor: Cell | None = None
    bridges: list[BuildBridge] = field(factory=list)
    swapped: bool = False
    passed: bool = False
    resigned: Seat | None = None

    @property
    def is_begun(self) -> bool:
        """True after the first click."""
        return self.held is not None or bool(self.tiles) or self.is_complete

    @property
    def is_complete(self) -> bool:
        """True if the turn could be over now."""
        return self.swapped or self.passed or bool(self.bridges) or len(self.tiles) > 1

    @property
    def is_single(self) -> bool:
        """True if one tile is placed and nothing else is done."""
        return len(self.tiles) == 1 and self.held is None

    @property
    def is_last(self) -> bool:
        """True if the turn has one tile, and the game ends with it."""
        return self.is_single and self.passed and self.resigned is None

    @property
    def acts(self) -> list[str]:
        """The acts of the turn up to now, in words, for a comment."""
        acts = [str(cell) for cell in self.tiles]
        if self.bridges:
            acts.append(format_action(self.bridges[-1]))
        if self.held is not None:
            acts.append("a piece in hand")
        if self.swapped:
            acts.append("swap")
        if self.passed:
            acts.append("pass")
        return acts

    def action(self) -> Action:
        """Return the action of the turn; without any click it is a pass."""
        if self.swapped:
            return ChooseColor(Color.WHITE)
        if self.bridges:
            return self.bridges[-1]
        return PlaceTiles(*self.tiles) if self.tiles else Pass()


@final
class Replay:
    """The replay of a game from its tokens.

    Attributes:
        game: The game after the last turn that is over.
        first: The number of the player who sat down first; ``None`` before the start.
    """

    def __init__(self, game_text: GameText) -> None:
        self.game_text = game_text
        self.game: Game = Game.new(presets.BOARDSPACE)
        self.first: int | None = None
        self._turn = _Turn()
        # Comments before the first action, after it, after the second, and so on.
        self._notes: list[list[LocatedText]] = [[]]
        self._pending_notes: list[LocatedText] = []
        # The offset of the last token, which is the place of comments that are made here.
        self._offset = 0
        self._is_edited = False
        # Half turns at the end of the game, each with the game before it. After one of them,
        # ``game`` is the game that continues from there.
        self._last_tiles: list[tuple[Game, Cell]] = []
        self._times = _TurnTimer()

    def comment(self, text: str, offset: int) -> None:
        """Keep a comment for the action in progress, or add it to the last one."""
        note = LocatedText(text, offset)
        if self._turn.is_begun:
            self._pending_notes.append(note)
        else:
            self._notes[-1].append(note)

    def _add_pending_note(self, text: str) -> None:
        """Keep a comment that is made here for the action in progress."""
        self._pending_notes.append(LocatedText(text, self._offset))

    def seat(self, player: int) -> Seat:
        """Return the seat of a player."""
        return Seat.FIRST if player == self.first else Seat.SECOND

    def read(self, token: Token, used: int | None = None) -> None:
        """Replay a token.

        Args:
            token: A click of a player.
            used: The milliseconds that this player has used by then, in all turns.

        Raises:
            NotationError: If the click is impossible.
        """
        self._offset = token.offset
        if self._turn.is_complete and not self._is_turn_of(token.player):
            # A token of the other player ends the turn, as Done does.
            self._do_done(token)
        if used is not None:
            self._times.now[token.player] = used
        if self.game.ending is not None:
            self._is_edited = self._is_edited or token.verb == "edit"
            self._require(self._is_edited or token.verb in _IN_THE_END, "boardspace-over", token)
        elif token.verb == "edit":
            self._is_edited = True
            self._turn = _Turn()
        elif token.verb == "start":
            self._start(token)
        else:
            self._require(self.first is not None, "boardspace-start", token)
            self._require(not self._is_edited, "boardspace-set-up-by-hand", token)
            if token.verb not in ("gameover", "winontime") and not self._is_turn_of(token.player):
                self.game_text.fail(
                    "boardspace-other-player", token.offset, player=1 - token.player
                )
            getattr(self, f"_do_{token.verb}")(token)

    def finish(self) -> Game:
        """Return the game after the last token."""
        if self.game.ending is None and self._turn.resigned is not None:
            self.game = self.game.end(Ending.RESIGNATION, self._turn.resigned.opponent)
        elif self._turn.is_last:
            self._end_with_last_tile(is_over=False)
        elif self.game.ending is None and self._turn.is_begun:
            acts = ", ".join(self._turn.acts)
            self._add_pending_note(f"The turn after this has no end and is left out: {acts}.")
        game = self._ended_at_first_half_turn() if self._last_tiles else self.game
        self._settle_notes()
        for index, notes in enumerate(self._notes, -1):
            comment = CommentBuilder()
            for note in notes:
                comment.add(note.text, self.game_text, note.offset)
            game = game.with_comment(comment.build(), () if index < 0 else (index,))
        return game

    def _ended_at_first_half_turn(self) -> Game:
        """Return the game up to its first half turn, with the ending that followed."""
        rest = self.game
        game = self._last_tiles[0][0]
        notes = [
            f"{cast('Color', before.state.to_move).value.capitalize()}'s last tile, {cell}, "
            "has no partner."
            for before, cell in self._last_tiles
        ]
        notes += [f"Red's last turn: {format_action(action)}." for action in rest.actions]
        self._add_pending_note(" ".join(notes))
        if rest.ending in (Ending.RESIGNATION, Ending.TIME):
            return game.end(rest.ending, rest.winning_seat)
        return game.end(Ending.ADJUDICATION, _leading_seat(rest.state))

    # Player to move

    def _start(self, token: Token) -> None:
        if self.first is None:
            self.first = token.starter
        elif self.game.state.seat_to_move is not self.seat(token.starter):
            self.game_text.fail("boardspace-player-to-move", token.offset)
        self._is_edited = False
        self._turn = _Turn()
        self._times.begin(token.player)

    def _is_turn_of(self, player: int) -> bool:
        return self.game.state.seat_to_move is self.seat(player)

    def _state(self) -> GameState:
        """Return the state for a click: a player who does not swap has chosen red."""
        state = self.game.state
        if state.phase is Phase.COLOR_CHOICE:
            return state.apply(ChooseColor(Color.RED))
        return state

    # Clicks in a turn: a method for each verb, which :meth:`read` calls by its name

    def _do_pick(self, token: Token) -> None:
        self._require(self._turn.held is None, "boardspace-put-down-first", token)
        self._require_own_tile(token)
        self._turn.held = token.color or token.direction

    def _do_drop(self, token: Token) -> None:
        self._require(self._turn.held, "boardspace-picked-first", token)
        self._turn.held = None

    def _do_pickb(self, token: Token) -> None:
        turn = self._turn
        cell = token.cell
        if turn.held is None and cell in turn.tiles:
            turn.tiles.remove(cell)
            turn.held = self._state().to_move
        elif turn.held is None and cell == turn.anchor:
            turn.anchor = None
            turn.bridges = []
            turn.held = next(iter(DIRECTIONS))
        else:
            self.game_text.fail("boardspace-own-cell", token.offset)

    def _do_dropb(self, token: Token) -> None:
        turn = self._turn
        held = self._turn.held
        self._do_drop(token)
        if isinstance(held, Color):
            self._do_tile(token)
        else:
            self._require_room(token, pieces=0)
            bridges = [_bridge(token.cell, direction) for direction in DIRECTIONS]
            legal = self._state().legal_actions
            turn.bridges = [each for each in bridges if each is not None and each in legal]
            turn.anchor = token.cell
            self._require(turn.bridges, "boardspace-upper-end", token)

    def _do_bridgeend(self, token: Token) -> None:
        turn = self._turn
        chosen = [bridge for bridge in turn.bridges if token.cell in (bridge.a, bridge.b)]
        self._require(chosen and token.cell != turn.anchor, "boardspace-other-end", token)
        turn.bridges.remove(chosen[0])
        turn.bridges += chosen

    def _do_tile(self, token: Token) -> None:
        self._require_room(token, pieces=1)
        self._require_own_tile(token)
        self._turn.tiles.append(token.cell)

    def _do_bridge(self, token: Token) -> None:
        self._require_room(token, pieces=0)
        bridge = _bridge(token.cell, token.direction)
        if bridge is None:
            self.game_text.fail("boardspace-bridge-on-board", token.offset)
        self._turn.anchor = token.cell
        self._turn.bridges = [bridge]

    def _require(self, condition: object, code: str, token: Token) -> None:
        """Refuse a click, with the error of this code, unless a condition is true."""
        if not condition:
            self.game_text.fail(code, token.offset)

    def _require_own_tile(self, token: Token) -> None:
        self._require(token.color in (None, self._state().to_move), "boardspace-own-tile", token)

    def _require_room(self, token: Token, pieces: int) -> None:
        """Refuse a click after a whole turn, or after more than *pieces* tiles."""
        may_go_on = not self._turn.is_complete and len(self._turn.tiles) <= pieces
        self._require(may_go_on, "boardspace-done", token)

    def _do_swap(self, token: Token) -> None:
        self._require(self.game.state.phase is Phase.COLOR_CHOICE, "boardspace-no-swap", token)
        self._turn = _Turn(swapped=not self._turn.swapped)

    def _do_pass(self, token: Token) -> None:
        if self._turn.is_single and not self._turn.passed:
            self._require_no_partner(token)
        else:
            self._require_room(token, pieces=0)
        self._turn.passed = True

    def _do_reset(self, _token: Token) -> None:
        self._turn = _Turn()

    _do_undo = _do_reset

    def _do_resign(self, token: Token) -> None:
        self._turn.resigned = None if self._turn.resigned else self.seat(token.player)

    # The end of a turn, or of the game

    def _do_winontime(self, token: Token) -> None:
        self._turn = _Turn()
        self.game = self.game.end(Ending.TIME, self.seat(token.player))

    def _do_done(self, token: Token) -> None:
        elapsed = self._elapsed(token)
        if self._turn.is_last:
            self._end_with_last_tile(is_over=False)
            return
        turn = self._turn
        self._turn = _Turn()
        if turn.resigned is not None:
            self.game = self.game.end(Ending.RESIGNATION, turn.resigned.opponent)
            return
        self._require(turn.held is None and len(turn.tiles) != 1, "boardspace-second-tile", token)
        if self.game.state.phase is Phase.COLOR_CHOICE and not turn.swapped:
            self._play(ChooseColor(Color.RED), token)
        self._play(turn.action(), token, elapsed)
        self._settle_notes()
        # If red can only pass, the site ends the game without asking.
        state = self.game.state
        if state.to_move is Color.RED and state.is_legal(Pass()) and len(state.legal_actions) == 1:
            self._play(Pass(), token)

    def _elapsed(self, token: Token) -> float | None:
        """Return the seconds of the turn that a token of either player ends."""
        player = token.player if self._is_turn_of(token.player) else 1 - token.player
        return self._times.end(player)

    def _play(self, action: Action, token: Token, elapsed: float | None = None) -> None:
        try:
            self.game = self.game.play(action, elapsed=elapsed)
        except IllegalActionError as error:
            raise self._error(error, token) from error
        if not self._last_tiles:
            self._notes.append([])

    def _error(self, error: IllegalActionError, token: Token) -> NotationError:
        expected = reason("legal-action", violations=reasons(error.violations))
        return NotationError(self.game_text.text, token.offset, expected)

    def _settle_notes(self) -> None:
        """Attach comments made during a turn to its action."""
        self._notes[-1] += self._pending_notes
        self._pending_notes = []

    def _do_gameover(self, token: Token) -> None:
        if self._turn.is_single and self._is_turn_of(token.player) and not self._turn.passed:
            self._require_no_partner(token)
            self._end_with_last_tile(is_over=True)
        elif self._turn.is_complete or self._turn.tiles:
            self._do_done(token)
        while self.game.ending is None and self.game.state.is_legal(Pass()):
            self._play(Pass(), token, self._elapsed(token))
        if self.game.ending is None:
            self.game = self.game.end(Ending.ADJUDICATION, _leading_seat(self.game.state))

    def _require_no_partner(self, token: Token) -> None:
        """Refuse a last turn of one tile if that tile is illegal or a second one could follow."""
        faults = self._state().violations(PlaceTile(self._turn.tiles[0]))
        self._require(faults, "boardspace-room-for-second", token)
        if any(fault.code is not ViolationCode.NO_PARTNER for fault in faults):
            error = IllegalActionError(faults)
            raise self._error(error, token) from error

    def _end_with_last_tile(self, *, is_over: bool) -> None:
        cell = self._turn.tiles[0]
        self._turn = _Turn()
        self._settle_notes()
        self._last_tiles.append((self.game, cell))
        self.game = _after_last_tile(self.game.state, cell, is_over=is_over)


def _bridge(anchor: Cell, direction: str) -> BuildBridge | None:
    """Return the bridge from its upper end; ``None`` if it would leave the board."""
    columns, rows = DIRECTIONS[direction]
    column = anchor.column + columns
    row = anchor.row + rows
    if not (0 <= column < BOARD.width and 0 <= row < BOARD.height):
        return None
    return BuildBridge(anchor, Cell(column, row))
