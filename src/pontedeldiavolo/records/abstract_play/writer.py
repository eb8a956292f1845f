"""Writing games as Abstract Play reports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TypeAlias

from pontedeldiavolo.checks import require_type
from pontedeldiavolo.errors import PonteError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.scanner import Scanner
from pontedeldiavolo.records import dates
from pontedeldiavolo.records.abstract_play.header import (
    KINDS,
    MIDNIGHT,
    NAME,
    NO_DATE,
    OWN_TAGS,
    RATED,
    Header,
)
from pontedeldiavolo.records.abstract_play.located_json import read_value
from pontedeldiavolo.records.abstract_play.moves import ENDINGS
from pontedeldiavolo.records.abstract_play.reports import RULES
from pontedeldiavolo.records.interchange import Source, seat_tag, tree_losses, under_rules
from pontedeldiavolo.rules.actions import ChooseColor
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.vocabulary import Color, Ending, Seat

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"


def losses(game: Game) -> tuple[str, ...]:
    """Return what a report of *game* cannot hold, in short phrases; ``()`` if nothing is lost.

    Raises:
        TypeError: If it is not a :class:`Game`.
    """
    require_type(game, Game, "game")
    return tuple(_losses(game))


def _losses(game: Game) -> Iterator[str]:
    yield from tree_losses(game)
    rules, board = game.rules, game.rules.board
    if board not in [each.board for each in RULES.values()]:
        yield f"the board of {board.width}x{board.height}"
    if (rules.tiles_per_color, rules.bridges) != (None, None):
        yield "the supply of tiles and bridges"
    if rules.tiebreaks != Rules().tiebreaks:
        yield "the tie-breaks"
    if game.start != GameState.initial(rules):
        yield "the start"
    if game.ending is None:
        yield "that the game is not finished"
    if game.ending is Ending.AGREEMENT and game.winning_seat is not None:
        yield "that the winner was agreed on"
    if game.actions[-1:] == (ChooseColor(Color.RED),):
        yield "the choice of red with nothing after it"


def report(game: Game) -> str:
    """Return the report of a finished game.

    Raises:
        TypeError: If it is not a :class:`Game`.
        PonteError: If Abstract Play can have no such game.
    """
    require_type(game, Game, "game")
    rules, board = game.rules, game.rules.board
    if board.width not in RULES or board.height != board.width:
        raise PonteError(f"no board of Abstract Play: {board.width}x{board.height}")
    if game.start != GameState.initial(rules):
        raise PonteError("a game of Abstract Play starts from the empty board")
    if game.ending is None:
        raise PonteError("Abstract Play reports finished games only")
    game = under_rules(game, RULES[board.width])
    header, rounds = _header(game), list(_rounds(game))
    members = ",\n".join(f'    "{name}": {_text(value)}' for name, value in header.items())
    moves = ",\n".join(f"    {_text(each)}" for each in rounds)
    return f'{{\n  "header": {{\n{members}\n  }},\n  "moves": [\n{moves}\n  ]\n}}\n'


def _text(value: Json) -> str:
    """Return a value in one line; one that holds objects, in a line for each."""
    if isinstance(value, list) and isinstance(value[0], dict):
        return "[\n      {}\n    ]".format(",\n      ".join(map(_text, value)))
    return json.dumps(value, ensure_ascii=False)


def _rounds(game: Game) -> Iterator[list[Json]]:
    """Return the moves by rounds: white's, then red's."""
    moves: list[Json] = [
        format_action(action) for action in game.actions if not isinstance(action, ChooseColor)
    ]
    moves += [word for word, ending in ENDINGS.items() if _ends_with(game, word, ending)]
    return (moves[place : place + 2] for place in range(0, len(moves), 2))


def _ends_with(game: Game, word: str, ending: Ending) -> bool:
    """Tell whether a word says how the game ended."""
    by_hand = word in ("resign", "timeout")
    return game.ending is ending and (by_hand or game.winning_seat is None)


def _header(game: Game) -> dict[str, Json]:
    """Return the header: what reports have for the tags, and the other tags by name."""
    tags, pie = game.tags, ChooseColor(Color.WHITE) in game.actions[:2]
    board = f"{game.rules.board.width}x{game.rules.board.height} board"
    header: dict[str, Json] = {"game": {"name": NAME, "variants": [board]}}
    if "Event" in tags and "Round" in tags:
        header |= {"event": tags["Event"], "round": tags["Round"]}
    site: dict[str, Json] = {"name": tags.get("Site", "")}
    if "GameId" in tags:
        site["gameid"] = tags["GameId"]
    header["site"] = site
    header |= _times(game)
    for unrated, word in RATED.items():
        if tags.get("Rated") == word:
            header["unrated"] = unrated
    if pie:
        # The site writes the one, its schema has the other.
        header |= {"pied": True, "pie-invoked": True}
    seats = (Seat.SECOND, Seat.FIRST) if pie else (Seat.FIRST, Seat.SECOND)
    header["players"] = [
        _player(game, seat, color) for seat, color in zip(seats, Color, strict=True)
    ]
    own = _own_tags(game, header)
    return header | ({OWN_TAGS: own} if own else {})


def _times(game: Game) -> dict[str, Json]:
    """Return the three times that every report has."""
    date = dates.to_iso(game.tags.get("Date", "")) or NO_DATE
    start = date if date == NO_DATE else f"{date}-01-01"[:10] + MIDNIGHT
    times: dict[str, Json] = {}
    for name, tag in (("start", "Started"), ("end", "Ended"), ("generated", "Generated")):
        value = game.tags.get(tag, "")
        start = value if dates.is_time(value) else start
        times[f"date-{name}"] = start
    return times


def _player(game: Game, seat: Seat, color: Color) -> Json:
    tags = game.tags
    # The seat also keeps two nameless players apart, as the site's schema asks for.
    player: dict[str, Json] = {"name": tags.get(seat_tag(seat), ""), "seat": seat.value}
    if seat_tag(seat, "Id") in tags:
        player["userid"] = tags[seat_tag(seat, "Id")]
    for is_program, word in KINDS.items():
        if tags.get(seat_tag(seat, "Type")) == word:
            player["is_ai"] = is_program
    player["score"] = game.state.score(color).points
    draw = game.winning_seat is None and game.ending is not Ending.ADJUDICATION
    player["result"] = int(draw or game.winning_seat is seat)
    return player


def _own_tags(game: Game, header: dict[str, Json]) -> dict[str, Json]:
    """Return the tags that a reader of the header would not find as they are."""
    text = json.dumps({"header": header})
    found = Header.of(Source(text), read_value(Scanner(text))).tags
    own: dict[str, Json] = {
        name: value for name, value in sorted(game.tags.items()) if found.get(name) != value
    }
    return own | {name: None for name in found if name not in game.tags}
