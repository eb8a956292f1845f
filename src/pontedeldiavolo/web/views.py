"""Views of a game for the page: the picture, the state, and a name for each cell."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from threading import Lock
from typing import Any, Final, cast, final

from attrs import asdict, field, frozen

from pontedeldiavolo import svg
from pontedeldiavolo.base import messages
from pontedeldiavolo.base.catalogs import LanguageCatalog
from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.base.errors import NotationError, PonteError
from pontedeldiavolo.game.board_view import cell_names, cell_views, cells_of
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.sentences import action_text, state_of_play
from pontedeldiavolo.html.growing import Addition, GrowingGame
from pontedeldiavolo.html.moves import SIGNS, untitled
from pontedeldiavolo.html.names import NamedCatalog
from pontedeldiavolo.html.page import parts
from pontedeldiavolo.json.snapshots import choices, last_sentence
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.players.annotator import chance
from pontedeldiavolo.players.player import Analysis
from pontedeldiavolo.rules.actions import Action, PlaceTiles
from pontedeldiavolo.rules.violations import (
    MAX_NAMED_VIOLATIONS,
    IllegalActionError,
    InvalidPositionError,
    Violation,
)
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg import layers
from pontedeldiavolo.svg.layout import Layout
from pontedeldiavolo.svg.outlines import CELL
from pontedeldiavolo.svg.timeline import Timeline

from .computer_moves import Failure, Thinking
from .names import PLACEHOLDERS, player_name, with_names
from .requests import Request, Response, SiteError, page_text
from .store import OFFERS, StoredGame, TimeControl
from .thinkers import AnalysisJob

Choices = dict[str, Any]
MAX_SHOWN_BYTES: Final = 32_000_000
"""The memory for the drawn parts of games: about 1,500 new games of 10×10, or 50 of 64×64."""
GAME_BYTES: Final = 7_000
"""The memory of a drawn game without its cells and its moves."""
CELL_BYTES: Final = 145
"""The memory of a drawn game for each cell of its board."""
PLY_BYTES: Final = 3_000
"""The memory of a drawn game for each of its moves. A test measures it, as the two others."""


def _descriptions(state: GameState, cells: int, language: LanguageCatalog) -> dict[str, str]:
    """Return descriptions of some cells, for screen readers."""
    names = cell_names(*state.pieces.geometry.size)
    text = partial(page_text, language)
    colors = [messages.word(color, language) for color in Color]
    named = {}
    for place, cell in cell_views(state.pieces, cells):
        name = names[place]
        what = text("blocked" if cell.is_blocked else "water")
        if cell.group is not None:
            kind = "island" if cell.group.is_island else "sandbank"
            what = text(kind, color=colors[cell.group.color])
        for end in cell.bridges_to:
            what = text("end", what=what, cell=names[end])
        named[name] = text("cell", cell=name, what=what)
    return named


def _document(drawn: Iterable[str], context: layers.Context) -> str:
    """Return a picture to be laid over the picture of the game."""
    box = f'viewBox="0 0 {context.layout.width} {context.layout.height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{untitled("".join(drawn))}</svg>'


def analysis_view(job: AnalysisJob, game: Game, catalog: messages.Catalog) -> dict[str, object]:
    """Return the result of an analysis, with values for the first player.

    Args:
        job: The analysis.
        game: The game as it is now. It has the actions of the analysed game, and perhaps other
            variations: some were kept meanwhile, or deleted.
        catalog: The language.
    """
    found = job.found
    state = job.state
    if isinstance(found, Game):
        before, found = _without_deleted(job.game, found, game)
        own = _with_own_comments(_with_new_variations(found, before, game), before)
        picture, moves = parts(own, catalog)
        mistakes = _mistakes(before, found, catalog)
        return {"svg": picture, "moves": moves, "values": _values(found), "mistakes": mistakes}
    if found is None:
        return {}
    sign = 1 if state.seat_to_move is Seat.FIRST else -1
    lines = [
        {"value": sign * line.value, "actions": _texts(line.actions, catalog)}
        for line in found.lines
    ]
    context = layers.upright(state.rules.board, catalog)
    picture = _document(_expected(state, found, context), context)
    return {"ply": job.ply, "value": sign * found.value, "lines": lines, "svg": picture}


def _texts(actions: Iterable[Action], catalog: messages.Catalog) -> list[str]:
    """Return the notation of the actions of a line."""
    return [action_text(action, catalog) for action in actions]


def _values(game: Game) -> list[float | None]:
    """Return the values after the actions of a game, for the first player."""
    values = (move.annotations.get("eval") for move in game.line.moves)
    return [None if value is None else float(value) for value in values]


def _without_deleted(before: Game, found: Game, now: Game) -> tuple[Game, Game]:
    """Return a game and its annotated version without the variations that *now* has not any more.

    In both, the variations of each move begin with the same ones.
    """
    for place, (old, new) in enumerate(zip(before.line.moves, now.line.moves, strict=True)):
        # From the last one on, so that the numbers of the others stay.
        for number in reversed(range(len(old.variations))):
            if old.variations[number] not in new.variations:
                before, found = (game.without((place, number)) for game in (before, found))
    return before, found


def _with_new_variations(found: Game, before: Game, now: Game) -> Game:
    """Return an annotated game with the variations that *now* has and *before* did not have."""
    moves = zip(before.line.moves, now.line.moves, strict=True)
    for place, (old, new) in enumerate(moves):
        for line in new.variations:
            if line not in old.variations:
                found = found.with_variation((place,), line.actions, line.comment)
    return found


def _with_own_comments(found: Game, before: Game) -> Game:
    """Return an annotated game with the comments of people only.

    The page shows the values and the better moves of the analysis by itself.
    """
    for place, move in enumerate(before.line.moves):
        found = found.with_comment(move.comment, (place,))
    return found


def _mistakes(before: Game, game: Game, catalog: messages.Catalog) -> list[dict[str, object]]:
    """Return the actions that lost value, the worst first, each with a better line.

    The better line is a variation of the action, the one with this number, counted from 0. The
    chances of the player in percent are those after the better action and after the one played:
    their difference has decided on the sign, and decides on the order.
    """
    found: list[dict[str, object]] = []
    moves = zip(game.plies, before.line.moves, game.line.moves, strict=True)
    for number, (ply, old, move) in enumerate(moves, 1):
        if len(move.variations) > len(old.variations):
            better = move.variations[-1]
            sign = 1 if ply.seat is Seat.FIRST else -1
            best, played = (
                chance(sign * float(each.annotations["eval"])) for each in (better.moves[0], move)
            )
            found.append(
                {
                    "ply": number,
                    "turn": ply.turn,
                    "seat": ply.seat.value,
                    "side": ply.color and ply.color.value,
                    "action": action_text(ply.action, catalog),
                    "sign": "".join(SIGNS[nag] for nag in move.nags if nag in SIGNS),
                    "better": _texts(better.actions, catalog),
                    "variation": len(move.variations) - 1,
                    "before": best,
                    "after": played,
                }
            )
    return sorted(found, key=_chance_left)


def _chance_left(mistake: dict[str, object]) -> int:
    """Return what a mistake adds to the chance of its player in percent: a negative number."""
    return cast(int, mistake["after"]) - cast(int, mistake["before"])


def _expected(state: GameState, found: Analysis, context: layers.Context) -> Iterator[str]:
    """Yield a heat map of the visits of cells, and the numbered pieces of each line."""
    index = state.rules.board.index
    visits = Counter[int]()
    for choice in found.actions:
        if isinstance(choice.action, PlaceTiles):
            visits.update(dict.fromkeys(map(index, cells_of(choice.action)), choice.visits))
    yield from layers.heat(visits, context)
    for place, line in enumerate(found.lines):
        timeline = Timeline(state, networks=False)
        mark = timeline.mark()
        yield f'<g class="line" data-line-number="{place}">'
        for action in line.actions:
            timeline.play(action)
        view = timeline.since(mark)
        yield from (*layers.tiles(view, context), *layers.bridges(view, context))
        yield '<g fill="none" stroke-linecap="round" stroke-linejoin="round">'
        for number, action in enumerate(line.actions, 1):
            for x, y in map(context.layout.middle, map(index, cells_of(action))):
                yield layers.plate(str(number), x, y, svg.LIGHT.paper, svg.LIGHT.text)
        yield "</g></g>"


def _grid(layout: Layout) -> dict[str, float]:
    """Return the places of the cells in the picture, so that the page need not compute them."""
    return {
        "columns": layout.columns,
        "rows": layout.rows,
        "left": layout.margin / layout.width,
        "top": layout.far / layout.height,
        "width": CELL * layout.columns / layout.width,
        "height": CELL * layout.rows / layout.height,
        "ratio": layout.width / layout.height,
    }


@final
class ShownGame:
    """A game in a language, as pages show it: its parts are drawn once, move by move.

    The names of the players can change. In the list of moves ``&first;`` and ``&second;`` stand for
    them, and pages fill them in. Threads may share it.
    """

    def __init__(self, game: Game, language: LanguageCatalog) -> None:
        self._language = language
        self._lock = Lock()
        self._cell_count = len(game.rules.board)
        self._begin(game)

    def _begin(self, game: Game) -> None:
        self._growing = GrowingGame(game, NamedCatalog(self._language, PLACEHOLDERS))
        # Without any plies, the next call begins again if the start cannot be drawn.
        self._plies: list[dict[str, object]] = []
        self._plies.append(self._ply(self._growing.start))

    def _is_whole(self) -> bool:
        """Return whether the start and each move have a ply: one is missing if drawing failed."""
        return len(self._plies) == 1 + len(self._growing.moves)

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        move_count = len(self._plies) - 1
        return GAME_BYTES + CELL_BYTES * self._cell_count + PLY_BYTES * move_count

    def plies(self, game: Game, plies_kept: int) -> dict[str, object]:
        """Return the parts of a game without the first *plies_kept* of its plies.

        The first ply is the start.
        """
        moves = game.line.moves
        with self._lock:
            known = self._growing.moves
            if not self._is_whole() or [*moves[: len(known)]] != known:
                self._begin(game)
            for move in moves[len(self._growing.moves) :]:
                self._plies.append(self._ply(self._growing.play(move)))
            return {"plies_kept": plies_kept, "plies": self._plies[plies_kept:]}

    def _ply(self, addition: Addition) -> dict[str, object]:
        """Return the parts of a page that one move adds or changes."""
        return {
            "move": _with_references(addition.item),
            "pieces": addition.pieces,
            "ended": addition.ended,
            "cells": _descriptions(self._growing.state, addition.changed, self._language),
        }

    def frame(self) -> dict[str, object]:
        """Return the parts of the page that stay the same during a game."""
        return self._growing.frame()


def _with_references(item: str) -> str:
    """Return an item of the list of moves with references to the names of the players."""
    for seat, placeholder in PLACEHOLDERS.items():
        item = item.replace(placeholder, f"&{seat.value};")
    return item


@final
class ShownGames:
    """The games that pages have asked for last, within a bound. Threads may share it.

    Args:
        max_bytes: The memory that they may take.
    """

    def __init__(self, max_bytes: int = MAX_SHOWN_BYTES) -> None:
        self._max_bytes = max_bytes
        self._games: OrderedDict[tuple[str, str], ShownGame] = OrderedDict()
        self._lock = Lock()

    def find(self, stored: StoredGame, language: LanguageCatalog) -> ShownGame:
        """Return a game, and forget those that were not asked for longest."""
        key = (stored.id, language.code)
        with self._lock:
            found = self._games.get(key)
        if found is None:
            # Not under the lock: other games need not wait until this one is drawn.
            found = ShownGame(stored.game, language)
        with self._lock:
            # Another thread may have drawn the same game meanwhile.
            found = self._games.setdefault(key, found)
            self._games.move_to_end(key)
            self._forget_oldest()
        return found

    def _forget_oldest(self) -> None:
        """Forget games until the others are within the bound; the latest one stays."""
        surplus = sum(game.size for game in self._games.values()) - self._max_bytes
        while surplus > 0 and len(self._games) > 1:
            _, oldest = self._games.popitem(last=False)
            surplus -= oldest.size


@final
@frozen
class SiteFacts:
    """Facts about a game that its file does not contain; by default, there are none.

    Attributes:
        names: The names that people have entered.
        times: The seconds that people have left.
        time_control: The time of the players.
        failure: Why the player of the library whose turn it is does not answer.
        thinking: The player of the library that is choosing.
        is_preparing: Whether it cannot choose yet.
        rematch_id: The ID of the rematch.
        rematch_request: The seat that asks for a rematch.
        can_analyse: Whether the sender may start an analysis.
        can_try: Whether the sender may try moves beside the game.
        present: The people who are at their seats.
        people_stamp: The text that changes with these facts.
    """

    names: Mapping[Seat, str | None]
    times: Mapping[Seat, float] = field(factory=dict)
    time_control: TimeControl | None = None
    failure: Failure | None = None
    thinking: Thinking | None = None
    is_preparing: bool = False
    rematch_id: str | None = None
    rematch_request: Seat | None = None
    can_analyse: bool = False
    can_try: bool = False
    present: Mapping[Seat, bool | None] = field(factory=dict)
    people_stamp: str = ""


def page_view(
    stored: StoredGame,
    shown: ShownGame,
    request: Request,
    facts: SiteFacts,
    *,
    base_version: int | None = None,
    plies_kept: int | None = None,
) -> dict[str, object]:
    """Return a game for the page of a request.

    Args:
        stored: The game.
        shown: The game with the parts that were drawn before.
        request: The request, with the language and the token.
        facts: What the site knows beside the game.
        base_version: The version that the page has; ``None`` for a whole view.
        plies_kept: The number of plies that the page has of that version.
    """
    return {
        **_game_part(stored, request, facts),
        **_board_part(shown, stored, request.language, plies_kept),
        **_site_part(facts, base_version),
    }


def _game_part(stored: StoredGame, request: Request, facts: SiteFacts) -> dict[str, object]:
    """Return what a view says of the game itself, without its board."""
    game = stored.game
    language = request.language
    named = with_names(stored, language)
    mine = stored.seats_of(request.token)
    is_senders_turn = game.ending is None and game.state.seat_to_move in mine
    people = {seat: "person" if seat in stored.token_hashes else "free" for seat in Seat}
    return {
        "id": stored.id,
        "version": stored.version,
        "language": language.code,
        "seats_taken": len(stored.token_hashes),
        "result": game.result,
        "ending": game.ending.value if game.ending else None,
        "sentence": messages.result(game, named),
        "seats": {seat.value: stored.levels.get(seat, people[seat]) for seat in Seat},
        "yours": [seat.value for seat in Seat if seat in mine],
        "is_thinking": stored.is_computers_turn and facts.failure is None,
        "failure": facts.failure and _failure(facts.failure, language),
        "can_undo": stored.undo_count(mine) is not None,
        "seconds_left": {seat.value: round(left, 3) for seat, left in facts.times.items()},
        "seat_on_clock": stored.seat_on_clock and stored.seat_on_clock.value,
        "draw_offer": stored.draw_offer and stored.draw_offer.value,
        "undo_request": stored.undo_request and stored.undo_request.value,
        "undo_request_count": stored.undo_request
        and stored.requested_undo_count(stored.undo_request),
        "can_request_undo": len(mine) == 1 and stored.requested_undo_count(*mine) is not None,
        "can_abort": stored.can_abort(mine),
        "can_give_time": stored.can_give_time(mine),
        "given_seconds": {seat.value: given for seat, given in stored.given_seconds.items()},
        "declined": stored.declined
        and {**asdict(stored.declined), "seat": stored.declined.seat.value},
        "asked_already": [
            what for what in OFFERS if any(not stored.may_ask(seat, what) for seat in mine)
        ],
        "players": [_player(stored, seat, language) for seat in Seat],
        "snapshot": _snapshot_part(game, named),
        **_choices(game.state, is_senders_turn=is_senders_turn),
    }


def _failure(failure: Failure, language: LanguageCatalog) -> dict[str, object]:
    """Return why a player of the library does not answer."""
    return {**error_content(failure.error, language), "number": failure.number}


def _site_part(facts: SiteFacts, base_version: int | None) -> dict[str, object]:
    """Return what a view says of the site's facts."""
    return {
        "base": base_version,
        "thinking": None if facts.thinking is None else asdict(facts.thinking),
        "is_preparing": facts.is_preparing,
        "rematch_id": facts.rematch_id,
        "rematch_request": facts.rematch_request and facts.rematch_request.value,
        "can_analyse": facts.can_analyse,
        "can_try": facts.can_try,
        "names": {seat.value: facts.names.get(seat) for seat in Seat},
        "time_control": facts.time_control and str(facts.time_control),
        "present": {seat.value: facts.present.get(seat) for seat in Seat},
        "people_stamp": facts.people_stamp,
    }


def _snapshot_part(game: Game, catalog: messages.Catalog) -> dict[str, object]:
    """Return whose turn it is, with sentences: some of the fields of a snapshot of the game."""
    state = game.state
    is_over = game.ending is not None
    last = game.line.moves[-1].action if game.line.moves else None
    over = messages.sentence(catalog, "state-over")
    return {
        "phase": Phase.OVER.value if is_over else state.phase.value,
        "turn": state.turn,
        "seat_to_move": None if is_over else state.seat_to_move and state.seat_to_move.value,
        "to_move": None if is_over else state.to_move and state.to_move.value,
        "bridges_left": state.bridges_left,
        "last": last and format_action(last),
        "sentences": {
            "state": over if is_over else state_of_play(state, catalog),
            "last": last and last_sentence(state, last, catalog),
            "result": messages.result(game, catalog) if is_over else None,
        },
        "winning_seat": game.winning_seat and game.winning_seat.value,
    }


def _board_part(
    shown: ShownGame, stored: StoredGame, language: LanguageCatalog, plies_kept: int | None
) -> dict[str, object]:
    """Return the board and the list of moves of a game: the plies that a page does not have.

    Args:
        shown: The game with the parts that were drawn before.
        stored: The game.
        language: The language of the page.
        plies_kept: The number of plies that the page has; ``None`` for a page that has nothing.
    """
    plies = shown.plies(stored.game, plies_kept or 0)
    if plies_kept is not None:
        return plies
    board = stored.game.rules.board
    names = cell_names(board.width, board.height)
    rows = [names[start : start + board.width] for start in range(0, len(names), board.width)]
    grid = _grid(layers.upright(board, language).layout)
    rules = format_rules(stored.game.rules)
    frame = {**shown.frame(), "grid": grid, "rows": rows[::-1], "rules": rules}
    return {**plies, "frame": frame}


def _choices(state: GameState, *, is_senders_turn: bool) -> dict[str, object]:
    """Return all data that a page needs to show the next two clicks without a request.

    Lists of cells are written in one text, which is shorter.
    """
    if not is_senders_turn:
        return {"other_actions": [], "choices": None}
    found = cast(Choices, choices(state, is_over=False))
    other_actions = [*map(format_action, found["other_actions"])]
    if state.to_move is None:
        return {"other_actions": other_actions, "choices": None}
    offered = {
        "targets": " ".join(found["targets"]),
        "conflicts": {cell: " ".join(others) for cell, others in found["conflicts"].items()},
        "buildable": " ".join(found["buildable"]),
    }
    return {"other_actions": other_actions, "choices": offered}


def _player(stored: StoredGame, seat: Seat, language: LanguageCatalog) -> dict[str, object]:
    """Return a row of the score table; before the colour choice it has only a name."""
    state = stored.game.state
    color = state.color_of(seat)
    name = player_name(stored, seat, language)
    if color is None:
        return {"name": name}
    return {
        "name": name,
        "color": messages.word(color, language),
        "side": color.value,
        **asdict(state.score(color)),
        "tiles_left": state.tiles_left(color),
    }


def error_response(error: PonteError, language: LanguageCatalog) -> Response:
    """Return the response for an error, with its sentence, its code, and the broken rules."""
    content = error_content(error, language)
    status = 422
    match error:
        case SiteError():
            status = error.status
        case NotationError():
            status = 400
        # Limit the list: a short text can break a rule in ten thousand places.
        case InvalidPositionError(violations=broken) | IllegalActionError(violations=broken):
            content["violations"] = violations_content(broken[:MAX_NAMED_VIOLATIONS], language)
    return Response(content, status)


def error_content(error: PonteError, language: LanguageCatalog) -> dict[str, object]:
    """Return an error for a page: its sentence, and its code for programs."""
    return {"error": messages.explain(error, language), "code": error.code}


def violations_content(
    violations: Iterable[Violation], language: LanguageCatalog
) -> list[Mapping[str, object]]:
    """Return broken rules for a page: their sentences, and their cells by their roles."""
    return [
        {
            "code": each.code,
            "text": messages.explain(each, language),
            "cells": {role: [*map(str, cells)] for role, cells in each.roles.items()},
            "bridges": [*map(str, each.bridges)],
        }
        for each in violations
    ]
