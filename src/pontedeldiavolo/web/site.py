"""The games of a site: reading and changing them, with their clocks and the computer's moves.

It depends on attrs only, and contains no HTTP. The handlers of requests call it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from threading import Lock
from time import monotonic
from typing import Final, TypeAlias, cast, final

from attrs import Factory, field, frozen

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.players.player import Analyst
from pontedeldiavolo.players.registry import by_name
from pontedeldiavolo.rules.actions import Action

from .clients import Shares
from .clocks import Clocks
from .computer_moves import ComputerMoves, Failure, Thinking
from .presence import Presence
from .requests import Request, Response, SiteError
from .store import BOTH_SEATS, Store, StoredGame, Versions
from .thinkers import LEVELS, SMALLEST_SEARCH, AnalysisJob, KeptPlayers, Thinkers
from .views import ShownGames, SiteFacts, error_response, page_view

DRAW_BELOW: Final = -0.25
"""The value, from -1 to 1, below which a player of the library accepts a draw."""
CLOCK_DIGITS: Final = 1
"""The decimal places of clock readings in the list of moves."""

Handler: TypeAlias = Callable[["Site", Request], Response]
"""A function that responds to the requests of a route."""
OwnersHandler: TypeAlias = Callable[["Site", Request, StoredGame, frozenset[Seat]], Response]
"""A handler for the owner of seats: it gets the game and these seats as well."""


def _new_computer_moves(site: Site) -> ComputerMoves | None:
    """Return the moves of the computer in a site with threads for its players."""
    if site.thinkers is None:
        return None

    def notify(game_id: str) -> None:
        site.store.on_change(game_id)

    return ComputerMoves(
        site.thinkers,
        choose=lambda stored, is_wanted: site.with_answers(
            stored.game, stored.levels, stored.id, is_wanted
        ),
        keep=site.store_change,
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
        today: Returns the date for the records of new games.
        shares: The clients' shares of the games that the store can take.
        versions: The versions of games that this process has seen.
        shown_games: The games as pages show them.
        players: The players of this library with the search trees of their games.
        analyses: The latest analyses, by the IDs of their games.
        lock: The lock for changes of *analyses*.
        clocks: The clocks of the games.
        computer_moves: The moves that threads look for; ``None`` if players answer at once.
        presence: The people who are at their seats.
    """

    store: Store
    new_seed: Callable[[], int] = field(default=partial(secrets.randbits, 32))
    max_side: int = Board.MAX_SIDE
    thinkers: Thinkers | None = None
    now: Callable[[], float] = monotonic
    today: Callable[[], date] = date.today
    shares: Shares = field(factory=Shares)
    versions: Versions = field(init=False, factory=Versions)
    shown_games: ShownGames = field(init=False, factory=ShownGames)
    players: KeptPlayers = field(init=False, factory=KeptPlayers)
    analyses: dict[str, AnalysisJob] = field(init=False, factory=dict)
    lock: Lock = field(init=False, factory=Lock)
    clocks: Clocks = field(
        init=False, default=Factory(lambda site: Clocks(site.store, site.now), takes_self=True)
    )
    computer_moves: ComputerMoves | None = field(
        init=False, default=Factory(_new_computer_moves, takes_self=True)
    )
    presence: Presence = field(
        init=False, default=Factory(lambda site: Presence(site.now), takes_self=True)
    )

    def respond(self, handler: Handler, request: Request) -> Response:
        """Return the response of a handler, or a refusal."""
        try:
            return handler(self, request)
        except PonteError as error:
            return error_response(error, request.language)
        except Exception:
            # This is a fault of the server; the page shows a sentence for it, too.
            logging.getLogger(__name__).exception("A request has failed.")
            return error_response(SiteError("internal-error", 500), request.language)

    def respond_in_turn(self, request: Request, respond: OwnersHandler) -> Response:
        """Respond to a request that stays valid while no action is played or undone.

        The other player may have made an offer or a request after the version that it names.

        Args:
            request: The request.
            respond: Changes the game for the owner of seats.

        Raises:
            SiteError: If the sender has no seat, or the actions have changed.
        """
        stored, own = self.load_for_turn(request)
        try:
            return respond(self, request, stored, own)
        except SiteError as error:
            if error.code != "outdated":
                raise
        # If the other player has made an offer after the game was read, the turn is still the same.
        return respond(self, request, *self.load_for_turn(request))

    # Reading

    def load(self, game_id: str) -> StoredGame:
        """Return a game; if a player's time is up, the game is ended as a loss for the player."""
        stored = self.store.load(game_id)
        self.versions.note(stored)
        seat = self.seat_out_of_time(stored)
        if seat is None:
            if stored.seat_on_clock is not None:
                self.clocks.save(stored)
            return stored
        try:
            return self.store_change(stored, stored.game.lose_on_time(seat))
        except SiteError as error:
            if error.code != "outdated":
                raise
            # Another request has changed the game at the same time.
            return self.store.load(game_id)

    def seat_out_of_time(self, stored: StoredGame) -> Seat | None:
        """Return the seat whose time is up, although the game is not yet stored as ended."""
        seat = stored.seat_on_clock
        if seat is None or stored.times_left(self.seconds_used(stored))[seat] > 0:
            return None
        return seat

    def load_as_player(self, request: Request) -> tuple[StoredGame, frozenset[Seat]]:
        """Return the game of a request and the seats of its sender.

        Raises:
            SiteError: If the sender has no seat in the game.
        """
        stored = self.load(request.game)
        own = stored.seats_of(request.token)
        if not own:
            raise SiteError("no-seat", 403)
        return stored, own

    def load_for_change(self, request: Request) -> tuple[StoredGame, frozenset[Seat]]:
        """Return the game of a request that changes it, and the seats of its sender.

        Where only the actions matter, :meth:`respond_in_turn` refuses fewer requests.

        Raises:
            SiteError: If the sender has no seat in the game, or has not seen its latest version.
        """
        stored, own = self.load_as_player(request)
        if request.version != stored.version:
            raise SiteError("outdated", 409)
        return stored, own

    def load_for_turn(self, request: Request) -> tuple[StoredGame, frozenset[Seat]]:
        """Return the game of a request that depends on its actions only, and the sender's seats.

        The sender may not have seen the latest offer or request of the other player yet.

        Raises:
            SiteError: If the sender has no seat in the game, or has seen other actions.
        """
        stored, own = self.load_as_player(request)
        if not stored.is_same_turn(request.version):
            raise SiteError("outdated", 409)
        return stored, own

    def view(
        self, request: Request, stored: StoredGame, base_version: int | None = None
    ) -> dict[str, object]:
        """Return a game for the page of a request, as changes to a version that the page has.

        Args:
            request: The request.
            stored: The game.
            base_version: The version that the page has; ``None`` for none. The view is whole as
                well if this process has not seen that version.
        """
        self.versions.note(stored)
        plies_kept = (
            None if base_version is None else self.versions.plies_kept(stored, base_version)
        )
        return page_view(
            stored,
            self.shown_games.find(stored, request.language),
            request,
            self._facts(stored, request),
            base_version=None if plies_kept is None else base_version,
            plies_kept=plies_kept,
        )

    def _facts(self, stored: StoredGame, request: Request) -> SiteFacts:
        """Return what is known beside a game, for the sender of a request."""
        rematch_id = self.rematch_id(stored)
        return SiteFacts(
            names={seat: stored.name_of(seat) for seat in Seat},
            times=stored.times_left(self.seconds_used(stored)),
            time_control=stored.time_control,
            failure=self.failure(stored),
            thinking=self._thinking(stored),
            is_preparing=self._is_preparing(stored),
            rematch_id=rematch_id,
            # A request that was accepted is none any more.
            rematch_request=None if rematch_id is not None else stored.rematch_request,
            can_analyse=self.can_analyse(stored, request),
            can_try=self.can_try(stored, request),
            present=self.presence.of(stored),
            people_stamp=self.people_stamp(stored),
        )

    def people_stamp(self, stored: StoredGame) -> str:
        """Return a text that changes with all else that a page shows, while the version stays.

        This is what people do beside the game, and whether the computer can choose its action yet.
        """
        return self.presence.stamp(
            stored,
            self._is_preparing(stored),
            self._thinking(stored) is not None,
        )

    def seconds_used(self, stored: StoredGame) -> float:
        """Return the seconds that the turn of a game has taken; 0 without clocks."""
        return 0.0 if stored.time_control is None else self.clocks.seconds_used(stored)

    def failure(self, stored: StoredGame) -> Failure | None:
        """Return why a player of this library does not answer; ``None`` if nothing has failed."""
        if self.computer_moves is None or not stored.is_computers_turn:
            return None
        return self.computer_moves.failure(stored)

    def rematch_id(self, stored: StoredGame) -> str | None:
        """Return the ID of the rematch; ``None`` if there is no such game, or not any more."""
        game_id = stored.next_id
        return game_id if game_id is not None and self.store.has(game_id) else None

    def can_analyse(self, stored: StoredGame, request: Request) -> bool:
        """Return whether the sender may start an analysis: not while playing against somebody."""
        own = stored.seats_of(request.token)
        is_fair = own == BOTH_SEATS or (bool(own) and stored.game.ending is not None)
        is_small = len(stored.game.rules.board) <= SMALLEST_SEARCH.max_cells
        if self.thinkers is None or not is_fair or not is_small:
            return False
        return SMALLEST_SEARCH.is_available

    def can_try(self, stored: StoredGame, request: Request) -> bool:
        """Return whether the sender may try moves on a board beside the game.

        Everybody may after the end. Before, only somebody whom no other person opposes and for
        whom no clock runs: against a person, and for those who look on, it would be unfair help.
        """
        if stored.game.ending is not None:
            return True
        own = stored.seats_of(request.token)
        is_alone = bool(own) and own | stored.levels.keys() == BOTH_SEATS
        return is_alone and stored.time_control is None

    def _thinking(self, stored: StoredGame) -> Thinking | None:
        """Return the level that is choosing, since when, and how long this may take."""
        if self.computer_moves is None or not stored.is_computers_turn:
            return None
        return self.computer_moves.thinking(stored)

    def accepts_draw(self, stored: StoredGame) -> bool:
        """Return whether the computer agrees on a draw: if a short search says that it would lose.

        Levels without a search play on. The search takes the thread of the request, so handlers
        call this once for each version, and only when it is the person's turn.
        """
        [(seat, name)] = stored.levels.items()
        is_ready = self.thinkers is not None and self.thinkers.is_ready
        if not is_ready or not LEVELS[name].simulations:
            return False
        player = cast(Analyst, by_name(SMALLEST_SEARCH.player).for_game(self.new_seed()))
        value = player.analyse(stored.game.state).value
        return (value if stored.game.state.seat_to_move is seat else -value) < DRAW_BELOW

    def _is_preparing(self, stored: StoredGame) -> bool:
        """Return whether a player cannot choose yet, because its search is being compiled."""
        if self.thinkers is None or not self.thinkers.is_preparing or not stored.is_computers_turn:
            return False
        seat = cast(Seat, stored.game.state.seat_to_move)
        return bool(LEVELS[stored.levels[seat]].needs)

    # Changing

    def play(self, stored: StoredGame, action: Action, client: str) -> StoredGame:
        """Play an action if it is legal, and let players of this library answer.

        Raises:
            IllegalActionError: If it is not legal.
        """
        clock = None
        if stored.time_control is not None:
            seat = cast(Seat, stored.game.state.seat_to_move)
            left = stored.times_left(self.seconds_used(stored))[seat]
            clock = round(left + stored.time_control.increment, CLOCK_DIGITS)
        game = stored.game.play(action, clock=clock)
        game = self.with_immediate_answers(game, stored.levels, client)
        return self.store_change_and_think(stored, game, client)

    def store_change_and_think(self, old: StoredGame, game: Game, client: str) -> StoredGame:
        """Store the next version of a game, and let a thread find the computer's next action.

        Args:
            old: The version of the game before the change.
            game: The game after the change.
            client: The client that sent the request.
        """
        stored = self.store_change(old, game)
        self.think(stored, client)
        return stored

    def store_change(self, old: StoredGame, game: Game) -> StoredGame:
        """Store a game after a change of its moves or its end as the next version."""
        return self.store_version(old, old.with_change(game, self.seconds_used(old)))

    def store_version(self, old: StoredGame, new: StoredGame) -> StoredGame:
        """Store the next version of a game.

        The work for earlier versions ends: the search for the computer's move, its failure, and an
        analysis of a state that the game has no more. After the end of the game no player is kept.
        The clock of the next turn begins.
        """
        stored = self.store.replace(new, old)
        if self.computer_moves is not None:
            self.computer_moves.forget_earlier(stored)
        if stored.game.ending is not None:
            self.players.forget(stored.id)
        with self.lock:
            analysis = self.analyses.get(stored.id)
            if analysis is not None and not analysis.is_of(stored.game):
                analysis.is_stopped = True
        if stored.time_control is not None:
            self.clocks.begin(stored)
        return stored

    def remove(self, game_id: str) -> None:
        """Remove a game in which no person has acted, and end the work for it."""
        self.store.remove(game_id)
        if not self.store.has(game_id):
            self._forget(game_id)

    def abort(self, stored: StoredGame, own: frozenset[Seat]) -> None:
        """Remove a game that ends without any result, for the owner of seats.

        Raises:
            SiteError: If it has gone too far.
        """
        self.store.abort(stored.id, own)
        self._forget(stored.id)

    def _forget(self, game_id: str) -> None:
        """End the work for a game that was removed."""
        if self.computer_moves is not None:
            self.computer_moves.forget(game_id)
        self.players.forget(game_id)
        self.clocks.forget(game_id)
        with self.lock:
            if game_id in self.analyses:
                self.analyses.pop(game_id).is_stopped = True

    def start(self, client: str, create: Callable[[], StoredGame]) -> StoredGame:
        """Store a new game, count it for the client, and let its first turn begin.

        Args:
            client: The client.
            create: Stores the game.

        Raises:
            SiteError: If the client has started more than its share of games, or the store is full.
        """
        self.shares.require_place(client, self.store.places_left)
        stored = create()
        self.shares.count_game(client)
        if stored.time_control is not None:
            self.clocks.begin(stored)
        self.think(stored, client)
        return stored

    # Players of this library

    def with_immediate_answers(self, game: Game, levels: Mapping[Seat, str], client: str) -> Game:
        """Return a game with the answers of players of this library, if they answer at once.

        With threads, they find the answer later. The game is then returned as it is, and they are
        only required to have capacity for the answer.

        Raises:
            SiteError: If too many games of the client are waiting for these threads.
        """
        if self.thinkers is None:
            return self.with_answers(game, levels)
        if game.state.seat_to_move in levels:
            self.thinkers.require_capacity(client)
        return game

    def think(self, stored: StoredGame, client: str) -> None:
        """Let a thread find the answer of a player of this library, if it is its turn.

        The thread's time counts for the client whose request needs the answer.
        """
        if self.computer_moves is not None and stored.is_computers_turn:
            self.computer_moves.request(stored, client)

    def with_answers(
        self,
        game: Game,
        levels: Mapping[Seat, str],
        game_id: str | None = None,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> Game:
        """Return a game after the actions of players of this library, until it is a person's turn.

        Args:
            game: The game.
            levels: The levels of the players.
            game_id: The ID of the game, for which the player and its search tree are kept.
            is_wanted: Returns whether the game still waits for the actions. If not, a search ends,
                and its player is not kept.

        Raises:
            SiteError: If a player fails, or chooses no legal action.
        """
        while game.ending is None and (name := levels.get(cast(Seat, game.state.seat_to_move))):
            try:
                level = LEVELS[name]
                kept = None if game_id is None else self.players.take(game_id, name)
                player = kept or by_name(level.spec).for_game(self.new_seed())
                game = game.play(level.choose(player, game.state, is_wanted))
                if game_id is not None and game.ending is None:
                    self.players.keep(game_id, name, player, is_wanted)
            except Exception as error:
                logging.getLogger(__name__).exception("The player %s has failed.", name)
                raise SiteError("computer-failed", 500) from error
        return game
