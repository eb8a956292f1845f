"""The rules on one page: texts, pictures, and the reasons why actions are illegal."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from pontedeldiavolo import svg
from pontedeldiavolo.base import messages
from pontedeldiavolo.base.catalogs import (
    LanguageCatalog,
    RulesSummaryBoard,
    catalog_of,
    rules_summary,
)
from pontedeldiavolo.game.board_view import cells_of
from pontedeldiavolo.notation.actions import parse_action, parse_step
from pontedeldiavolo.notation.states import parse_state
from pontedeldiavolo.rules.actions import BuildBridge

from .pictures import THEMES
from .requests import Request, Response
from .site import Site

_RULES: Final = "7x4 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"
BOARDS: Final = {
    "start": RulesSummaryBoard(
        f"{_RULES} rows=7/5w1/1w5/7 built=- phase=color-choice to-move=- white=-"
    ),
    "turn": RulesSummaryBoard(
        f"{_RULES} rows=2r4/2r2w1/1w5/7 built=- phase=play to-move=white white=second"
    ),
    "end": RulesSummaryBoard(
        f"{_RULES} rows=rrwwrww/wwr1rww/wrwwr1r/rrwrwwr built=e2-g2"
        " phase=play to-move=white white=second",
        ("d2-d4", "f2"),
    ),
}
"""The boards of sections that have none where the rules are only printed."""
LAST: Final = {"turn": "c3,c4"}
"""The last actions on these boards."""


def show(_site: Site, request: Request) -> Response:
    """Return the rules in the colours of a theme."""
    theme = request.query.get("theme", "")
    return Response(_page(request.language.code, theme if theme in THEMES else "light"))


@cache
def _page(code: str, theme: str) -> dict[str, object]:
    """Return the rules in the language of a code; they are drawn once."""
    language = catalog_of(code)
    title, sections = rules_summary(code)
    texts = []
    for section in sections:
        boards = section.boards or ((BOARDS[section.key],) if section.key in BOARDS else ())
        drawn = [_board(section.key, board, language, THEMES[theme]) for board in boards]
        texts.append({"heading": section.heading, "text": section.text, "boards": drawn})
    return {"title": title, "sections": texts}


def _board(
    key: str, board: RulesSummaryBoard, language: LanguageCatalog, theme: svg.Theme
) -> dict[str, object]:
    """Return the picture of a board, and a note on each action that it asks about."""
    state = parse_state(board.state)
    bridges = [parse_action(text) for text in board.actions if "-" in text]
    tiles = [parse_step(text) for text in board.actions if "-" not in text]
    picture = svg.render(
        state,
        last=parse_action(LAST[key]) if key in LAST else None,
        highlights=[cell for tile in tiles for cell in cells_of(tile)],
        arrows=[svg.Arrow(each.a, each.b) for each in bridges if isinstance(each, BuildBridge)],
        theme=theme,
        catalog=language,
    )
    return {"svg": picture.text, "notes": [*_notes(board, language)]}


def _notes(board: RulesSummaryBoard, language: LanguageCatalog) -> Iterator[dict[str, object]]:
    """Yield for each action whether it is legal, and if it is not, why."""
    state = parse_state(board.state)
    for text in board.actions:
        found = state.violations(parse_action(text) if "-" in text else parse_step(text))
        reasons = [messages.explain(each, language) for each in found]
        yield {"action": text.replace("-", "–"), "is_legal": not found, "reasons": reasons}
