"""A SQLite database with one writer, in a file: open it, read it, and change it in transactions.

Errors of SQLite become messages: bad input if the file is no database or nobody may write it, else a failed resource.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import TYPE_CHECKING, Self

from synth_checker.errors import InputError, ResourceError
from synth_storage.refusals import unicode_refusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: The names of errors that are in what the user gave.
_INPUT = ("SQLITE_NOTADB", "SQLITE_READONLY")
#: What a user can do about some errors, by the beginnings of their names.
_ADVICE = {
    "SQLITE_NOTADB": ", expected the results of a campaign",
    "SQLITE_READONLY": ", expected a file and a folder that you may write to",
    "SQLITE_FULL": "; free some space, and run the same command again",
    "SQLITE_CORRUPT": "; use a copy from before, or run the campaign into another folder",
}


class Database:
    """An open database. As a context manager it closes the database at the end.

    Raises:
        InputError: there is no such file, or it is no database.
        ResourceError: the disk or the file system failed.
    """

    def __init__(self, path: Path, *, is_new: bool = False) -> None:
        self._path = path
        with self._told():
            if not is_new and not path.exists():
                raise InputError(f"{path}: there is no such file, expected the results of a campaign")
            address = _address(path)
            self._db = sqlite3.connect(address, uri=address != str(path), isolation_level=None)
            self._db.execute("PRAGMA foreign_keys = ON")
            if is_new:
                self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def read(self, query: str, *values: object) -> list[tuple]:  # type: ignore[type-arg]
        """Return the rows that a query gives."""
        with self._told():
            return self._db.execute(query, values).fetchall()

    def each(self, query: str, *values: object) -> Iterator[tuple]:  # type: ignore[type-arg]
        """Yield the rows that a query gives, without keeping them."""
        with self._told():
            yield from self._db.execute(query, values)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Make changes that are kept together or not at all, as a context manager."""
        with self._told():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Turn errors of SQLite into messages."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            advice = next((text for name, text in _ADVICE.items() if error.sqlite_errorname.startswith(name)), "")
            msg = f"{self._path}: {error}{advice}"
            kind = InputError if error.sqlite_errorname.startswith(_INPUT) else ResourceError
            raise kind(msg) from error
        except UnicodeEncodeError as error:  # a name of a file or a test need not be Unicode
            raise unicode_refusal(error) from error


def _address(path: Path) -> str:
    """Return how SQLite opens a database. In a folder that nobody can write, it must not look for its other files."""
    is_fixed = path.exists() and not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists()
    return f"{path.resolve().as_uri()}?immutable=1" if is_fixed else str(path)
