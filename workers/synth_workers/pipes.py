"""Send objects through the pipe of a worker process, as bytes of their own.

`Connection.send` and `Connection.recv` pickle through a view of an `io.BytesIO`. If pickling or the pipe fails, the
traceback keeps that view, and Python 3.12.0 and 3.12.1 may crash when they collect it as garbage
(https://github.com/python/cpython/issues/111049). This module copies the bytes instead, which takes little time beside
the pipe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from multiprocess.reduction import ForkingPickler

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


def send(pipe: Connection, message: object) -> None:
    """Send an object through a pipe.

    Raises:
        OSError: the other end of the pipe is closed.
    """
    pipe.send_bytes(bytes(ForkingPickler.dumps(message)))


def receive(pipe: Connection) -> Any:  # noqa: ANN401  (whatever was sent)
    """Wait for the next object from a pipe, and return it.

    Raises:
        EOFError: the other end of the pipe is closed.
        OSError: this end of the pipe is closed.
    """
    return ForkingPickler.loads(pipe.recv_bytes())
