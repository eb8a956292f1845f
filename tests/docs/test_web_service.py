"""The guide on web services has every request and every refusal."""

from __future__ import annotations

import re

from pontedeldiavolo.web.routes import ROUTES
from support.paths import ROOT

PAGE = (ROOT / "docs" / "howto" / "web-service.md").read_text("utf-8")


def test_every_refusal_of_the_example_is_shown() -> None:
    source = (ROOT / "examples" / "server.py").read_text("utf-8")
    page = PAGE.partition("## Push")[0]
    shown = {*re.findall(r'(?s)\n(\d{3}) \{\s*"error": .*?"code": "([\w-]+)"', page)}
    raised = {*re.findall(r'SiteError\((\d+), "([\w-]+)"', source)}
    assert len(raised) > 10
    assert raised <= shown


def test_every_request_of_the_own_page_is_in_a_table() -> None:
    documented = {*re.findall(r"^\| `(GET|POST) (/\S*)` \|", PAGE, re.MULTILINE)}
    served = {(each.method, each.path.replace("{game}", "{id}")) for each in ROUTES}
    assert documented == served | {("POST", "/uploads")}
