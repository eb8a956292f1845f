"""Summaries of games and their small pictures, for the list on the start page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.web import pictures
from pontedeldiavolo.web.folder import FolderStore
from pontedeldiavolo.web.site import Site
from support.http_client import Guest, fixed_seed


def summaries(guest: Guest, *names: str) -> list[dict[str, Any]]:
    answer: Any = guest.raw("GET", "/summaries", games=",".join(names)).content
    return list(answer["games"])


def test_a_summary_says_who_plays_and_whose_turn_it_is() -> None:
    guest = Guest().seated(seat="first", name="Ada")
    other = guest.looking_on()
    token = other.post("seats", 201, seat="second", name="Bo")["token"]
    bo = Guest(guest.site, guest.game, token)
    [before] = summaries(guest, guest.game)
    assert before == {
        "id": guest.game,
        "version": 1,
        "seats": ["first", "second"],
        "names": ["Ada", "Bo"],
        "points": None,
        "turn": 0,
        "seat_to_move": "first",
        "ending": None,
        "winner": None,
        "rematch_id": None,
    }
    guest.play("a1,b1")
    bo.post("actions", version=2, action="white")
    [after] = summaries(guest, guest.game)
    # White is first everywhere, whoever is player 1.
    assert (after["seats"], after["names"]) == (["second", "first"], ["Bo", "Ada"])
    assert (after["points"], after["turn"], after["seat_to_move"]) == ([0, 0], 1, "first")
    bo.post("resignation", version=3)
    [ended] = summaries(guest, guest.game)
    assert (ended["ending"], ended["winner"]) == ("resignation", "first")
    assert ended["seat_to_move"] is None


def test_names_without_people_are_in_the_language_of_the_request() -> None:
    guest = Guest().seated(seat="second", opponent="level-1")
    assert summaries(guest, guest.game)[0]["names"] == ["Computer 1", "player 2"]
    german = Guest(guest.site, query={"lang": "de"})
    assert summaries(german, guest.game)[0]["names"] == ["Computer 1", "Spieler 2"]


def test_games_that_are_gone_are_left_out_and_damaged_ones_have_only_an_id(tmp_path: Path) -> None:
    site = Site(FolderStore(tmp_path), fixed_seed)
    good = Guest(site).seated()
    bad = Guest(site).seated()
    (tmp_path / f"{bad.game}.pdd").write_text("[ServeVersion", "utf-8")
    found = summaries(good, "0" * 32, bad.game, "../x", good.game, "")
    assert [each["id"] for each in found] == [bad.game, good.game]
    assert found[0] == {"id": bad.game}


def test_a_game_that_was_lost_on_time_has_ended_and_nothing_is_written(tmp_path: Path) -> None:
    seconds = [0.0]
    site = Site(FolderStore(tmp_path), fixed_seed, now=lambda: seconds[0])
    first = Guest(site).seated(seat="first", time_control="60+5")
    first.looking_on().post("seats", 201, seat="second")
    first.play("a1,b1")
    [waiting] = summaries(first, first.game)
    assert (waiting["seat_to_move"], waiting["ending"]) == ("second", None)
    [file] = tmp_path.glob("*.pdd")
    before = file.read_bytes()
    seconds[0] = 61.0
    [lost] = summaries(first, first.game)
    assert (lost["seat_to_move"], lost["ending"], lost["winner"]) == (None, "time", "first")
    assert file.read_bytes() == before
    # The game itself says the same.
    shown = first.get()
    assert (shown["ending"], shown["snapshot"]["winning_seat"]) == ("time", "first")
    assert summaries(first, first.game) == [{**lost, "version": shown["version"]}]


def test_the_number_of_games_is_limited() -> None:
    answer = Guest().raw("GET", "/summaries", games="," * 50)
    assert answer.status == 400


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_small_picture(theme: str) -> None:
    guest = Guest().seated()
    guest.play("a1,b1")
    answer = guest.raw("GET", f"/games/{guest.game}/picture", theme=theme)
    assert answer.headers == {"Content-Type": "image/svg+xml"}
    colors = getattr(pdd.svg, theme.upper())
    state = guest.record().state
    assert answer.content == pictures.picture(state, colors)
    assert f'fill="{colors.water}"' in str(answer.content)
    assert guest.raw("GET", f"/games/{'0' * 32}/picture").status == 404


def test_the_picture_of_the_start_page_is_a_position_of_the_game() -> None:
    setup = pdd.parse_setup(pictures.LAGOON)
    assert setup.violations() == ()
    files = pictures.picture_files()
    assert files.keys() == {"lagoon.svg", "lagoon-dark.svg"}
    assert files["lagoon.svg"] != files["lagoon-dark.svg"]
