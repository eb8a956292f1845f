# python examples/web_game.py [PORT]
"""A game on a web page, served by the standard library."""

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
from urllib.parse import parse_qs, urlsplit

import pontedeldiavolo as pdd

Content: TypeAlias = dict[str, Any]


class Table:
    """One game."""

    def __init__(self, rules: pdd.Rules) -> None:
        self.game = pdd.Game.new(rules)
        self.lock = Lock()

    def show(self, first: str = "") -> Content:
        """Return the picture and the facts for the page."""
        node: pdd.Node = self.game.state
        if first:
            cell = pdd.parse_cell(first)
            node = node.step(pdd.PlaceTile(cell))
        actions = self.game.actions
        last = actions[-1] if actions else None
        svg = pdd.svg.render(node, last=last, targets=True)
        table = pdd.json.snapshot(node, last=last)["value"]
        return {"svg": str(svg), "table": table}

    def play(self, action: str) -> Content:
        """Play an action, and return the same."""
        with self.lock:
            self.game = self.game.play(action)
            return self.show()


# The server

PAGE = Path(__file__).with_name("web_game.html")
MOST_BYTES = 100


class Handler(BaseHTTPRequestHandler):
    """Answers the page's requests."""

    table: Table

    def do_GET(self) -> None:
        """Send the page, or the board."""
        url = urlsplit(self.path)
        if url.path == "/":
            self.send(200, "text/html", PAGE.read_bytes())
        elif url.path == "/table":
            [first] = parse_qs(url.query).get("first", [""])
            self.answer(lambda: self.table.show(first))
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        """Play the action that the body names."""
        size = int(self.headers["Content-Length"])
        if self.path != "/play" or size > MOST_BYTES:
            self.send_error(404)
            return
        action = self.rfile.read(size).decode()
        self.answer(lambda: self.table.play(action))

    def answer(self, ask: Callable[[], Content]) -> None:
        """Send what a function returns, or the refusal."""
        status, content = 200, {}
        try:
            content = ask()
        except pdd.PonteError as error:
            status = 422
            content["error"] = pdd.messages.explain(error)
        body = json.dumps(content).encode()
        self.send(status, "application/json", body)

    def send(
        self,
        code: int,
        kind: str,
        body: bytes,
    ) -> None:
        """Send an answer."""
        self.send_response(code)
        kind = f"{kind}; charset=utf-8"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main(port: int = 8000) -> None:
    """Serve one game on this machine until Ctrl-C."""
    Handler.table = Table(pdd.Rules(pdd.Board(6, 6)))
    here = ("127.0.0.1", port)
    with ThreadingHTTPServer(here, Handler) as server:
        port = server.server_port
        print(f"http://127.0.0.1:{port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
