"""What a picture says to those who do not see it, in the language of a catalogue."""

from __future__ import annotations

from typing import Final, final

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.base.messages import Catalog, explain, filled, result, word
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.game.drawable import Drawable
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.rules.violations import Violation
from pontedeldiavolo.state.state import GameState, HalfTurn
from pontedeldiavolo.svg.markup import escaped
from pontedeldiavolo.svg.scenery import Scenery
from pontedeldiavolo.svg.view import View

NAME: Final = "Ponte del Diavolo"
COLORS: Final = ("white", "red")
"""What classes call the colours, in every language."""
LONGEST: Final = 200
"""How much of a tag a title has."""


@final
class Words:
    """What a catalogue has for pictures."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog: Catalog = catalog
        self.colors: tuple[str, ...] = tuple(word(color, catalog) for color in Color)

    def __call__(self, code: str, **values: int | str) -> str:
        """Return a text with its values."""
        return filled(self.catalog, f"picture-{code}", values)

    def title(self, code: str, **values: int | str) -> str:
        """Return the title of a part, as XML has it."""
        return f"<title>{escaped(self(code, **values))}</title>"

    def explained(self, fault: Violation) -> str:
        """Return the sentence on a fault."""
        return explain(fault, self.catalog)

    def amount(self, one: str, many: str, count: int) -> str:
        """Return a number with its noun."""
        return self(one) if count == 1 else self(many, count=count)

    def points(self, count: int) -> str:
        """Return how many points there are."""
        return self.amount("one-point", "points", count)

    def off_board(self, scenery: Scenery) -> list[str]:
        """Return what cannot be drawn."""
        return [
            self("bridges-off-board", bridges=names)
            if color is None
            else self("off-board", color=self.colors[color], cells=names)
            for color, names in scenery.off_board
        ]


def title_of(scene: Drawable, words: Words) -> str:
    """Return what a picture is called."""
    if isinstance(scene, Game):
        players = [scene.tags.get(name, "?")[:LONGEST] for name in ("First", "Second")]
        event = scene.tags.get("Event", "")[:LONGEST]
        parts = [" – ".join(players) if players != ["?", "?"] else "", event]
        return ", ".join([NAME, *filter(None, parts)])
    if isinstance(scene, GameState | HalfTurn):
        return f"{NAME}, {_standing(scene, words)}"
    return f"{NAME}, {words('title-board')}"


def _standing(scene: GameState | HalfTurn, words: Words) -> str:
    if scene.is_over:
        return words("title-over")
    if scene.to_move is None:
        return words("title-choice", turn=scene.turn)
    return words("title-turn", turn=scene.turn, color=words.colors[scene.to_move.index])


def description_of(scene: Drawable, scenery: Scenery, view: View, words: Words) -> str:
    """Return the position in words."""
    board, blocked = scenery.board, scenery.blocked
    said = [words("board", width=board.width, height=board.height)]
    said += [_side(scene, scenery, view, each, words) for each in Color]
    if blocked:
        said.append(words("all-blocked", cells=_cells(view, blocked)))
    if scenery.first is not None:
        cell, color, _ = scenery.first
        said.append(words("first", color=words.colors[color], cell=view.names[cell]))
    if isinstance(scene, Game):
        said.append(result(scene, words.catalog))
    said += [f"{each}." for each in words.off_board(scenery)]
    said += map(words.explained, scenery.faults)
    return " ".join(map(_capital, said))


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _side(scene: Drawable, scenery: Scenery, view: View, color: Color, words: Words) -> str:
    """Return what a colour has, and what that is worth; set-ups are not counted."""
    islands: list[str] = []
    banks: list[str] = []
    for land in scenery.lands:
        if land.color == color.index and land.until is None:
            (islands if land.is_island else banks).append(_cells(view, land.cells))
    bridges = [
        f"{view.names[a]}-{view.names[b]}"
        for a, b, _, owner, _ in scenery.spans
        if owner == color.index
    ]
    parts = [
        words("islands", cells="; ".join(islands)) if islands else "",
        words("sandbanks", cells="; ".join(banks)) if banks else "",
        words("bridges", bridges=", ".join(bridges)) if bridges else "",
    ]
    found = [", ".join(filter(None, parts)) or words("nothing")]
    if not isinstance(scene, Setup):
        scored = scene.state if isinstance(scene, Game) else scene
        found.append(words.points(scored.score(color).points))
    return words("side", color=words.colors[color.index], lying=", ".join(found))


def _cells(view: View, cells: int) -> str:
    return " ".join([view.names[cell] for cell in bits(cells)])
