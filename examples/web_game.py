# python examples/web_game.py [PORT [LANGUAGE]]
"""A web game, served by the standard library."""

import json
import sys
from collections.abc import Callable
from http.server import (
    BaseHTTPRequestHandler,
    ThreadingHTTPServer,
)
from pathlib import Path
from threading import Lock
from typing import Any, TypeAlias
from urllib.parse import parse_qs

import pontedeldiavolo as pdd

Json: TypeAlias = dict[str, Any]
Fault: TypeAlias = pdd.PonteError | pdd.Reason

# Texts of the page that are not in the library
WORDS = {
    "en": {
        "pass": "Pass",
        "bridge": "A bridge from {}: click its other end.",
    },
    "de": {
        "pass": "Passen",
        "bridge": "Brücke von {}: nun das andere Ende.",
    },
}

# Sentences of the server that are not in the library
SENTENCES = {
    "en": {
        "bad-query": "'first' may come only once.",
        "no-length": "The body needs a length.",
        "bad-length": "The length is no number.",
        "not-utf-8": "The body is not UTF-8.",
    },
    "de": {
        "bad-query": "'first' darf nur einmal vorkommen.",
        "no-length": "Die Länge des Inhalts fehlt.",
        "bad-length": "Die Länge ist keine Zahl.",
        "not-utf-8": "Der Inhalt ist kein UTF-8.",
    },
}


class Table:
    """A game, and the data for its web page."""

    def __init__(
        self,
        rules: pdd.Rules,
        code: str = "en",
    ) -> None:
        self.game = pdd.Game.new(rules)
        self.lock = Lock()
        self.catalog = pdd.messages.LANGUAGES[code]
        own = SENTENCES[code]
        self.sentences = dict(self.catalog) | own
        self.words = {"lang": code, **WORDS[code]}
        for color in pdd.Color:
            word = pdd.messages.word(color, self.catalog)
            self.words[color.value] = word

    def show(self, first: str = "") -> Json:
        """Return the picture, snapshot and texts."""
        game = self.game
        node: pdd.Node = game.state
        if first:
            cell = pdd.parse_cell(first)
            node = node.step(pdd.PlaceTile(cell))
        last = game.actions[-1] if game.actions else None
        svg = pdd.svg.render(
            node,
            last=last,
            targets=True,
            catalog=self.catalog,
        )
        document = pdd.json.snapshot(
            node,
            last=last,
            catalog=self.catalog,
        )
        return {
            "svg": str(svg),
            "snapshot": document["value"],
            "words": self.words,
        }

    def play(self, action: str) -> Json:
        """Play an action, and return the new data."""
        with self.lock:
            self.game = self.game.play(action)
            return self.show()


# The server

PAGE = Path(__file__).with_name("web_game.html")
MAX_BYTES = 100
DIGITS = 9


class Handler(BaseHTTPRequestHandler):
    """Handles the requests of the page."""

    table: Table
    timeout = 10  # seconds

    def do_GET(self) -> None:
        """Send the page or the data of the game."""
        path, _, query = self.path.partition("?")
        first, *others = parse_qs(query).get("first", [""])
        if path == "/":
            self.send(200, "text/html", PAGE.read_bytes())
        elif path != "/snapshot":
            self.refuse(404, "no-such-page")
        elif others:
            self.refuse(400, "bad-query")
        else:
            self.respond(lambda: self.table.show(first))

    def do_POST(self) -> None:
        """Play the action in the body of the request."""
        size = self.headers.get("Content-Length")
        if self.path != "/play":
            self.refuse(404, "no-such-page")
        elif size is None:
            self.refuse(411, "no-length")
        elif "Transfer-Encoding" in self.headers:
            self.refuse(400, "two-lengths")
        elif not size.isdecimal():
            self.refuse(400, "bad-length")
        elif len(size) > DIGITS or int(size) > MAX_BYTES:
            self.refuse(413, "body-too-long", max=MAX_BYTES)
        else:
            self.play(self.rfile.read(int(size)))

    def play(self, body: bytes) -> None:
        """Play an action, given as UTF-8 text."""
        try:
            action = body.decode()
        except UnicodeDecodeError:
            self.refuse(400, "not-utf-8")
        else:
            self.respond(lambda: self.table.play(action))

    def respond(self, view: Callable[[], Json]) -> None:
        """Send the result of a function, or its error."""
        try:
            self.send_json(200, view())
        except pdd.PonteError as error:
            unreadable = isinstance(error, pdd.NotationError)
            self.send_error_of(400 if unreadable else 422, error)

    def refuse(self, status: int, code: str, **values: int) -> None:
        """Send an error about the request itself."""
        self.send_error_of(status, pdd.Reason(code, values))

    def send_error_of(self, status: int, fault: Fault) -> None:
        """Send a sentence for people and a code for programs."""
        sentences = self.table.sentences
        text = pdd.messages.explain(fault, sentences)
        content = {"error": text, "code": fault.code}
        self.send_json(status, content)

    def send_json(self, status: int, data: Json) -> None:
        """Send a JSON response."""
        body = json.dumps(data).encode()
        self.send(status, "application/json", body)

    def send(
        self,
        status: int,
        media_type: str,
        body: bytes,
    ) -> None:
        """Send a response."""
        self.send_response(status)
        content_type = f"{media_type}; charset=utf-8"
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main(port: str = "8000", language: str = "en") -> None:
    """Serve a game on localhost until Ctrl-C."""
    rules = pdd.Rules(pdd.Board(6, 6))
    Handler.table = Table(rules, language)
    here = ("127.0.0.1", int(port))
    try:
        server = ThreadingHTTPServer(here, Handler)
    except OSError as error:
        sys.exit(f"Port {port}: {error.strerror}.")
    with server:
        address = f"http://127.0.0.1:{server.server_port}"
        print(address, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
