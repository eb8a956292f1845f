"""What becomes of an illegal action."""

from __future__ import annotations

from typing import Final, Literal

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.errors import PonteError

ILLEGAL_RAISES: Final = "raise"
ILLEGAL_LOSES: Final = "lose"

OnIllegal = Literal["raise", "lose"]


def require_on_illegal(value: object) -> None:
    """Refuse what is neither.

    Raises:
        TypeError: If it is no text.
        PonteError: If it is another text.
    """
    require_type(value, str, "on_illegal")
    if value not in (ILLEGAL_RAISES, ILLEGAL_LOSES):
        raise PonteError(f"on_illegal must be raise or lose, not {value}")
