"""Games of any format: told apart, read as a stream, and written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePath
from typing import IO, Any, cast

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.errors import PonteError, RecordError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import Limits, limits_or_default
from pontedeldiavolo.records.formats import (
    DIALECTS,
    Format,
    Results,
    recognised,
    require_documents,
)
from pontedeldiavolo.records.lines import Source, opened, require_source
from pontedeldiavolo.records.output import replacing
from pontedeldiavolo.records.verbs import Writing


def detect(source: Source) -> Format | None:
    """Tell the format of games; what was read for it is put back.

    The suffix of a path counts first, where it is that of a format; between several formats, and
    for everything else, the beginning decides.

    Args:
        source: Bytes, text, a path as :class:`os.PathLike`, a file of bytes or of text, or an
            iterable of lines. A string is always text.

    Returns:
        The format, or ``None`` if nothing tells it, as with lists of moves that begin at once.

    Raises:
        TypeError: If *source* is something else.
        PonteError: If *source* is a file that cannot seek, or an iterator: nothing could be put
            back.
        OSError: If reading fails.
    """
    require_source(source)
    file = cast(Any, source)
    if not hasattr(file, "read"):
        if isinstance(source, Iterator):
            raise PonteError("an iterator cannot be put back: its format cannot be told")
        return _told(source)
    if not getattr(file, "seekable", lambda: False)():
        raise PonteError("a file that cannot seek cannot be put back: its format cannot be told")
    place = file.tell()
    try:
        return _told(source)
    finally:
        file.seek(place)


def _told(source: Source) -> Format | None:
    with opened(source) as lines:
        return recognised(lines.start(), _suffix(source))


def _suffix(source: object) -> str:
    """Return how the name of a file ends, in small letters; "" if it is no path."""
    return PurePath(os.fsdecode(source)).suffix.lower() if isinstance(source, os.PathLike) else ""


def read(
    source: Source,
    *,
    format: Format | None = None,  # noqa: A002 - its public name
    limits: Limits | None = None,
) -> Results:
    """Iterate over games of any format, one held at a time; a bad one comes as its error.

    Bytes are UTF-8, or what a byte order mark says. In SGF and in records of Boardspace each game
    says it for itself by ``CA``; without it a line of a game that is not UTF-8 is Latin-1.

    Args:
        source: Bytes, text, a path as :class:`os.PathLike`, a file of bytes or of text, or an
            iterable of lines. A string is always text.
        format: Its format; ``None`` to tell it as :func:`detect` does, from any source. What
            cannot be told is read as :attr:`Format.PDD`.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are: a game has
            1,000,000 characters at most, and after 1,000 errors nothing more is read. What goes
            beyond is the last error.

    Raises:
        TypeError: If *source* or *format* is something else.
        ImportError: If *format* is :attr:`Format.JSON`, and its extra is not installed.
        OSError: If reading fails; not before the first game is asked for.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    require_source(source)
    if format is not None:
        require_type(format, Format, "format")
        _require_extra(format)
    return _read(source, format, limits_or_default(limits))


def _read(source: Source, known: Format | None, limits: Limits) -> Results:
    with opened(source, limits) as lines:
        if known is None:
            known = recognised(lines.start(), _suffix(source)) or Format.PDD
            _require_extra(known)
        yield from DIALECTS[known].read(lines)


def write(
    games: Iterable[Game | RecordError],
    target: str | os.PathLike[str] | IO[str] | IO[bytes],
    format: Format,  # noqa: A002 - its public name
) -> None:
    """Write games one after the other, as :func:`read` reads them.

    Reports of Abstract Play make a list, or a line each in a file with the suffix ``.jsonl``.

    Args:
        games: The games. An error among them, as :func:`read` gives it, is raised.
        target: A path, or a file of text or of bytes. A file at that path is replaced when
            everything is written; if anything fails it stays as it was.
        format: The format.

    Raises:
        TypeError: If something is not of its type.
        PonteError: If nothing is written in *format*, if it can hold no such game, or if several
            documents are to go into a file with the suffix ``.json``.
        RecordError: If there is one among the games.
        ImportError: If *format* is :attr:`Format.JSON`, and its extra is not installed.
        OSError: If writing fails.
    """
    writing = _writing(format)
    _require_extra(format)
    path = Path(target) if isinstance(target, str) else target
    texts = (writing.dumps(_good(game)) for game in games)
    pages = DIALECTS[format].joined(texts, _suffix(path))
    if isinstance(path, os.PathLike):
        with replacing(path) as file:
            for page in pages:
                file.write(page)
        return
    put = _put(path)
    for page in pages:
        put(page)


def _good(game: Game | RecordError) -> Game:
    if isinstance(game, RecordError):
        raise game
    return game


def _put(file: Any) -> Callable[[str], object]:
    """Return what writes text to a file."""
    if not hasattr(file, "write"):
        raise TypeError(f"a path or a file is needed, not {type(file).__name__}")
    try:
        file.write("")
    except TypeError:
        return lambda text: file.write(text.encode())
    return cast(Callable[[str], object], file.write)


def losses(game: Game, format: Format) -> tuple[str, ...]:  # noqa: A002 - its public name
    """Return what a format cannot hold of a game, in short phrases; ``()`` if it holds all.

    Raises:
        TypeError: If something is not of its type.
        PonteError: If nothing is written in *format*.
    """
    return _writing(format).losses(game)


def _writing(form: Format) -> Writing:
    require_type(form, Format, "format")
    writing = DIALECTS[form].writing
    if writing is None:
        raise PonteError(f"nothing is written as {form.value}: it is read only")
    return writing


def _require_extra(form: Format) -> None:
    if form is Format.JSON:
        require_documents()
