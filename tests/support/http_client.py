"""A client that calls the routes of the site without HTTP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, cast

from attrs import field, frozen

import pontedeldiavolo as pdd
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.web.requests import Request, Response
from pontedeldiavolo.web.routes import dispatch
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore

from .page_views import View, changed, view_of

SMALL = "6x5 tiles=unlimited bridges=6 tiebreaks=islands,bridges"
BY_AN_ISLAND = ("a1,b1", "red", "f1,f5", "a2,b2", "f2,d5")
"""A state with white to move, in which a tile on c3 would touch an island at a corner."""
AT_THE_ISLAND = {
    "en": "The island a1, b1, a2, b2 would be touched by tiles of its own colour: c3.",
    "de": "Die Insel a1, b1, a2, b2 würde von Steinen ihrer Farbe berührt: c3.",
}


def at_the_island(lang: str) -> dict[str, object]:
    """Return the sentence about c3 in a language; unknown languages get English."""
    return {
        "code": "island-touched",
        "text": AT_THE_ISLAND.get(lang, AT_THE_ISLAND["en"]),
        "cells": {"island": ["a1", "b1", "a2", "b2"], "touching": ["c3"], "new": ["c3"]},
        "bridges": [],
    }


def snapshot(game: pdd.Game, catalog: Catalog = pdd.messages.LANGUAGES["en"]) -> object:
    return pdd.json.snapshot(game, catalog=catalog)["value"]


def fixed_seed() -> int:
    return 7


def new_site() -> Site:
    return Site(MemoryStore(), fixed_seed)


@frozen
class Guest:
    """A user who watches a game or plays."""

    site: Site = field(factory=new_site)
    game: str = ""
    token: str = ""
    query: Mapping[str, str] = field(factory=dict)
    _views: list[View] = field(factory=list, init=False, repr=False, eq=False)
    """The last view of the game, to which changes are applied."""

    def raw(self, method: str, path: str, body: bytes = b"", **query: str) -> Response:
        """Send any request."""
        request = Request({**self.query, **query}, body, self.token)
        return dispatch(self.site, method, path, request)

    def get(self, path: str = "", status: int = 200, **query: str) -> Any:
        """Send a GET request about the game."""
        answer = self.raw("GET", f"/games/{self.game}{path}", b"", **query)
        assert answer.status == status, answer.content
        return self._shown(answer.content)

    def _shown(self, content: Any) -> Any:
        """Return the view that a response makes; any other response as it is.

        A change of a version that this user has not seen gives a view without a board.
        """
        if not isinstance(content, dict) or "plies" not in content:
            return content
        view = changed(next(iter(self._views), None), content)
        if view is None:
            return view_of(content)
        self._views[:] = [view]
        return view

    def raw_post(self, path: str, fields: Mapping[str, object]) -> Any:
        """Send a POST request about the game, and return the content as it is."""
        answer = self.raw("POST", f"/games/{self.game}/{path}", json.dumps(fields).encode())
        assert answer.status == HTTPStatus.OK, answer.content
        return answer.content

    def post(self, path: str, status: int = 200, /, **fields: object) -> Any:
        """Send a POST request about the game."""
        body = json.dumps(fields).encode()
        answer = self.raw("POST", f"/games/{self.game}/{path}", body)
        assert answer.status == status, answer.content
        return self._shown(answer.content)

    def refused_action(self, **fields: Any) -> Any:
        """Send an action that is refused, and return why."""
        answer = self.post("actions", 200, **fields)
        assert answer.keys() == {"refused"}
        return answer["refused"]

    def record(self) -> pdd.Game:
        """Return the record of the game, without the date on which it was begun."""
        found = pdd.records.loads(str(self.raw("GET", f"/games/{self.game}/record").content))
        tags = {name: value for name, value in found.tags.items() if name != "Date"}
        return found.with_tags(tags)

    def refused(self, path: str, status: int, **fields: Any) -> str:
        """Send a POST request that is refused, and return the sentence.

        A refused action has the status 200.
        """
        is_played = path == "actions" and status == HTTPStatus.OK
        said = self.refused_action(**fields) if is_played else self.post(path, status, **fields)
        assert said.keys() >= {"error", "code"}
        sentence: str = said["error"]
        return sentence

    def begin(self, status: int = 201, **fields: object) -> Any:
        """Start a game, and return the response."""
        answer = self.raw("POST", "/games", json.dumps(fields).encode())
        assert answer.status == status, answer.content
        if status != HTTPStatus.CREATED:
            return answer.content
        return changed(None, cast(View, answer.content))

    def seated(self, **fields: object) -> Guest:
        """Return the user who has started a game."""
        return self.at(self.begin(201, **{"rules": SMALL, **fields}))

    def at(self, view: Mapping[str, Any]) -> Guest:
        """Return the user who got a seat by this response."""
        return Guest(self.site, view.get("id", self.game), view["token"], self.query)

    def looking_on(self) -> Guest:
        """Return a user who only knows the address of the game."""
        return Guest(self.site, self.game)

    def play(self, *actions: str) -> Any:
        """Play actions, and return the view of the game after them."""
        shown = self.get()
        for action in actions:
            shown = self.post("actions", version=shown["version"], action=action)
        return shown
