"""Writing games as reports and lists of moves of Abstract Play."""

from __future__ import annotations

import json
from collections.abc import Iterator
from textwrap import fill
from typing import Final, TypeAlias

from pontedeldiavolo.base.enums import Color, Ending, Seat
from pontedeldiavolo.base.errors import PonteError, Reason, reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.records.abstract_play.header import DEFAULT_SIDE, NAME, OWN_TAGS, HeaderInfo
from pontedeldiavolo.records.abstract_play.reader import END_WORDS, RULES
from pontedeldiavolo.records.codec import Writer
from pontedeldiavolo.records.parsing import seat_tag
from pontedeldiavolo.rules.actions import ChooseColor
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import IllegalActionError
from pontedeldiavolo.state.state import GameState

_WIDTH = 79

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"


def _under_site_rules(game: Game, other_start: Reason) -> Game:
    """Return the main line of a game under the rules of the site.

    Args:
        game: The game.
        other_start: The error if it starts from another position.

    Raises:
        PonteError: If there can be no such game: an action would break a rule, say, or the outcome
            would be another one.
    """
    board = game.rules.board
    if board.width not in RULES or board.height != board.width:
        raise PonteError(reason("report-other-board", width=board.width, height=board.height))
    if game.start != GameState.initial(game.rules):
        raise PonteError(other_start)
    other = Game.new(RULES[board.width], game.tags)
    try:
        for action in game.actions:
            other = other.play(action)
    except IllegalActionError as error:
        raise PonteError(reason("other-rules", reason=error.reason)) from error
    # Games are played out by passes alone, so both are or neither is.
    if not game.state.is_over and game.ending is not None:
        return other.end(game.ending, game.winning_seat)
    if other.winning_seat is not game.winning_seat:
        raise PonteError(reason("other-rules-result"))
    return other


def _site_losses(game: Game) -> Iterator[str]:
    """Iterate over the losses of every format of the site."""
    moves = game.line.moves
    if sum(1 for _ in game.walk()) > len(moves):
        yield "variations"
    if game.line.comment or any(move.comment for move in moves):
        yield "comments"
    if any(move.glyphs for move in moves):
        yield "glyphs"
    if any(move.annotations for move in moves):
        yield "annotations"
    rules, board = game.rules, game.rules.board
    if board not in [each.board for each in RULES.values()]:
        yield f"the board of {board.width}x{board.height}"
    if (rules.tiles_per_color, rules.bridges) != (None, None):
        yield "the supply of tiles and bridges"
    if rules.tiebreaks != Rules().tiebreaks:
        yield "the tie-breaks"
    if game.start != GameState.initial(rules):
        yield "the start"


def _choice_losses(game: Game) -> Iterator[str]:
    """Iterate over the choice of red, if no later move shows it."""
    if game.actions[-1:] == (ChooseColor(Color.RED),):
        yield "the choice of red with nothing after it"


def _report_losses(game: Game) -> Iterator[str]:
    """Iterate over the losses of a report."""
    yield from _site_losses(game)
    if game.ending is None:
        yield "that the game is not finished"
    if game.ending is Ending.AGREEMENT and game.winning_seat is not None:
        yield "that the winner was agreed on"
    yield from _choice_losses(game)


def _report(game: Game) -> str:
    """Return the report of a finished game.

    Raises:
        PonteError: If Abstract Play can have no such game.
    """
    there = _under_site_rules(game, reason("report-start"))
    if game.ending is None:
        raise PonteError(reason("report-unfinished"))
    header, rounds = _header(there), list(_rounds(there))
    members = ",\n".join(f'    "{name}": {_text(value)}' for name, value in header.items())
    moves = ",\n".join(f"    {_text(each)}" for each in rounds)
    return f'{{\n  "header": {{\n{members}\n  }},\n  "moves": [\n{moves}\n  ]\n}}\n'


def _text(value: Json) -> str:
    """Return a value in one line, or a list of objects with a line for each."""
    if isinstance(value, list) and isinstance(value[0], dict):
        return "[\n      {}\n    ]".format(",\n      ".join(map(_text, value)))
    return json.dumps(value, ensure_ascii=False)


def _rounds(game: Game) -> Iterator[list[Json]]:
    """Return the moves by rounds: white's, then red's."""
    moves: list[Json] = [
        format_action(action) for action in game.actions if not isinstance(action, ChooseColor)
    ]
    moves += [word for word, ending in END_WORDS.items() if _ends_with(game, word, ending)]
    return (moves[place : place + 2] for place in range(0, len(moves), 2))


def _ends_with(game: Game, word: str, ending: Ending) -> bool:
    """Return whether a word describes the end of the game."""
    by_hand = word in ("resign", "timeout")
    return game.ending is ending and (by_hand or game.winning_seat is None)


def _header(game: Game) -> dict[str, Json]:
    """Return the header: members for tags that have one, and the other tags by name."""
    info, pie = HeaderInfo.of(game.tags), ChooseColor(Color.WHITE) in game.actions[:2]
    board = f"{game.rules.board.width}x{game.rules.board.height} board"
    header: dict[str, Json] = {"game": {"name": NAME, "variants": [board]}}
    start, end, generated = info.times
    told: dict[str, Json] = {
        "event": info.values["Event"],
        "round": info.values["Round"],
        "site": _told({"name": info.values["Site"] or "", "gameid": info.values["GameId"]}),
        "date-start": start,
        "date-end": end,
        "date-generated": generated,
        "unrated": info.values["Rated"],
        "pie-invoked": pie or None,
    }
    header |= _told(told)
    seats = (Seat.SECOND, Seat.FIRST) if pie else (Seat.FIRST, Seat.SECOND)
    header["players"] = [
        _player(game, info, seat, color) for seat, color in zip(seats, Color, strict=True)
    ]
    own = _own_tags(game, info)
    if own:
        header[OWN_TAGS] = own
    return header


def _told(members: dict[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in members.items() if value is not None}


def _player(game: Game, info: HeaderInfo, seat: Seat, color: Color) -> Json:
    draw = game.winning_seat is None and game.ending is not Ending.ADJUDICATION
    return _told(
        {
            "name": info.values[seat_tag(seat)] or "",
            # It keeps two nameless players apart, as the site's schema asks for.
            "seat": seat.value,
            "userid": info.values[seat_tag(seat, "Id")],
            "is_ai": info.values[seat_tag(seat, "Type")],
            "score": game.state.score(color).points,
            "result": int(draw or game.winning_seat is seat),
        }
    )


def _own_tags(game: Game, info: HeaderInfo) -> dict[str, Json]:
    """Return the tags that cannot be restored from other members; null removes one."""
    told = info.tags()
    own: dict[str, Json] = {
        name: value for name, value in sorted(game.tags.items()) if told.get(name) != value
    }
    return own | {name: None for name in told if name not in game.tags}


WRITER: Final = Writer(_report, _report_losses)


def _move_list(game: Game) -> str:
    """Return the main line of a game as a list of moves.

    Raises:
        PonteError: If Abstract Play can have no such game.
    """
    _under_site_rules(game, reason("list-start"))
    width = game.rules.board.width
    words = [] if width == DEFAULT_SIDE and game.actions else [f"size-{width}"]
    if ChooseColor(Color.WHITE) in game.actions[:2]:
        words.append("pie-invoked")
    words += [format_action(each) for each in game.actions if not isinstance(each, ChooseColor)]
    words += [word for word in END_WORDS if word == _last_word(game)]
    return fill(" ".join(words), _WIDTH, break_long_words=False, break_on_hyphens=False) + "\n"


def _last_word(game: Game) -> str | None:
    """Return the word for the end of a game; ``None`` if there is no word for it."""
    seat, winner = game.state.seat_to_move, game.winning_seat
    loses = game.ending in (Ending.RESIGNATION, Ending.TIME)
    if seat is None or winner is not (seat.opponent if loses else None):
        return None
    return next((word for word, ending in END_WORDS.items() if ending is game.ending), None)


def _list_losses(game: Game) -> Iterator[str]:
    """Iterate over the losses of a list of moves."""
    yield from _site_losses(game)
    if game.tags:
        yield "the tags"
    if game.ending not in (None, Ending.SCORED) and _last_word(game) is None:
        yield "how it ended"
    yield from _choice_losses(game)


LIST_WRITER: Final = Writer(_move_list, _list_losses)
