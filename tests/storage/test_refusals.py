"""Test errors of the system: whether the user can correct them, and which exit code they give."""

import errno
import os

import pytest

from synth_checker.errors import InputError, ResourceError
from synth_storage.refusals import as_user_errors, refusal


def refused(number):
    return OSError(number, os.strerror(number))


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES, errno.EROFS, errno.ENOTDIR, errno.EISDIR])
def test_a_wrong_place_is_for_the_user_to_mend(number):
    error = refusal("it", refused(number), "a job")
    assert isinstance(error, InputError)
    assert str(error) == f"it: {os.strerror(number)}, expected a job"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.ESTALE, errno.EDQUOT, errno.EFBIG, errno.EMFILE])
def test_a_resource_that_fails_is_called_so(number):
    error = refusal("it", refused(number), "a job")
    assert isinstance(error, ResourceError)
    assert str(error) == f"it: {os.strerror(number)}"


def test_a_file_that_is_no_text_is_an_input():
    with pytest.raises(UnicodeDecodeError) as raised:
        b"\xff".decode("utf-8")
    assert isinstance(refusal("it", raised.value, "a manifest"), InputError)


@pytest.mark.parametrize(("expected", "kind"), [(None, ResourceError), ("a job", InputError)])
def test_an_os_error_in_the_body_is_raised_as_a_user_error(expected, kind):
    with pytest.raises(kind, match=r"^it: "), as_user_errors("it", expected):
        raise refused(errno.EACCES)
