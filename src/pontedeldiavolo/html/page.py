"""Whole pages: games, an index of them, their colours and their script."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final, SupportsIndex, final

from attrs import field, frozen

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.checks import instance_of, whole_number
from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.base.messages import Catalog, result
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.html.moves import PageWords
from pontedeldiavolo.html.sections import name_of, section
from pontedeldiavolo.svg.captions import NAME, escaped
from pontedeldiavolo.svg.themes import COLORS, DARK, LIGHT, PRINT, TINTS, Theme

MOST_CHARACTERS: Final = 1_000_000
"""The most characters that the moves of a game take, unless told otherwise."""


@cache
def theme_rules() -> str:
    """Return the style sheet's variables for the colours of all themes.

    A picture has the colours of the light theme in attributes, and style sheets override
    attributes: so one picture serves all themes.
    """
    tints = "".join(
        f'.network[stroke="{tint}"]{{stroke:var(--{name}-{place})}}'
        for name, place, tint in _tints(LIGHT)
    )
    return (
        f"{_rule(LIGHT)}@media (prefers-color-scheme:dark){{{_rule(DARK)}}}"
        f"@media print{{{_rule(PRINT)}}}{tints}\n"
    )


def _tints(theme: Theme) -> Iterator[tuple[str, int, str]]:
    """Iterate over names and places of tints; a theme may have fewer, which are used in turn."""
    for name in TINTS:
        tints = getattr(theme, name)
        for place in range(len(getattr(LIGHT, name))):
            yield name.replace("_", "-"), place, tints[place % len(tints)]


def _rule(theme: Theme) -> str:
    named = [f"--{name.replace('_', '-')}:{getattr(theme, name)}" for name in COLORS]
    tints = [f"--{name}-{place}:{tint}" for name, place, tint in _tints(theme)]
    return f":root{{{';'.join((*named, *tints))}}}"


@final
@frozen(order=False)
class Html(ImmutableValue):
    """A page, to be written to a file in UTF-8; a notebook shows it in a frame.

    >>> page = pdd.html.replay(pdd.Game.new())
    >>> page.text == str(page)
    True
    >>> page.text[:15]
    '<!DOCTYPE html>'

    Attributes:
        text: The HTML document.
    """

    text: str = field(validator=instance_of(str))

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        # In a frame, a page can neither read nor change the notebook around it.
        return (
            f'<iframe title="{NAME}" sandbox="allow-scripts" width="100%" height="720"'
            f' style="border:0" srcdoc="{escaped(self.text)}"></iframe>'
        )


def replay(
    games: Game | Iterable[Game],
    *,
    title: str | None = None,
    catalog: Catalog = ENGLISH,
    most_characters: SupportsIndex | None = MOST_CHARACTERS,
) -> Html:
    """Return a page to go through games turn by turn, which needs no other file and no network.

    It is light or dark as its reader's device is, and has a list of all moves, with variations,
    comments, glyphs and times. A link to ``#game-2-turn-17`` shows that turn of the second game.

    >>> game = pdd.Game.from_actions(None, ["d4,g7", "red", "c3,c5"], tags={"First": "Ada"})
    >>> page = pdd.html.replay(game.with_comment("Rather far apart.", (0,)), title="A lesson")
    >>> "Rather far apart." in page.text
    True

    Args:
        games: A game, or several, which get an index.
        title: The title of the page; by default the name of the game.
        catalog: The language of the page.
        most_characters: The most characters that the moves of one game may take, in the list and
            in the picture, comments aside; ``None`` is unlimited. A move takes some 1,000, and
            more on large boards.

    Raises:
        PonteError: If there is no game, the moves of a game take more characters, or the
            catalogue lacks a word of the page.
    """
    most = None if most_characters is None else whole_number(most_characters, "most_characters")
    shown = [games] if isinstance(games, Game) else list(games)
    if not shown:
        raise PonteError(reason("no-games"))
    return Html("".join(_page(shown, title, PageWords(catalog), most)))


def _page(
    games: list[Game], title: str | None, words: PageWords, most: int | None
) -> Iterator[str]:
    style, script = f"{theme_rules()}{_file('replay.css')}", _file("replay.js")
    names = [name_of(game, place, words) for place, game in enumerate(games, 1)]
    several = len(games) > 1
    default = f"{NAME}: {words('games', count=len(games)) if several else names[0]}"
    yield (
        f'<!DOCTYPE html>\n<html lang="{words.escaped("language")}"><head>'
        f'<meta charset="utf-8">{_policy(style, script)}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escaped(default if title is None else title)}</title><style>{style}</style>"
        f'</head><body><header><h1 dir="auto">{escaped(NAME if title is None else title)}</h1>'
    )
    if several:
        yield from _index(games, names, words)
    yield "</header><main>"
    for place, (game, name) in enumerate(zip(games, names, strict=True), 1):
        yield from section(game, place, name, words, most)
    yield f"</main><script>{script}</script></body></html>\n"


def _index(games: list[Game], names: list[str], words: PageWords) -> Iterator[str]:
    """Links to all games, each with its result."""
    yield f'<nav class="index" aria-label="{words.escaped("index")}"><ol>'
    for place, (game, name) in enumerate(zip(games, names, strict=True), 1):
        yield (
            f'<li><a href="#game-{place}"><bdi>{escaped(name)}</bdi></a>'
            f' <span class="result">{escaped(result(game, words.catalog))}</span></li>'
        )
    yield "</ol></nav>"


def _policy(style: str, script: str) -> str:
    """Return a security policy that allows the page's own style and script, and nothing else.

    So no script in a comment could run, and the page makes no requests.
    """
    parts = (
        "default-src 'none'",
        f"style-src '{_digest(style)}'",
        f"script-src '{_digest(script)}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(parts)}">'


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _file(name: str) -> str:
    """Return a file of this package, with the same line ends everywhere."""
    text = files("pontedeldiavolo.html").joinpath(name).read_text("utf-8")
    return "\n".join(text.splitlines())
