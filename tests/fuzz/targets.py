"""All readers of texts and bytes, and the checks of any input to them.

A target takes any bytes. It returns if all is well, also where they are refused by a
:class:`~pontedeldiavolo.PonteError`. Anything that it raises is a finding.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Final

from attrs import frozen

import pontedeldiavolo as pdd
from pontedeldiavolo.records import Format

from . import notation
from .documents import check_catalog, check_command, check_document
from .formats import check_any, check_format, check_record

LONGEST: Final = 10.0
"""The seconds that an input takes at most, instrumented and on a slow machine."""


@frozen
class Target:
    """A reader, with all that is expected of it.

    Attributes:
        name: Its name, which is that of its corpus.
        check: Takes an input, and raises if something is wrong.
        dictionary: The name of the dictionary with the words of its format.
        share: How much of the time it gets, compared with others.
    """

    name: str
    check: Callable[[bytes], object]
    dictionary: str
    share: int = 1

    def run(self, data: bytes) -> None:
        """Check an input.

        Raises:
            AssertionError: If two readings disagree, or it takes too long.
            Exception: Any other exception, which a reader should not raise.
        """
        started = time.process_time()
        self.check(data)
        taken = time.process_time() - started
        if taken > LONGEST:
            raise AssertionError(f"{len(data)} bytes take {taken:.1f} s")


check_text = notation.check_text
_ALL: Final = (
    Target("cell", partial(check_text, pdd.parse_cell, pdd.format_cell), "notation"),
    Target("action", notation.check_action, "notation"),
    Target("step", notation.check_step, "notation"),
    Target("rules", partial(check_text, pdd.parse_rules, pdd.format_rules), "notation"),
    Target("setup", notation.check_setup, "notation"),
    Target("state", partial(check_text, pdd.parse_state, pdd.format_state), "notation", 2),
    Target(
        "half-turn", partial(check_text, pdd.parse_half_turn, pdd.format_half_turn), "notation", 2
    ),
    Target("node", notation.check_either, "notation"),
    Target("packed", notation.check_packed, "packed", 2),
    Target("catalog", check_catalog, "catalog"),
    Target("document", check_document, "json", 4),
    Target("pdd", check_record, "pdd", 6),
    Target("sgf", partial(check_format, Format.SGF), "sgf", 6),
    Target("boardspace", partial(check_format, Format.BOARDSPACE), "boardspace", 6),
    Target("abstract-play", partial(check_format, Format.ABSTRACT_PLAY), "abstract_play", 6),
    Target("moves", partial(check_format, Format.MOVES), "abstract_play", 4),
    Target("json", partial(check_format, Format.JSON), "json", 4),
    Target("any-format", check_any, "any", 3),
    Target("validate", check_command, "any", 2),
)
TARGETS: Final = {target.name: target for target in _ALL}
"""All targets by name."""
