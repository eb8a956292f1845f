"""The project's addresses, the page for unknown addresses, and a list of the pages for programs.

The addresses of the repository, the documentation and the contact are in ``[project.urls]`` of
``pyproject.toml`` and nowhere else. Text that needs an unknown address is left out. After a change,
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
MAX_DESCRIPTION: Final = 160
"""The maximum number of characters of a description in ``llms.txt``."""
STAMPED: Final = {
    "CITATION.cff": {"Repository": "repository-code: {}", "Documentation": "url: {}"},
    "SECURITY.md": {
        "Repository": "The repository is <{}>.",
        "Contact": "You can also write to <{}>.",
    },
}
"""The line for each address in files that Sphinx does not build."""
FOOTER: Final = {
    "Issues": "Report a problem",
    "Repository": "Source code",
    "Contact": "Contact",
}
"""The links at the bottom of every page, by the names of their addresses."""
MARK: Final = {
    "CITATION.cff": ("# addresses\n", "# end of addresses\n"),
    "SECURITY.md": ("<!-- addresses -->\n", "<!-- end of addresses -->\n"),
}
INSTALL: Final = re.compile(r"(pip install '?)\.(\[[\w,]+\]'|(?=[\s`]))")
"""A command that installs the project's folder, with or without extras."""
NO_ADDRESS: Final = re.compile(
    r"^(?:There is no public address yet|Noch gibt es keine öffentliche Adresse)(?:.+\n)+\n",
    re.MULTILINE,
)
"""A paragraph that is true only as long as the project's repository has no public address."""
BOTH_SOURCES: Final = ("start/installation",)
"""Pages that show the commands for the folder beside those for PyPI."""
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
<li><a href="{base}de/index.html" lang="de" hreflang="de">Deutsch</a></li>
</ul>
</main>
{script}</html>
"""  # noqa: E501
FIND_FOLDER: Final = """<script type="module">
// The build does not know the folder of the pages on the server: it is the first folder above this
// address that has their index.
const folders = location.pathname.split("/").slice(0, -1);
while (folders.length > 0) {
  const folder = `${folders.join("/")}/`;
  const answer = await fetch(`${folder}objects.inv`, { method: "HEAD" }).catch(() => null);
  if (answer?.ok) {
    for (const link of document.links) {
      link.setAttribute("href", folder + link.getAttribute("href"));
    }
    break;
  }
  folders.pop();
}
</script>
"""
"""A script that corrects the links of the page for unknown addresses."""


def urls_of_project() -> dict[str, str]:
    """Return the known addresses by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return {name: url for name, url in project.get("urls", {}).items() if url}


def footer_links(urls: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the links to known addresses in the form that the theme expects."""
    return [
        {"name": text, "url": urls[name], "html": text, "class": "project-link"}
        for name, text in FOOTER.items()
        if name in urls
    ]


def stamped(name: str, text: str, urls: Mapping[str, str]) -> str:
    """Return the text of a file with the addresses between its marks."""
    start, end = MARK[name]
    lines = [form.format(urls[key]) for key, form in STAMPED[name].items() if key in urls]
    block = "".join(f"{line}\n" for line in lines)
    before, _, rest = text.partition(start)
    return f"{before}{start}{block}{end}{rest.partition(end)[2]}"


def shortened(text: str) -> str:
    """Return the beginning of a text, cut after a word if it is too long."""
    text = " ".join(text.split())
    return (
        text if len(text) <= MAX_DESCRIPTION else f"{text[:MAX_DESCRIPTION].rpartition(' ')[0]} …"
    )


def description(page: Any, titles: Mapping[str, Any]) -> str:
    """Return the first paragraph of a page as its description.

    A link without a text of its own is replaced by the title of its page, as on the built page. A
    colon at the end would announce a block that the description does not have.
    """
    from docutils import nodes  # noqa: PLC0415 - files can be stamped without Sphinx
    from sphinx.addnodes import pending_xref  # noqa: PLC0415 - likewise
    from sphinx.util import docname_join  # noqa: PLC0415 - likewise

    for paragraph in page.findall(nodes.paragraph):
        text = paragraph.deepcopy()
        for link in list(text.findall(pending_xref)):
            # MyST has already worked out the name of the page; the role {doc} has not.
            is_name = link.get("refdomain") == "doc"
            target = link.get("reftarget", "")
            name = target if is_name else docname_join(link.get("refdoc", ""), target)
            if name in titles and not link.get("refexplicit"):
                link.replace_self(nodes.Text(f'"{titles[name].astext()}"'))
        found = shortened(text.astext())
        return f"{found[:-1]}." if found.endswith(":") else found
    return ""


def contents(app: Any) -> Iterator[tuple[str, str]]:
    """Yield each page of the sidebar after the caption above it, then the German pages."""
    from sphinx.addnodes import toctree  # noqa: PLC0415 - files can be stamped without Sphinx

    for tree in app.env.get_doctree(app.config.root_doc).findall(toctree):
        for _, page in tree["entries"]:
            if page in app.env.titles:
                yield tree.get("caption", ""), page
    for page in sorted(app.env.titles):
        if page.startswith("de/"):
            yield "Deutsch", page


def write_files(app: Any, error: Exception | None) -> None:
    """Write ``404.html``, and ``llms.txt`` with a link to each page and its description."""
    if error is not None or app.builder.name != "html":
        return
    base = app.config.html_baseurl
    folder = Path(app.outdir)
    # Without a known address the links are relative, and a script corrects them below a folder.
    home = (urlsplit(base).path or "/") if base else ""
    page = NOT_FOUND.format(base=escape(home), script="" if base else FIND_FOLDER)
    (folder / "404.html").write_text(page, "utf-8")
    lines = [f"# {app.config.project}", "", f"> {app.config.project_summary}"]
    section = None
    for caption, page in contents(app):
        if caption != section:
            section = caption
            lines += ["", f"## {caption}", ""]
        link = urljoin(base, app.builder.get_target_uri(page))
        about = description(app.env.get_doctree(page), app.env.titles)
        lines.append(f"- [{app.env.titles[page].astext()}]({link}): {about}")
    (folder / "llms.txt").write_text("\n".join(lines) + "\n", "utf-8")


def fill_address(_app: Any, _page: str, source: list[str]) -> None:
    """Put the address of the repository into the command that clones it, if it is known.

    Then the paragraphs that say that there is no address are left out.
    """
    repository = urls_of_project().get("Repository")
    if repository is not None:
        text = NO_ADDRESS.sub("", source[0])
        source[0] = text.replace("git clone ADDRESS ", f"git clone {repository} ")


def fill_install_commands(_app: Any, page: str, source: list[str]) -> None:
    """After the first release, install the package by its name, except where a page has both."""
    from pontedeldiavolo.base.install import SOURCE  # noqa: PLC0415 - stamping needs no package

    if page not in BOTH_SOURCES:
        source[0] = INSTALL.sub(rf"\g<1>{SOURCE}\g<2>", source[0])


def setup(app: Any) -> dict[str, bool]:
    """Connect the functions above."""
    app.add_config_value("project_summary", "", "html")
    app.connect("source-read", fill_address)
    app.connect("source-read", fill_install_commands)
    app.connect("build-finished", write_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    for file in map(ROOT.joinpath, STAMPED):
        file.write_text(stamped(file.name, file.read_text("utf-8"), urls_of_project()), "utf-8")
