"""A page on a server of its own, for the browser of the user who started it.

Nobody else can read the page. The server listens only on the loopback address, and the address of the page has a part
that nobody can guess. A request must also name the loopback address as the host. Otherwise, another site could reach
the server by a name of its own that points to the loopback address.

The page is written anew for each request. So a reader who reloads it sees what a campaign has found since.
"""

from __future__ import annotations

import secrets
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Final

from synth_checker.errors import ResourceError, UserError

if TYPE_CHECKING:
    from collections.abc import Callable

LOOPBACK: Final = "127.0.0.1"


class PageServer(ThreadingHTTPServer):
    """A server of a page, at a free port. `write` returns the bytes of the page.

    Raises:
        ResourceError: the system gives no port.
    """

    daemon_threads = True

    def __init__(self, write: Callable[[], bytes]) -> None:
        self.write = write
        self.path = f"/{secrets.token_urlsafe(16)}/"
        try:
            super().__init__((LOOPBACK, 0), _Handler)
        except OSError as error:
            raise ResourceError(f"explore: the system gives no port at {LOOPBACK}: {error.strerror}") from error

    @property
    def host(self) -> str:
        """Return the address and the port, as a browser names them in a request."""
        return f"{LOOPBACK}:{self.server_port}"

    @property
    def address(self) -> str:
        """Return the address to open in a browser."""
        return f"http://{self.host}{self.path}"


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    server_version = "synth"
    sys_version = ""

    def do_GET(self) -> None:
        """Send the page, or say why there is none."""
        known = secrets.compare_digest(self.path.encode(), self.server.path.encode())
        if not known or self.headers.get("Host") != self.server.host:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", b"There is no such page.\n")
            return
        try:
            page = self.server.write()
        except UserError as error:
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, "text/plain", f"synth: {error}\n".encode())
            return
        self._send(HTTPStatus.OK, "text/html", page)

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name of the base class)
        """Write nothing: the terminal shows what the command says."""
