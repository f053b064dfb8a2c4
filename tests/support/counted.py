"""Count what a function does, where a clock would also count what others do on the same machine."""

import inspect
import sys


def calls_of(function):
    """Return how many functions of Python are called while a function is, and what it returns.

    That a generator goes on is no call.
    """
    calls = 0

    def count(frame, event, _argument):
        nonlocal calls
        calls += event == "call" and not frame.f_code.co_flags & inspect.CO_GENERATOR

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        found = function()
    finally:
        sys.setprofile(before)
    return calls, found
