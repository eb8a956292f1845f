"""A parser of one record: tags, then actions with their comments, NAGs and variations."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, cast, final

from pontedeldiavolo.base.enums import Ending
from pontedeldiavolo.base.errors import MessageValue, NotationError, quoted, reason
from pontedeldiavolo.base.values import FrozenMapping
from pontedeldiavolo.game.error_list import EXCERPT, STRICT, ErrorList, Place
from pontedeldiavolo.game.line import BLANKS, MAX_NAG
from pontedeldiavolo.game.record import RESULTS, Places, Record
from pontedeldiavolo.game.tags import DERIVED, first_unfit, first_unprintable, is_tag_name
from pontedeldiavolo.notation.actions import scan_action
from pontedeldiavolo.notation.scanner import DIGITS, Scanner
from pontedeldiavolo.records.codec import error_at
from pontedeldiavolo.records.parsing import LineBuilder, Part, SourceText, numbering, plain_action
from pontedeldiavolo.rules.limits import exceeds
from pontedeldiavolo.state.state import GameState

_ESCAPE = re.compile(r"\\(?:[\\}n]|\[%)")
_PART = re.compile(rf"{_ESCAPE.pattern}|\[%([a-z]++)(?: ([^\]]*+))?\] ?")
_MEANING = {"\\\\": "\\", "\\}": "}", "\\n": "\n", "\\[%": "[%"}


def read_braces(raw: str, annotations: dict[str, str] | None) -> str:
    """Return the text of a comment in braces without its annotations.

    Args:
        raw: The text between the braces.
        annotations: The mapping to add them to. An annotation whose name is already there, or that
            no move could have, stays in the text; with ``None``, all of them do.
    """
    text = unwrapped(raw).replace("\t", " ")
    if annotations is None or "[%" not in text:
        return _unescaped(text)

    def part(found: re.Match[str]) -> str:
        name, value = found.groups("")
        if not name:
            return _MEANING[found.group()]
        value = _unescaped(value).strip(" ")
        if name in annotations or first_unfit(value) >= 0:
            return _unescaped(found.group())
        annotations[name] = value
        return ""

    # No annotation ends after the last bracket: searching for its end there from each "[%" could
    # take very long.
    end = text.rfind("]") + 1
    end += text.startswith(" ", end)
    return _PART.sub(part, text[:end]) + _unescaped(text[end:])


def unwrapped(text: str) -> str:
    """Join lines with single blanks."""
    # Line by line: a pattern would scan a run of blanks again from each blank in it.
    lines = text.split("\n")
    lines[:-1] = [line.rstrip(" \t\r") for line in lines[:-1]]
    lines[1:] = [line.lstrip(" \t") for line in lines[1:]]
    return " ".join(lines)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _MEANING[found.group()], text)


def in_braces(comment: str, annotations: Mapping[str, str]) -> str:
    """Return annotations, sorted by name, and a comment in braces; "" without any."""
    parts = [
        f"[%{f'{name} {_escaped(annotations[name])}'.rstrip(' ')}]" for name in sorted(annotations)
    ]
    if comment:
        parts.append(_escaped(comment).replace("\n", "\\n").replace("[%", "\\[%"))
    return f"{{{' '.join(parts)}}}" if parts else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("}", "\\}")


NAG_SUFFIXES: Final = {"!!": 3, "??": 4, "!?": 5, "?!": 6, "!": 1, "?": 2}
"""Suffixes of actions, with the numbers of their NAGs."""


_QUOTED = re.compile(r'"[^"\\\n]*+(?:\\["\\][^"\\\n]*+)*+')
_ESCAPED = re.compile(r"\\(.)")
_NAME = re.compile(r"[A-Za-z0-9_]*")
_IN_BRACES = re.compile(r"[^}\\]*+(?:\\.[^}\\]*+)*+", re.DOTALL)
_TO_LINE_END = re.compile(r"[^\n]*")
_SKIPPED = re.compile(r"[ \t\r\n]*+(?:(?<![^\n])%[^\n]*+[ \t\r\n]*+)*")
"""Blanks, and lines that begin with a percent sign."""
_PLAIN = re.compile(r"[A-Za-z0-9.,-]*")
_DOTS = re.compile(r"\.*+[ \t\r\n]*+")
_NUMBER = re.compile(rf"([0-9]++)\.{_DOTS.pattern}")
_RESULT_OF = {mark: result for result, mark in RESULTS.items()}
_MARK_STARTS = frozenset(mark[0] for each in _RESULT_OF for mark in (each, each.upper()))
_MARK = re.compile(
    rf"({'|'.join(map(re.escape, _RESULT_OF))})(?=[ \t\r\n{{;)]|\Z)", re.ASCII | re.IGNORECASE
)
# At the end of the text nothing follows, and every text contains "".
_AFTER_ACTION = " \t\r\n{;()$"


def parse_record(source: SourceText, errors: ErrorList = STRICT) -> Record:
    """Parse a record without replaying it.

    Args:
        source: The text.
        errors: The list for errors; if it is lenient, faulty parts are left out.

    Raises:
        RecordError: If something is wrong and *errors* is strict.
        PonteError: If the rules cannot be read: without them no action means anything, so even a
            lenient reader stops there.
    """
    return _Parser(source, errors).record()


def parse_tags(source: SourceText) -> FrozenMapping[str]:
    """Parse the tags of a record, and read no further.

    Raises:
        PonteError: If a tag cannot be read, or the text is too long.
    """
    parser = _Parser(source, STRICT)
    parser.require_length()
    parser.read_tags()
    return FrozenMapping({name: tag.text for name, tag in parser.tags.items()})


@final
class _Parser:
    """A parser of one record: text, position and tags."""

    start: GameState
    number_at: Callable[[int], int]

    def __init__(self, source: SourceText, errors: ErrorList) -> None:
        self.source = source
        self.scanner = Scanner(source.text)
        self.errors = errors
        self.places: list[Place] = []
        self.tag = ""
        self.tags: dict[str, Part] = {}

    def _note(self, error: NotationError) -> None:
        """Raise the error, or append it to the list."""
        self.errors.append(error_at(self.source, self.source.number, error))

    def _note_at(self, code: str, offset: int, **values: MessageValue) -> None:
        """Raise, or append to the list, the error with this code at *offset*."""
        self._note(NotationError(self.source.text, offset, reason(code, **values)))

    def record(self) -> Record:
        """Read the whole text."""
        self.require_length()
        line = LineBuilder(comments=self.read_tags())
        source = self.source
        rules, start, told, ended = map(self.tags.get, DERIVED)
        self.start = source.start_of(rules, start, "rules-of-tag")
        self.number_at = numbering(self.start)
        word = self._one_of("Termination", [ending.value for ending in Ending])
        self._read_items(line)
        mark = self._read_mark(line)
        if not self.tags and not line.moves and mark is None:
            self.scanner.fail("game-content", 0)
        result = self._result(mark)
        told = told or mark
        places = Places(
            tuple(self.places),
            told and source.place(told.offset),
            source.place(ended.offset if ended else 0),
        )
        tags = {name: tag.text for name, tag in self.tags.items() if name not in DERIVED}
        ending = None if word is None else Ending(word)
        return Record(
            self.start, tags, line.line(), result, ending, source.number, places, source.limits
        )

    def require_length(self) -> None:
        """Refuse a record that is too long and was cut off."""
        most = self.source.limits.characters
        if exceeds(len(self.source.text), most):
            self.scanner.fail("limit-characters", most, most=cast(int, most))

    # Tags

    def read_tags(self) -> list[str]:
        """Read all tags, and return the comments among them, which go before the first move."""
        comments: list[str] = []
        while True:
            self.scanner.run(_SKIPPED)
            # Any later error is about another tag, or a comment.
            self.tag = ""
            try:
                if self.scanner.peek() in ("{", ";"):
                    comments.append(self._comment())
                elif self.scanner.take("["):
                    self._read_tag()
                else:
                    return comments
            except NotationError as error:
                if self.tag in ("Rules", "Start"):
                    raise
                self._note(error)
                self.scanner.run(_TO_LINE_END)

    def _read_tag(self) -> None:
        """Read a tag after its opening bracket; it must be on one line."""
        scanner = self.scanner
        scanner.at_line_end()
        name_offset = scanner.offset
        name = scanner.run(_NAME)
        self.tag = name
        if not is_tag_name(name):
            scanner.fail("tag-name", name_offset)
        if name in self.tags:
            scanner.fail("no-second-tag", name_offset, name=name[:EXCERPT])
        start = scanner.offset
        scanner.at_line_end()
        if scanner.offset == start:
            scanner.fail("blank-then-text")
        start = scanner.offset
        if scanner.peek() != '"':
            scanner.fail("quoted-text")
        value = _ESCAPED.sub(r"\1", scanner.run(_QUOTED)[1:])
        if not scanner.take('"'):
            scanner.fail("end-of-text")
        if first_unprintable(value) >= 0:
            scanner.fail("text-without-controls", start)
        scanner.at_line_end()
        scanner.expect("]")
        self.tags[name] = Part(value, start + 1)

    def _one_of(self, name: str, words: list[str]) -> str | None:
        """Return the value of a tag that must be one of *words*."""
        tag = self.tags.get(name)
        if tag is None or tag.text in words:
            return tag and tag.text
        self._note_at("one-of", tag.offset, words=quoted(words))
        return None

    def _result(self, mark: Part | None) -> str:
        result = self._one_of("Result", list(RESULTS)) or (mark.text if mark else "*")
        if mark and result != mark.text:
            self._note_at("result-of-tag", mark.offset, mark=RESULTS[result])
        return result

    # Actions

    def _read_items(self, line: LineBuilder) -> None:
        """Read the items of a line."""
        self.scanner.run(_SKIPPED)
        while not self._at_line_end():
            try:
                self._read_item(line)
            except NotationError as error:
                self._note(error)
                self._skip_line()
            self.scanner.run(_SKIPPED)

    def _at_line_end(self) -> bool:
        character = self.scanner.peek()
        if character in _MARK_STARTS:
            return _MARK.match(self.scanner.text, self.scanner.offset) is not None
        return character in ("", ")")

    def _read_item(self, line: LineBuilder) -> None:
        """Read one item of a line: a comment, a NAG, a variation or an action."""
        scanner = self.scanner
        moves = line.moves
        character = scanner.peek()
        if character in ("{", ";"):
            self._read_comment(line)
        elif not moves and character in ("$", "("):
            scanner.fail("action-first")
        elif character == "$":
            scanner.offset += 1
            moves[-1].nags.append(scanner.number("nag", 0, MAX_NAG))
        elif character == "(":
            self._read_variation(line)
        else:
            number = line.first + len(moves)
            self.source.require_turn(self.start.rules, number, scanner.offset)
            self._skip_number(number)
            place = self.source.place(scanner.offset)
            self._read_move(line)
            self.places.append(place)

    def _read_variation(self, outer: LineBuilder) -> None:
        """Read a variation of the last move of a line, with its parentheses."""
        start = self.scanner.offset
        noted = self.errors.count
        line = outer.variation()
        self.source.require_depth(line.depth, start)
        self.scanner.offset += 1
        self._read_items(line)
        self.scanner.expect(")")
        if line.moves:
            outer.moves[-1].variations.append(line.line())
        elif self.errors.count == noted:
            self._note_at("action-in-variation", start + 1)

    def _skip_number(self, place: int) -> None:
        """Skip the number before an action, if there is one; note a wrong one."""
        scanner = self.scanner
        expected = self.number_at(place)
        start = scanner.offset
        right = _NUMBER.match(scanner.text, start)
        if right and right[1] == str(expected):
            scanner.offset = right.end()
        elif scanner.peek() in DIGITS:
            if scanner.number("turn-number", 0) != expected:
                self._note_at("this-turn-number", start, turn_number=expected)
            scanner.expect(".")
            scanner.run(_DOTS)

    def _read_move(self, line: LineBuilder) -> None:
        """Read an action and the suffix after it."""
        scanner = self.scanner
        nags = []
        plain = plain_action(self.source.text, scanner.offset)
        if plain is None:
            action = scan_action(scanner)
        else:
            action, scanner.offset = plain
        if scanner.peek() in ("!", "?"):
            nags = [next(NAG_SUFFIXES[each] for each in NAG_SUFFIXES if scanner.take(each))]
        if scanner.peek() not in _AFTER_ACTION:
            scanner.fail("blank-after-action")
        line.add(action, nags)

    def _read_comment(self, line: LineBuilder) -> None:
        """Read a comment on the last move, or on the line before its first move."""
        if line.moves:
            line.moves[-1].comments.append(self._comment(line.moves[-1].annotations))
        else:
            line.comments.append(self._comment())

    def _comment(self, annotations: dict[str, str] | None = None) -> str:
        """Read a comment, in braces or to the end of the line.

        Annotations in braces are added to *annotations*, unless it is ``None``.
        """
        scanner = self.scanner
        start = scanner.offset
        scanner.offset += 1
        if self.source.text[start] == ";":
            text = scanner.run(_TO_LINE_END).rstrip("\r")
        else:
            raw = scanner.run(_IN_BRACES)
            if not scanner.take("}"):
                scanner.fail("end-of-comment", start)
            text = read_braces(raw, annotations)
        text = text.replace("\t", " ").strip(BLANKS)
        if any(first_unprintable(line) >= 0 for line in text.split("\n")):
            scanner.fail("comment-without-controls", start)
        return "\n".join(line.strip(BLANKS) for line in text.split("\n"))

    def _skip_line(self) -> None:
        """Skip the rest of a line, including the variations in it."""
        scanner = self.scanner
        depth = 0
        while scanner.peek() and not (depth == 0 and self._at_line_end()):
            character = scanner.peek()
            depth += (character == "(") - (character == ")")
            if character == "{":
                scanner.offset += 1
                scanner.run(_IN_BRACES)
            elif character == ";" and self.source.text[scanner.offset - 1] in BLANKS:
                # A semicolon within a word is part of the error, and does not begin a comment.
                scanner.run(_TO_LINE_END)
            scanner.offset += 1
            scanner.run(_PLAIN)
            scanner.run(_SKIPPED)

    def _read_mark(self, line: LineBuilder) -> Part | None:
        """Read the mark of the result and the comments after it; return the result."""
        scanner = self.scanner
        mark = _MARK.match(scanner.text, scanner.offset)
        try:
            if mark:
                scanner.offset = mark.end()
            scanner.run(_SKIPPED)
            while scanner.peek() in ("{", ";"):
                self._read_comment(line)
                scanner.run(_SKIPPED)
            scanner.end()
        except NotationError as error:
            self._note(error)
        return mark and Part(_RESULT_OF[mark[1].lower()], mark.start())
