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
from synth_kernels.analyses.differences import (
    ONE_THREAD,
    TRIES,
    ProgramPair,
    difference_of_input,
    differing_input,
    float_variables,
)
from synth_kernels.analyses.float_values import query, unknown_functions
from synth_kernels.analyses.normal_forms import NormalForms
from synth_kernels.analyses.symbolic_thread import TooHardError
from synth_kernels.analyses.whole_launch import Contents, run_all
from synth_kernels.launch import threads
from synth_kernels.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_kernels.analyses.differences import ElementDifference, Floats
    from synth_kernels.memory import Location
    from synth_kernels.program import Kernel
    from synth_kernels.terms import Term
    from synth_solvers.client import Solver


@dataclass(frozen=True, slots=True)
class EqualityReport:
    """Whether two programs leave the same. `by` says how that was decided.

    `compared` are arrays that both programs have, and `left_out` arrays that only the kernel writes. `line` is that of
    an instruction of the kernel, if there is a reason.
    """

    verdict: Literal["equal", "different", "unknown"]
    by: str = ""
    compared: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    difference: ElementDifference | None = None
    reason: str = ""
    line: int = 0


def compare_programs(  # noqa: PLR0913
    kernel: Kernel,
    sequential: Kernel,
    sizes: Mapping[str, int],
    scalars: Mapping[str, int],
    solver: Solver,
    *,
    floats: Floats = "reals",
) -> EqualityReport:
    """Return whether a kernel leaves the same as a sequential version. It has no race at this launch.

    Raises:
        InputError: the two have no array in common that one of them writes, or do not fit.
        OverdueError: the time was over.
    """
    compared, left_out = _arrays(kernel, sequential)
    report = EqualityReport("unknown", compared=compared, left_out=left_out)
    try:
        both = _run(kernel, sequential, sizes, scalars, compared, solver.until)
    except TooHardError as error:
        return replace(report, reason=str(error), line=error.line)
    forms = NormalForms(reals=floats == "reals")
    open_pairs = {place: pair for place, pair in both.pairs.items() if not forms.are_equal(*pair)}
    if not open_pairs:
        same = all(term is other for term, other in both.pairs.values())
        return replace(report, verdict="equal", by="the same formulas" if same else "normal forms")
    if (difference := differing_input(both, open_pairs, floats, range(TRIES))) is not None:
        return replace(report, verdict="different", by="an input that both run with", difference=difference)
    return _by_solver(report, both, open_pairs, floats, solver)


def _arrays(kernel: Kernel, sequential: Kernel) -> tuple[tuple[str, ...], tuple[str, ...]]:
    here, there = (
        {array.name: array for array in program.arrays if array.space != "private"} for program in (kernel, sequential)
    )
    ours, others = (written_arrays(program) for program in (kernel, sequential))
    common = sorted((ours | others) & here.keys() & there.keys())
    if not common or not others <= here.keys():
        missing = ", ".join(sorted(others - here.keys())) or ", ".join(sorted(others)) or "nothing"
        raise InputError(
            f"{sequential.name} writes {missing}; expected arrays with the names of parameters of {kernel.name}"
        )
    for name in here.keys() & there.keys():
        if here[name].width != there[name].width:
            msg = f"{name}: found elements of {here[name].width} bits in {kernel.name} and of {there[name].width} in "
            raise InputError(f"{msg}{sequential.name}, expected the same")
    scalars = dict(kernel.scalars)
    for name, width in sequential.scalars:
        if scalars.get(name) != width:
            raise InputError(
                f"{sequential.name} has the scalar {name} of {width} bits; expected {kernel.name} to have it, too"
            )
    return tuple(common), tuple(sorted(ours - set(common)))


def written_arrays(program: Kernel) -> set[str]:
    """Return the global arrays that a program writes."""
    spaces = {array.name: array.space for array in program.arrays}
    accesses = program.accesses
    return {access.array for access in accesses if access.kind != "read" and spaces[access.array] == "global"}


def _run(  # noqa: PLR0913, PLR0917
    kernel: Kernel,
    sequential: Kernel,
    sizes: Mapping[str, int],
    scalars: Mapping[str, int],
    compared: Iterable[str],
    until: float,
) -> ProgramPair:
    terms = Terms()
    scalar_terms = terms.scalars(kernel.scalars, scalars)
    ours = Contents(kernel, terms)
    all_sizes = ONE_THREAD | dict(sizes)
    run_all(kernel, all_sizes, scalar_terms, list(threads(all_sizes)), ours, until=until)
    others = Contents(sequential, terms, initial=_global_memory(ours.initial))
    names = {name for name, _ in sequential.scalars}
    own = {name: term for name, term in scalar_terms.items() if name in names}
    try:
        run_all(sequential, ONE_THREAD, own, list(threads(ONE_THREAD)), others, until=until)
    except TooHardError as error:
        raise TooHardError(0, f"in {sequential.name}: {error}") from None
    ours.initial |= _global_memory(others.initial)
    compared = set(compared)
    places = {place for place in ours.written | others.written if place[0] in compared}
    pairs = {
        place: (ours.held(place), others.held(place))
        for place in sorted(places, key=lambda location: (location[0], location[2]))
    }
    return ProgramPair(terms, kernel, sequential, all_sizes, scalar_terms, ours, others, pairs)


def _global_memory(initial: Mapping[Location, Term]) -> dict[Location, Term]:
    """Return what global memory holds at first. What other memory holds is another thing in each program."""
    return {place: term for place, term in initial.items() if place[1] is None}


def _by_solver(
    report: EqualityReport,
    both: ProgramPair,
    open_pairs: Mapping[Location, tuple[Term, Term]],
    floats: Floats,
    solver: Solver,
) -> EqualityReport:
    """Ask a solver whether some place can differ."""
    terms = both.terms
    differ = terms.any(*(terms.no(terms.equal(first, other)) for first, other in open_pairs.values()))
    answer = solver.ask(query([differ, *both.ours.assumed], ieee=floats == "bits"))
    if answer.verdict == "unsat":
        return replace(report, verdict="equal", by="a solver")
    if answer.verdict == "unknown":
        return replace(report, reason=answer.reason or "the solver gave up")
    values = {name: int(value) for name, value in answer.values.items()}
    initial = {term.name: values.get(term.name, 0) for term in both.ours.initial.values()}
    numbers = float_variables(both, [term for pair in open_pairs.values() for term in pair])
    if not unknown_functions(term for pair in open_pairs.values() for term in pair):
        scalars = {term.name: values.get(term.name, 0) for term in both.scalars.values() if term.name}
        if (
            difference := difference_of_input(both, open_pairs, initial | scalars, numbers, "bits")
        ) is not None and floats != "reals":
            return replace(report, verdict="different", by="an input that both run with", difference=difference)
    if floats == "uninterpreted":
        reason = "the formulas differ if nothing is known of operations on floating-point numbers; try --float reals"
        return replace(report, reason=reason)
    if (more := differing_input(both, open_pairs, floats, range(TRIES, 4 * TRIES))) is not None:
        return replace(report, verdict="different", by="an input that both run with", difference=more)
    return replace(report, reason="the solver sees a difference, but no input was found on which both runs differ")
