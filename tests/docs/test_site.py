"""Addresses, links within the documentation, and files for other programs."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from unittest.mock import Mock
from urllib.parse import unquote, urlsplit

import pytest

from support.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import metadata  # the path to it is set above
import translations  # the path to it is set above

BASE = "https://example.invalid/docs/"
URLS = {"Contact": f"{BASE}contact", "Documentation": BASE, "Repository": f"{BASE}code"}
CONF = f"""
import sys
sys.path.insert(0, {str(ROOT / "docs")!r})
extensions = ["myst_parser", "metadata"]
project = "site"
project_summary = "A small site."
html_baseurl = BASE
"""
INDEX = """# Front page

The <first> paragraph.

```{toctree}
:caption: Guides

guide/one
```
"""


def build(folder: Path, base: str) -> Path:
    pytest.importorskip("sphinx", reason="not installed: nox -s docs")
    pytest.importorskip("myst_parser", reason="not installed: nox -s docs")
    source = folder / "source"
    built = folder / "built"
    (source / "guide").mkdir(parents=True)
    (source / "conf.py").write_text(CONF.replace("BASE", repr(base)), "utf-8")
    (source / "index.md").write_text(INDEX, "utf-8")
    (source / "guide" / "one.md").write_text(f"# One\n\n{'Many words. ' * 30}\n", "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", str(source), str(built)]
    subprocess.run(command, check=True, timeout=100)
    return built


def test_files_of_a_site_with_a_known_address(tmp_path: Path) -> None:
    site = build(tmp_path, BASE)
    texts = (site / "llms.txt").read_text("utf-8")
    assert texts.startswith("# site\n\n> A small site.\n\n## Guides\n\n- [One](")
    assert f"]({BASE}guide/one.html): Many words." in texts
    not_found = (site / "404.html").read_text("utf-8")
    assert 'href="/docs/index.html"' in not_found
    assert "<script" not in not_found


def test_files_of_a_site_without_a_known_address(tmp_path: Path) -> None:
    site = build(tmp_path, "")
    assert "](guide/one.html)" in (site / "llms.txt").read_text("utf-8")
    not_found = (site / "404.html").read_text("utf-8")
    assert 'href="index.html"' in not_found
    assert metadata.FIND_FOLDER in not_found


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize(
    ("address", "root", "link"),
    [
        ("/project/docs/guide/nothing.html", "/project/docs/", "/project/docs/game/rules.html"),
        ("/project/docs/", "/project/docs/", "/project/docs/game/rules.html"),
        ("/nothing.html", "/", "/game/rules.html"),
        ("/a/b.html", "/nowhere/", "game/rules.html"),
    ],
)
def test_the_page_for_unknown_addresses_finds_the_folder(
    tmp_path: Path, address: str, root: str, link: str
) -> None:
    script = metadata.FIND_FOLDER.split("\n", 1)[1].replace("</script>\n", "")
    around = f"""
    const location = {{ pathname: {json.dumps(address)} }};
    let href = "game/rules.html";
    const anchor = {{ getAttribute: () => href, setAttribute: (_, to) => {{ href = to; }} }};
    const document = {{ links: [anchor] }};
    const fetch = async (url) => {{
      return {{ ok: url === {json.dumps(root + "objects.inv")} }};
    }};
    {script}
    console.log(href);
    """
    file = tmp_path / "page.mjs"
    file.write_text(around, "utf-8")
    node = shutil.which("node") or ""
    done = subprocess.run([node, str(file)], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == link


@pytest.mark.parametrize("name", metadata.STAMPED)
def test_files_have_the_addresses_of_the_project(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert metadata.stamped(name, text, metadata.urls_of_project()) == text


@pytest.mark.parametrize("name", metadata.STAMPED)
def test_addresses_are_put_in_and_taken_out(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    bare = metadata.stamped(name, text, {})
    filled = metadata.stamped(name, bare, URLS)
    assert "https://" not in bare
    assert URLS["Repository"] in filled
    assert metadata.stamped(name, filled, {}) == bare


def test_the_readme_of_a_release_has_absolute_links(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("", ".metadata", ".metadata.plugin", ".metadata.plugin.interface"):
        monkeypatch.setitem(sys.modules, f"hatchling{name}", Mock(MetadataHookInterface=object))
    absolute = runpy.run_path(str(ROOT / "hatch_build.py"))["absolute"]
    readme = (ROOT / "README.md").read_text("utf-8")
    released = absolute(readme, "https://example.invalid/code/")
    assert 'src="https://example.invalid/code/raw/HEAD/docs/pictures/board-light.svg"' in released
    assert "(https://example.invalid/code/blob/HEAD/CONTRIBUTING.md)" in released
    for text in (released, absolute(readme, "")):
        links = re.findall(r'\]\(([^)]+)|src(?:set)?="([^"]+)', text)
        assert links
        assert all("".join(link).startswith("https://") for link in links)


SITE = Path(os.environ.get("PONTE_SITE", ROOT / "docs" / "_build" / "html"))
LINKS = {"a": "href", "link": "href", "img": "src", "script": "src", "source": "srcset"}


class Links(HTMLParser):
    """The links and anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = {""}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors.add(given.get("id") or "")
        link = given.get(LINKS.get(tag, ""))
        if link and given.get("rel") != "canonical":
            self.links.add(link)


def links_of(path: Path) -> Links:
    found = Links()
    found.feed(path.read_text("utf-8"))
    return found


def test_links_within_the_pages_lead_to_anchors() -> None:
    if not (SITE / "index.html").exists():
        pytest.skip("the documentation is not built: nox -s docs")
    # A script creates the content of the page for playing, and 404.html has no fixed address.
    paths = (path for path in SITE.rglob("*.html") if "_static" not in path.parts)
    pages = {path: links_of(path) for path in paths if path.name != "404.html"}
    broken = []
    for page, found in pages.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            there = pages.get(target)
            anchor = unquote(parts.fragment)
            if not target.exists() or (there and anchor not in there.anchors):
                broken.append((str(page.relative_to(SITE)), link))
    assert len(pages) > 50
    assert broken == []


def test_labels_of_the_theme_are_german_on_german_pages() -> None:
    page = '<a title="Link to this heading">¶</a><svg><title>Menu</title></svg><p>Menu</p>'
    german = '<a title="Link zu dieser Überschrift">¶</a><svg><title>Menü</title></svg><p>Menu</p>'
    assert translations.with_german_labels(page) == german


@pytest.mark.parametrize("page", translations.GERMAN)
def test_no_label_of_a_german_page_is_english(page: str) -> None:
    path = SITE / f"{page}.html"
    if not path.exists():
        pytest.skip("the documentation is not built: nox -s docs")
    labels = [found[2] for found in translations.LABEL.finditer(path.read_text("utf-8"))]
    english = (
        "Toggle",
        "Link to",
        "Light",
        "Dark",
        "Contents",
        "Menu",
        "Expand",
        "Play on",
        "after turn",
    )
    assert [each for each in labels if any(word in each for word in english)] == []
    assert len(labels) > 10
