"""The moves of a game as a list: what the reader reads, and what the script goes by."""

from __future__ import annotations

from collections.abc import Iterator

from pontedeldiavolo.base.enums import Color, Seat
from pontedeldiavolo.base.messages import word
from pontedeldiavolo.game.line import Move
from pontedeldiavolo.game.tags import time_text
from pontedeldiavolo.html.board import corner
from pontedeldiavolo.html.course import Course, Standing, Step
from pontedeldiavolo.html.words import Words
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.rules.actions import ChooseColor
from pontedeldiavolo.svg.markup import escaped
from pontedeldiavolo.svg.view import View


def line(course: Course, view: View, words: Words) -> Iterator[str]:
    """A line with its comment and all its variations."""
    name = words("page-variation", number=course.number) if course.number else words("page-moves")
    about = f' data-line="{course.number}"'
    if course.number:
        about += f' data-base="{course.base}" data-kept="{course.kept}"'
    if course.gone:
        about += f' data-gone="{";".join(course.gone)}"'
    if course.number:
        yield f'<div class="variation"><p class="name">{escaped(name)}</p>'
        yield from comment(course.comment)
    yield f'<ol role="list" aria-label="{escaped(name)}"{about}>'
    for step in course.steps:
        yield from _item(step, view, words)
        if step.move is None:
            yield from comment(course.comment)
        for variation in step.variations:
            yield from line(variation, view, words)
        yield "</li>"
    yield "</ol>"
    if course.number:
        yield "</div>"


def _item(step: Step, view: View, words: Words) -> Iterator[str]:
    """One step, all but its variations and its end."""
    marks = " ".join(corner(cell, view) for cell in step.marks)
    white, red = step.scores
    yield (
        f'<li id="{step.name}" data-turn="{step.turn}" data-say="{escaped(step.said)}"'
        f' data-white="{scored(white)}" data-red="{scored(red)}"'
        + (f' data-marks="{marks}">' if marks else ">")
        + f'<a href="#{step.name}">{_label(step, words)}</a>'
    )
    if step.move is not None:
        yield from _said(step.move, words)
        yield f' <span class="score">{white.points}–{red.points}</span>'
        yield from comment(step.move.comment)


def _label(step: Step, words: Words) -> str:
    if step.move is None:
        return escaped(words("page-start"))
    text = format_action(step.move.action)
    if isinstance(step.move.action, ChooseColor):
        return f"{escaped(word(Seat.SECOND, words.catalog))} <b>{escaped(text)}</b>"
    color = word(step.color or Color.WHITE, words.catalog)
    return f"{step.turn}. {escaped(color)} <b>{escaped(text)}</b>"


def _said(move: Move, words: Words) -> Iterator[str]:
    """What is noted of a move: glyphs and times."""
    for glyph in move.glyphs:
        sign, meaning = words.glyph(glyph)
        label = f' role="img" aria-label="{escaped(meaning)}"' if meaning else ""
        yield f' <span class="glyph"{label}>{sign}</span>'
    for code, seconds in (("page-clock", move.clock), ("page-took", move.elapsed)):
        if seconds is not None:
            text = words(code, time=time_text(seconds))
            yield f' <span class="time">{escaped(text)}</span>'


def comment(text: str) -> Iterator[str]:
    """A comment, each of its lines on a line; whatever direction it has stays its own."""
    if text:
        yield f'<p class="comment" dir="auto">{escaped(text)}</p>'


def scored(standing: Standing) -> str:
    """Return points and networks as the script takes them: ``4 3+1``."""
    return f"{standing.points} {'+'.join(map(str, standing.networks))}".rstrip()
