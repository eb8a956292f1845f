"""Offers of a draw, and requests to undo or for a rematch, which can be declined and withdrawn."""

from __future__ import annotations

from collections.abc import Iterable

from pontedeldiavolo.base.enums import Seat

from .requests import Request, Response, SiteError
from .site import Site
from .store import Declined, StoredGame


def answer_of(request: Request, answers: Iterable[str]) -> str | None:
    """Return the answer to an offer or a request; ``None`` if the HTTP request has none."""
    fields = request.fields
    choices = {answer: answer for answer in answers}
    return fields.choice("answer", choices) if "answer" in fields else None


def announce(
    site: Site,
    request: Request,
    old: StoredGame,
    *,
    draw_offer: Seat | None = None,
    undo_request: Seat | None = None,
    rematch_request: Seat | None = None,
    declined: Declined | None = None,
    withdrawn: tuple[Seat, str] | None = None,
) -> Response:
    """Store a version that informs both players and changes nothing else.

    The arguments are those of :meth:`~pontedeldiavolo.web.store.StoredGame.with_announcement`.
    """
    told = old.with_announcement(
        site.seconds_used(old),
        draw_offer=draw_offer,
        undo_request=undo_request,
        rematch_request=rematch_request,
        declined=declined,
        withdrawn=withdrawn,
    )
    stored = site.store_version(old, told)
    site.think(stored, request.client)
    return Response(site.view(request, stored, old.version))


def require_may_ask(stored: StoredGame, seat: Seat, what: str) -> None:
    """Refuse an offer or a request that a seat has made in vain since its last action.

    Raises:
        SiteError: If it was declined or withdrawn since then.
    """
    if stored.may_ask(seat, what):
        return
    if what == "rematch":
        raise SiteError("rematch-asked-already", 409)
    raise SiteError("asked-already", 409)


def end(
    site: Site,
    request: Request,
    stored: StoredGame,
    own: frozenset[Seat],
    *,
    what: str,
    asking: Seat | None,
    answer: str,
) -> Response:
    """Decline the other player's offer or request, or withdraw one's own.

    Args:
        site: The games.
        request: The HTTP request.
        stored: The game.
        own: The seats of the sender.
        what: An item of :data:`~pontedeldiavolo.web.store.OFFERS`.
        asking: The seat that has asked for it.
        answer: ``decline`` or ``withdraw``.

    Raises:
        SiteError: If nobody has asked, or the wrong one.
    """
    is_own = asking in own
    if asking is None or len(own) > 1 or is_own != (answer == "withdraw"):
        raise SiteError("nothing-offered", 409)
    if is_own:
        return announce(site, request, stored, withdrawn=(asking, what))
    return announce(site, request, stored, declined=Declined(what, asking.opponent))
