"""Functional equivalence: whether a kernel leaves the same arrays as a sequential version, whatever they hold at first.

Sizes are given, and all scalars that decide where threads go. Both are run symbolically. Then we compare what they
leave, in four steps, until one of them decides: the same formula, the same normal form, inputs on which they differ,
and at last a solver. We try inputs with formulas first, and then run both programs with them.

With `reals`, floating-point numbers count as real numbers, so sums may be in another order. With `bits`, they are those
of IEEE 754. With `uninterpreted`, nothing is known of their operations but that equal operands give equal results.
"""

from __future__ import annotations

import math
import random
import struct
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from synth_checker.errors import InputError
from synth_kernels.analyses.executing import TooHardError
from synth_kernels.analyses.normal_forms import NormalForms, function_of, is_float
from synth_kernels.analyses.valuing import query, unknown_functions, valued
from synth_kernels.analyses.whole import Contents, run_all
from synth_kernels.floats import float_of
from synth_kernels.launch import threads
from synth_kernels.program import Access
from synth_kernels.running import Runner
from synth_kernels.terms import Terms, below

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_kernels.memory import Location
    from synth_kernels.program import Kernel
    from synth_kernels.terms import Term
    from synth_solvers.asking import Solver

Floats: TypeAlias = Literal["reals", "bits", "uninterpreted"]
FLOATS: tuple[Floats, ...] = ("reals", "bits", "uninterpreted")
#: So many inputs are tried before and after the solver is asked.
TRIES = 24
#: With reals, two results differ if their distance is more than this part of them: both programs round.
_TOLERANCE = 1e-3
ONE = dict.fromkeys([f"{word}.{n}" for word in ("lsize", "groups") for n in range(3)], 1)


class Difference(NamedTuple):
    """An element that differs, with the bits that both leave there, and the input: bits of elements and of scalars."""

    array: str
    element: int
    width: int
    is_float: bool
    ours: int
    others: int
    inputs: dict[Location, int]
    scalars: dict[str, int]


@dataclass(frozen=True, slots=True)
class EqualReport:
    """Whether two programs leave the same. `by` says how that was decided.

    `compared` are arrays that both programs have, and `left_out` arrays that only the kernel writes. `line` is that of
    an instruction of the kernel, if there is a reason.
    """

    verdict: Literal["equal", "different", "unknown"]
    by: str = ""
    compared: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    difference: Difference | None = None
    reason: str = ""
    line: int = 0


@dataclass
class _Both:
    """Both programs after their runs."""

    terms: Terms
    kernel: Kernel
    sequential: Kernel
    sizes: dict[str, int]
    scalars: dict[str, Term]
    ours: Contents
    others: Contents
    pairs: dict[Location, tuple[Term, Term]]


def compare(  # noqa: PLR0913
    kernel: Kernel,
    sequential: Kernel,
    sizes: Mapping[str, int],
    scalars: Mapping[str, int],
    solver: Solver,
    *,
    floats: Floats = "reals",
) -> EqualReport:
    """Return whether a kernel leaves the same as a sequential version. It has no race at this launch.

    Raises:
        InputError: the two have no array in common that one of them writes, or do not fit.
        OverdueError: the time was over.
    """
    compared, left_out = _arrays(kernel, sequential)
    report = EqualReport("unknown", compared=compared, left_out=left_out)
    try:
        both = _run(kernel, sequential, sizes, scalars, compared, solver.until)
    except TooHardError as error:
        return replace(report, reason=str(error), line=error.line)
    forms = NormalForms(reals=floats == "reals")
    left = {place: pair for place, pair in both.pairs.items() if not forms.are_equal(*pair)}
    if not left:
        same = all(one is other for one, other in both.pairs.values())
        return replace(report, verdict="equal", by="the same formulas" if same else "normal forms")
    if (found := _differing(both, left, floats, range(TRIES))) is not None:
        return replace(report, verdict="different", by="an input that both run with", difference=found)
    return _asked(report, both, left, floats, solver)


def _arrays(kernel: Kernel, sequential: Kernel) -> tuple[tuple[str, ...], tuple[str, ...]]:
    here, there = (
        {one.name: one for one in program.arrays if one.space != "private"} for program in (kernel, sequential)
    )
    ours, others = (written(program) for program in (kernel, sequential))
    common = sorted((ours | others) & here.keys() & there.keys())
    if not common or not others <= here.keys():
        missing = ", ".join(sorted(others - here.keys())) or ", ".join(sorted(others)) or "nothing"
        msg = f"{sequential.name} writes {missing}; expected arrays with the names of parameters of {kernel.name}"
        raise InputError(msg)
    for name in here.keys() & there.keys():
        if here[name].width != there[name].width:
            msg = f"{name}: found elements of {here[name].width} bits in {kernel.name} and of {there[name].width} in "
            raise InputError(f"{msg}{sequential.name}, expected the same")
    scalars = dict(kernel.scalars)
    for name, width in sequential.scalars:
        if scalars.get(name) != width:
            msg = f"{sequential.name} has the scalar {name} of {width} bits; expected {kernel.name} to have it, too"
            raise InputError(msg)
    return tuple(common), tuple(sorted(ours - set(common)))


def written(program: Kernel) -> set[str]:
    """Return the global arrays that a program writes."""
    spaces = {one.name: one.space for one in program.arrays}
    accesses = (one for block in program.blocks for one in block.instructions if isinstance(one, Access))
    return {one.array for one in accesses if one.kind != "read" and spaces[one.array] == "global"}


def _run(  # noqa: PLR0913, PLR0917
    kernel: Kernel,
    sequential: Kernel,
    sizes: Mapping[str, int],
    scalars: Mapping[str, int],
    compared: Iterable[str],
    until: float,
) -> _Both:
    terms = Terms()
    given = {
        name: terms.constant(scalars[name], width) if name in scalars else terms.variable(name, width)
        for name, width in kernel.scalars
    }
    ours = Contents(kernel, terms)
    others = Contents(sequential, terms, initial=ours.initial)
    all_sizes = ONE | dict(sizes)
    run_all(kernel, all_sizes, given, list(threads(all_sizes)), ours, until=until)
    names = {name for name, _ in sequential.scalars}
    own = {name: term for name, term in given.items() if name in names}
    try:
        run_all(sequential, ONE, own, list(threads(ONE)), others, until=until)
    except TooHardError as error:
        msg = f"in {sequential.name}: {error}"
        raise TooHardError(0, msg) from None
    compared = set(compared)
    places = {place for place in ours.written | others.written if place[0] in compared}
    pairs = {
        place: (ours.held(place), others.held(place)) for place in sorted(places, key=lambda one: (one[0], one[2]))
    }
    return _Both(terms, kernel, sequential, all_sizes, given, ours, others, pairs)


def _differing(
    both: _Both, left: Mapping[Location, tuple[Term, Term]], floats: Floats, seeds: Iterable[int]
) -> Difference | None:
    """Try inputs, and return one on which both programs differ when they run."""
    roots = [term for pair in left.values() for term in pair]
    if unknown_functions(roots):
        return None
    numbers = floating(both, roots)
    for seed in seeds:
        values = {
            term.name: _input(random.Random(f"{seed} {term.name}"), term, numbers, floats, seed)  # noqa: S311  (no secret)
            for term in (*both.ours.initial.values(), *both.scalars.values())
            if term.name
        }
        if (found := _shown(both, left, values, numbers, floats)) is not None:
            return found
    return None


def floating(both: _Both, roots: Iterable[Term]) -> set[Term]:
    """Return the variables that are floating-point numbers, because functions on these take them."""
    found: set[Term] = set()
    for term in below([*roots, *both.ours.assumed]):
        name = function_of(term).partition(".")[0]
        if name and name not in {"sitofp", "uitofp"}:
            found |= {one for one in term.operands if one.name}
    return found


def _input(chance: random.Random, term: Term, floats: set[Term], kind: Floats, seed: int) -> int:
    if term not in floats:
        wide = 1 << (term.width if seed % 3 == 2 else 3)
        return (chance.randrange(wide) - (wide >> 1)) % (1 << term.width)
    number = float(chance.randint(-4, 4))
    if kind != "reals" and seed % 2:
        number = chance.choice([0.1, 1e8, -1e8, 1.0, 3.7, -0.3]) * chance.randint(1, 9)
    form, size = {16: ("<e", 2), 32: ("<f", 4), 64: ("<d", 8)}[term.width]
    return int.from_bytes(struct.pack(form, number)[:size], "little")


def _shown(
    both: _Both,
    left: Mapping[Location, tuple[Term, Term]],
    values: Mapping[str, int],
    numbers: set[Term],
    floats: Floats,
) -> Difference | None:
    """Return a place in which the two programs differ with an input, if there is one, by formulas and by runs."""
    found = valued([*(term for pair in left.values() for term in pair), *both.ours.assumed], values)
    if not all(found[one] for one in both.ours.assumed):
        return None
    wrong = []
    for place, (one, other) in left.items():
        real = is_float(one) or is_float(other) or bool({one, other} & numbers)
        if _differ(found[one], found[other], one.width, floats if real else "bits", real=real):
            wrong.append((place, real))
    if not wrong:
        return None
    inputs = {place: values[term.name] for place, term in both.ours.initial.items()}
    ran = _replayed(both, inputs, values)
    for place, real in wrong:
        ours, others = (memory.get(place, inputs.get(place, 0)) for memory in ran)
        width = left[place][0].width
        if _differ(ours, others, width, floats if real else "bits", real=real):
            given = {
                name: term.value if term.value is not None else values[name] for name, term in both.scalars.items()
            }
            return Difference(place[0], place[2], width, real, ours, others, inputs, given)
    return None


def _replayed(both: _Both, inputs: Mapping[Location, int], values: Mapping[str, int]) -> list[Mapping[Location, int]]:
    """Run both programs with an input, and return what they leave in memory. Atomics are computed by formulas."""
    found: list[Mapping[Location, int]] = []
    for program, sizes, contents in ((both.kernel, both.sizes, both.ours), (both.sequential, ONE, both.others)):
        if any(
            isinstance(one, Access) and one.kind == "atomic" for block in program.blocks for one in block.instructions
        ):
            now = valued(contents.now.values(), values)
            found.append({place: now[term] for place, term in contents.now.items()})
            continue
        names = {name for name, _ in program.scalars}
        scalars = {
            name: term.value if term.value is not None else values[name]
            for name, term in both.scalars.items()
            if name in names
        }
        runner = Runner(program, sizes, scalars, contents=lambda place: inputs.get(place, 0))
        runner.run(list(threads(sizes)))
        found.append(runner.memory.values())
    return found


def _differ(one: int, other: int, width: int, floats: Floats, *, real: bool) -> bool:
    if one == other:
        return False
    a, b = (float_of(bits, width) if real else None for bits in (one, other))
    if a is None or b is None:
        return True
    if math.isnan(a) or math.isnan(b):
        return floats != "reals" and math.isnan(a) != math.isnan(b)
    if floats == "reals":
        return abs(a - b) > _TOLERANCE * max(1.0, abs(a), abs(b))
    return True


def _asked(
    report: EqualReport,
    both: _Both,
    left: Mapping[Location, tuple[Term, Term]],
    floats: Floats,
    solver: Solver,
) -> EqualReport:
    """Ask a solver whether some place can differ."""
    terms = both.terms
    differ = terms.any(*(terms.no(terms.equal(one, other)) for one, other in left.values()))
    answer = solver.ask(query([differ, *both.ours.assumed], ieee=floats == "bits"))
    if answer.verdict == "unsat":
        return replace(report, verdict="equal", by="a solver")
    if answer.verdict == "unknown":
        return replace(report, reason=answer.reason or "the solver gave up")
    values = {name: int(value) for name, value in answer.values.items()}
    initial = {term.name: values.get(term.name, 0) for term in both.ours.initial.values()}
    numbers = floating(both, [term for pair in left.values() for term in pair])
    if not unknown_functions(term for pair in left.values() for term in pair):
        known = {term.name: values.get(term.name, 0) for term in both.scalars.values() if term.name}
        if (found := _shown(both, left, initial | known, numbers, "bits")) is not None and floats != "reals":
            return replace(report, verdict="different", by="an input that both run with", difference=found)
    if floats == "uninterpreted":
        reason = "the formulas differ if nothing is known of operations on floating-point numbers; try --float reals"
        return replace(report, reason=reason)
    if (more := _differing(both, left, floats, range(TRIES, 4 * TRIES))) is not None:
        return replace(report, verdict="different", by="an input that both run with", difference=more)
    return replace(report, reason="the solver sees a difference, but no input was found on which both runs differ")
