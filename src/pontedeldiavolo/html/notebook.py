"""Games in notebooks: a picture of the last board, and a replay page that covers it."""

from __future__ import annotations

from base64 import b64encode
from typing import Final

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.messages import result
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.svg.captions import Captions, escaped
from pontedeldiavolo.svg.document import notebook_picture

from .page import covered, frame_of, name_of, replay

PICTURE_SIZE: Final = 480
"""The size of the picture below the replay page, in pixels."""
MAX_FRAME_CHARACTERS: Final = 300_000
"""The maximum number of characters of the frame; of longer games only the picture is shown.

A notebook stores the output of every cell in its file.
"""


def notebook_html(game: Game) -> str:
    """Return what a notebook shows of a game: its name, its result, a picture and the replay page.

    The replay page is in a frame that covers the rest. Where frames are removed, as on GitHub and
    in notebooks that are not trusted, the name, the result and the picture remain.
    """
    words = Captions(ENGLISH, "page")
    name = name_of(game, 1, words)
    said = escaped(name if game.ending is None else f"{name}: {result(game, ENGLISH)}")
    picture = b64encode(notebook_picture(game, PICTURE_SIZE).text.encode()).decode()
    image = f'<img alt="{said}" width="{PICTURE_SIZE}" src="data:image/svg+xml;base64,{picture}">'
    below = f'<p dir="auto">{said}</p>{image}'
    frame = _frame(game)
    return f"<div>{below}</div>" if frame is None else covered(below, frame)


def _frame(game: Game) -> str | None:
    """Return the frame with the replay page, or ``None`` if it is too large for a notebook."""
    try:
        page = replay(game, max_characters=MAX_FRAME_CHARACTERS)
    except PonteError as error:
        if error.code != "oversized-page":
            raise
        return None
    frame = frame_of(page)
    return frame if len(frame) <= MAX_FRAME_CHARACTERS else None
