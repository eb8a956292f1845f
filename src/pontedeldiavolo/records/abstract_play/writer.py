"""Writing games as reports and lists of moves of Abstract Play."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from textwrap import fill
from typing import TypeAlias

from pontedeldiavolo.base.enums import Color, Ending, Seat
from pontedeldiavolo.base.errors import PonteError, Reason, reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.records.tag_texts import seat_tag
from pontedeldiavolo.rules.actions import ChooseColor
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import IllegalActionError
from pontedeldiavolo.state.state import GameState

from .reader import DEFAULT_SIDE, ENDINGS, FLAGS, MEMBERS, NAME, OWN_TAGS, RULES, facts_of, tags_of

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"


def _under_site_rules(game: Game, other_start: Reason) -> Game:
    """Return the main line of a game under the rules of the site.

    Args:
        game: The game.
        other_start: The error if it starts from another position.

    Raises:
        PonteError: If the game is impossible under those rules: an action would break a rule, say,
            or the outcome would differ.
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
    # Only passes end a game on the board, so both games are played out or neither is.
    if not game.state.is_over and game.ending is not None:
        return other.end(game.ending, game.winning_seat)
    if other.winning_seat is not game.winning_seat:
        raise PonteError(reason("other-rules-result"))
    return other


def _unsupported(game: Game, others: Mapping[str, bool]) -> Iterator[str]:
    """Iterate over what no format of the site can hold, and *others* for one of them."""
    moves = game.line.moves
    rules = game.rules
    board = game.rules.board
    found = {
        "variations": sum(1 for _ in game.walk()) > len(moves),
        "comments": bool(game.line.comment) or any(move.comment for move in moves),
        "NAGs": any(move.nags for move in moves),
        "annotations": any(move.annotations for move in moves),
        f"the board of {board.width}x{board.height}": board
        not in [each.board for each in RULES.values()],
        "the supply of tiles and bridges": (rules.tiles_per_color, rules.bridges) != (None, None),
        "the tie-breaks": rules.tiebreaks != Rules().tiebreaks,
        "the start": game.start != GameState.initial(rules),
        **others,
        # The format has no word for the choice: the next move shows it, if there is one.
        "the choice of red with nothing after it": game.actions[-1:] == (ChooseColor(Color.RED),),
    }
    return (phrase for phrase, is_lost in found.items() if is_lost)


def unsupported_in_report(game: Game) -> Iterator[str]:
    """Iterate over the parts that a report cannot hold."""
    is_agreed = game.ending is Ending.AGREEMENT and game.winning_seat is not None
    others = {
        "that the game is not finished": game.ending is None,
        "that the winner was agreed on": is_agreed,
    }
    return _unsupported(game, others)


def report_of(game: Game) -> str:
    """Return the report of a finished game.

    Raises:
        PonteError: If Abstract Play cannot have such a game.
    """
    there = _under_site_rules(game, reason("report-start"))
    if game.ending is None:
        raise PonteError(reason("report-unfinished"))
    members = ",\n".join(f'    "{name}": {_text(value)}' for name, value in _header(there).items())
    moves = ",\n".join(f"    {_text(each)}" for each in _rounds(there))
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
    if game.ending in (Ending.RESIGNATION, Ending.TIME) or game.winning_seat is None:
        moves += [word for word, ending in ENDINGS.items() if ending is game.ending]
    return (moves[index : index + 2] for index in range(0, len(moves), 2))


def _header(game: Game) -> dict[str, Json]:
    """Return the header: members for tags that have one, and the other tags by name."""
    facts = facts_of(game.tags)
    pie = ChooseColor(Color.WHITE) in game.actions[:2]
    board = f"{game.rules.board.width}x{game.rules.board.height} board"
    members = {tag: _fact(facts, tag) for tag in MEMBERS}
    seats = (Seat.SECOND, Seat.FIRST) if pie else (Seat.FIRST, Seat.SECOND)
    told = tags_of(facts)
    # Tags that cannot be restored from other members; null removes one.
    own: dict[str, Json] = dict(sorted(game.tags.items() - told.items()))
    own |= {name: None for name in told if name not in game.tags}
    return _present(
        {
            "game": {"name": NAME, "variants": [board]},
            "event": members["Event"],
            "round": members["Round"],
            "site": _present({"name": members["Site"] or "", "gameid": members["GameId"]}),
            "date-start": members["Started"],
            "date-end": members["Ended"],
            "date-generated": members["Generated"],
            "unrated": members["Rated"],
            "pie-invoked": pie or None,
            "players": [_player(game, facts, *pair) for pair in zip(seats, Color, strict=True)],
            OWN_TAGS: own or None,
        }
    )


def _fact(facts: Mapping[str, str | None], tag: str) -> str | bool | None:
    """Return the value of a member for a tag."""
    value = facts[tag]
    if value is None or tag not in FLAGS:
        return value
    false_word, _true_word = FLAGS[tag]
    return value != false_word


def _present(members: Mapping[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in members.items() if value is not None}


def _player(game: Game, facts: Mapping[str, str | None], seat: Seat, color: Color) -> Json:
    is_draw = game.winning_seat is None and game.ending is not Ending.ADJUDICATION
    return _present(
        {
            "name": facts[seat_tag(seat)] or "",
            # It distinguishes two nameless players, as the site's schema requires.
            "seat": seat.value,
            "userid": facts[seat_tag(seat, "Id")],
            "is_ai": _fact(facts, seat_tag(seat, "Type")),
            "score": game.state.score(color).points,
            "result": int(is_draw or game.winning_seat is seat),
        }
    )


def list_of(game: Game) -> str:
    """Return the main line of a game as a list of moves.

    Raises:
        PonteError: If Abstract Play cannot have such a game.
    """
    _under_site_rules(game, reason("list-start"))
    width = game.rules.board.width
    words: list[str] = []
    if width != DEFAULT_SIDE or not game.actions:
        words.append(f"size-{width}")
    if ChooseColor(Color.WHITE) in game.actions[:2]:
        words.append("pie-invoked")
    words += [format_action(each) for each in game.actions if not isinstance(each, ChooseColor)]
    words += [word for word in ENDINGS if word == _last_word(game)]
    return fill(" ".join(words), 79, break_long_words=False, break_on_hyphens=False) + "\n"


def _last_word(game: Game) -> str | None:
    """Return the word for the end of a game; ``None`` if there is no word for it."""
    seat = game.state.seat_to_move
    if seat is None:
        return None
    # The words for a loss refer to the player to move; the others mean that nobody has won.
    loses = game.ending in (Ending.RESIGNATION, Ending.TIME)
    winner = seat.opponent if loses else None
    if game.winning_seat is not winner:
        return None
    return next((word for word, ending in ENDINGS.items() if ending is game.ending), None)


def unsupported_in_list(game: Game) -> Iterator[str]:
    """Iterate over the parts that a list of moves cannot hold."""
    holds_ending = game.ending in (None, Ending.SCORED) or _last_word(game) is not None
    return _unsupported(game, {"the tags": bool(game.tags), "how it ended": not holds_ending})
