"""The routes of the site, with their handlers.

They need attrs alone. :mod:`pontedeldiavolo.web.http` serves them over HTTP, and
:func:`dispatch` serves them in a web worker in the user's browser.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from threading import Lock
from time import monotonic
from typing import Final, TypeAlias, cast, final

from attrs import Factory, evolve, field, frozen

from pontedeldiavolo import presets, records
from pontedeldiavolo.base.catalogs import rules_summary
from pontedeldiavolo.base.enums import Color, Ending, Seat
from pontedeldiavolo.base.errors import NotationError, PonteError
from pontedeldiavolo.base.messages import LANGUAGES, Language
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.html.page import parts
from pontedeldiavolo.json import snapshot
from pontedeldiavolo.notation.actions import parse_action, parse_cell, parse_on
from pontedeldiavolo.notation.rules import parse_rules
from pontedeldiavolo.notation.setups import parse_setup
from pontedeldiavolo.notation.states import parse_state
from pontedeldiavolo.players.registry import by_name
from pontedeldiavolo.records.codec import value_of
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.violations import NAMED, IllegalActionError, InvalidPositionError
from pontedeldiavolo.state.state import GameState

from . import store
from .answers import Answers, Failure
from .clients import Shares
from .clocks import Clocks
from .requests import Fields, Request, Response, SiteError, page_texts
from .store import (
    BOTH_SEATS,
    CLOCK,
    DRAW_OFFER,
    NEXT_GAME,
    TURN_BEGAN,
    TURN_TOOK,
    Store,
    StoredGame,
    hash_token,
    id_of,
)
from .thinkers import LEVELS, SMALLEST_SEARCH, AnalysisJob, Level, Thinkers
from .views import analysis_view, explained, game_view, problem

SEATS: Final = {seat.value: seat for seat in Seat}
COLORS: Final = {color.value: color for color in Color}
MAX_ANALYSES: Final = 50
"""The maximum number of stored analyses."""
KEY: Final = re.compile(r"[A-Za-z0-9_-]{32,64}")
"""The form of the key of a request that may be repeated."""
MAX_NAME: Final = 40
"""The maximum length of the name of a person."""


def _new_answers(site: Site) -> Answers | None:
    """Return the answers of a site with threads for its players."""
    if site.thinkers is None:
        return None

    def notify(name: str) -> None:
        site.store.on_change(name)

    return Answers(
        site.thinkers,
        choose=lambda stored: _with_answers(site, stored.game, stored.computer),
        keep=partial(_change, site),
        notify=notify,
    )


@final
@frozen
class Site:
    """The games of a site. Threads may share it.

    Attributes:
        store: The games.
        new_seed: Returns a new seed for each action of a player of this library.
        max_side: The maximum length of a side of the board in a new game.
        thinkers: The threads of players of this library; without them, players answer at once.
        now: Returns the time in seconds, of a clock that never jumps; the time of day does.
        shares: The clients' shares of the games that the store can take.
        analyses: The latest analyses, by the IDs of their games.
        lock: The lock for changes of *analyses*.
        clocks: The clocks of the games.
        answers: The answers that threads look for; ``None`` if players answer at once.
    """

    store: Store
    new_seed: Callable[[], int] = field(default=partial(secrets.randbits, 32))
    max_side: int = Board.MAX_SIDE
    thinkers: Thinkers | None = None
    now: Callable[[], float] = monotonic
    shares: Shares = field(factory=Shares)
    analyses: dict[str, AnalysisJob] = field(init=False, factory=dict)
    lock: Lock = field(init=False, factory=Lock)
    clocks: Clocks = field(
        init=False, default=Factory(lambda site: Clocks(site.store, site.now), takes_self=True)
    )
    answers: Answers | None = field(init=False, default=Factory(_new_answers, takes_self=True))

    def respond(self, handler: Handler, request: Request) -> Response:
        """Return the response of a handler, or a refusal."""
        try:
            return handler(self, request)
        except PonteError as error:
            return refusal(error, request.language)
        except Exception:
            # A fault of the server, whose page shows a sentence for it, too.
            logging.getLogger(__name__).exception("A request has failed.")
            return refusal(SiteError("internal-error", 500), request.language)


Handler: TypeAlias = Callable[[Site, Request], Response]


@final
@frozen
class Route:
    """A route: the HTTP method, the template of the path, and the handler."""

    method: str
    path: str
    handler: Handler


def refusal(error: PonteError, language: Language) -> Response:
    """Return the response for an error, with its sentence and its code."""
    content = problem(error, language)
    status = 422
    match error:
        case SiteError():
            status = error.status
        case NotationError():
            status = 400
        # Limit the list: a short text can break a rule in ten thousand places.
        case InvalidPositionError(violations=broken) | IllegalActionError(violations=broken):
            content["violations"] = explained(broken[:NAMED], language)
    return Response(content, status)


def dispatch(site: Site, method: str, path: str, request: Request) -> Response:
    """Respond without HTTP, as in a web worker."""
    for route in ROUTES:
        found = re.fullmatch(route.path.replace("{game}", "(?P<game>[^/]+)"), path)
        if found and method != route.method:
            return refusal(SiteError("no-such-method", 405, method=method), request.language)
        if found:
            asked = evolve(request, game=found.groupdict().get("game", ""))
            return site.respond(route.handler, asked)
    return refusal(SiteError("no-such-page", 404), request.language)


# Handlers


def _words(site: Site, request: Request) -> Response:
    """Return the texts of the page, the presets of rules and the levels of play."""
    failure = None
    if site.thinkers is not None:
        site.thinkers.warm_up()
        failure = site.thinkers.failure
    return Response(
        {
            "failure": failure and problem(failure, request.language),
            "levels": {name: level.is_available for name, level in LEVELS.items()},
            "words": page_texts(request.language),
            "languages": {code: each.name for code, each in LANGUAGES.items()},
            "rules": [*presets.names()],
        }
    )


def _rules(_site: Site, request: Request) -> Response:
    """Return the summary of the rules, with boards as pictures."""
    return Response(_rules_page(request.language))


@cache
def _rules_page(language: Language) -> dict[str, object]:
    """Return the summary of the rules in a language; it is drawn once."""
    title, sections = rules_summary(language.code)
    texts = []
    for section in sections:
        games = (Game.new(start=parse_state(board.state)) for board in section.boards)
        boards = [parts(game, language.catalog)[0] for game in games]
        texts.append({"heading": section.heading, "text": section.text, "boards": boards})
    return {"title": title, "sections": texts}


def _create(site: Site, request: Request) -> Response:
    """Create a game, with the person who requests it in one seat or both."""
    fields = request.fields
    opened = _opened_game(request.fields)
    start = opened.state
    if max(start.rules.board.width, start.rules.board.height) > site.max_side:
        raise SiteError("side-too-long", 422, most=site.max_side)
    computer, own = _seating(fields, start)
    # A state that has no snapshot is refused now, before it is stored.
    snapshot(start)
    names = _names(fields, own) | _names_of_levels(computer)
    if "clock" in fields:
        names[CLOCK] = fields.require("clock", str)
        # Clock readings in a record would be taken for readings of the new clocks.
        has_readings = any(move.clock is not None for move in opened.line.moves)
        if has_readings or not store.TIMES.fullmatch(names[CLOCK]):
            raise SiteError("bad-field", 400, name="clock")
    key = _key(fields)
    token = key or secrets.token_urlsafe(24)
    name = None if key is None else id_of(key)
    if name is not None and site.store.has(name):
        # A request that is repeated because its response was lost succeeds even at a limit.
        stored = site.store.load(name)
    else:
        game = _answered(site, _with_tags(opened, names), computer, request.client)
        game = _with_new_turn(game, version=1)
        seats = dict.fromkeys(own, hash_token(token))
        stored = _stored_new(site, request, game, seats, computer, name)
    site.clocks.seconds_used(stored)
    _think(site, stored, request.client)
    view = _view(site, evolve(request, token=token), stored)
    return Response({**view, "token": token}, 201, {"Location": f"/games/{stored.id}"})


def _take_seat(site: Site, request: Request) -> Response:
    """Take a free seat; a token that already has one seat gets the other one, too."""
    fields = request.fields
    seat = fields.choice("seat", SEATS)
    key = _key(fields)
    stored = site.store.load(request.game)
    token = key or secrets.token_urlsafe(24)
    if stored.seats_of(request.token):
        token = request.token
    # A request that is repeated because its response was lost succeeds again.
    if key is None or seat not in stored.seats_of(key):
        names = _names(fields, [seat])
        stored = site.store.take_seat(request.game, seat, hash_token(token), names)
        site.clocks.seconds_used(stored)
    else:
        token = key
    view = _view(site, evolve(request, token=token), stored)
    return Response({**view, "seat": seat.value, "token": token}, 201)


def _show(site: Site, request: Request) -> Response:
    """Return a game to anybody; nothing (204) if it has not changed since the last request."""
    stored = _load(site, request)
    # After a restart of the server, no thread is thinking about the game.
    _think(site, stored, request.client)
    failure = _failure(site, stored)
    version = str(stored.version)
    taken = str(len(stored.seats))
    failed = "" if failure is None else str(failure.number)
    query = request.query
    # A client that does not say which failure it knows is told at the end of its wait: told
    # immediately, it would immediately ask again.
    known = query.get("failed", failed if request.is_waiting else "")
    if (query.get("after"), query.get("taken", taken), known) == (version, taken, failed):
        return Response(status=204)
    return Response(_view(site, request, stored))


def _record(site: Site, request: Request) -> Response:
    stored = site.store.load(request.game)
    headers = {"Content-Disposition": f'attachment; filename="{stored.id}.pdd"'}
    return Response(records.dumps(_without_notes(stored.game)), headers=headers)


def _why(site: Site, request: Request) -> Response:
    """Explain why one tile or a whole action is not legal; nothing is played."""
    state = site.store.load(request.game).game.state
    query = request.query
    if not {"cell", "action"} & query.keys():
        raise SiteError("bad-query", 400)
    board = state.rules.board
    step: Action | PlaceTile
    if "cell" in query:
        step = PlaceTile(parse_on(board, parse_cell, query["cell"]))
    else:
        step = parse_on(board, parse_action, query["action"])
    return Response({"violations": explained(state.violations(step), request.language)})


def _click(site: Site, request: Request) -> Response:
    """Handle a click; the first click of a turn is not stored."""
    stored = _require_turn(site, request)
    fields = request.fields
    state = stored.game.state
    board = state.rules.board
    cell = parse_on(board, parse_cell, fields.require("cell", str))
    if "first" not in fields:
        return Response({"first": str(cell), "second": [*map(str, _second_clicks(state, cell))]})
    first = parse_on(board, parse_cell, fields.require("first", str))
    if first == cell:
        return Response({"first": None, "second": []})
    has_tile = any(first in state.position.tiles(color) for color in Color)
    action = BuildBridge(first, cell) if has_tile else PlaceTiles(first, cell)
    return _play(site, request, stored, action)


def _act(site: Site, request: Request) -> Response:
    """Play a whole action: the choice of a colour, a pass, or any other."""
    stored = _require_turn(site, request)
    text = request.fields.require("action", str)
    action = parse_on(stored.game.rules.board, parse_action, text)
    return _play(site, request, stored, action)


def _undo(site: Site, request: Request) -> Response:
    stored, own = _require_seat(site, request)
    if (count := stored.undo_count(own)) is None:
        raise SiteError("nothing-to-undo", 409)
    return _replace(site, request, stored, stored.game.undo(count))


def _resign(site: Site, request: Request) -> Response:
    """Resign at any time; a person with both seats must name the seat that resigns."""
    stored, own = _require_seat(site, request)
    fields = request.fields
    _require_unfinished(stored)
    seat, *more = [fields.choice("seat", SEATS)] if "seat" in fields else own
    if more:
        raise SiteError("bad-field", 400, name="seat")
    if seat not in own:
        raise SiteError("not-your-seat", 403)
    return _replace(site, request, stored, stored.game.resign(seat))


def _offer_draw(site: Site, request: Request) -> Response:
    """Offer a draw, or accept the other seat's offer; with both seats, the draw is agreed."""
    stored, own = _require_seat(site, request)
    _require_unfinished(stored)
    if own | {stored.draw_offer} >= BOTH_SEATS:
        return _replace(site, request, stored, stored.game.end(Ending.AGREEMENT))
    [seat] = own
    # A new version would cause the other player's next request to be refused.
    if stored.draw_offer is seat:
        return Response(_view(site, request, stored))
    offer = {DRAW_OFFER: f"{seat.value} {stored.version + 1}"}
    return _replace(site, request, stored, _with_tags(stored.game, offer))


def _analyse(site: Site, request: Request) -> Response:
    """Start an analysis after *ply* actions, or of the whole game with -1; stop the last one."""
    fields = request.fields
    stored = _load(site, request)
    if not _can_analyse(site, request, stored):
        raise SiteError("no-analysis", 403)
    job = None
    if "ply" in fields:
        ply = fields.require("ply", int)
        game = stored.game
        job = AnalysisJob(
            game, None if ply == -1 else ply, request.language.catalog, client=request.client
        )
        if not -1 <= ply <= len(game.actions) or (ply >= 0 and job.state.is_over):
            raise SiteError("bad-field", 400, name="ply")
    with site.lock:
        if job:
            _begin_analysis(site, job, stored.id)
        elif stored.id in site.analyses:
            site.analyses[stored.id].is_stopped = True
    return Response({}, 202)


def _begin_analysis(site: Site, job: AnalysisJob, name: str) -> None:
    """Queue an analysis in the place of the game's last one; the site must be locked.

    Raises:
        SiteError: If too many analyses of the client are waiting.
    """

    def run() -> None:
        job.run()
        site.store.on_change(name)

    if not cast(Thinkers, site.thinkers).submit_analysis(job, run, job.client):
        raise SiteError("thinkers-busy", 503)
    if name in site.analyses:
        site.analyses.pop(name).is_stopped = True
    while len(site.analyses) >= MAX_ANALYSES:
        # The client with the most results gives up the oldest of them.
        counts = Counter(each.client for each in site.analyses.values())
        most = max(counts, key=counts.__getitem__)
        oldest = next(key for key, each in site.analyses.items() if each.client == most)
        site.analyses.pop(oldest).is_stopped = True
    site.analyses[name] = job


def _analysis(site: Site, request: Request) -> Response:
    """Return the result of an analysis; nothing (204) while it goes on."""
    job = site.analyses.get(request.game)
    if job is None:
        raise SiteError("no-such-analysis", 404)
    if not job.is_of(site.store.load(request.game).game):
        # An action has been undone: nobody waits for what was thought about it.
        job.is_stopped = True
        raise SiteError("analysis-outdated", 409)
    job.asked_at = monotonic()
    if not job.is_over:
        return Response(status=204)
    if job.has_failed:
        raise SiteError("analysis-failed", 500)
    return Response(analysis_view(job, request.language.catalog))


def _answer(site: Site, request: Request) -> Response:
    """Let a player of this library try again to choose, or let one of another level choose."""
    stored, own = _require_seat(site, request)
    fields = request.fields
    _require_unfinished(stored)
    if not stored.is_thinking:
        raise SiteError("not-computers-turn", 409)
    if "opponent" in fields:
        computer = _computer(fields, stored.game.state, own)
        game = _with_tags(stored.game, _names_of_levels(computer))
        game = _answered(site, game, computer, request.client)
        return _replace(site, request, evolve(stored, computer=computer), game)
    if site.answers is not None:
        site.answers.retry(stored, request.client)
    return Response(_view(site, request, site.store.load(stored.id)))


def _rematch(site: Site, request: Request) -> Response:
    """Create a rematch from the same start with exchanged seats, or return the existing one."""
    stored, _ = _require_seat(site, request, any_version=True)
    if (name := _next(site, stored)) is not None:
        return Response({"id": name}, 201)
    game = stored.game
    # If another request has claimed the rematch just now, its version is another one.
    if request.fields["version"] != stored.version and stored.next_id is None:
        raise SiteError("outdated", 409)
    if game.ending is None:
        raise SiteError("game-not-ended", 409)
    names = {"First": "Second", "Second": "First", CLOCK: CLOCK}
    tags = {names[name]: value for name, value in game.tags.items() if name in names}
    computer = {seat.opponent: name for seat, name in stored.computer.items()}
    fresh = _answered(site, Game.new(tags=tags, start=game.start), computer, request.client)
    site.shares.require_place(request.client, site.store.places_left)
    begun = site.store.create_next(stored, _with_new_turn(fresh, version=1))
    site.shares.count_game(request.client)
    site.clocks.seconds_used(begun)
    _think(site, begun, request.client)
    return Response({"id": begun.id}, 201)


ROUTES: Final = (
    Route("GET", "/words", _words),
    Route("GET", "/rules", _rules),
    Route("POST", "/games", _create),
    Route("GET", "/games/{game}", _show),
    Route("POST", "/games/{game}/seats", _take_seat),
    Route("POST", "/games/{game}/clicks", _click),
    Route("POST", "/games/{game}/actions", _act),
    Route("GET", "/games/{game}/why", _why),
    Route("POST", "/games/{game}/undo", _undo),
    Route("POST", "/games/{game}/resignation", _resign),
    Route("POST", "/games/{game}/draw", _offer_draw),
    Route("POST", "/games/{game}/answer", _answer),
    Route("POST", "/games/{game}/rematch", _rematch),
    Route("POST", "/games/{game}/analyses", _analyse),
    Route("GET", "/games/{game}/analysis", _analysis),
    Route("GET", "/games/{game}/record", _record),
)


# Helpers of handlers


def _require_seat(
    site: Site, request: Request, *, any_version: bool = False
) -> tuple[StoredGame, frozenset[Seat]]:
    """Return the latest version of a game and the player's seats; refuse outdated requests."""
    stored = _load(site, request)
    own = stored.seats_of(request.token)
    if not own:
        raise SiteError("no-seat", 403)
    version = request.fields.require("version", int)
    if version != stored.version and not any_version:
        raise SiteError("outdated", 409)
    return stored, own


def _require_turn(site: Site, request: Request) -> StoredGame:
    stored, own = _require_seat(site, request)
    _require_unfinished(stored)
    if stored.game.state.seat_to_move not in own:
        raise SiteError("not-your-turn", 403)
    return stored


def _require_unfinished(stored: StoredGame) -> None:
    if stored.game.ending is not None:
        raise SiteError("game-ended", 409)


def _play(site: Site, request: Request, stored: StoredGame, action: Action) -> Response:
    """Play an action if it is legal, and let players of this library answer."""
    game = stored.game
    clock = None
    if times := site.clocks.times_left(stored):
        left = times[cast(Seat, game.state.seat_to_move)]
        increment = game.tags[CLOCK].split("+")[1]
        # Clock readings in the list of moves are rounded to tenths of seconds.
        clock = round(left + int(increment), 1)
    game = game.play(action, clock=clock)
    game = _answered(site, game, stored.computer, request.client)
    return _replace(site, request, stored, game)


def _replace(site: Site, request: Request, old: StoredGame, game: Game) -> Response:
    """Store the next version of a game, let players of this library answer, and show it."""
    stored = _change(site, old, game)
    _think(site, stored, request.client)
    return Response(_view(site, request, stored))


def _change(site: Site, old: StoredGame, game: Game) -> StoredGame:
    """Store the next version of a game, without what belonged to the last one.

    An offer of a draw and a failure of the computer end with the version that they belong to. A
    game that goes on after its end has no rematch. The clock goes on in the same turn and begins
    again in another one.
    """
    version = old.version + 1
    is_same_turn = game.actions == old.game.actions and old.game.ending is None
    if not is_same_turn or game.ending is not None:
        game = _with_tags(game, {DRAW_OFFER: None})
    if old.game.ending is not None and game.ending is None:
        game = _with_tags(game, {NEXT_GAME: None})
    if not is_same_turn and game.ending is None:
        game = _with_new_turn(game, version)
    elif CLOCK in game.tags:
        game = _with_tags(game, {TURN_TOOK: f"{site.clocks.seconds_used(old):.3f}"})
    stored = site.store.replace(old, game)
    if site.answers is not None:
        site.answers.forget(stored.id)
    # Its clock runs from now on, whether or not anybody looks at the game.
    site.clocks.seconds_used(stored)
    return stored


def _load(site: Site, request: Request) -> StoredGame:
    """Return a game; if a player's time is up, the game is ended as a loss for the player."""
    stored = site.store.load(request.game)
    seat = stored.running
    if seat is None:
        return stored
    if site.clocks.times_left(stored)[seat] > 0:
        site.clocks.save(stored)
        return stored
    try:
        return _change(site, stored, stored.game.lose_on_time(seat))
    except SiteError as error:
        if error.code != "outdated":
            raise
        # Another request has changed the game at the same time.
        return site.store.load(request.game)


def _view(site: Site, request: Request, stored: StoredGame) -> dict[str, object]:
    view = game_view(
        stored, request, site.clocks.times_left(stored), failure=_failure(site, stored)
    )
    more = {
        "is_preparing": _is_preparing(site, stored),
        "next": _next(site, stored),
        "can_analyse": _can_analyse(site, request, stored),
    }
    return {**view, **more}


def _is_preparing(site: Site, stored: StoredGame) -> bool:
    """Return whether a player cannot choose yet, because its search is being compiled."""
    if site.thinkers is None or not site.thinkers.is_preparing or not stored.is_thinking:
        return False
    return bool(LEVELS[stored.computer[cast(Seat, stored.game.state.seat_to_move)]].needs)


def _failure(site: Site, stored: StoredGame) -> Failure | None:
    """Return why a player of this library does not answer; ``None`` if nothing has failed."""
    if site.answers is None or not stored.is_thinking:
        return None
    return site.answers.failure(stored)


def _next(site: Site, stored: StoredGame) -> str | None:
    """Return the ID of the rematch; ``None`` if there is no such game, or not any more."""
    name = stored.next_id
    return name if name is not None and site.store.has(name) else None


def _can_analyse(site: Site, request: Request, stored: StoredGame) -> bool:
    """Return whether a person may start an analysis: not while playing against somebody."""
    own = stored.seats_of(request.token)
    is_fair = own == BOTH_SEATS or (own and stored.game.ending is not None)
    is_small = len(stored.game.rules.board) <= SMALLEST_SEARCH.max_cells
    return bool(is_fair and is_small and site.thinkers is not None and SMALLEST_SEARCH.is_available)


def _with_new_turn(game: Game, version: int) -> Game:
    """Return a game in which a turn begins with a version; as it is without clocks."""
    if CLOCK not in game.tags:
        return game
    return _with_tags(game, {TURN_BEGAN: str(version), TURN_TOOK: None})


def _answered(site: Site, game: Game, computer: Mapping[Seat, str], client: str) -> Game:
    """Return a game with the answers of players of this library, unless threads find them.

    Raises:
        SiteError: If too many games of the client are waiting for these threads.
    """
    if site.thinkers is None:
        return _with_answers(site, game, computer)
    if game.state.seat_to_move in computer:
        site.thinkers.require_capacity(client)
    return game


def _think(site: Site, stored: StoredGame, client: str) -> None:
    """Let a thread find the answer of a player of this library, if it is its turn.

    The thread's time counts for the client whose request needs the answer.
    """
    if site.answers is not None and stored.is_thinking:
        site.answers.want(stored, client)


def _stored_new(
    site: Site,
    request: Request,
    game: Game,
    seats: Mapping[Seat, str],
    computer: Mapping[Seat, str],
    name: str | None,
) -> StoredGame:
    """Store a new game, and count it for the client.

    Raises:
        SiteError: If the client has started more than its share of games, or the store is full.
    """
    site.shares.require_place(request.client, site.store.places_left)
    stored = site.store.create(game, seats=seats, computer=computer, name=name)
    site.shares.count_game(request.client)
    return stored


def _with_answers(site: Site, game: Game, computer: Mapping[Seat, str]) -> Game:
    """Return a game after the actions of players of this library, until it is a person's turn.

    Raises:
        SiteError: If a player fails, or chooses no legal action.
    """
    while game.ending is None and (name := computer.get(cast(Seat, game.state.seat_to_move))):
        try:
            player = by_name(LEVELS[name].player).for_game(site.new_seed())
            game = game.play(player.choose(game.state))
        except Exception as error:
            logging.getLogger(__name__).exception("The player %s has failed.", name)
            raise SiteError("computer-failed", 500) from error
    return game


def _key(fields: Fields) -> str | None:
    """Return the key of a request that may be repeated; it becomes the token of the seat."""
    if "key" not in fields:
        return None
    key = fields.require("key", str)
    if not KEY.fullmatch(key):
        raise SiteError("bad-field", 400, name="key")
    return key


def _names(fields: Fields, seats: Iterable[Seat]) -> dict[str, str]:
    """Return the tags for the name of the person who takes seats; none without a name."""
    name = fields.require("name", str).strip()[:MAX_NAME] if "name" in fields else ""
    return {seat.value.capitalize(): name for seat in seats if name}


def _opened_game(fields: Fields) -> Game:
    """Return the game to continue: from a record of any format, or a new one.

    Raises:
        RecordError: If the first game of the record is faulty.
    """
    text = fields.require("start", str) if "start" in fields else ""
    if records.detect(text) is None:
        return Game.new(start=_start(fields, text))
    return _without_notes(value_of(next(records.read(text))))


def _without_notes(game: Game) -> Game:
    """Return a game without the tags of the site, such as seats, clocks and offers of a draw."""
    return game.with_tags({k: v for k, v in game.tags.items() if not k.startswith("Serve")})


def _with_tags(game: Game, tags: Mapping[str, str | None]) -> Game:
    """Return a game with these tags, and without those that are ``None``."""
    found = {**game.tags, **tags}
    return game.with_tags({name: value for name, value in found.items() if value is not None})


def _start(fields: Fields, text: str) -> GameState:
    """Return the start of a game; a set-up is played with the supplies of the rules.

    A set-up does not contain the colour to move, so a field names it.
    """
    to_move = fields.choice("to_move", COLORS) if "to_move" in fields else Color.WHITE
    if "rows=" in text.lower():
        return parse_state(text)
    rules = parse_rules(fields.require("rules", str))
    if not text.strip():
        return GameState.initial(rules)
    setup = parse_setup(text)
    rules = evolve(rules, board=setup.board)
    return GameState.from_position(setup.position(), rules=rules, to_move=to_move)


def _seating(fields: Fields, start: GameState) -> tuple[dict[Seat, str], frozenset[Seat]]:
    """Return the seats of players of this library, and the seats of the person."""
    level = fields.choice("opponent", {"none": None, **LEVELS}) if "opponent" in fields else None
    one = {name: frozenset([seat]) for name, seat in SEATS.items()}
    if level is None:
        any_seats = {**one, "both": BOTH_SEATS}
        return {}, fields.choice("seat", any_seats) if "seat" in fields else BOTH_SEATS
    _require_playable(level, start)
    own = fields.choice("seat", one)
    return _computer(fields, start, own), own


def _computer(fields: Fields, state: GameState, own: frozenset[Seat]) -> dict[Seat, str]:
    """Return the level that a field names, for the seats of players of this library.

    Raises:
        SiteError: If it cannot be played.
    """
    _require_playable(fields.choice("opponent", LEVELS), state)
    return dict.fromkeys(BOTH_SEATS - own, fields.require("opponent", str))


def _require_playable(level: Level, state: GameState) -> None:
    """Refuse a level whose packages are missing, or which takes too long on a board.

    Raises:
        SiteError: If it cannot be played.
    """
    if not level.is_available:
        raise SiteError("opponent-unavailable", 422)
    if len(state.rules.board) > level.max_cells:
        raise SiteError("board-too-large", 422, most=level.max_cells)


def _names_of_levels(computer: Mapping[Seat, str]) -> dict[str, str]:
    """Return the tags with the names of players of this library."""
    return {
        seat.value.capitalize(): name.replace("-", " ").capitalize()
        for seat, name in computer.items()
    }


def _second_clicks(state: GameState, cell: Cell) -> Iterable[Cell]:
    """Return the cells for a second click, after a first one on a tile or on water."""
    if bridges := state.legal_actions.bridges_from(cell):
        return [each.b if each.a == cell else each.a for each in bridges]
    if state.to_move is not None and cell in state.position.tiles(state.to_move):
        raise SiteError("no-bridge", 422, cell=str(cell))
    return state.step(PlaceTile(cell)).second_tiles
