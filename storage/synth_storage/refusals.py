"""What the system refuses, as its user is told: whether the place that was named is at fault, or what lies under it.

A folder that is not there, may not be written or is a file is for the user to mend (exit code 2); a full disk, one that
fails, or a file server that is gone is a resource (exit code 3).
"""

from __future__ import annotations

import contextlib
import errno
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, ResourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What is wrong with the place.
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
    """Whether an exception says that a resource has run out, or a device failed."""
    return isinstance(error, OSError) and error.errno is not None and error.errno not in _OF_THE_PLACE


def reason(error: BaseException) -> str:
    """What a system or a library says was wrong, without the numbers and names it puts around it."""
    return getattr(error, "strerror", None) or str(error)


def refusal(place: object, error: Exception, expected: str) -> InputError | ResourceError:
    """What to raise where reading or writing a place fails, or what is read there is no text: to be raised from it."""
    msg = f"{place}: {reason(error)}"
    if is_of_a_resource(error):
        return ResourceError(msg)
    return InputError(f"{msg}, expected {expected}")


@contextlib.contextmanager
def as_user_errors(place: object, expected: str | None = None) -> Iterator[None]:
    """Raise what the system refuses meanwhile as `refusal` says; as ResourceError where nothing is expected."""
    try:
        yield
    except OSError as error:
        told = ResourceError(f"{place}: {reason(error)}") if expected is None else refusal(place, error, expected)
        raise told from error
