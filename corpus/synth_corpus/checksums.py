"""Compute a checksum in a thread of its own, while the caller does other work with the same bytes.

SHA-256 takes as long as compression does, and both work without the lock of the Python interpreter.
"""

from __future__ import annotations

import hashlib
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from synth_checker.errors import ResourceError

if TYPE_CHECKING:
    from concurrent.futures import Future

#: At most so many pieces wait, so that memory does not grow.
_WAITING = 4
#: The thread gets no piece of fewer bytes: to hand it over would take longer than to compute its checksum.
_LEAST = 1 << 16


class Checksum(AbstractContextManager["Checksum"]):
    """The SHA-256 of bytes that come in pieces. A thread computes it."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._thread = ThreadPoolExecutor(1)
        self._waiting: deque[Future[None]] = deque()
        self._small = bytearray()  # the last pieces, which are together less than _LEAST

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown(cancel_futures=True)

    def update(self, piece: bytes) -> None:
        """Add a piece of the bytes.

        Raises:
            ResourceError: there can be no further thread.
        """
        if len(self._small) + len(piece) < _LEAST:
            self._small += piece
            return
        self._hand_over(bytes(self._small) + piece if self._small else piece)
        self._small.clear()

    def hexdigest(self) -> str:
        """Return the checksum of all pieces, in hexadecimal digits."""
        self._hand_over(bytes(self._small))
        self._small.clear()
        while self._waiting:
            self._waiting.popleft().result()
        return self._digest.hexdigest()

    def _hand_over(self, piece: bytes) -> None:
        try:
            self._waiting.append(self._thread.submit(self._digest.update, piece))
        except RuntimeError as error:
            raise ResourceError(f"a thread can't be started: {error}") from error
        while len(self._waiting) > _WAITING:
            self._waiting.popleft().result()
