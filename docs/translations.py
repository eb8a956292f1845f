"""Link the English and German pages to each other, for readers and for search engines.

A page with a counterpart has a link to it at its top. The German pages are not in the English
sidebar: theirs lists the German pages, and the front page of the English ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, Final

GERMAN: Final = {
    "de/index": "game/summary",
    "de/regeln": "game/rules",
    "de/strategie": "game/strategy",
    "de/spielen": "howto/play",
}
"""The English page for each German page, in the order of the German pages."""
ENGLISH: Final = {english: german for german, english in GERMAN.items()}
FRONT_PAGES: Final = {"index": "de/index"}
"""English pages that lead to a German page, although it is not their translation."""
THEME_WORDS: Final = {
    "Search": "Suche",
    "On this page": "Auf dieser Seite",
    "Next": "Weiter",
    "Previous": "Zurück",
    "Home": "Startseite",
    "Back to top": "Nach oben",
    "Skip to content": "Zum Inhalt",
    "Edit this page": "Diese Seite bearbeiten",
    "Made with": "Erstellt mit",
    "unreleased": "unveröffentlicht",
}
"""The theme's words on German pages."""
THEME_LABELS: Final = {
    "Contents": "Inhalt",
    "Menu": "Menü",
    "Expand": "Aufklappen",
    "Light mode": "Helles Design",
    "Dark mode": "Dunkles Design",
    "Auto light/dark, in light mode": "Design des Systems, jetzt hell",
    "Auto light/dark, in dark mode": "Design des Systems, jetzt dunkel",
    "Toggle Light / Dark / Auto color theme": "Helles oder dunkles Design, oder das des Systems",
    "Toggle site navigation sidebar": "Seitenleiste ein- oder ausblenden",
    "Toggle table of contents sidebar": "Inhaltsverzeichnis ein- oder ausblenden",
    "Link to this heading": "Link zu dieser Überschrift",
    "Link to this table": "Link zu dieser Tabelle",
    "Link to this image": "Link zu diesem Bild",
    "Permalink to this headline": "Link zu dieser Überschrift",
}
"""Titles and labels that the theme and Sphinx write in English, whatever the language of a page."""
LABEL: Final = re.compile(r'((?:title|aria-label)="|<title>|"visually-hidden">)([^"<>]+)(?=["<])')
"""A text that screen readers read aloud, after what is before it."""
LATE: Final = 900
"""The priority of a listener that runs after the theme's."""


def link_languages(
    app: Any, page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Set the language of a page, and add a link to the page in the other language."""
    if page in GERMAN:
        context["language"] = "de"
        context["_"] = german_word
        context["gettext"] = german_word
        use_german_sidebar(app, page, context)
    other = GERMAN.get(page) or ENGLISH.get(page) or FRONT_PAGES.get(page)
    if other is None:
        return
    name, code = ("English", "en") if page in GERMAN else ("Deutsch", "de")
    address = f"{'../' * page.count('/')}{app.builder.get_target_uri(other)}"
    context["other_language"] = {"name": name, "code": code, "address": address}
    if page not in FRONT_PAGES:
        german = page if page in GERMAN else other
        context["metatags"] += "".join(alternates(app, page, german))


def german_word(text: str, **values: object) -> str:
    """Return a text of the theme in German, with its values."""
    found = THEME_WORDS.get(text.strip())
    return (text if found is None else text.replace(text.strip(), found)) % values


def alternates(app: Any, page: str, german: str) -> Iterator[str]:
    """Yield a tag for each language of a page, for search engines."""
    for code, target in (("en", GERMAN[german]), ("de", german)):
        uri = app.builder.get_target_uri(target)
        if base := app.config.html_baseurl:
            address = f"{base.rstrip('/')}/{uri}"
        else:
            address = f"{'../' * page.count('/')}{uri}"
        yield f'\n<link rel="alternate" hreflang="{code}" href="{address}">'


def use_german_sidebar(app: Any, page: str, context: dict[str, Any]) -> None:
    """List the German pages in the sidebar, and link a page to the one before and after it."""
    up = "../" * page.count("/")
    entries = []
    links = []
    for each in GERMAN:
        title = app.env.titles[each].astext()
        address = up + app.builder.get_target_uri(each)
        links.append({"title": escape(title), "link": address})
        current = " current current-page" if each == page else ""
        entries.append(
            f'<li class="toctree-l1{current}"><a class="reference internal{current}"'
            f' href="{escape(address)}">{escape(title)}</a></li>'
        )
    front = escape(up + app.builder.get_target_uri(app.config.root_doc))
    context["furo_navigation_tree"] = (
        '<p class="caption" role="heading"><span class="caption-text">Deutsch</span></p>'
        f'<ul class="current">{"".join(entries)}</ul>'
        '<p class="caption" role="heading"><span class="caption-text">Englisch</span></p>'
        f'<ul><li class="toctree-l1"><a class="reference internal" href="{front}">'
        "Alle Seiten</a></li></ul>"
    )
    place = [*GERMAN].index(page)
    context["prev"] = links[place - 1] if place > 0 else None
    context["next"] = links[place + 1] if place + 1 < len(links) else None


def with_german_labels(page: str) -> str:
    """Return the HTML of a page with the labels of the theme in German."""
    return LABEL.sub(lambda found: found[1] + THEME_LABELS.get(found[2], found[2]), page)


def translate_labels(app: Any, error: Exception | None) -> None:
    """Translate the labels of the theme on the German pages."""
    if error is not None or app.builder.format != "html":
        return
    for name in GERMAN:
        path = Path(app.outdir, app.builder.get_target_uri(name))
        if path.exists():
            path.write_text(with_german_labels(path.read_text("utf-8")), "utf-8")
