"""Every test of a small bound, by trying every program: what each complete engine is compared with.

Written from the definitions: section 2 says what the space is, section 3 what a test is, section 5 what a verdict is.
Only the twins decide; of the package itself there are the types, the ids and the models' expressions.
"""

import functools
import itertools

from synth_checker.models import library
from synth_checker.normal import written_out
from synth_checker.program import Instruction, Program, Thread
from synth_checker.twin import models, rules
from synth_checker.twin.normal import is_normal


def records(threads, instructions, *, locations=2, values=2, without=()):
    """The sorted list of (id, verdict bits) of a bound, some rules dropped.

    Bit k of the verdicts stands for the k-th of the eleven; set is a pass.
    """
    return [
        (written_out(program), verdict_bits(program))
        for program in space(threads, instructions, locations, values, "meaningful-comparisons" in without)
        if not broken_rules(program) - set(without)
    ]


@functools.cache
def space(threads, instructions, locations, values, keep_store_checks):
    """Every program of exactly that size in normal form, sorted by id."""
    programs = (
        Program(chosen)
        for sizes in splits(threads, instructions)
        for chosen in itertools.product(*(every_thread(size, locations, values) for size in sizes))
    )
    return sorted((p for p in programs if is_normal(p, keep_store_checks=keep_store_checks)), key=written_out)


def splits(threads, instructions):
    """Every way to give all instructions to the threads, at least one each."""
    return [
        sizes for sizes in itertools.product(range(1, instructions + 1), repeat=threads) if sum(sizes) == instructions
    ]


@functools.cache
def every_thread(size, locations, values):
    """Every thread of a size, no-ops and all."""
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
    """The rules a program breaks."""
    return rules.broken_rules(program)


@functools.cache
def verdict_bits(program):
    """The eleven verdicts, in order: `unfair` has one, the other five models a weak and a strong one."""
    passed = []
    for model in library():
        weak, strong = models.passes(program, model.fair)
        passed += [weak] if model.name == "unfair" else [weak, strong]
    return sum(1 << k for k, bit in enumerate(passed) if bit)
