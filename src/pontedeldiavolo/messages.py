"""Words and sentences for people, in English and in German.

>>> import pontedeldiavolo as pdd
>>> state = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3)))
>>> [violation] = state.violations(pdd.parse_action("a1,z9"))
>>> pdd.messages.explain(violation, pdd.messages.GERMAN)
'Nicht auf dem 3×3-Brett: z9.'
>>> {code: language.name for code, language in pdd.messages.LANGUAGES.items()}
{'en': 'English', 'de': 'Deutsch'}
"""

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.messages import (
    GERMAN,
    LANGUAGES,
    Catalog,
    Language,
    explain,
    explain_all,
    result,
    word,
)

__all__ = [
    "ENGLISH",
    "GERMAN",
    "LANGUAGES",
    "Catalog",
    "Language",
    "explain",
    "explain_all",
    "result",
    "word",
]


def __dir__() -> list[str]:
    return __all__
