"""Reading Boardspace's records: players, moves, results and dates.

After a record, the same file may contain its raw history: the same game with all undone moves, and
with turns of a player P-1, which is the site itself. The reader skips it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile
from typing import Final, final

from pontedeldiavolo.base.enums import Color, Ending, Seat
from pontedeldiavolo.board.cell import Cell, column_of
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.record import ErrorList
from pontedeldiavolo.game.tags import MAX_SECONDS
from pontedeldiavolo.records import dates
from pontedeldiavolo.records.reading import Found, GameText, LineReader, LocatedText
from pontedeldiavolo.records.sgf.tree import RAW_VALUE, Node, Property, Value, read_tree_games
from pontedeldiavolo.records.splitting import SplitPart, split_trees
from pontedeldiavolo.records.tag_texts import comment_text, seat_tag, tag_text

from .turns import BOARD, Replay, Token

_NAME_OR_VALUE = re.compile(
    rf"(?P<value>\[{RAW_VALUE}\]?)|(?P<name>[A-Za-z0-9-]++)"
    r"|;|[^A-Za-z0-9\[;-]++",
    re.DOTALL,
)
_SITE = "P-1"
_NAME = "GN"
_NODE = ("", "")
"""Marks the beginning of a node in a sequence of names and values."""


def without_histories(parts: Iterable[SplitPart]) -> Iterator[SplitPart]:
    """Iterate over the parts of a file without raw histories."""
    name: str | None = None
    for part in parts:
        last_name = name
        name = None
        if part.fault is None:
            name = _game_name(part.text)
            if name == last_name and _is_history(part.text):
                continue
        yield part


def _is_history(text: str) -> bool:
    # Few texts contain it anywhere: the others are not searched.
    return _SITE in text.upper() and any(name.upper() == _SITE for name, _ in _properties(text))


def _game_name(text: str) -> str:
    """Return the name of a game in its root; "" without one."""
    root = takewhile(_NODE.__ne__, islice(_properties(text), 1, None))
    return next((value for name, value in root if name == _NAME), "")


def _properties(text: str) -> Iterator[tuple[str, str]]:
    """Iterate over raw names and values, and over the beginnings of nodes."""
    name = ""
    for token in _NAME_OR_VALUE.finditer(text):
        if token["value"]:
            yield name, token["value"]
        elif token["name"]:
            name = token["name"]
        elif token.group() == ";":
            yield _NODE


_SETUP = "ponte"
_PLAYERS = {"P0": 0, "P1": 1}
_TAG_OF_PROPERTY = {"GN": "GameName", "GS": "GameSpeed", "TC": "TimeControl"}
_NULL = "null"
_INFORMATION = {"id": "", "ranking": "Rating", "country": "Country", "time": "Time"}
"""Properties with information about a player, and the suffixes of their tags."""
_DATE_IN_NAME = re.compile(r"(?:^|-)([0-9]{4}-[0-9]{2}-[0-9]{2})(?:-[0-9]{4})?$")


_MILLISECONDS = re.compile(r"[0-9]{1,13}")
_LONGEST_NAME = 255
_LONGEST_RESULT = 1_000
"""Searching a long text for a long name takes time; no real record exceeds these two limits."""


_VERBS: Final = {
    "start": ("player",),  # a player begins, and the game is under way
    "edit": (),  # the board is set up by hand, up to the next start
    "pick": ("piece",),  # a tile or a bridge is taken from the supply
    "drop": ("piece",),  # it is put back there
    "pickb": ("column", "row"),  # the piece just put on the board is taken up again
    "dropb": ("column", "row"),  # the piece in hand is put there, a bridge with its anchor
    "bridgeend": ("column", "row"),  # the bridge just built is turned to another far end
    "tile": ("tile", "column", "row"),  # a robot places a tile
    "bridge": ("bridge", "column", "row"),  # a robot builds a bridge
    "swap": (),  # the colours are exchanged; a second one undoes it
    "pass": (),  # the player does nothing
    "reset": (),  # the turn starts again
    "undo": (),  # an older word for reset
    "done": (),  # the turn is over
    "resign": (),  # the player gives up when done; a second one undoes it
    "winontime": (),  # the player wins because the opponent is out of time
    "gameover": (),  # a robot that can do nothing more in its turn ends the game
}
"""The verbs of tokens, with their arguments; letter case does not matter."""

_TILE = "(?P<color>[wr])|(?P<pool>white|red)_chip_pool"
_BRIDGE = "(?:x|bridge)_(?P<direction>30|45|60|90|120|135|150|180)"
_ARGUMENTS: Final = {
    "tile": (re.compile(_TILE), "boardspace-piece"),
    "bridge": (re.compile(_BRIDGE), "boardspace-piece"),
    "piece": (re.compile(f"{_TILE}|{_BRIDGE}"), "boardspace-piece"),
    "column": (re.compile("(?P<column>[a-j])"), "boardspace-column"),
    "row": (re.compile("(?P<row>[1-9]|10)"), "boardspace-row"),
    "player": (re.compile("p(?P<player>[01])"), "boardspace-player"),
}
"""The patterns of arguments of verbs, each with the code of its error."""
_COLORS: Final = {"w": Color.WHITE, "r": Color.RED}
_ARGUMENT = re.compile(r"\S+")
_INDEX = re.compile(r"-?[0-9]+")


def _token(game_text: GameText, player: int, value: Value) -> Token:
    """Return the token in a property's value.

    Raises:
        NotationError: If it is not a token.
    """
    words = [
        (word[0].lower(), value.offset + word.start()) for word in _ARGUMENT.finditer(value.raw)
    ]
    if len(words) > 1 and _INDEX.fullmatch(words[0][0]):
        # The number of the click in the record.
        del words[0]
    # A missing word is an empty one at the end.
    end = value.offset + len(value.raw)
    words += [("", end)] * 4
    verb, offset = words[0]
    if verb not in _VERBS:
        game_text.fail("boardspace-verb", offset)
    given: dict[str, str] = {}
    for kind, (word, word_offset) in zip(_VERBS[verb], words[1:], strict=False):
        pattern, code = _ARGUMENTS[kind]
        found = pattern.fullmatch(word)
        if found is None:
            game_text.fail(code, word_offset)
        given |= found.groupdict("")
    color_letter = given.get("color") or given.get("pool", "")[:1]
    column = column_of(given.get("column", "a"))
    row = int(given.get("row", 1)) - 1
    return Token(
        player=player,
        verb=verb,
        offset=offset,
        color=_COLORS.get(color_letter),
        direction=given.get("direction", ""),
        cell=Cell(column, row),
        starter=int(given.get("player", 0)),
    )


def _main_line(node: Node) -> Iterator[Node]:
    """Iterate over the nodes of the main line, the root first."""
    yield node
    while node.children:
        node = node.children[0]
        yield node


def _used_milliseconds(node: Node) -> int | None:
    """Return the milliseconds that the player has used up to a node."""
    values = [value for each in node.properties if each.name == "TM" for value in each.values]
    if not values:
        return None
    found = _MILLISECONDS.fullmatch(values[-1].in_one_line.strip())
    if found is None:
        return None
    used = int(found[0])
    return used if used <= MAX_SECONDS * 1000 else None


def _is_in(name: str, text: str) -> bool:
    """Return whether a text contains a player's name as whole words."""
    if not 0 < len(name) <= _LONGEST_NAME:
        return False
    # The site adds digits to distinguish guests, but not where it names the players.
    digits = "[0-9]*+" if name.lower() == "guest" else ""
    return re.search(rf"(?<!\w){re.escape(name)}{digits}(?!\w)", text, re.IGNORECASE) is not None


@final
class _RecordReader:
    """A reader of one record."""

    def __init__(self, game_text: GameText, root: Node) -> None:
        self.game_text = game_text
        self.root = root
        self.replay = Replay(game_text)
        self.players: tuple[dict[str, LocatedText], dict[str, LocatedText]] = ({}, {})

    def game(self) -> Game:
        """Read the record.

        Raises:
            NotationError: If something in it cannot be read, or breaks a rule.
        """
        self._check_kind()
        self.game_text.require_side(BOARD, self.root.offset)
        for node in _main_line(self.root):
            self._read_node(node)
            left_out = len(node.children) - 1
            if left_out > 0:
                branches = "branch" if left_out == 1 else "branches"
                text = f"{left_out} {branches} of the record left out here."
                self.replay.comment(text, node.offset)
        return self._with_result(self.replay.finish()).with_tags(self._tags())

    def _root_value(self, name: str, default: str = "") -> Value:
        """Return the first value of a property of the root."""
        found = (each.values[0] for each in self.root.properties if each.name == name)
        return next(found, Value(default, self.root.offset))

    def _check_kind(self) -> None:
        kind = self._root_value("GM")
        if kind.in_one_line.strip().lower() != "pontedeldiavolo":
            self.game_text.fail("boardspace-game", kind.offset)
        setup = self._root_value("SU", _SETUP)
        if setup.in_one_line.lower().split()[:1] != [_SETUP]:
            self.game_text.fail("boardspace-setup", setup.offset, setup=_SETUP)
        version = self._root_value("VV", "1")
        if version.in_one_line.strip() not in ("1", "2"):
            self.game_text.fail("boardspace-version", version.offset)

    def _read_node(self, node: Node) -> None:
        for each in node.properties:
            if each.name in _PLAYERS:
                self._read_player(node, each, _used_milliseconds(node))
        for each in node.properties:
            if each.name in ("N", "C", "AN"):
                # The values of AN are marks on the picture of the board.
                mark = "marks: " if each.name == "AN" else ""
                for value in each.values:
                    self.replay.comment(mark + comment_text(value.text), value.offset)

    def _read_player(self, node: Node, each: Property, used: int | None) -> None:
        """Read information about a player, or a token with the time that the player has *used*."""
        player = _PLAYERS[each.name]
        for value in each.values:
            word, _, rest = value.in_one_line.strip().partition(" ")
            if word.lower() in _INFORMATION:
                # Records saved by people have this word in place of times.
                if rest.strip() != _NULL:
                    text = tag_text(rest).strip(' "')
                    self.players[player][word.lower()] = LocatedText(text, value.offset)
            elif node is not self.root:
                self.replay.read(_token(self.game_text, player, value), used)

    # Result

    def _with_result(self, game: Game) -> Game:
        """Return the game with the result that the record states in words."""
        value = self._root_value("RE")
        winner = self._winner(value.in_one_line[:_LONGEST_RESULT])
        is_draw = "draw" in value.in_one_line.lower()
        if winner is None and not is_draw:
            return game
        if game.ending is None:
            return game.end(Ending.ADJUDICATION, winner)
        if game.ending in (Ending.TIME, Ending.ADJUDICATION):
            # The words are more reliable: a token says only that a player claimed a win on time, or
            # that the game is over.
            unfinished = game.undo(0)
            return unfinished.end(game.ending, winner)
        if game.winning_seat is not winner:
            self.game_text.fail("result-of-board", value.offset, result=game.result)
        return game

    def _winner(self, text: str) -> Seat | None:
        """Return the seat of the only player whose name is in a text.

        The rest of the text is in the language of the person who saved the record.
        """
        found = [
            player
            for player, information in enumerate(self.players)
            if "id" in information and _is_in(information["id"].text, text)
        ]
        return self.replay.seat(found[0]) if len(found) == 1 else None

    def _tags(self) -> dict[str, str]:
        tags = {"Site": "Boardspace"}
        for name, tag in _TAG_OF_PROPERTY.items():
            value = self._root_value(name)
            if value.in_one_line.strip().lower() not in ("", "none", _NULL):
                text = tag_text(value.in_one_line)
                self.game_text.require_short(len(text), "tag", value.offset, tag)
                tags[tag] = text
        tags |= self._date(tags.get("GameName", ""))
        for player, information in enumerate(self.players):
            for word, part in information.items():
                tag = seat_tag(self.replay.seat(player), _INFORMATION[word])
                self.game_text.require_short(len(part.text), "tag", part.offset, tag)
                tags[tag] = part.text
        return tags

    def _date(self, name: str) -> dict[str, str]:
        """Return the date, and the text of the property if that says more.

        The text is in the language of the person who saved the record. It is understood only in the
        form of ISO 8601; a game's name ends in its date and time.
        """
        value = self._root_value("DT")
        text = tag_text(value.in_one_line).strip()
        if text == _NULL:
            text = ""
        date = dates.from_iso(text)
        if date is None or "?" in date:
            found = _DATE_IN_NAME.search(name)
            named = dates.from_iso(found[1]) if found else None
            date = named or date
        tags: dict[str, str] = {}
        known = ""
        if date is not None:
            tags["Date"] = date
            known = dates.to_iso(date) or ""
        if not known.startswith(text):
            self.game_text.require_short(len(text), "tag", value.offset, "Started")
            tags["Started"] = text
        return tags


def read_games(lines: LineReader, _errors: ErrorList) -> Iterator[Found[Game]]:
    """Iterate over the games in a file."""
    return read_tree_games(lines, without_histories(split_trees(lines)), _game)


def _game(game_text: GameText, root: Node) -> Game:
    return _RecordReader(game_text, root).game()
