"""Check the text that PyPI would show: ``python tools/release_text.py WHEEL``.

The text of a release must not say that there is no release, and must have the addresses of the
project and pictures that can be loaded. The session ``release`` of the noxfile runs this program.
It only prints the faults while the changelog has no date for the version, because the first release
mends them last; with ``--strict`` they are an error.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from email.message import Message
from email.parser import Parser
from urllib.request import Request, urlopen
from zipfile import ZipFile

ADDRESSES = ("Repository", "Documentation", "Issues")
UNRELEASED = re.compile(
    r"no\s+release|not\s+(?:yet\s+)?(?:been\s+)?released|first\s+(?:one|release)\s+on|unreleased",
    re.IGNORECASE,
)
"""Words that are true before the first release only. The commands for a clone remain."""
PICTURE = re.compile(r'<img[^>]*? src="([^"]*)"|srcset="([^"]*)"|!\[[^]]*\]\(([^)\s]*)')
LINK = re.compile(r"(?<!!)\[[^]]+\]\((?!https://|#|mailto:)([^)]*)\)")


def answers(url: str) -> bool:
    """Return whether a server has a picture at an address."""
    try:
        with urlopen(Request(url, method="HEAD"), timeout=20) as answer:  # noqa: S310 - https only
            return bool(answer.headers.get_content_maintype() == "image")
    except OSError:
        return False


def faults(metadata: Message, is_there: Callable[[str], bool] = answers) -> Iterator[str]:
    """Yield what is wrong with the metadata of a package, as sentences."""
    given = [str(each).partition(", ") for each in metadata.get_all("Project-URL", [])]
    urls = {name: url for name, _, url in given}
    for name in ADDRESSES:
        if not urls.get(name, "").startswith("https://"):
            yield f"[project.urls] has no address for {name}"
    text = str(metadata.get_payload())
    for found in UNRELEASED.finditer(text):
        yield f"the readme says {' '.join(found[0].split())!r}"
    pictures = ["".join(each) for each in PICTURE.findall(text)]
    if not pictures:
        yield "the readme has no picture"
    for url in pictures:
        if not url.startswith("https://"):
            yield f"a picture has no address: {url!r}"
        elif not is_there(url):
            yield f"a picture cannot be loaded: {url}"
    for target in LINK.findall(text):
        yield f"a link leads nowhere on PyPI: {target!r}"


def main() -> None:
    """Print the faults of a wheel; with ``--strict`` they are an error."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("wheel")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if there are faults")
    given = parser.parse_args()
    with ZipFile(given.wheel) as wheel:
        [name] = (each for each in wheel.namelist() if each.endswith(".dist-info/METADATA"))
        found = [*faults(Parser().parsestr(wheel.read(name).decode()))]
    for fault in found:
        print(f"not fit for PyPI: {fault}")
    sys.exit(int(given.strict and bool(found)))


if __name__ == "__main__":
    main()
