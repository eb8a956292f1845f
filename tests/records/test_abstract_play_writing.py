"""Games become Abstract Play's reports, and come back."""

from __future__ import annotations

import json
from random import Random

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

import pontedeldiavolo as pdd
from pontedeldiavolo.records import abstract_play
from support.abstract_play import RULES, SCHEMA, read
from support.strategies import Player, play_out, tag_values

# Writing


def losing(game: pdd.Game) -> list[str]:
    return list(abstract_play.losses(game))


def test_losses() -> None:
    game = pdd.Game.new(pdd.presets.ORIGINAL).play("d4,g7").play("red")
    assert losing(game) == [
        "the supply of tiles and bridges",
        "that the game is not finished",
        "the choice of red with nothing after it",
    ]
    game = game.with_comment("first", ()).with_glyphs([1], (0,)).with_variation((0,), ["a1,a2"])
    assert losing(game)[:3] == ["variations", "comments", "glyphs"]
    rules = pdd.Rules(pdd.Board(7, 5), tiebreaks=())
    game = pdd.Game.new(start=pdd.GameState.initial(rules).apply(pdd.parse_action("d4,g1")))
    assert losing(game) == [
        "the board of 7x5",
        "the tie-breaks",
        "the start",
        "that the game is not finished",
    ]
    game = pdd.Game.new().end(pdd.Ending.AGREEMENT, pdd.Seat.SECOND)
    assert losing(game) == ["that the winner was agreed on"]
    again = abstract_play.loads(abstract_play.dumps(game))
    assert (again.ending, again.winning_seat) == (pdd.Ending.ADJUDICATION, pdd.Seat.SECOND)


def test_games_that_cannot_be_written() -> None:
    started = pdd.GameState.initial().apply(pdd.parse_action("d4,g7"))
    short = pdd.Rules(pdd.Board(8, 8), tiles_per_color=2)
    out_of_tiles = pdd.Game.new(short)
    for action in ("a1,c1", "red", "a3,c3", "pass", "pass"):
        out_of_tiles = out_of_tiles.play(action)
    for game, message in (
        (pdd.Game.new(pdd.Rules(pdd.Board(8, 10))), "no board of Abstract Play: 8x10"),
        (pdd.Game.new(start=started), "starts from the empty board"),
        (pdd.Game.new(), "finished games only"),
        (out_of_tiles, "not a game under the other rules: Passing is not allowed"),
    ):
        with pytest.raises(pdd.PonteError, match=message):
            abstract_play.dumps(game)


def last_states(rules: pdd.Rules) -> list[pdd.Game]:
    """Return short games that are over under *rules*, by short supplies or odd tie-breaks."""
    games = []
    for seed in range(12):
        game = pdd.Game.new(rules)
        play = play_out(rules, Player(Random(seed), builder=True, settler=True))
        for action in play.actions:
            game = game.play(action)
        games.append(game)
    return games


def test_games_whose_end_depends_on_the_rules() -> None:
    # Without tie-breaks equal points draw; there the bridges would decide.
    messages = set()
    for tiebreaks in ((), (pdd.Tiebreak.BRIDGES, pdd.Tiebreak.ISLANDS)):
        for game in last_states(pdd.Rules(pdd.Board(8, 8), tiebreaks=tiebreaks)):
            try:
                assert abstract_play.loads(abstract_play.dumps(game)).result == game.result
            except pdd.PonteError as error:
                messages.add(str(error))
    assert messages == {"under the other rules the game would have another result"}


def test_a_supply_that_ends_the_game_early() -> None:
    rules = pdd.Rules(pdd.Board(8, 8), tiles_per_color=8)
    game = pdd.Game.new(rules).play("a1,c1").play("red")
    assert game.state.tiles_left(pdd.Color.WHITE) == 6
    longer = game.end(pdd.Ending.TIME, pdd.Seat.FIRST)
    assert abstract_play.loads(abstract_play.dumps(longer)).ending is pdd.Ending.TIME


def test_what_a_report_has_no_member_for_is_kept_beside() -> None:
    tags = {
        "First": "",
        "Site": "",
        "Date": "2026.??.??",
        "Started": "tomorrow",
        "Rated": "perhaps",
        "FirstType": "cat",
        "Event": "without a round",
        "Clock": "0:30",
    }
    game = pdd.Game.new(tags=tags).end(pdd.Ending.TIME, pdd.Seat.FIRST)
    report = json.loads(abstract_play.dumps(game))
    assert report["header"]["date-start"] == "2026-01-01T00:00:00Z"
    assert report["header"]["pontedeldiavolo-tags"] == dict(sorted(tags.items()))
    assert read(report) == game
    for text in ("2026-02-31T00:00:00Z", "2026-05-17T24:61:00Z", "2026-05-17"):
        odd = pdd.Game.new(tags={"Started": text, "Date": "2026.??.17"}).end(pdd.Ending.AGREEMENT)
        report = json.loads(abstract_play.dumps(odd))
        assert report["header"]["date-start"] == "0001-01-01T00:00:00Z"
        assert read(report) == odd
    odd = pdd.Game.new(tags={"Started": "2026-05-17T19:02:11Z"})
    report = json.loads(abstract_play.dumps(odd.end(pdd.Ending.AGREEMENT)))
    assert report["header"]["pontedeldiavolo-tags"] == {"Date": None}
    assert read(report).tags == odd.tags


# Properties


def moments() -> SearchStrategy[str]:
    return st.datetimes().map(lambda each: each.isoformat(timespec="milliseconds") + "Z")


def tags() -> SearchStrategy[dict[str, str]]:
    """Return tags, many of them those that a report has members for."""
    days = st.sampled_from(
        ["2026.05.17", "2026.05.??", "????.??.??", "2026.02.31", "soon", "0001.01.01"]
    )
    known = st.fixed_dictionaries(
        {},
        optional={
            "Event": tag_values(),
            "Round": tag_values(),
            "Site": tag_values(),
            "Date": days | moments().map(lambda each: each[:10].replace("-", ".")),
            "First": tag_values(),
            "Second": tag_values(),
            "Started": moments() | st.just("2026-05-17T00:00:00Z") | tag_values(),
            "Ended": moments() | tag_values(),
            "Generated": moments() | tag_values(),
            "GameId": tag_values(),
            "FirstId": tag_values(),
            "SecondType": st.sampled_from(["human", "program", "cat"]),
            "Rated": st.sampled_from(["yes", "no", ""]),
        },
    )
    free = st.dictionaries(st.from_regex(r"[A-Z][a-z]{0,3}_", fullmatch=True), tag_values())
    return st.builds(lambda one, two: {**one, **two}, known, free)


@st.composite
def games(draw: DrawFn) -> pdd.Game:
    """Return finished games such as the site can have."""
    rules = RULES[draw(st.sampled_from([0, 0, 0, 1, 2]))]
    player = Player(Random(draw(st.integers(0, 10**6))), draw(st.booleans()), draw(st.booleans()))
    longest = draw(st.none() | st.integers(0, 12))
    game = pdd.Game.new(rules, draw(tags()))
    for action in play_out(rules, player, longest).actions:
        game = game.play(action)
    if game.actions[-1:] == (pdd.ChooseColor(pdd.Color.RED),):
        game = game.undo()
    if game.ending is not None:
        return game
    ending = draw(st.sampled_from([each for each in pdd.Ending if each is not pdd.Ending.SCORED]))
    seats = st.sampled_from(pdd.Seat)
    if ending is pdd.Ending.AGREEMENT:
        return game.end(ending)
    return game.end(ending, draw(seats if ending is pdd.Ending.RESIGNATION else st.none() | seats))


@given(games())
def test_reports_round_trip(game: pdd.Game) -> None:
    text = abstract_play.dumps(game)
    assert losing(game) == []
    assert abstract_play.loads(text) == game
    jsonschema.validate(json.loads(text), SCHEMA)
