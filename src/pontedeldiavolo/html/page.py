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

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.errors import (
    PonteError,
    instance_of,
    items_of,
    reason,
    require_type,
    whole_number,
)
from pontedeldiavolo.base.messages import Catalog, require_catalog, result, word
from pontedeldiavolo.base.values import ImmutableValue, shortened
from pontedeldiavolo.board.cell import column_name
from pontedeldiavolo.game.board_view import BoardView, CellView, view_of
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.tags import ROSTER, names_in_order
from pontedeldiavolo.rules.rules import Rules
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
from pontedeldiavolo.svg.layers import upright
from pontedeldiavolo.svg.layout import Layout
from pontedeldiavolo.svg.overlays import FRAME
from pontedeldiavolo.svg.themes import COLORS as THEME_COLORS
from pontedeldiavolo.svg.themes import DARK, LIGHT, PRINT, TINTS, Theme

from .moves import Replay, untitled
from .names import with_players
from .summary import cards, digits, logo, result_box

MAX_MARKS: Final = 2
"""The number of frames in the picture: an action has at most two cells."""

BUTTONS: Final = (
    ("first", "M6 5v14M19 5l-9 7 9 7z", "Home"),
    ("previous", "M16 5l-9 7 9 7z", "ArrowLeft"),
    ("next", "M8 5l9 7-9 7z", "ArrowRight"),
    ("last", "M18 5v14M5 5l9 7-9 7z", "End"),
)
"""The names of buttons that show another turn, their icons, and their keyboard shortcuts."""
PLAY: Final = "M7 4.5v15l12-7.5z"
PAUSE: Final = "M8 5v14M16 5v14"
NETWORKS: Final = "M4 3.5h6.5v10h10v7H4zM15 3.5h5.5v5.5H15z"
"""Icons of other buttons."""


def name_of(game: Game, place: int, words: Captions) -> str:
    """Return the name of a game: its players, white's first, and its event, or else its number."""
    event = game.tags.get("Event", "")[:MAX_TAG_CHARACTERS]
    parts = filter(None, (players_of(game), event))
    return ", ".join(parts) or words("game", number=place)


def section(
    game: Game,
    place: int,
    words: Captions,
    max_characters: int | None,
    heading: str = "",
) -> Iterator[str]:
    """Yield the section of one game, shown at its end; its *heading* may stand elsewhere."""
    words = Captions(with_players(game, words.catalog), "page")
    replay = Replay(game, place, words, max_characters)
    yield f'<section class="game" id="game-{place}" aria-labelledby="game-{place}-name">{heading}'
    yield '<div class="layout"><div class="table">'
    yield from _picture(replay, words)
    yield from _cell_table(game.state, replay.layout, words)
    yield '</div><div class="panel"><div class="summary">'
    yield from cards(replay, words)
    yield from _status(replay, words)
    yield from result_box(game, words)
    yield "</div>"
    yield from _controls(replay, words)
    yield f'<h3 class="hide">{words.escaped("moves")}</h3>'
    yield f'<div class="moves">{replay.moves}</div></div></div>'
    yield from _facts(game, words)
    yield "</section>"


def heading(place: int, name: str) -> str:
    """Return the heading of a game."""
    return f'<h2 id="game-{place}-name" dir="auto">{escaped(name)}</h2>'


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
            yield f"<td>{escaped(text)}</td>"
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
    replay = Replay(game, 1, words, None, is_live=True)
    return "".join(_picture(replay, words)), f'<div class="moves">{replay.moves}</div>'


def _status(replay: Replay, words: Captions) -> Iterator[str]:
    """Yield what is said of the turn shown; at the end of a game the result takes its place."""
    hidden = " hidden" if replay.game.ending is not None else ""
    turn = words.escaped("turn", turn="{turn}", last="{last}")
    score = words.escaped("score", white="{white}", red="{red}", **_color_words(words))
    took = words.escaped("took", time="{time}")
    templates = f'data-turn="{turn}" data-score="{score}" data-took="{took}"'
    yield f'<div class="status-line" {templates}{hidden}>'
    last = replay.last.turn
    yield '<div role="status" class="text">'
    yield f'<b class="turn">{words.escaped("turn", turn=last, last=last)}</b>'
    yield ' <span class="judgement"></span>'
    yield f' <span class="announcement">{escaped(replay.last.announcement)}</span>'
    yield ' <span class="soft took"></span> <span class="hide score-in-words"></span>'
    yield '<p class="remark" dir="auto"></p></div></div>'


def _color_words(words: Captions) -> dict[str, str]:
    white, red = words.colors
    return {"white_word": white, "red_word": red}


def _controls(replay: Replay, words: Captions) -> Iterator[str]:
    """Yield buttons, a slider and a curve of evaluations, which need scripts."""
    last = len(replay.game.actions)
    yield f'<div class="controls" role="group" aria-label="{words.escaped("controls")}" hidden>'
    yield '<div class="tools">'
    for name, path, key in BUTTONS:
        yield _button(name, path, words.escaped(name), key)
        if name == "previous":
            yield '<span class="at"></span>'
    yield '<span class="gap"></span>'
    icon = f'<path class="to-play" d="{PLAY}"/><path class="to-pause" d="{PAUSE}"/>'
    play = words.escaped("play")
    pause = words.escaped("pause")
    more = f' data-play="{play}" data-pause="{pause}"'
    yield _button("play", icon, play, "Space", more)
    networks = words.escaped("show-networks")
    yield _button("networks", NETWORKS, networks, "", ' aria-pressed="true"')
    yield f'</div><input type="range" min="0" max="{last}" value="{last}" step="1"'
    yield f' aria-label="{words.escaped("slider")}">'
    if replay.values:
        points = "L".join(f"{ply} {-value:.2f}" for ply, value in replay.values.items())
        ends = f"M{min(replay.values)} 0L{points}L{max(replay.values)} 0z"
        label = f'role="img" aria-label="{words.escaped("curve")}"'
        yield f'<svg class="curve" {label} viewBox="0 -1.1 {last} 2.2" preserveAspectRatio="none">'
        yield f'<path class="area" d="{ends}"/><path d="M{points}"/>'
        yield f'<path class="axis" d="M0 0H{last}"/><path class="now" d="M0-1v2"/></svg>'
    yield "</div>"


def _button(name: str, icon: str, label: str, key: str, more: str = "") -> str:
    """Return a button with an icon: the data of a path, or paths."""
    drawn = icon if icon.startswith("<") else f'<path d="{icon}"/>'
    shortcut = f' aria-keyshortcuts="{key}"' if key else ""
    return (
        f'<button type="button" class="bare" data-do="{name}"{shortcut}{more}'
        f' aria-label="{label}" title="{label}">'
        f'<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{drawn}</svg></button>'
    )


def _facts(game: Game, words: Captions) -> Iterator[str]:
    """Yield the result, the rules and the tags of a game, and the keys of the page."""
    facts = [
        (words("result"), result(game, words.catalog)),
        (words("rules"), _rules_text(game.rules, words)),
    ]
    for name in names_in_order(game.tags):
        shown_name = words(f"tag-{name.lower()}") if name in ROSTER else name
        facts.append((shown_name, game.tags[name]))
    yield f'<div class="about"><h3>{words.escaped("about")}</h3><dl>'
    for name, text in facts:
        yield f'<dt>{escaped(name)}</dt><dd dir="auto">{escaped(text)}</dd>'
    yield f'</dl><p class="keys soft">{words.escaped("keys")}</p></div>'


COMMENTS: Final = re.compile(
    r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)\n", re.DOTALL | re.MULTILINE
)
"""Comments in scripts and styles that have lines of their own."""
_STYLE_BLANKS: Final = re.compile(r" ?([{};,>]) ?|(?<=:) ")
_INDENTS: Final = re.compile(r"\n\s+")
_CASTS: Final = re.compile(r"/\*\* @type \{[^*]*\} \*/ ")
_MODULE_WORDS: Final = re.compile(r"^import .*$|^export ", re.MULTILINE)


def _rules_text(rules: Rules, words: Captions) -> str:
    """Return the rules in words."""
    supplies = {"tiles": rules.tiles_per_color, "bridges": rules.bridges}
    said = {
        name: words("unlimited") if supply is None else str(supply)
        for name, supply in supplies.items()
    }
    tiebreaks = ", ".join(word(each, words.catalog) for each in rules.tiebreaks)
    said["tiebreaks"] = tiebreaks or words("no-tiebreak")
    board = rules.board
    return words("rules-text", width=board.width, height=board.height, **said)


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
    style = f"{compact_style(_style())}{_shapes(games)}"
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
    yield f'</head><body data-digits="{digits()}"><header class="head">'
    shown_title = '<span class="hide">' + NAME if title is None else "<span>" + escaped(title)
    yield f'<h1 class="brand" dir="auto">{logo()}{shown_title}</span></h1>'
    headings = [heading(place, name) for place, name in enumerate(names, 1)]
    if several:
        yield from _index(games, names, words)
    elif title is None:
        # The page has no other title, so the name of the game is in its head.
        yield headings[0]
        headings = [""]
    yield "</header><main>"
    for place, game in enumerate(games, 1):
        yield from section(game, place, words, max_characters, headings[place - 1])
    yield f"</main><script>{script}</script></body></html>\n"


def _shapes(games: Sequence[Game]) -> str:
    """Return rules with the shape of each game's board, from which its size follows."""
    found = ""
    for place, game in enumerate(games, 1):
        layout = upright(game.rules.board, ENGLISH).layout
        ratio = layout.width / layout.height
        above = layout.far / layout.height
        below = layout.margin / layout.height
        found += f"#game-{place}{{--ratio:{ratio:.4g};--above:{above:.3g};--below:{below:.3g}}}"
    return found


def _index(games: Sequence[Game], names: list[str], words: Captions) -> Iterator[str]:
    """Yield links to all games, each with its result."""
    yield f'<nav class="index" aria-label="{words.escaped("index")}"><ol>'
    for place, (game, name) in enumerate(zip(games, names, strict=True), 1):
        yield f'<li><a href="#game-{place}"><bdi>{escaped(name)}</bdi></a>'
        yield f' <span class="ending">{escaped(result(game, words.catalog))}</span></li>'
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


def _style() -> str:
    """Return the style sheets: those that the page for playing has as well, and the page's own."""
    own = "\n".join(map(read_file, ("tokens.css", "parts.css", "replay.css")))
    return f"{board_style()}\n{own}\n"


def _script() -> str:
    """Return the modules as one script: a page in a single file cannot import another file."""
    modules = "\n".join(map(read_file, ("parts.js", "replay.js", "page.js")))
    return compact("'use strict';\n" + _CASTS.sub("", _MODULE_WORDS.sub("", modules)))


def compact(text: str) -> str:
    """Return a script or a style sheet without comments and indents, which readers do not see."""
    return _INDENTS.sub("\n", COMMENTS.sub("", text))


def compact_style(text: str) -> str:
    """Return a style sheet without what browsers do not need: comments, and most blanks.

    A blank before a colon or a bracket belongs to a selector, and one around ``+`` to a sum.
    """
    return _STYLE_BLANKS.sub(r"\1", compact(text).replace("\n", "")).replace(";}", "}")


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def read_file(name: str) -> str:
    """Return a file of this package, with the same line ends on every system."""
    return "\n".join(files("pontedeldiavolo.html").joinpath(name).read_text("utf-8").splitlines())
