"""Where the time of the enumeration goes, and what the clauses of `support` are worth, split by split.

    encoding.py [BOUND ...]

takes 2x4 and 3x4 unless told otherwise; a turn of 2x5 takes minutes.
"""

from __future__ import annotations

import contextlib
import functools
import statistics
import sys
import time
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

from pysat.solvers import Solver
from support.tables import print_reading, print_table

from synth_checker.question import Question, parse_bounds, split_name
from synth_encodings import full
from synth_search.engines import sat

if TYPE_CHECKING:
    from collections.abc import Callable

REPETITIONS = 5
#: The calls of the engine's loop, none of which contains another.
PARTS: dict[str, tuple[Any, str]] = {
    "build the clauses": (full.FullEncoding, "__init__"),
    "load the solver": (Solver, "__init__"),
    "solve": (Solver, "solve"),
    "read the model": (Solver, "get_model"),
    "decode it": (full.FullEncoding, "decode"),
    "check or refute it": (full.FullEncoding, "refuted_by"),
    "add clauses": (Solver, "add_clause"),
    "permute the threads": (sat, "expanded"),
}
#: The calls that refute a model.
REFUTATIONS: dict[str, tuple[Any, str]] = {
    "traps": (full, "trap_clause"),
    "unfounded": (full, "unfounded_clauses"),
}
REST = "the rest"


class Solved(NamedTuple):
    """The tests of a split, the CPU seconds that it took, in all and by part, and how often each call was made."""

    tests: set[str]
    seconds: float
    parts: dict[str, float]
    calls: Counter[str]


def main(bounds: str) -> None:
    """Print both tables."""
    question = Question(parse_bounds([bounds]))
    units = sat.FullSatEngine(question).units(jobs=1)
    turns = [
        [(solve(question, unit), solve(question, unit, support=False)) for unit in units] for _ in range(REPETITIONS)
    ]
    parts_table(bounds, [[ours for ours, _ in turn] for turn in turns])
    splits_table([split_name(unit.sizes) for unit in units], turns)
    print_reading(
        f"Medians of {REPETITIONS} turns, CPU seconds of one process. Models: those of the clauses, each "
        "a test or refuted, by a trap or by unfounded states. 'Slower' is how many times the seconds with all clauses "
        "a split takes without those of `support`, in the same turn: above 1, they help."
    )


def parts_table(bounds: str, turns: list[list[Solved]]) -> None:
    """Where the time goes, all splits together."""
    whole = [sum(measured.seconds for measured in turn) for turn in turns]
    rows = []
    for part in (*PARTS, REST):
        spent = [sum(measured.parts[part] for measured in turn) for turn in turns]
        calls = sum(measured.calls[part] for measured in turns[0])
        share = statistics.median(s / all_of_it for s, all_of_it in zip(spent, whole, strict=True))
        each = f"{statistics.median(spent) / calls * 1e6:,.1f}" if calls else ""
        rows.append((part, f"{statistics.median(spent):.3f}", f"{share:.1%}", f"{calls:,}" if calls else "", each))
    rows.append(("all", f"{statistics.median(whole):.3f}", "", "", ""))
    print_table(f"Enumeration of {bounds}", ("", "seconds", "share", "calls", "us a call"), rows)


def splits_table(names: list[str], turns: list[list[tuple[Solved, Solved]]]) -> None:
    """Models and refutations of each split, with and without the clauses of `support`."""
    rows = []
    for name, of_turns in zip(names, zip(*turns, strict=True), strict=True):
        ours, without = of_turns[0]
        if any(measured.tests != ours.tests for turn in of_turns for measured in turn):
            raise SystemExit(f"split {name}: other tests without the clauses of `support`")
        seconds = statistics.median(measured.seconds for measured, _ in of_turns)
        slower = statistics.median(bare.seconds / measured.seconds for measured, bare in of_turns)
        counts = [
            ours.calls["permute the threads"],
            *(measured.calls[why] for measured in (ours, without) for why in REFUTATIONS),
        ]
        rows.append((name, *(f"{count:,}" for count in counts), f"{seconds:.2f}", f"{slower:.2f} x"))
    print_table(
        "Models by split, of those that are solved",
        ("", "tests", *REFUTATIONS, *(f"bare: {why}" for why in REFUTATIONS), "seconds", "bare: slower"),
        rows,
    )


def solve(question: Question, unit: sat.SplitPart, *, support: bool = True) -> Solved:
    """Solve a unit, watching the calls of the engine."""
    engine = sat.FullSatEngine(question)
    parts: dict[str, float] = defaultdict(float)
    calls: Counter[str] = Counter()
    with contextlib.ExitStack() as stack:
        for name, (owner, function) in {**PARTS, **REFUTATIONS}.items():
            watched = _watched(getattr(owner, function), name, parts, calls)
            stack.enter_context(mock.patch.object(owner, function, watched))
        if not support:
            stack.enter_context(mock.patch.object(full, "support_clauses"))
        start = time.process_time()
        tests = set(b"".join(engine.solve(unit)).decode("ascii").split())
        seconds = time.process_time() - start
    parts[REST] = seconds - sum(parts[name] for name in PARTS)
    return Solved(tests, seconds, parts, calls)


def _watched(
    function: Callable[..., Any], name: str, parts: dict[str, float], calls: Counter[str]
) -> Callable[..., Any]:
    @functools.wraps(function)
    def watched(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401  (whatever the function takes and gives)
        start = time.process_time()
        try:
            return function(*arguments, **named)
        finally:
            parts[name] += time.process_time() - start
            calls[name] += 1

    return watched


if __name__ == "__main__":
    main(",".join(sys.argv[1:] or ["2x4", "3x4"]))
