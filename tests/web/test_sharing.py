"""Tests of sharing a game: records, pictures of moments, replay pages and animations."""

from __future__ import annotations

import importlib.util
import io
import re
from datetime import date
from itertools import count
from random import Random
from threading import Event, Thread
from typing import Any

import pytest
from attrs import evolve

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.web import sharing
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore
from support.http_client import BY_AN_ISLAND, SMALL, Guest, fixed_seed


def begun(**fields: Any) -> Guest:
    site = Site(MemoryStore(), fixed_seed, today=lambda: date(2026, 2, 3))
    return Guest(site).seated(rules=SMALL, **fields)


def file(guest: Guest, path: str, **query: str) -> Any:
    answer = guest.raw("GET", f"/games/{guest.game}{path}", b"", **query)
    assert answer.status == 200, answer.content
    return answer.content


def random_game(seed: int) -> pdd.Game:
    rng = Random(seed)
    game = pdd.Game.new(pdd.parse_rules(SMALL))
    while game.ending is None:
        game = game.play(rng.choice(game.state.legal_actions))
    return game


def tags(guest: Guest) -> dict[str, str]:
    return dict(pdd.records.loads(file(guest, "/record")).tags)


def test_a_record_has_the_date_on_which_the_game_was_begun() -> None:
    guest = begun(name="Ada")
    assert tags(guest) == {"Date": "2026.02.03", "First": "Ada", "Second": "Ada"}
    guest.post("resignation", version=1, seat="first")
    later = evolve(guest.site, today=lambda: date(2026, 2, 4))
    name = evolve(guest, site=later).post("rematch", 201, version=2)["id"]
    assert tags(Guest(later, name))["Date"] == "2026.02.04"
    assert tags(guest)["Date"] == "2026.02.03"


def test_an_opened_record_keeps_its_date() -> None:
    assert tags(begun(start='[Date "1999.12.??"]\n\n1. a1,b1 *'))["Date"] == "1999.12.??"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_computer_has_the_name_that_the_page_shows(lang: str) -> None:
    guest = evolve(begun(opponent="level-4", seat="first"), query={"lang": lang})
    shown = guest.get()["players"][1]["name"]
    assert tags(guest)["Second"] == f"{shown} (greedy)"
    assert f"{shown} (greedy)" in file(guest, "/replay")


@pytest.mark.parametrize("seat", ["first", "second"])
def test_a_replay_page_names_the_players_in_the_order_of_the_seats(seat: str) -> None:
    guest = begun(opponent="level-1", seat=seat, name="Ada")
    page = file(guest, "/replay")
    assert 0 < page.index("<dt>Player 1</dt>") < page.index("<dt>Player 2</dt>")
    shown = [player["name"] for player in guest.get()["players"]]
    assert "Ada" in shown
    places = [page.index(f'<dd dir="auto">{name}') for name in shown]
    assert places == sorted(places)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_picture_shows_the_moment_that_was_asked_for(lang: str) -> None:
    guest = evolve(begun(), query={"lang": lang})
    guest.play(*BY_AN_ISLAND)
    game = guest.record()
    for ply, state in enumerate(game.states()):
        picture = file(guest, "/picture", ply=str(ply))
        last = game.actions[ply - 1] if ply else None
        drawn = pdd.svg.render(state, last=last, size=sharing.PICTURE_SIZE, catalog=lang)
        assert picture == drawn.text
        assert picture.count('class="tile ') == sum(
            len(state.position.tiles(color)) for color in pdd.Color
        )
    dark = file(guest, "/picture", ply="1", theme="dark")
    assert dark != file(guest, "/picture", ply="1", theme="light")


def test_the_picture_of_a_result_has_the_networks() -> None:
    games = map(random_game, count())
    game = next(each for each in games if each.state.score(pdd.Color.WHITE).points > 0)
    guest = begun(start=pdd.records.dumps(game))
    last = len(game.actions)
    found = ['class="network ' in file(guest, "/picture", ply=str(ply)) for ply in range(last + 1)]
    assert found == [False] * last + [True]


@pytest.mark.parametrize("ply", ["-1", "7", "1.0", "", "x", "٣", "9" * 400, " 1"])
def test_there_is_no_picture_of_other_moments(ply: str) -> None:
    guest = begun()
    guest.play(*BY_AN_ISLAND)
    assert guest.get("/picture", 400, ply=ply)["code"] == "bad-field"


def test_a_replay_page_is_a_file_in_the_language_of_the_reader() -> None:
    guest = evolve(begun(name="Ada"), query={"lang": "de"})
    guest.play(*BY_AN_ISLAND)
    answer = guest.raw("GET", f"/games/{guest.game}/replay")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    page = str(answer.content)
    assert '<html lang="de">' in page
    assert '<dd dir="auto">Ada</dd>' in page
    assert page.count('class="tile ') == 8


def test_an_animation_shows_every_action() -> None:
    image = pytest.importorskip("PIL.Image", reason="not installed: extra png")
    pytest.importorskip("resvg_py", reason="not installed: extra png")
    guest = begun()
    guest.play(*BY_AN_ISLAND)
    with image.open(io.BytesIO(file(guest, "/animation"))) as drawn:
        # The choice of a colour changes nothing on the board, but in the caption.
        assert (drawn.format, drawn.n_frames) == ("GIF", 1 + len(BY_AN_ISLAND))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_the_extra_a_sentence_says_what_to_install(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = evolve(begun(), query={"lang": lang})
    monkeypatch.setattr(sharing, "find_spec", lambda _name: None)
    refused = guest.get("/animation", 422)
    assert refused["code"] == "no-animation"
    assert "[png]" in refused["error"]
    words: Any = guest.raw("GET", "/words").content
    assert words["no_animation"] == refused


def test_with_the_extra_there_is_no_such_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec("json")
    monkeypatch.setattr(sharing, "find_spec", lambda _name: found)
    words: Any = begun().raw("GET", "/words").content
    assert words["no_animation"] is None


def test_one_animation_is_drawn_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("PIL", reason="not installed: extra png")
    raster = pytest.importorskip("pontedeldiavolo.raster", reason="not installed: extra png")
    began, ends = Event(), Event()

    def draw(*_: object, **__: object) -> bytes:
        began.set()
        assert ends.wait(20)
        return b"GIF89a"

    monkeypatch.setattr(raster, "animation", draw)
    guest = begun()
    drawing = Thread(target=file, args=(guest, "/animation"))
    drawing.start()
    assert began.wait(20)
    assert guest.get("/animation", 503)["code"] == "server-busy"
    ends.set()
    drawing.join(20)
    assert file(guest, "/animation") == b"GIF89a"


def test_long_games_have_no_animation(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resvg_py", reason="not installed: extra png")
    monkeypatch.setattr(sharing, "MAX_ANIMATED_ACTIONS", 4)
    guest = begun()
    guest.play(*BY_AN_ISLAND)
    refused = guest.get("/animation", 422)
    assert refused["code"] == "animation-too-long"
    assert re.search(r"\b4\b", refused["error"])
