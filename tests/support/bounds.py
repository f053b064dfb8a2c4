"""The tests of a bound, found once a session."""

import functools

import synth


@functools.cache
def ids_of(bound):
    """Their ids, sorted."""
    return tuple(synth.enumerate_tests(synth.question(bound), jobs=1).ids)
