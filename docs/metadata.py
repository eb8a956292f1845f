"""Addresses, descriptions, and files for search engines and programs that read the pages.

Repository, documentation and contact stand in ``[project.urls]`` of ``pyproject.toml`` and nowhere
else. While one is missing, all that would need it is left out. After a change,
``python docs/metadata.py`` writes the addresses into ``CITATION.cff`` and ``SECURITY.md``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

ROOT: Final = Path(__file__).parents[1]
CARD: Final = "card.png"
"""The picture that other sites show beside a link, in the folder of static files."""
LONGEST: Final = 160
"""The maximal length of a description."""
VIEWPORT: Final = re.compile(r'<meta name="viewport"[^>]*>\n?')
STAMPED: Final = {
    "CITATION.cff": {"Repository": "repository-code: {}", "Documentation": "url: {}"},
    "SECURITY.md": {
        "Repository": "The repository is <{}>.",
        "Contact": "You can also write to <{}>.",
    },
}
"""The lines with each address, in files that are no pages."""
MARK: Final = {
    "CITATION.cff": ("# addresses\n", "# end of addresses\n"),
    "SECURITY.md": ("<!-- addresses -->\n", "<!-- end of addresses -->\n"),
}
NOT_FOUND: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Page not found – pontedeldiavolo</title>
<style>
body {{ max-width: 34rem; margin: 4rem auto; padding: 0 1rem; font-family: sans-serif }}
@media (prefers-color-scheme: dark) {{ body {{ background: #131416; color: #cfd0d0 }} a {{ color: #82b4ff }} }}
</style>
<main>
<h1>Page not found</h1>
<p>No page has this address. It may have moved.</p>
<ul>
<li><a href="{base}index.html">Front page</a></li>
<li><a href="{base}search.html">Search</a></li>
<li><a href="{base}game/rules.html">The rules</a></li>
</ul>
</main>
{script}</html>
"""  # noqa: E501
FIND_FOLDER: Final = """<script type="module">
// The build does not know below which folder of the server these pages lie. The first folder above
// this address that has their index is the one.
const folders = location.pathname.split("/").slice(0, -1);
while (folders.length > 0) {
  const folder = `${folders.join("/")}/`;
  const answer = await fetch(`${folder}objects.inv`, { method: "HEAD" }).catch(() => null);
  if (answer?.ok) {
    for (const link of document.links) {
      link.setAttribute("href", folder + link.getAttribute("href").slice(1));
    }
    break;
  }
  folders.pop();
}
</script>
"""
"""Corrects the links of the page for unknown addresses."""


def urls_of_project() -> dict[str, str]:
    """Return the addresses that are known, by their names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return {name: url for name, url in project.get("urls", {}).items() if url}


def stamped(name: str, text: str, urls: Mapping[str, str]) -> str:
    """Return the text of a file with the addresses between its marks."""
    start, end = MARK[name]
    lines = [form.format(urls[key]) for key, form in STAMPED[name].items() if key in urls]
    block = "".join(f"{line}\n" for line in lines)
    before, _, rest = text.partition(start)
    return f"{before}{start}{block}{end}{rest.partition(end)[2]}"


def shortened(text: str) -> str:
    """Return the beginning of a text, up to a whole word."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rpartition(' ')[0]} …"


def description(page: Any) -> str:
    """Return what a page is about: its first paragraph."""
    from docutils import nodes  # noqa: PLC0415 - files can be stamped without Sphinx

    return next((shortened(each.astext()) for each in page.findall(nodes.paragraph)), "")


def add_tags(app: Any, page: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    """Put a description into the head of a page, and what other sites show beside a link."""
    if doctree is None:
        return
    title = re.sub("<.*?>", "", context.get("title", ""))
    about = description(doctree)
    tags = {"og:type": "website", "og:site_name": app.config.project, "og:title": title}
    tags["og:description"] = about
    base = app.config.html_baseurl
    if base:
        tags["og:url"] = urljoin(base, app.builder.get_target_uri(page))
        tags["og:image"] = urljoin(base, f"_static/{CARD}")
        tags["og:image:alt"] = "A board with islands and bridges"
    lines = [f'<meta name="description" content="{escape(about)}">']
    lines += [f'<meta property="{name}" content="{escape(text)}">' for name, text in tags.items()]
    lines.append('<meta name="twitter:card" content="summary">')
    # The theme has a viewport already.
    others = VIEWPORT.sub("", context.get("metatags", ""))
    context["metatags"] = others + "\n".join(lines)


def contents(app: Any) -> Iterator[tuple[str, str]]:
    """Iterate over the captions of the sidebar and the pages below them."""
    from sphinx.addnodes import toctree  # noqa: PLC0415 - files can be stamped without Sphinx

    for tree in app.env.get_doctree(app.config.root_doc).findall(toctree):
        for _, page in tree["entries"]:
            if page in app.env.titles:
                yield tree.get("caption", ""), page


def write_files(app: Any, error: Exception | None) -> None:
    """Write ``llms.txt``, ``404.html`` and, where the address is known, ``sitemap.xml``."""
    if error is not None or app.builder.name != "html":
        return
    base = app.config.html_baseurl
    folder = Path(app.outdir)
    home = urlsplit(base).path or "/"
    page = NOT_FOUND.format(base=escape(home), script="" if base else FIND_FOLDER)
    (folder / "404.html").write_text(page, "utf-8")
    lines = [f"# {app.config.project}", "", f"> {app.config.project_summary}"]
    section = None
    for caption, page in contents(app):
        if caption != section:
            section = caption
            lines += ["", f"## {caption}", ""]
        link = urljoin(base, app.builder.get_target_uri(page))
        about = description(app.env.get_doctree(page))
        lines.append(f"- [{app.env.titles[page].astext()}]({link}): {about}")
    (folder / "llms.txt").write_text("\n".join(lines) + "\n", "utf-8")
    if base:
        addresses = [urljoin(base, app.builder.get_target_uri(page)) for page in app.env.found_docs]
        entries = "".join(f"<url><loc>{escape(each)}</loc></url>\n" for each in sorted(addresses))
        (folder / "sitemap.xml").write_text(
            '<?xml version="1.0" encoding="utf-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n',
            "utf-8",
        )
        robots = f"User-agent: *\nAllow: /\nSitemap: {urljoin(base, 'sitemap.xml')}\n"
        (folder / "robots.txt").write_text(robots, "utf-8")


def fill_address(_app: Any, _page: str, source: list[str]) -> None:
    """Put the address of the repository, where it is known, into the command that clones it."""
    repository = urls_of_project().get("Repository", "ADDRESS")
    source[0] = source[0].replace("git clone ADDRESS ", f"git clone {repository} ")


def setup(app: Any) -> dict[str, bool]:
    """Connect the functions above."""
    app.add_config_value("project_summary", "", "html")
    app.connect("source-read", fill_address)
    app.connect("html-page-context", add_tags)
    app.connect("build-finished", write_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    for file in map(ROOT.joinpath, STAMPED):
        file.write_text(stamped(file.name, file.read_text("utf-8"), urls_of_project()), "utf-8")
