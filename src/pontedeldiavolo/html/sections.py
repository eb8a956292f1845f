"""The section of a page on one game: board, controls, score, moves, and facts about the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.base.messages import result, word
from pontedeldiavolo.board.cell import column_name
from pontedeldiavolo.game.board_view import CellView, view_of
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.tags import ROSTER
from pontedeldiavolo.html.moves import PageWords, Ply, Replay, untitled
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg import layers
from pontedeldiavolo.svg.captions import MOST_OF_TAG, escaped
from pontedeldiavolo.svg.layout import Layout
from pontedeldiavolo.svg.overlays import BRACKETS
from pontedeldiavolo.svg.themes import LIGHT

MARKS: Final = 2
"""The most cells that an action has."""

BUTTONS: Final = (
    ("first", "⇤", "Home"),
    ("previous", "←", "ArrowLeft"),
    ("next", "→", "ArrowRight"),
    ("last", "⇥", "End"),
)
"""The names of buttons, their signs, and the keys that do the same."""


def name_of(game: Game, place: int, words: PageWords) -> str:
    """Return the name of a game: its players and its event, or else its number."""
    first, second, event = (
        game.tags.get(each, "")[:MOST_OF_TAG] for each in ("First", "Second", "Event")
    )
    players = f"{first or '?'} – {second or '?'}" if first or second else ""
    return ", ".join(filter(None, (players, event))) or words("game", number=place)


def section(game: Game, place: int, name: str, words: PageWords, most: int | None) -> Iterator[str]:
    """The section of one game, at its end."""
    replay = Replay(game, place, words, most)
    said = escaped(replay.last.said)
    yield (
        f'<section class="game" id="game-{place}" aria-labelledby="game-{place}-name">'
        f'<h2 id="game-{place}-name" dir="auto">{escaped(name)}</h2>'
        '<div class="columns"><div class="table">'
    )
    yield from _picture(replay, words)
    yield from _controls(1 + len(game.actions), words)
    yield f'<div class="status" role="status"><p class="said">{said}</p>'
    yield '<p class="remark" dir="auto"></p></div>'
    yield from _score_table(replay.last, words)
    yield from _cell_table(game.state, replay.layout, words)
    yield f'</div><div class="record"><h3>{words.escaped("moves")}</h3>'
    yield f'<div class="moves">{replay.moves}</div></div></div>'
    yield from _facts(game, words)
    yield "</section>"


# The board


def _picture(replay: Replay, words: PageWords) -> Iterator[str]:
    """The picture: in each layer, a group for each line that has a part in it."""
    layout, context = replay.layout, replay.context
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="pontedeldiavolo"'
        f' aria-label="{words.escaped("board")}" data-board="{layout.columns}x{layout.rows}"'
        f' viewBox="0 0 {layout.width} {layout.height}">{untitled(layers.labels(context))}'
    )
    yield untitled("".join(layers.sea(replay.view, context)))
    for drawn in replay.layers:
        for number, text in sorted(drawn.items()):
            hidden = ' display="none"' if number else ""
            yield f'<g data-line="{number}"{hidden}>{text}</g>'
    yield from _brackets(replay.last.marks)
    yield "</svg>"


def _brackets(marks: tuple[str, ...]) -> Iterator[str]:
    """Brackets around the cells of the last action, which the script moves to others."""
    yield '<g fill="none" stroke-linecap="round">'
    for place in range(MARKS):
        at = marks[place] if place < len(marks) else "0,0"
        hidden = "" if place < len(marks) else ' display="none"'
        path = f'd="M2,14{BRACKETS}"'
        yield (
            f'<g class="last" transform="translate({at})"{hidden}>'
            f'<path stroke="{LIGHT.edge}" stroke-width="5" {path}/>'
            f'<path stroke="{LIGHT.last}" stroke-width="2.6" {path}/></g>'
        )
    yield "</g>"


def _cell_table(state: GameState, layout: Layout, words: PageWords) -> Iterator[str]:
    """The board as a table for screen readers, which the script keeps up to date."""
    keys = ("white", "red", "island", "bridge-to", "blocked", "water")
    said = {key: _word_for(key, words) for key in keys}
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


def _word_for(key: str, words: PageWords) -> str:
    """Return the word for a piece on a cell; the other end of a bridge stays a placeholder."""
    if key in ("white", "red"):
        return word(Color(key), words.catalog)
    return words(key, **({"cell": "{cell}"} if key == "bridge-to" else {}))


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
    play, pause = words.escaped("play"), words.escaped("pause")
    yield f'<div class="controls" role="group" aria-label="{words.escaped("controls")}" hidden>'
    for name, sign, key in BUTTONS:
        label = words.escaped(name)
        yield (
            f'<button type="button" data-do="{name}" aria-keyshortcuts="{key}" aria-label="{label}"'
            f' title="{label}">{sign}</button>'
        )
    yield (
        '<button type="button" data-do="play" aria-keyshortcuts="Space"'
        f' data-play="{play}" data-pause="{pause}">{play}</button>'
        f'<input type="range" min="0" max="{plies - 1}" value="{plies - 1}" step="1"'
        f' aria-label="{words.escaped("slider")}">'
        f'<p class="keys">{words.escaped("keys")}</p></div>'
    )


def _score_table(ply: Ply, words: PageWords) -> Iterator[str]:
    """The score of both colours at the turn shown."""
    heads = (words.escaped(name) for name in ("color", "points", "networks"))
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
    yield f'<div class="about"><h3>{words.escaped("about")}</h3><dl>'
    yield from (
        f'<dt>{escaped(name)}</dt><dd dir="auto">{escaped(text)}</dd>' for name, text in facts
    )
    yield "</dl></div>"
