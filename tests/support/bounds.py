"""Find the tests of a bound, once a session."""

import functools

import synth


@functools.cache
def ids_of(bound):
    """Return the sorted ids of the tests of a bound."""
    return tuple(synth.enumerate_tests(synth.question(bound), jobs=1).ids)
