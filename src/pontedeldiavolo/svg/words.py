"""What a picture says to those who do not see it."""

from __future__ import annotations

from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.scene import Scene
from pontedeldiavolo.messages import explain, result
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.state.state import GameState, HalfTurn
from pontedeldiavolo.svg.scenery import Scenery
from pontedeldiavolo.svg.view import View
from pontedeldiavolo.vocabulary import Color

NAME = "Ponte del Diavolo"
COLORS = ("white", "red")
LONGEST = 200
"""How much of a tag a title has."""


def title_of(scene: Scene) -> str:
    """Return what a picture is called."""
    if isinstance(scene, Game):
        players = [scene.tags.get(name, "?")[:LONGEST] for name in ("First", "Second")]
        event = scene.tags.get("Event", "")[:LONGEST]
        parts = [" – ".join(players) if players != ["?", "?"] else "", event]
        return ", ".join([NAME, *filter(None, parts)])
    if isinstance(scene, GameState | HalfTurn):
        return f"{NAME}, {_standing(scene)}"
    return f"{NAME}, a board"


def _standing(scene: GameState | HalfTurn) -> str:
    if scene.is_over:
        return "the game is over"
    mover = "colours are chosen" if scene.to_move is None else f"{scene.to_move.value} to move"
    return f"after turn {scene.turn}, {mover}"


def description_of(scene: Scene, scenery: Scenery, view: View) -> str:
    """Return the position in words."""
    board, blocked = scenery.board, scenery.blocked
    said = [f"A board of {board.width} by {board.height} cells."]
    said += [f"{each.value.capitalize()}: {_side(scene, scenery, view, each)}." for each in Color]
    if blocked:
        said.append(f"Blocked: {_cells(view, blocked)}.")
    if scenery.first is not None:
        cell, color, _ = scenery.first
        said.append(f"{COLORS[color].capitalize()} has shown a first tile on {view.names[cell]}.")
    if isinstance(scene, Game):
        said.append(result(scene))
    said += [f"{each[0].upper()}{each[1:]}." for each in scenery.off_board]
    said += map(explain, scenery.faults)
    return " ".join(said)


def _side(scene: Scene, scenery: Scenery, view: View, color: Color) -> str:
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
        f"islands {'; '.join(islands)}" if islands else "",
        f"sandbanks {'; '.join(banks)}" if banks else "",
        f"bridges {', '.join(bridges)}" if bridges else "",
    ]
    said = ", ".join(filter(None, parts)) or "nothing"
    if isinstance(scene, Setup):
        return said
    scored = scene.state if isinstance(scene, Game) else scene
    points = scored.score(color).points
    return f"{said}, {points} point{'' if points == 1 else 's'}"


def _cells(view: View, cells: int) -> str:
    return " ".join([view.names[cell] for cell in bits(cells)])
