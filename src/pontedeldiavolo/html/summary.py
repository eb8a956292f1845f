"""The cards of both players, the result, and the name of the game: parts around the board."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final
from unicodedata import normalize

from pontedeldiavolo.base.enums import Color, Ending, Seat
from pontedeldiavolo.base.messages import filled, result, sentence, word
from pontedeldiavolo.game.board_view import NetworkView
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.svg.captions import COLORS, Captions, escaped
from pontedeldiavolo.svg.svgpath import font, text_path, text_width
from pontedeldiavolo.svg.themes import LIGHT

from .moves import Replay, capitalized, clock_text, piece

ARCH: Final = "M23.6-11.2Q41.9-19.6 60.2-12.2"
"""The bridge over the name of the game."""


def cards(replay: Replay, words: Captions) -> Iterator[str]:
    """Yield the cards of both players: white's on the left, red's on the right."""
    game = replay.game
    is_counted = game.ending is Ending.SCORED
    tally = " tally" if is_counted else ""
    yield f'<div class="cards{tally}">'
    seats = [Seat.FIRST, Seat.SECOND]
    if game.state.color_of(Seat.FIRST) is Color.RED:
        seats.reverse()
    is_chosen = game.state.color_of(Seat.FIRST) is not None
    for index, seat in enumerate(seats):
        score = replay.last.scores[index]
        is_next = replay.last.next_mover is seat
        now = " now" if is_next else ""
        yield f'<article class="card {COLORS[index]}{now}" data-seat="{seat.value}">'
        yield piece(COLORS[index] if is_chosen else "both")
        if is_chosen:
            yield f'<span class="hide">{escaped(capitalized(words.colors[index]))}, </span>'
        yield f'<h3 class="name" dir="auto">{escaped(capitalized(word(seat, words.catalog)))}</h3>'
        yield f'<p class="points">{lettering(str(sum(score)))}</p><div class="more">'
        if replay.clocks:
            label = escaped(words("clock", time="").strip())
            yield f'<span class="hide">{label} </span>'
            left = replay.clocks.get(seat)
            yield f'<span class="clock">{"" if left is None else clock_text(left)}</span>'
        networks = sorted(score, reverse=True)
        shown = " + ".join(map(str, networks)) if len(networks) > 1 else ""
        yield f'<span class="sum">{shown}</span>'
        if is_counted:
            yield '<ul class="nets" role="list">'
            for network in replay.networks(index):
                yield _network(network, words)
            yield "</ul>"
        yield "</div></article>"
    yield "</div>"


def _network(network: NetworkView, words: Captions) -> str:
    """Return a row on a network that counts, with its colour in the picture."""
    tints = LIGHT.red_tints if network.color else LIGHT.white_tints
    stroke = tints[network.tint % len(tints)]
    islands = filled(words.catalog, "picture-island-count", {"count": len(network.islands)})
    return (
        '<li><svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">'
        f'<path class="network" stroke="{stroke}" d="M3 3h10v10H3z"/></svg>'
        f"{escaped(islands)} <b>{network.points}</b></li>"
    )


def result_box(game: Game, words: Captions) -> Iterator[str]:
    """Yield the result of a game, if it has ended: who has won, why, and the points."""
    if game.ending is None:
        return
    catalog = words.catalog
    seat = game.winning_seat
    winner = None if seat is None else game.state.color_of(seat)
    if seat is None:
        outcome = sentence(catalog, "page-draw")
    else:
        outcome = sentence(catalog, "page-wins", winner=winner or seat)
    side = "draw" if winner is None else winner.value
    points = [game.state.score(color).points for color in Color]
    is_counted = game.ending is Ending.SCORED
    # Beside different points, only those who do not see them need the reason.
    is_clear = is_counted and points[0] != points[1]
    hide = " hide" if is_clear else ""
    yield f'<div class="result {side}"><div>'
    yield f'<h3 class="outcome" dir="auto">{lettering(outcome)}</h3>'
    yield f'<p class="reason{hide}">{escaped(result(game, catalog))}</p></div>'
    if is_counted:
        white, red = (
            _number(count, is_fainter=winner not in (None, color))
            for color, count in zip(Color, points, strict=True)
        )
        yield f'<p class="nums">{white}<span>{lettering("–")}</span>{red}</p>'
    yield "</div>"


def _number(count: int, *, is_fainter: bool) -> str:
    """Return the points of a colour beside the result; the loser's are fainter."""
    look = ' class="fainter"' if is_fainter else ""
    return f"<span{look}>{lettering(str(count))}</span>"


def lettering(text: str) -> str:
    """Return a text in the letters of the pictures, if they have them all."""
    if not all(normalize("NFD", letter)[0] in font() for letter in text):
        return escaped(text)
    width = text_width(text) + 2
    return (
        f'<svg class="letters" viewBox="-1 -11 {width:.4g} 14.5" aria-hidden="true">'
        f'<path d="{text_path(text, 0, 0)}"/></svg><span class="hide">{escaped(text)}</span>'
    )


@cache
def digits() -> str:
    """Return the width and the strokes of each digit, for the script."""
    return "|".join(
        f"{width:g} {strokes}" for width, strokes in (font()[each] for each in "0123456789")
    )


@cache
def logo() -> str:
    """Return the name of the game as a picture: two islands, which a bridge joins."""
    words = text_path("Ponte", 0, 0) + text_path("Diavolo", 57.6, 0)
    deck = f'<path d="{ARCH}" stroke="var(--rail)" stroke-width="4.2"/>'
    deck += f'<path d="{ARCH}" stroke="var(--bridge)" stroke-width="2.8"/>'
    deck += (
        f'<path d="{ARCH}" stroke="var(--rail)" stroke-width="2.8" stroke-dasharray=".55 1.45"/>'
    )
    return (
        '<svg class="letters" viewBox="-1 -18.6 103.6 20.6" aria-hidden="true">'
        f'<path d="{words}"/><path stroke-width="1.6" transform="translate(39.6 0) scale(.72)"'
        f' d="{text_path("del", 0, 0)}"/><g stroke-linecap="butt">{deck}</g></svg>'
    )
