"""Handlers that start, stop and show analyses of games by a player of this library."""

from __future__ import annotations

from collections import Counter
from time import monotonic
from typing import Final, cast

from pontedeldiavolo.game.game import Game

from .names import with_names
from .requests import Request, Response, SiteError
from .site import Site
from .store import StoredGame
from .thinkers import AnalysisJob, Thinkers
from .views import analysis_view

MAX_ANALYSES: Final = 50
"""The maximum number of stored analyses."""
WHOLE_GAME: Final = -1
"""The field ``ply`` of a request for an analysis of the whole game."""


def start(site: Site, request: Request) -> Response:
    """Start an analysis after *ply* actions, or of the whole game; stop the last one."""
    stored = site.load(request.game)
    if not site.can_analyse(stored, request):
        raise SiteError("no-analysis", 403)
    job = _new_job(stored, request) if "ply" in request.fields else None
    with site.lock:
        if job is not None:
            _queue(site, job, stored.id)
        elif stored.id in site.analyses:
            site.analyses[stored.id].is_stopped = True
    return Response({}, 202)


def _new_job(stored: StoredGame, request: Request) -> AnalysisJob:
    """Return the analysis for a request.

    Raises:
        SiteError: If the game has no such state, or is over there.
    """
    game = stored.game
    ply = request.fields.require("ply", int)
    job = AnalysisJob(
        game,
        None if ply == WHOLE_GAME else ply,
        with_names(stored, request.language),
        client=request.client,
    )
    if ply == WHOLE_GAME:
        return job
    if not 0 <= ply <= len(game.actions) or job.state.is_over:
        raise SiteError("bad-field", 400, name="ply")
    return job


def _queue(site: Site, job: AnalysisJob, name: str) -> None:
    """Queue an analysis in the place of the game's last one; the site must be locked.

    Raises:
        SiteError: If too many analyses of the client are waiting.
    """

    def notify() -> None:
        site.store.on_change(name)

    def run() -> None:
        job.run()
        notify()

    job.on_progress = notify

    if not cast(Thinkers, site.thinkers).submit_analysis(job, run, job.client):
        raise SiteError("thinkers-busy", 503)
    if name in site.analyses:
        last = site.analyses.pop(name)
        last.is_stopped = True
        if job.ply is not None:
            # The review of the game stays while its moments are analysed.
            job.review = last if isinstance(last.found, Game) else last.review
    while len(site.analyses) >= MAX_ANALYSES:
        # The client with the most results gives up the oldest of them.
        counts = Counter(each.client for each in site.analyses.values())
        busiest = max(counts, key=counts.__getitem__)
        oldest = next(key for key, each in site.analyses.items() if each.client == busiest)
        site.analyses.pop(oldest).is_stopped = True
    site.analyses[name] = job


def show(site: Site, request: Request) -> Response:
    """Return the result of the latest analysis, or its progress; nothing (204) without news.

    With the query *ply* for the whole game, the result is that of its latest review.
    """
    job = site.analyses.get(request.game)
    if job is not None and job.ply is not None and request.query.get("ply") == str(WHOLE_GAME):
        job = job.review
    if job is None:
        raise SiteError("no-such-analysis", 404)
    stored = site.store.load(request.game)
    game = stored.game
    if not job.is_of(game):
        # An action has been undone, so nobody waits for the analysis any more.
        job.is_stopped = True
        raise SiteError("analysis-outdated", 409)
    job.asked_at = monotonic()
    done = request.query.get("done")
    if not job.is_over:
        # A page that sends the progress that it has seen gets only later progress.
        if done is None or done == str(job.done):
            return Response(status=204)
        return Response({"done": job.done, "total": job.total})
    if job.has_failed:
        raise SiteError("analysis-failed", 500)
    return Response(analysis_view(job, game, with_names(stored, request.language)))
