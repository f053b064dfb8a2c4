"""Turn errors of the operating system into messages: either the path that a user gave is wrong, or a resource failed.

If a folder is missing, must not be written, or is a file, then the user can correct that (exit code 2). If a disk is
full or fails, or a file server is gone, then a resource failed (exit code 3).
"""

from __future__ import annotations

import contextlib
import errno
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, ResourceError, excerpt

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The error numbers that mean that the given path is wrong.
_OF_THE_PLACE = {
    errno.EACCES,
    errno.EBADF,
    errno.EBUSY,
    errno.EEXIST,
    errno.EILSEQ,
    errno.EINVAL,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENODEV,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.ENOTEMPTY,
    errno.ENXIO,
    errno.EOPNOTSUPP,
    errno.EPERM,
    errno.EROFS,
    errno.ETXTBSY,
}


def is_of_a_resource(error: BaseException) -> bool:
    """Return whether an exception says that a resource is exhausted or a device failed."""
    return isinstance(error, OSError) and error.errno is not None and error.errno not in _OF_THE_PLACE


def reason(error: BaseException) -> str:
    """Return the reason that an exception of the system or a library gives, without error number and file names."""
    return getattr(error, "strerror", None) or str(error)


def refusal(place: object, error: Exception, expected: str) -> InputError | ResourceError:
    """Return the exception to raise when a place cannot be read or written, or when it contains no text.

    `expected` says what the place should be. The caller raises the result from `error`.
    """
    msg = f"{place}: {reason(error)}"
    if is_of_a_resource(error):
        return ResourceError(msg)
    return InputError(f"{msg}, expected {expected}")


def unicode_refusal(error: UnicodeEncodeError) -> InputError:
    """Return the exception to raise when a text cannot be written, because it has half of a surrogate pair.

    JSON can hold such a text, and Python makes one of the name of a file that is not UTF-8.
    """
    line = error.object[error.object.rfind("\n", 0, error.start) + 1 :].partition("\n")[0]
    return InputError(f"found the text {excerpt(ascii(line))}, which is not Unicode, expected names and texts in UTF-8")


@contextlib.contextmanager
def as_user_errors(place: object, expected: str | None = None) -> Iterator[None]:
    """Turn an OSError in the body of a `with` statement into the exception that `refusal` returns for `place`.

    If `expected` is None, the exception is always a ResourceError.
    """
    try:
        yield
    except OSError as error:
        user_error = ResourceError(f"{place}: {reason(error)}") if expected is None else refusal(place, error, expected)
        raise user_error from error
