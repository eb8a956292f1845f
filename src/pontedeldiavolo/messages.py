"""Words and sentences for people, in English and in German.

>>> import pontedeldiavolo as pdd
>>> state = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3)))
>>> [violation] = state.violations(pdd.parse_action("a1,z9"))
>>> pdd.messages.explain(violation, "de")
'Nicht auf dem 3×3-Brett: z9.'
>>> {code: catalog["language-name"] for code, catalog in pdd.messages.LANGUAGES.items()}
{'en': 'English', 'de': 'Deutsch'}
"""

from typing import TYPE_CHECKING

from pontedeldiavolo.base.guesses import no_such_name
from pontedeldiavolo.base.messages import LANGUAGES, explain, result, word

__all__ = ["LANGUAGES", "explain", "result", "word"]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:
    # To a type checker, this function would define every name.
    def __getattr__(name: str) -> object:
        raise no_such_name(__name__, name)
