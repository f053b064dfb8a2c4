"""Objects sent through the pipe of a worker process, as bytes of their own.

`Connection.send` and `Connection.recv` pickle through a view of an `io.BytesIO`. Where pickling or the pipe fails, the
traceback keeps that view, and Python 3.12.0 and 3.12.1 may crash when they collect it as garbage
(https://github.com/python/cpython/issues/111049). Bytes are copied instead, which costs little beside the pipe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from multiprocess.reduction import ForkingPickler

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


def send(pipe: Connection, message: object) -> None:
    """Send an object.

    Raises:
        OSError: nobody reads the pipe any more.
    """
    pipe.send_bytes(bytes(ForkingPickler.dumps(message)))


def receive(pipe: Connection) -> Any:  # noqa: ANN401  (whatever was sent)
    """The next object that was sent, which this waits for.

    Raises:
        EOFError: nobody writes to the pipe any more.
        OSError: the pipe is closed.
    """
    return ForkingPickler.loads(pipe.recv_bytes())
