"""Find every test of a small bound by trying every program; complete engines are compared with this.

It follows the definitions: section 2 defines the space, section 3 a test, and section 5 a verdict. Only the twins
decide. Of the package itself it uses the types, the ids and the expressions of the models.
"""

import functools
import itertools

from synth_checker.models import library
from synth_checker.programs.normal import written_out
from synth_checker.programs.program import Instruction, Program, Thread
from synth_checker.twin import models, rules
from synth_checker.twin.normal import is_normal


def records(threads, instructions, *, locations=2, values=2, without=()):
    """Return a sorted list of (id, verdict bits) for a bound, without some rules.

    Bit k stands for the k-th of the eleven verdicts, and is 1 for a pass.
    """
    tests = _tests(threads, instructions, locations, values, frozenset(without))
    return [(written_out(program), verdict_bits(program)) for program in tests]


def ids(threads, instructions, *, locations=2, values=2, without=()):
    """Return the sorted ids of the same tests, which takes less time than their verdicts."""
    return list(map(written_out, _tests(threads, instructions, locations, values, frozenset(without))))


@functools.cache
def _tests(threads, instructions, locations, values, without):
    return [
        program
        for program in space(threads, instructions, locations, values, "meaningful-comparisons" in without)
        if not broken_rules(program) - without
    ]


@functools.cache
def space(threads, instructions, locations, values, keep_store_checks):
    """Return every program of exactly that size in normal form, sorted by id."""
    programs = (
        Program(chosen)
        for sizes in splits(threads, instructions)
        for chosen in itertools.product(*(every_thread(size, locations, values) for size in sizes))
    )
    return sorted((p for p in programs if is_normal(p, keep_store_checks=keep_store_checks)), key=written_out)


def splits(threads, instructions):
    """Return every way to share out all instructions among the threads, with at least one for each."""
    return [
        sizes for sizes in itertools.product(range(1, instructions + 1), repeat=threads) if sum(sizes) == instructions
    ]


@functools.cache
def every_thread(size, locations, values):
    """Return every thread of a size, including those with no-ops."""
    every_instruction = [
        Instruction(loc, check, target, exch)
        for loc in range(locations)
        for check in range(values)
        for target in range(size + 1)
        for exch in (None, *range(values))
    ]
    return [Thread(chosen) for chosen in itertools.product(every_instruction, repeat=size)]


@functools.cache
def broken_rules(program):
    """Return the rules that a program breaks."""
    return rules.broken_rules(program)


@functools.cache
def verdict_bits(program):
    """Return the eleven verdicts in order: one for `unfair`, a weak and a strong one for each other model."""
    passed = []
    for model in library():
        weak, strong = models.passes(program, model.fair)
        passed += [weak] if model.name == "unfair" else [weak, strong]
    return sum(1 << k for k, bit in enumerate(passed) if bit)
