"""Whole pages: games with their boards and moves, an index, colours and a script."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final, SupportsIndex, final

from attrs import field, frozen

from pontedeldiavolo.base.errors import (
    PonteError,
    instance_of,
    items_of,
    reason,
    require_type,
    whole_number,
)
from pontedeldiavolo.base.messages import Catalog, require_catalog, result
from pontedeldiavolo.base.values import ImmutableValue, shortened
from pontedeldiavolo.board.cell import column_name
from pontedeldiavolo.game.board_view import BoardView, CellView, view_of
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.tags import ROSTER, names_in_order
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg import layers
from pontedeldiavolo.svg.captions import (
    COLORS,
    MAX_TAG_CHARACTERS,
    NAME,
    Captions,
    escaped,
    players_of,
)
from pontedeldiavolo.svg.layout import Layout
from pontedeldiavolo.svg.overlays import FRAME
from pontedeldiavolo.svg.themes import COLORS as THEME_COLORS
from pontedeldiavolo.svg.themes import DARK, LIGHT, PRINT, TINTS, Theme

from .moves import Entry, Replay, untitled

MAX_MARKS: Final = 2
"""The number of frames in the picture: an action has at most two cells."""

BUTTONS: Final = (
    ("first", "⇤", "Home"),
    ("previous", "←", "ArrowLeft"),
    ("next", "→", "ArrowRight"),
    ("last", "⇥", "End"),
)
"""The names of buttons, their signs, and their keyboard shortcuts."""


def name_of(game: Game, place: int, words: Captions) -> str:
    """Return the name of a game: its players, white's first, and its event, or else its number."""
    event = game.tags.get("Event", "")[:MAX_TAG_CHARACTERS]
    parts = filter(None, (players_of(game), event))
    return ", ".join(parts) or words("game", number=place)


def section(
    game: Game, place: int, name: str, words: Captions, max_characters: int | None
) -> Iterator[str]:
    """Yield the section of one game, shown at its end."""
    replay = Replay(game, place, words, max_characters)
    yield f'<section class="game" id="game-{place}" aria-labelledby="game-{place}-name">'
    yield f'<h2 id="game-{place}-name" dir="auto">{escaped(name)}</h2>'
    if game.ending is not None:
        yield f'<p class="result">{escaped(result(game, words.catalog))}</p>'
    yield '<div class="columns"><div class="table">'
    yield from _picture(replay, words)
    yield from _controls(replay, words, len(game.actions))
    yield from _cell_table(game.state, replay.layout, words)
    yield '</div><div class="record">'
    announcement = escaped(replay.last.announcement)
    yield f'<div class="status" role="status"><p class="announcement">{announcement}</p>'
    yield '<p class="remark" dir="auto"></p></div>'
    yield from _score_table(replay.last, words)
    yield f"<h3>{words.escaped('moves')}</h3>"
    yield f'<div class="moves">{replay.moves}</div></div></div>'
    yield from _facts(game, words)
    yield "</section>"


# The board


def _picture(replay: Replay, words: Captions) -> Iterator[str]:
    """Yield the picture: in each layer, a group for each line that has a part in it."""
    yield from picture_head(replay, words, replay.view)
    for drawn in replay.layers:
        for number, text in sorted(drawn.items()):
            hidden = ' display="none"' if number else ""
            yield f'<g data-line="{number}"{hidden}>{text}</g>'
    yield from frames(replay.last.marks)
    yield "</svg>"


def picture_head(replay: Replay, words: Captions, view: BoardView) -> Iterator[str]:
    """Yield the beginning of a picture: everything under the pieces of a view."""
    layout = replay.layout
    context = replay.context
    yield '<svg xmlns="http://www.w3.org/2000/svg" role="img" class="pontedeldiavolo"'
    yield f' aria-label="{words.escaped("board")}" data-board="{layout.columns}x{layout.rows}"'
    yield f' viewBox="0 0 {layout.width} {layout.height}">'
    yield untitled("".join(layers.labels(context)))
    yield untitled("".join(layers.sea(view, context)))


def frames(marks: tuple[str, ...]) -> Iterator[str]:
    """Yield frames around the cells of the last action; the script moves them to other cells."""
    yield '<g fill="none" stroke-linecap="round">'
    path = f'd="M8,2{FRAME}"'
    frame = (
        f'<path stroke="{LIGHT.edge}" stroke-width="5" {path}/>'
        f'<path stroke="{LIGHT.last}" stroke-width="2.6" {path}/>'
    )
    for at in marks:
        yield f'<g class="last" transform="translate({at})">{frame}</g>'
    for _ in range(MAX_MARKS - len(marks)):
        yield f'<g class="last" transform="translate(0,0)" display="none">{frame}</g>'
    yield "</g>"


def _cell_table(state: GameState, layout: Layout, words: Captions) -> Iterator[str]:
    """Yield the board as a table for screen readers, which the script keeps up to date."""
    said = dict(zip(COLORS, words.colors, strict=True))
    # The name of a bridge's other end remains a placeholder.
    said |= {key: words(key, cell="{cell}") for key in ("island", "bridge-to", "blocked", "water")}
    data = "".join(f' data-{key}="{escaped(text)}"' for key, text in said.items())
    cells = view_of(state).cells()
    yield f'<div class="unseen"><table class="cells-in-words"{data}>'
    yield f"<caption>{words.escaped('board')}</caption><thead><tr><td></td>"
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


def parts(game: Game, catalog: Catalog) -> tuple[str, str]:
    """Return the picture of a game with all its turns, and the list of its moves."""
    words = Captions(catalog, "page")
    replay = Replay(game, 1, words, None)
    return "".join(_picture(replay, words)), f'<div class="moves">{replay.moves}</div>'


def _controls(replay: Replay, words: Captions, last: int) -> Iterator[str]:
    """Yield buttons, a slider with *last* moves, and a curve of evaluations, which need scripts."""
    play = words.escaped("play")
    pause = words.escaped("pause")
    yield f'<div class="controls" role="group" aria-label="{words.escaped("controls")}" hidden>'
    for name, sign, key in BUTTONS:
        label = words.escaped(name)
        yield f'<button type="button" data-do="{name}" aria-keyshortcuts="{key}"'
        yield f' aria-label="{label}" title="{label}">{sign}</button>'
    yield '<button type="button" data-do="play" aria-keyshortcuts="Space"'
    yield f' data-play="{play}" data-pause="{pause}">{play}</button>'
    yield f'<input type="range" min="0" max="{last}" value="{last}" step="1"'
    yield f' aria-label="{words.escaped("slider")}">'
    if replay.values:
        points = "L".join(f"{ply} {-value:.2f}" for ply, value in replay.values.items())
        ends = f"M{min(replay.values)} 0L{points}L{max(replay.values)} 0z"
        label = f'role="img" aria-label="{words.escaped("curve")}"'
        yield f'<svg class="curve" {label} viewBox="0 -1.1 {last} 2.2" preserveAspectRatio="none">'
        yield f'<path class="area" d="{ends}"/><path d="M{points}"/>'
        yield f'<path class="axis" d="M0 0H{last}"/><path class="now" d="M0-1v2"/></svg>'
    yield f'<p class="keys">{words.escaped("keys")}</p></div>'


def _score_table(entry: Entry, words: Captions) -> Iterator[str]:
    """Yield the score of both colours in the turn shown."""
    heads = ("color", "points", "networks")
    row = "".join(f'<th scope="col">{words.escaped(name)}</th>' for name in heads)
    yield f'<table class="scores"><thead><tr>{row}</tr></thead><tbody>'
    for name, color, score in zip(COLORS, words.colors, entry.scores, strict=True):
        networks = " + ".join(map(str, score))
        yield f'<tr data-color="{name}"><th scope="row">{escaped(color)}</th>'
        yield f'<td class="worth">{sum(score)}</td><td class="networks">{networks}</td></tr>'
    yield "</tbody></table>"


def _facts(game: Game, words: Captions) -> Iterator[str]:
    """Yield the result, the rules and the tags of a game."""
    facts = [
        (words("result"), result(game, words.catalog)),
        (words("rules"), format_rules(game.rules)),
    ]
    for name in names_in_order(game.tags):
        shown_name = words(f"tag-{name.lower()}") if name in ROSTER else name
        facts.append((shown_name, game.tags[name]))
    yield f'<div class="about"><h3>{words.escaped("about")}</h3><dl>'
    for name, text in facts:
        yield f'<dt>{escaped(name)}</dt><dd dir="auto">{escaped(text)}</dd>'
    yield "</dl></div>"


FRAME_HEIGHT: Final = 720
"""The height of a page in a notebook, in pixels."""

MAX_CHARACTERS: Final = 1_000_000
"""The default maximum number of characters for the moves of a game."""


@cache
def theme_rules() -> str:
    """Return the style sheet's variables for the colours of all themes.

    A picture has the colours of the light theme in attributes. Style sheets override attributes,
    so one picture serves all themes.
    """
    tints = "".join(
        f'.network[stroke="{tint}"]{{stroke:var(--{name}-{place})}}'
        for name, place, tint in _tints(LIGHT)
    )
    screens = f"{_rule(LIGHT)}@media (prefers-color-scheme:dark){{{_rule(DARK)}}}"
    return f"{screens}@media print{{{_rule(PRINT)}}}{tints}\n"


def _tints(theme: Theme) -> Iterator[tuple[str, int, str]]:
    """Iterate over tints with their names and indices; if a theme has fewer, they repeat."""
    for name in TINTS:
        tints = getattr(theme, name)
        for place in range(len(getattr(LIGHT, name))):
            yield name.replace("_", "-"), place, tints[place % len(tints)]


def _rule(theme: Theme) -> str:
    named = [f"--{name.replace('_', '-')}:{getattr(theme, name)}" for name in THEME_COLORS]
    tints = [f"--{name}-{place}:{tint}" for name, place, tint in _tints(theme)]
    return f":root{{{';'.join((*named, *tints))}}}"


@final
@frozen(order=False)
class Html(ImmutableValue):
    """A page as text: write it to a file in UTF-8, or let a notebook show it in a frame.

    >>> page = pdd.html.replay(pdd.Game.new())
    >>> page.text == str(page)
    True
    >>> page.text[:15]
    '<!DOCTYPE html>'

    Attributes:
        text: The HTML document.
    """

    text: str = field(validator=instance_of(str), repr=shortened)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        title = re.search("<title>([^<]*)</title>", self.text)
        below = f'<p dir="auto">{title[1] if title else NAME}</p>'
        return covered(below, frame_of(self))


def frame_of(page: Html) -> str:
    """Return a frame with a page, whose scripts cannot leave it."""
    # A background hides what the frame covers.
    look = f"grid-area:1/1;position:relative;min-height:{FRAME_HEIGHT}px;height:100%"
    look += ";border:0;background:Canvas"
    size = f'width="100%" height="{FRAME_HEIGHT}"'
    attributes = f'title="{NAME}" sandbox="allow-scripts" {size} style="{look}"'
    return f'<iframe {attributes} srcdoc="{escaped(page.text)}"></iframe>'


def covered(below: str, frame: str) -> str:
    """Return an element with a frame that covers the rest, which remains where frames are removed.

    Both are in the same cell of a grid, which is as high as what is in it: without the frame, no
    gap is left.
    """
    rest = f'<div style="grid-area:1/1;min-width:0">{below}</div>'
    return f'<div style="display:grid;overflow:hidden">{rest}{frame}</div>'


def replay(
    games: Game | Iterable[Game],
    *,
    title: str | None = None,
    catalog: Catalog | str = "en",
    max_characters: SupportsIndex | None = MAX_CHARACTERS,
) -> Html:
    """Return a self-contained page for stepping through games turn by turn.

    The page needs no other file and no network. It follows the light or dark setting of the
    reader's device, and has a list of all moves, with variations, comments, NAGs and times. A
    link to ``#game-2-turn-17`` shows that turn of the second game.

    >>> game = pdd.Game.from_actions(None, ["d4,g7", "red", "c3,c5"], tags={"First": "Ada"})
    >>> page = pdd.html.replay(game.with_comment("Rather far apart.", (0,)), title="A lesson")
    >>> "Rather far apart." in page.text
    True

    Args:
        games: A game; or several, for a page with an index.
        title: The title of the page; by default the name of the game.
        catalog: The language of the page, or its code.
        max_characters: The maximum number of characters for the moves of one game, by default
            1,000,000, in the list and in the picture, without comments; ``None`` for no limit. A
            move takes about 1,000, and more on large boards.

    Raises:
        PonteError: If there is no game, the moves of a game take more characters, or the
            catalogue lacks a text of the page.
    """
    limit = None if max_characters is None else whole_number(max_characters, "max_characters")
    require_type(title, str | None, "title")
    words = Captions(require_catalog(catalog), "page")
    shown = (games,) if isinstance(games, Game) else items_of(games, Game, "games")
    if not shown:
        raise PonteError(reason("no-games"))
    return Html("".join(_page(shown, title, words, limit)))


def _page(
    games: Sequence[Game], title: str | None, words: Captions, max_characters: int | None
) -> Iterator[str]:
    style = f"{read_file('replay.css')}{board_style()}"
    script = _script()
    names = [name_of(game, place, words) for place, game in enumerate(games, 1)]
    several = len(games) > 1
    about = words("games", count=len(games)) if several else names[0]
    default = f"{NAME}: {about}"
    yield f'<!DOCTYPE html>\n<html lang="{words.escaped("language")}"><head>'
    yield f'<meta charset="utf-8">{_policy(style, script)}'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield f"<title>{escaped(default if title is None else title)}</title><style>{style}</style>"
    yield f'</head><body><header><h1 dir="auto">{escaped(NAME if title is None else title)}</h1>'
    if several:
        yield from _index(games, names, words)
    yield "</header><main>"
    for place, (game, name) in enumerate(zip(games, names, strict=True), 1):
        yield from section(game, place, name, words, max_characters)
    yield f"</main><script>{script}</script></body></html>\n"


def _index(games: Sequence[Game], names: list[str], words: Captions) -> Iterator[str]:
    """Yield links to all games, each with its result."""
    yield f'<nav class="index" aria-label="{words.escaped("index")}"><ol>'
    for place, (game, name) in enumerate(zip(games, names, strict=True), 1):
        yield f'<li><a href="#game-{place}"><bdi>{escaped(name)}</bdi></a>'
        yield f' <span class="result">{escaped(result(game, words.catalog))}</span></li>'
    yield "</ol></nav>"


def _policy(style: str, script: str) -> str:
    """Return a security policy that allows the page's own style and script, and nothing else.

    So a script in a comment cannot run, and the page makes no requests.
    """
    sources = f"style-src '{_digest(style)}'; script-src '{_digest(script)}'; img-src data:"
    policy = f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'"
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">'


def board_style() -> str:
    """Return the style sheet of pictures, with the colours of all themes."""
    return theme_rules() + read_file("board.css")


def _script() -> str:
    """Return the modules as one script: a page in a single file cannot import another file."""
    modules = f"{read_file('replay.js')}{read_file('page.js')}"
    return "'use strict';" + re.sub("(?m)^import .*$|^export ", "", modules)


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def read_file(name: str) -> str:
    """Return a file of this package, with the same line ends on every system."""
    return "\n".join(files("pontedeldiavolo.html").joinpath(name).read_text("utf-8").splitlines())
