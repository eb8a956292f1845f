"""The section of a page on one game: board, controls, score, moves, and facts about the game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.enums import Color, Seat
from pontedeldiavolo.base.messages import Catalog, filled, result, word
from pontedeldiavolo.board.cell import column_name
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.game.board_view import CellView, view_of
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Move
from pontedeldiavolo.game.tags import ROSTER, time_text
from pontedeldiavolo.html.line_views import LineView, Ply, Replay, ScoreLine
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.rules.actions import ChooseColor
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg import layers
from pontedeldiavolo.svg.captions import MOST_OF_TAG, Captions, escaped
from pontedeldiavolo.svg.layers import Context
from pontedeldiavolo.svg.layout import Layout, layout_of
from pontedeldiavolo.svg.overlays import BRACKETS
from pontedeldiavolo.svg.themes import LIGHT

SIGNS: Final = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
"""The glyphs that have signs; others are shown by their numbers, as in records."""

MARKS: Final = 2
"""The most cells that an action has."""

BUTTONS: Final = (
    ("first", "⇤", "Home"),
    ("previous", "←", "ArrowLeft"),
    ("next", "→", "ArrowRight"),
    ("last", "⇥", "End"),
)
"""The names of buttons, their signs, and the keys that do the same."""

_TITLE: Final = re.compile("<title>[^<]*</title>")
_EMPTY: Final = re.compile("></(?:path|rect)>")


class PageWords:
    """The words and sentences that a catalogue has for pages."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog: Catalog = catalog

    def __call__(self, code: str, **values: int | str) -> str:
        """Return a text with its values."""
        return filled(self.catalog, f"page-{code}", values)

    def piece(self, key: str) -> str:
        """Return the word for a piece on a cell; the other end of a bridge stays a placeholder."""
        color = next((each for each in Color if each.value == key), None)
        if color is not None:
            return word(color, self.catalog)
        return self(key, **({"cell": "{cell}"} if key == "bridge-to" else {}))

    def glyph(self, number: int) -> tuple[str, str]:
        """Return the sign and the meaning of a glyph; one without a sign has no meaning here."""
        if number in SIGNS:
            return SIGNS[number], filled(self.catalog, f"glyph-{number}", {})
        return f"${number}", ""


def name_of(game: Game, place: int, words: PageWords) -> str:
    """Return the name of a game: its players and its event, or else its number."""
    first, second, event = (
        game.tags.get(each, "")[:MOST_OF_TAG] for each in ("First", "Second", "Event")
    )
    players = f"{first or '?'} – {second or '?'}" if first or second else ""
    return ", ".join(filter(None, (players, event))) or words("game", number=place)


def section(game: Game, place: int, name: str, words: PageWords) -> Iterator[str]:
    """The section of one game, at its end."""
    board = game.rules.board
    layout = layout_of(Symmetry(board.width, board.height), coordinates=True)
    main = Replay(game, place, words.catalog).main()
    ply = main.plies[-1]
    yield (
        f'<section class="game" id="game-{place}" aria-labelledby="game-{place}-name">'
        f'<h2 id="game-{place}-name" dir="auto">{escaped(name)}</h2>'
        '<div class="columns"><div class="table">'
    )
    yield from _picture(main, layout, words)
    yield from _controls(len(main.plies), words)
    yield f'<div class="status" role="status"><p class="said">{escaped(ply.said)}</p>'
    yield '<p class="remark" dir="auto"></p></div>'
    yield from _score_table(ply, words)
    yield from _cell_table(game.state, layout, words)
    yield f'</div><div class="record"><h3>{escaped(words("moves"))}</h3>'
    yield '<div class="moves">'
    yield from _line(main, layout, words)
    yield "</div></div></div>"
    yield from _facts(game, words)
    yield "</section>"


# The board


def _picture(main: LineView, layout: Layout, words: PageWords) -> Iterator[str]:
    """The picture: in each layer, a group for each line that has a part in it.

    Parts have no titles: the table says more.
    """
    lines = sorted(main.all(), key=lambda line: line.number)
    context = Context(layout, LIGHT, Captions(ENGLISH))
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="pontedeldiavolo"'
        f' aria-label="{escaped(words("board"))}" data-board="{layout.columns}x{layout.rows}"'
        f' viewBox="0 0 {layout.width} {layout.height}">{_untitled(layers.labels(context))}'
    )
    yield _untitled("".join(layers.sea(main.view, context)))
    for layer in layers.PIECES:
        for line in lines:
            drawn = _untitled("".join(layer(line.view, context)))
            if drawn:
                hidden = ' display="none"' if line.number else ""
                yield f'<g data-line="{line.number}"{hidden}>{drawn}</g>'
    yield from _brackets(main.plies[-1].marks, layout)
    yield "</svg>"


def _untitled(drawn: str) -> str:
    return _EMPTY.sub("/>", _TITLE.sub("", drawn))


def _brackets(cells: tuple[int, ...], layout: Layout) -> Iterator[str]:
    """Brackets around the cells of the last action, which the script moves to others."""
    yield '<g fill="none" stroke-linecap="round">'
    for place in range(MARKS):
        at = _corner(cells[place], layout) if place < len(cells) else "0,0"
        hidden = "" if place < len(cells) else ' display="none"'
        path = f'd="M2,14{BRACKETS}"'
        yield (
            f'<g class="last" transform="translate({at})"{hidden}>'
            f'<path stroke="{LIGHT.edge}" stroke-width="5" {path}/>'
            f'<path stroke="{LIGHT.last}" stroke-width="2.6" {path}/></g>'
        )
    yield "</g>"


def _corner(cell: int, layout: Layout) -> str:
    """Return the place of the brackets of a cell."""
    x, y = layout.points[cell]
    return f"{x},{y}"


def _cell_table(state: GameState, layout: Layout, words: PageWords) -> Iterator[str]:
    """The board as a table for screen readers, which the script keeps up to date."""
    keys = ("white", "red", "island", "bridge-to", "blocked", "water")
    said = {key: words.piece(key) for key in keys}
    data = "".join(f' data-{key}="{escaped(text)}"' for key, text in said.items())
    cells = view_of(state).cells()
    yield (
        f'<div class="unseen"><table class="cells-in-words"{data}>'
        f"<caption>{escaped(words('board'))}</caption><thead><tr><td></td>"
    )
    yield from (f'<th scope="col">{column_name(x)}</th>' for x in range(layout.columns))
    yield "</tr></thead><tbody>"
    for row in range(layout.rows - 1, -1, -1):
        yield f'<tr><th scope="row">{row + 1}</th>'
        for cell in range(row * layout.columns, (row + 1) * layout.columns):
            text = ", ".join(_pieces(cells[cell], layout.names, said))
            yield f'<td data-cell="{layout.names[cell]}">{escaped(text)}</td>'
        yield "</tr>"
    yield "</tbody></table></div>"


def _pieces(cell: CellView, names: tuple[str, ...], said: dict[str, str]) -> list[str]:
    """Return the pieces on a cell: its tile, its island, its bridge."""
    found: list[str] = []
    if cell.group is not None:
        found.append(said["red" if cell.group.color else "white"])
        if cell.group.is_island:
            found.append(said["island"])
    found += [said["bridge-to"].replace("{cell}", names[other]) for other in cell.bridges_to]
    if cell.is_blocked:
        found.append(said["blocked"])
    return found or [said["water"]]


# The controls and the score


def _controls(plies: int, words: PageWords) -> Iterator[str]:
    """Buttons and a slider, for pages with scripts alone."""
    play, pause = escaped(words("play")), escaped(words("pause"))
    yield f'<div class="controls" role="group" aria-label="{escaped(words("controls"))}" hidden>'
    for name, sign, key in BUTTONS:
        label = escaped(words(name))
        yield (
            f'<button type="button" data-do="{name}" aria-keyshortcuts="{key}" aria-label="{label}"'
            f' title="{label}">{sign}</button>'
        )
    yield (
        '<button type="button" data-do="play" aria-keyshortcuts="Space"'
        f' data-play="{play}" data-pause="{pause}">{play}</button>'
        f'<input type="range" min="0" max="{plies - 1}" value="{plies - 1}" step="1"'
        f' aria-label="{escaped(words("slider"))}">'
        f'<p class="keys">{escaped(words("keys"))}</p></div>'
    )


def _score_table(ply: Ply, words: PageWords) -> Iterator[str]:
    """The score of both colours at the turn shown."""
    heads = (escaped(words(name)) for name in ("color", "points", "networks"))
    row = "".join(f'<th scope="col">{each}</th>' for each in heads)
    yield f'<table class="scores"><thead><tr>{row}</tr></thead><tbody>'
    for color, score in zip(Color, ply.scores, strict=True):
        networks = " + ".join(map(str, score.networks))
        yield (
            f'<tr data-color="{color.value}"><th scope="row">'
            f"{escaped(word(color, words.catalog))}</th>"
            f'<td class="worth">{score.points}</td><td class="networks">{networks}</td></tr>'
        )
    yield "</tbody></table>"


# The moves


def _line(line: LineView, layout: Layout, words: PageWords) -> Iterator[str]:
    """A line with its comment and all its variations."""
    name = escaped(words("variation", number=line.number) if line.number else words("moves"))
    about = f' data-line="{line.number}"'
    if line.number:
        about += f' data-base="{line.base}" data-kept="{line.kept}"'
        yield f'<div class="variation"><p class="name">{name}</p>'
        yield from _comment(line.comment)
    if line.gone:
        about += f' data-gone="{";".join(line.gone)}"'
    yield f'<ol role="list" aria-label="{name}"{about}>'
    for ply in line.plies:
        yield from _item(ply, layout, words)
        if ply.move is None:
            yield from _comment(line.comment)
        for variation in ply.variations:
            yield from _line(variation, layout, words)
        yield "</li>"
    yield "</ol>"
    if line.number:
        yield "</div>"


def _item(ply: Ply, layout: Layout, words: PageWords) -> Iterator[str]:
    """One ply, without its variations and its end tag."""
    marks = " ".join(_corner(cell, layout) for cell in ply.marks)
    white, red = ply.scores
    yield (
        f'<li id="{ply.name}" data-turn="{ply.turn}" data-say="{escaped(ply.said)}"'
        f' data-white="{_score_data(white)}" data-red="{_score_data(red)}"'
        + (f' data-marks="{marks}">' if marks else ">")
        + f'<a href="#{ply.name}">{_label(ply, words)}</a>'
    )
    if ply.move is not None:
        yield from _notes(ply.move, words)
        yield f' <span class="score">{white.points}–{red.points}</span>'
        yield from _comment(ply.move.comment)


def _label(ply: Ply, words: PageWords) -> str:
    if ply.move is None:
        return escaped(words("start"))
    text = escaped(format_action(ply.move.action))
    if isinstance(ply.move.action, ChooseColor):
        return f"{escaped(word(Seat.SECOND, words.catalog))} <b>{text}</b>"
    color = word(ply.color or Color.WHITE, words.catalog)
    return f"{ply.turn}. {escaped(color)} <b>{text}</b>"


def _notes(move: Move, words: PageWords) -> Iterator[str]:
    """The glyphs and the times of a move."""
    for glyph in move.glyphs:
        sign, meaning = words.glyph(glyph)
        label = f' role="img" aria-label="{escaped(meaning)}"' if meaning else ""
        yield f' <span class="glyph"{label}>{sign}</span>'
    for code, seconds in (("clock", move.clock), ("took", move.elapsed)):
        if seconds is not None:
            text = words(code, time=time_text(seconds))
            yield f' <span class="time">{escaped(text)}</span>'


def _comment(text: str) -> Iterator[str]:
    """A comment; its direction of writing does not spread."""
    if text:
        yield f'<p class="comment" dir="auto">{escaped(text)}</p>'


def _score_data(score: ScoreLine) -> str:
    """Return points and networks as the script takes them: ``4 3+1``."""
    return f"{score.points} {'+'.join(map(str, score.networks))}".rstrip()


def _facts(game: Game, words: PageWords) -> Iterator[str]:
    """The result, the rules and the tags of a game."""
    facts = [
        (words("result"), result(game, words.catalog)),
        (words("rules"), format_rules(game.rules)),
    ]
    facts += [
        (words(f"tag-{name.lower()}") if name in ROSTER else name, value)
        for name, value in game.tags.items()
    ]
    yield f'<div class="about"><h3>{escaped(words("about"))}</h3><dl>'
    yield from (
        f'<dt>{escaped(name)}</dt><dd dir="auto">{escaped(text)}</dd>' for name, text in facts
    )
    yield "</dl></div>"
