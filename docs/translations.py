"""Link the English and German pages to each other, for search engines."""

from __future__ import annotations

from typing import Any, Final

GERMAN: Final = {
    "de/index": "game/summary",
    "de/regeln": "game/rules",
    "de/strategie": "game/strategy",
    "de/spielen": "howto/play",
}
"""The English page for each German page."""
ENGLISH: Final = {english: german for german, english in GERMAN.items()}


def link_languages(
    app: Any, page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Set the language of a page, and add a link to the page in the other language."""
    if page in GERMAN:
        context["language"] = "de"
    german = page if page in GERMAN else ENGLISH.get(page)
    if german is None:
        return
    for code, target in (("en", GERMAN[german]), ("de", german)):
        uri = app.builder.get_target_uri(target)
        if base := app.config.html_baseurl:
            address = f"{base.rstrip('/')}/{uri}"
        else:
            address = f"{'../' * page.count('/')}{uri}"
        context["metatags"] += f'\n<link rel="alternate" hreflang="{code}" href="{address}">'
