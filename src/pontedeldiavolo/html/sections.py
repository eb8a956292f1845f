"""One game in a page: its board, its controls, its score, its moves, what is known about it."""

from __future__ import annotations

from collections.abc import Iterator

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.base.messages import result, word
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.tags import ROSTER
from pontedeldiavolo.html.board import picture, table
from pontedeldiavolo.html.course import Step, Teller
from pontedeldiavolo.html.moves import line
from pontedeldiavolo.html.words import Words
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.svg.markup import escaped
from pontedeldiavolo.svg.view import View

LONGEST = 200
"""How much of a tag a name has; the whole of it stands with the other tags."""

BUTTONS = (
    ("first", "⇤", "Home"),
    ("previous", "←", "ArrowLeft"),
    ("next", "→", "ArrowRight"),
    ("last", "⇥", "End"),
)
"""What buttons do, their signs, and the keys that do the same."""


def name_of(game: Game, place: int, words: Words) -> str:
    """Return what a game is called: by its players and its event, or else by its number."""
    first, second, event = (
        game.tags.get(each, "")[:LONGEST] for each in ("First", "Second", "Event")
    )
    players = f"{first or '?'} – {second or '?'}" if first or second else ""
    return ", ".join(filter(None, (players, event))) or words("page-game", number=place)


def section(game: Game, place: int, name: str, view: View, words: Words) -> Iterator[str]:
    """Everything about one game, as it stands at its end."""
    main = Teller(game, place, view, words.catalog).main()
    step = main.steps[-1]
    yield (
        f'<section class="game" id="game-{place}" aria-labelledby="game-{place}-name">'
        f'<h2 id="game-{place}-name" dir="auto">{escaped(name)}</h2>'
        '<div class="columns"><div class="table">'
    )
    courses = sorted(main.all(), key=lambda course: course.number)
    yield from picture(courses, view, words)
    yield from _controls(len(main.steps), words)
    yield f'<div class="status" role="status"><p class="said">{escaped(step.said)}</p>'
    yield '<p class="remark" dir="auto"></p></div>'
    yield from _score(step, words)
    yield from table(game.state, view, words)
    yield f'</div><div class="record"><h3>{escaped(words("page-moves"))}</h3>'
    yield '<div class="moves">'
    yield from line(main, view, words)
    yield "</div></div></div>"
    yield from _about(game, words)
    yield "</section>"


def _controls(steps: int, words: Words) -> Iterator[str]:
    """Buttons and a slider, for pages with scripts alone."""
    play, pause = escaped(words("page-play")), escaped(words("page-pause"))
    yield (
        f'<div class="controls" role="group" aria-label="{escaped(words("page-controls"))}" hidden>'
    )
    for name, sign, key in BUTTONS:
        label = escaped(words(f"page-{name}"))
        yield (
            f'<button type="button" data-do="{name}" aria-keyshortcuts="{key}" aria-label="{label}"'
            f' title="{label}">{sign}</button>'
        )
    yield (
        '<button type="button" data-do="play" aria-keyshortcuts="Space"'
        f' data-play="{play}" data-pause="{pause}">{play}</button>'
    )
    yield (
        f'<input type="range" min="0" max="{steps - 1}" value="{steps - 1}" step="1"'
        f' aria-label="{escaped(words("page-slider"))}">'
        f'<p class="keys">{escaped(words("page-keys"))}</p></div>'
    )


def _score(step: Step, words: Words) -> Iterator[str]:
    """The score of both colours at the turn shown."""
    heads = (escaped(words(f"page-{name}")) for name in ("color", "points", "networks"))
    row = "".join(f'<th scope="col">{each}</th>' for each in heads)
    yield f'<table class="scores"><thead><tr>{row}</tr></thead><tbody>'
    for color, standing in zip(Color, step.scores, strict=True):
        networks = " + ".join(map(str, standing.networks))
        yield (
            f'<tr data-color="{color.value}"><th scope="row">'
            f"{escaped(word(color, words.catalog))}</th>"
            f'<td class="worth">{standing.points}</td><td class="networks">{networks}</td></tr>'
        )
    yield "</tbody></table>"


def _about(game: Game, words: Words) -> Iterator[str]:
    """What is known about the game: result, rules and tags."""
    facts = [
        (words("page-result"), result(game, words.catalog)),
        (words("page-rules"), format_rules(game.rules)),
    ]
    facts += [
        (words(f"page-tag-{name.lower()}") if name in ROSTER else name, value)
        for name, value in game.tags.items()
    ]
    yield f'<div class="about"><h3>{escaped(words("page-about"))}</h3><dl>'
    yield from (
        f'<dt>{escaped(name)}</dt><dd dir="auto">{escaped(text)}</dd>' for name, text in facts
    )
    yield "</dl></div>"
