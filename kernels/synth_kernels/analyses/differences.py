"""Inputs on which two programs differ: tried with the formulas that they leave, and shown by running both.

Inputs are random, and small at first. For floating-point numbers, `bits` also takes numbers whose sums are rounded.
"""

from __future__ import annotations

import math
import random
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from synth_kernels.analyses.float_values import term_values, unknown_functions
from synth_kernels.analyses.normal_forms import function_of, is_float
from synth_kernels.concrete_run import Runner
from synth_kernels.floats import float_of
from synth_kernels.launch import threads
from synth_kernels.program import Access
from synth_kernels.terms import below

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_kernels.analyses.whole_launch import Contents
    from synth_kernels.memory import Location
    from synth_kernels.program import Kernel
    from synth_kernels.terms import Term, Terms

Floats: TypeAlias = Literal["reals", "bits", "uninterpreted"]
FLOATS: tuple[Floats, ...] = ("reals", "bits", "uninterpreted")
#: So many inputs are tried before and after the solver is asked.
TRIES = 24
#: With reals, two results differ if their distance is more than this part of them: both programs round.
_TOLERANCE = 1e-3
ONE_THREAD = dict.fromkeys([f"{word}.{n}" for word in ("lsize", "groups") for n in range(3)], 1)


class ElementDifference(NamedTuple):
    """An element that differs, with the bits that both leave there, and the input: bits of elements and of scalars."""

    array: str
    element: int
    width: int
    is_float: bool
    ours: int
    others: int
    inputs: dict[Location, int]
    scalars: dict[str, int]


@dataclass
class ProgramPair:
    """Both programs after their runs."""

    terms: Terms
    kernel: Kernel
    sequential: Kernel
    sizes: dict[str, int]
    scalars: dict[str, Term]
    ours: Contents
    others: Contents
    pairs: dict[Location, tuple[Term, Term]]


def differing_input(
    both: ProgramPair, open_pairs: Mapping[Location, tuple[Term, Term]], floats: Floats, seeds: Iterable[int]
) -> ElementDifference | None:
    """Try inputs, and return one on which both programs differ when they run."""
    roots = [term for pair in open_pairs.values() for term in pair]
    if unknown_functions(roots):
        return None
    numbers = float_variables(both, roots)
    for seed in seeds:
        values = {
            term.name: _input(random.Random(f"{seed} {term.name}"), term, numbers, floats, seed)  # noqa: S311  (no secret)
            for term in (*both.ours.initial.values(), *both.scalars.values())
            if term.name
        }
        if (difference := difference_of_input(both, open_pairs, values, numbers, floats)) is not None:
            return difference
    return None


def float_variables(both: ProgramPair, roots: Iterable[Term]) -> set[Term]:
    """Return the variables that are floating-point numbers, because functions on these take them."""
    variables: set[Term] = set()
    for term in below([*roots, *both.ours.assumed]):
        name = function_of(term).partition(".")[0]
        if name and name not in {"sitofp", "uitofp"}:
            variables |= {operand for operand in term.operands if operand.name}
    return variables


def _input(chance: random.Random, term: Term, floats: set[Term], kind: Floats, seed: int) -> int:
    if term not in floats:
        wide = 1 << (term.width if seed % 3 == 2 else 3)
        return (chance.randrange(wide) - (wide >> 1)) % (1 << term.width)
    number = float(chance.randint(-4, 4))
    if kind != "reals" and seed % 2:
        number = chance.choice([0.1, 1e8, -1e8, 1.0, 3.7, -0.3]) * chance.randint(1, 9)
    form, size = {16: ("<e", 2), 32: ("<f", 4), 64: ("<d", 8)}[term.width]
    return int.from_bytes(struct.pack(form, number)[:size], "little")


def difference_of_input(
    both: ProgramPair,
    open_pairs: Mapping[Location, tuple[Term, Term]],
    values: Mapping[str, int],
    numbers: set[Term],
    floats: Floats,
) -> ElementDifference | None:
    """Return a place in which the two programs differ with an input, if there is one, by formulas and by runs."""
    results = term_values([*(term for pair in open_pairs.values() for term in pair), *both.ours.assumed], values)
    if not all(results[condition] for condition in both.ours.assumed):
        return None
    wrong = []
    for place, (first, other) in open_pairs.items():
        real = is_float(first) or is_float(other) or bool({first, other} & numbers)
        if _differ(results[first], results[other], first.width, floats if real else "bits", real=real):
            wrong.append((place, real))
    if not wrong:
        return None
    inputs = {place: values[term.name] for place, term in both.ours.initial.items()}
    ran = _memories_after_runs(both, inputs, values)
    for place, real in wrong:
        ours, others = (memory.get(place, inputs.get(place, 0)) for memory in ran)
        width = open_pairs[place][0].width
        if _differ(ours, others, width, floats if real else "bits", real=real):
            scalars = {
                name: term.value if term.value is not None else values[name] for name, term in both.scalars.items()
            }
            return ElementDifference(place[0], place[2], width, real, ours, others, inputs, scalars)
    return None


def _memories_after_runs(
    both: ProgramPair, inputs: Mapping[Location, int], values: Mapping[str, int]
) -> list[Mapping[Location, int]]:
    """Run both programs with an input, and return what they leave in memory. Atomics are computed by formulas."""
    memories: list[Mapping[Location, int]] = []
    for program, sizes, contents in ((both.kernel, both.sizes, both.ours), (both.sequential, ONE_THREAD, both.others)):
        if any(isinstance(instruction, Access) and instruction.kind == "atomic" for instruction in program.steps):
            now = term_values(contents.now.values(), values)
            memories.append({place: now[term] for place, term in contents.now.items()})
            continue
        names = {name for name, _ in program.scalars}
        scalars = {
            name: term.value if term.value is not None else values[name]
            for name, term in both.scalars.items()
            if name in names
        }
        runner = Runner(program, sizes, scalars, contents=lambda place: inputs.get(place, 0))
        runner.run(list(threads(sizes)))
        memories.append(runner.memory.values())
    return memories


def _differ(ours: int, theirs: int, width: int, floats: Floats, *, real: bool) -> bool:
    if ours == theirs:
        return False
    a, b = (float_of(bits, width) if real else None for bits in (ours, theirs))
    if a is None or b is None:
        return True
    if math.isnan(a) or math.isnan(b):
        return floats != "reals" and math.isnan(a) != math.isnan(b)
    if floats == "reals":
        return abs(a - b) > _TOLERANCE * max(1.0, abs(a), abs(b))
    return True
