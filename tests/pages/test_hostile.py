"""Whatever tags, comments and titles bring in stays text, and could not run if it did not."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import html
from support.pages import Element, read
from support.pictures import example_game
from support.strategies import share

HOSTILE = [
    "</script><script>document.title = 'taken'</script>",
    "</style></title></head><img src=x onerror=alert(1)>",
    '" onfocus="alert(1)" autofocus tabindex="1',
    "' onmouseover='alert(1)",
    "<!-- <![CDATA[ ]]> --> <?xml?>",
    "&lt;b&gt; &amp;amp; &#60;script&#62; &NewLine;",
    "javascript:alert(1)",
    "\u202eright to left\u2066",
    "<svg/onload=alert(1)>",
    "{white} {0} %s ${alert(1)} `",
    "\ufeff\ufffe\U0001f309",
]


LOADING = {"link", "iframe", "object", "embed", "img", "image", "use", "base"}
"""Elements that load something."""


def game_with(text: str) -> pdd.Game:
    """Return a game that says a text wherever one can be."""
    tags = dict.fromkeys(("Event", "Site", "Date", "Round", "First", "Second", "Other"), text)
    game = example_game().with_tags(tags).with_variation((2,), ["a1,a3"], text)
    for path in [(), (0,), (2, 0, 0)]:
        game = game.with_comment(text, path)
    return game.with_annotations(
        {"clk": text.replace("]", ""), "evil": text.replace("]", "")}, (0,)
    )


def shape(root: Element) -> list[tuple[str, tuple[str, ...]]]:
    """Return all elements with the names of their attributes."""
    return [(each.tag, (*each.attributes,)) for each in root.all()]


HARMLESS = shape(read(html.replay([game_with("text")] * 2, title="text")))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_stay_texts(text: str) -> None:
    root = read(html.replay([game_with(text)] * 2, title=text))
    assert shape(root) == HARMLESS
    shown = text.replace("\ufffe", "\ufffd")
    assert root.the("title").text == root.the("h1").text == shown
    assert {each.text for each in root.find(kind="comment")} == {shown.strip()}
    assert [each.text for each in root.find("dd")[2:9]] == [shown] * 7
    assert root.find("h2")[0].text == f"{shown} – {shown}, {shown}"
    # Directions end where the text does.
    for each in [*root.find(kind="comment"), *root.find("h2"), *root.find("dd"), root.the("h1")]:
        assert each.attributes["dir"] == "auto"


@given(st.text(max_size=40))
@share(0.3)
def test_any_title(title: str) -> None:
    root = read(html.replay([game_with("text")] * 2, title=title))
    assert shape(root) == HARMLESS


@pytest.mark.parametrize("title", ["a\u2028b\u2029c", "\x00\x1f\x7f", "\ud800", "\r\n\t"])
def test_titles_with_what_no_tag_has(title: str) -> None:
    page = html.replay(example_game(), title=title)
    assert page.text.encode()
    assert "\x00" not in page.text
    assert len(read(page).find("h1")) == 1


def test_only_what_belongs_to_the_page_may_run() -> None:
    root = read(html.replay([game_with(HOSTILE[0])] * 2))
    (meta,) = root.find("meta", **{"http-equiv": "Content-Security-Policy"})
    policy = dict(part.split(" ", 1) for part in meta.attributes["content"].split("; "))
    for tag in ("script", "style"):
        digest = b64encode(sha256(root.the(tag).text.encode()).digest()).decode()
        assert policy.pop(f"{tag}-src") == f"'sha256-{digest}'"
    assert policy == {
        "default-src": "'none'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    # Nothing before it is outside it.
    head = root.the("head").elements
    assert [each.tag for each in head[:2]] == ["meta", "meta"]
    assert head[1] is meta


def test_nothing_is_asked_of_a_network() -> None:
    page = html.replay([game_with("text")] * 2)
    root = read(page)
    assert {*re.findall(r"[a-z]+://[^\s\"']+", page.text)} == {"http://www.w3.org/2000/svg"}
    assert "url(" not in page.text
    assert "@import" not in page.text
    for element in root.all():
        assert element.tag not in LOADING
        for name, value in element.attributes.items():
            assert not name.startswith("on")
            assert name not in {"src", "srcset", "style", "action"}
            assert name != "href" or value.startswith("#game-")


def test_a_catalogue_is_not_trusted_either() -> None:
    text = '"><script>alert(1)</script>'
    catalog = {key: f"{text}{value}" for key, value in pdd.messages.ENGLISH.items()}
    root = read(html.replay([game_with("text")] * 2, title="text", catalog=catalog))
    assert shape(root) == HARMLESS
