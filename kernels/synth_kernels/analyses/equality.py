"""Functional equivalence: whether a kernel leaves the same arrays as a sequential version, whatever they hold at first.

Sizes are given, and all scalars that decide where threads go. Both are run symbolically. Then we compare what they
leave, in four steps, until one of them decides: the same formula, the same normal form, inputs on which they differ,
and at last a solver. We try inputs with formulas first, and then run both programs with them.

With `reals`, floating-point numbers count as real numbers, so sums may be in another order. With `bits`, they are those
of IEEE 754. With `uninterpreted`, nothing is known of their operations but that equal operands give equal results.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from synth_checker.errors import InputError
from synth_kernels.analyses.differences import ONE, TRIES, Both, differing, floating, shown
from synth_kernels.analyses.float_values import query, unknown_functions
from synth_kernels.analyses.normal_forms import NormalForms
from synth_kernels.analyses.symbolic_thread import TooHardError
from synth_kernels.analyses.whole import Contents, run_all
from synth_kernels.launch import threads
from synth_kernels.program import Access
from synth_kernels.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_kernels.analyses.differences import Difference, Floats
    from synth_kernels.memory import Location
    from synth_kernels.program import Kernel
    from synth_kernels.terms import Term
    from synth_solvers.client import Solver


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
        same = all(term is other for term, other in both.pairs.values())
        return replace(report, verdict="equal", by="the same formulas" if same else "normal forms")
    if (found := differing(both, left, floats, range(TRIES))) is not None:
        return replace(report, verdict="different", by="an input that both run with", difference=found)
    return _asked(report, both, left, floats, solver)


def _arrays(kernel: Kernel, sequential: Kernel) -> tuple[tuple[str, ...], tuple[str, ...]]:
    here, there = (
        {array.name: array for array in program.arrays if array.space != "private"} for program in (kernel, sequential)
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
    spaces = {array.name: array.space for array in program.arrays}
    accesses = (
        instruction for block in program.blocks for instruction in block.instructions if isinstance(instruction, Access)
    )
    return {access.array for access in accesses if access.kind != "read" and spaces[access.array] == "global"}


def _run(  # noqa: PLR0913, PLR0917
    kernel: Kernel,
    sequential: Kernel,
    sizes: Mapping[str, int],
    scalars: Mapping[str, int],
    compared: Iterable[str],
    until: float,
) -> Both:
    terms = Terms()
    given = {
        name: terms.constant(scalars[name], width) if name in scalars else terms.variable(name, width)
        for name, width in kernel.scalars
    }
    ours = Contents(kernel, terms)
    all_sizes = ONE | dict(sizes)
    run_all(kernel, all_sizes, given, list(threads(all_sizes)), ours, until=until)
    others = Contents(sequential, terms, initial=_of_all(ours.initial))
    names = {name for name, _ in sequential.scalars}
    own = {name: term for name, term in given.items() if name in names}
    try:
        run_all(sequential, ONE, own, list(threads(ONE)), others, until=until)
    except TooHardError as error:
        msg = f"in {sequential.name}: {error}"
        raise TooHardError(0, msg) from None
    ours.initial |= _of_all(others.initial)
    compared = set(compared)
    places = {place for place in ours.written | others.written if place[0] in compared}
    pairs = {
        place: (ours.held(place), others.held(place)) for place in sorted(places, key=lambda one: (one[0], one[2]))
    }
    return Both(terms, kernel, sequential, all_sizes, given, ours, others, pairs)


def _of_all(initial: Mapping[Location, Term]) -> dict[Location, Term]:
    """Return what global memory holds at first. What other memory holds is another thing in each program."""
    return {place: term for place, term in initial.items() if place[1] is None}


def _asked(
    report: EqualReport,
    both: Both,
    left: Mapping[Location, tuple[Term, Term]],
    floats: Floats,
    solver: Solver,
) -> EqualReport:
    """Ask a solver whether some place can differ."""
    terms = both.terms
    differ = terms.any(*(terms.no(terms.equal(first, other)) for first, other in left.values()))
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
        if (found := shown(both, left, initial | known, numbers, "bits")) is not None and floats != "reals":
            return replace(report, verdict="different", by="an input that both run with", difference=found)
    if floats == "uninterpreted":
        reason = "the formulas differ if nothing is known of operations on floating-point numbers; try --float reals"
        return replace(report, reason=reason)
    if (more := differing(both, left, floats, range(TRIES, 4 * TRIES))) is not None:
        return replace(report, verdict="different", by="an input that both run with", difference=more)
    return replace(report, reason="the solver sees a difference, but no input was found on which both runs differ")
