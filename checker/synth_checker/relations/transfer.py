"""Whether a verdict of one instance of a program holds of a launch of many instances (definitions, section 10).

A launch is one program: all threads of all instances, numbered as their workgroups, and each instance with locations of
its own. A verdict *transfers* to a launch if the launch passes it whenever one instance passes it.

Two ways decide this.

1. A condition on the set expression of a model suffices, for any number of instances of any programs
   (`proven_transfer`). Each function of an expression looks at one thread only, the lowest or the highest of a set. So
   it is enough to look at one instance beside as many other threads as the expression has functions.
2. Where the condition does not hold, or a model has no set expression, the core judges small launches of the program
   itself (`tried_transfer`). These are `Arrangement`s of a few of its instances.

This module knows which workgroup runs which thread of which instance. It knows no mapping by its name.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from synth_checker.errors import InternalError, LimitError
from synth_checker.models.expression import Expression, Function, Name, Operation, evaluate
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.programs.program import Program, Thread
from synth_checker.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from synth_checker.models import Form, Model

#: For each workgroup of a launch, by its number: the instance and the thread that it runs.
Arrangement: TypeAlias = tuple[tuple[int, int], ...]
#: The threads of an instance in the order of their workgroups. (0, 1, 2) is the order of the program itself.
Order: TypeAlias = tuple[int, ...]
#: Which instances have in a launch what they have alone: every one, each in which some live thread has stepped, or that
#: of the lowest or highest promised workgroup.
Serving: TypeAlias = Literal["every", "each", "lowest", "highest"]
#: The condition looks at no more states than this, which takes about a second.
_MOST_STATES = 100_000
_SERVED: dict[Serving, str] = {
    "every": "promises every instance all that it promises an instance alone",
    "each": "promises each instance that has stepped all that it promises an instance alone",
    "lowest": "promises the instance of the lowest promised workgroup all that it promises an instance alone",
    "highest": "promises the instance of the highest promised workgroup all that it promises an instance alone",
}


@dataclass(frozen=True, slots=True)
class Transfer:
    """Whether a verdict of one instance holds of a launch, and why, in words.

    `is_proven` says that the answer is certain. Otherwise, small launches were judged, and larger ones may differ.
    """

    holds: bool
    is_proven: bool
    reason: str


class _State(NamedTuple):
    """A state of an instance among a few other threads. All sets are bit masks of workgroups.

    `own` are the workgroups of the instance. `alone` is the fair set of the instance alone, and `fair` that of all.
    `has_stepped` says whether a live thread of the instance has stepped.
    """

    own: int
    alone: int
    fair: int
    has_stepped: bool


def all_instances(program: Program, arrangement: Arrangement) -> Program:
    """Return all instances of a program as one program: the threads in the order of workgroups, locations apart."""
    locations = program.locations()
    return Program(
        tuple(
            Thread(tuple(replace(i, loc=i.loc + instance * locations) for i in program[thread]))
            for instance, thread in arrangement
        )
    )


def orders_of(arrangement: Arrangement) -> frozenset[Order]:
    """Return the orders that the threads of the instances have in an arrangement."""
    threads: dict[int, list[int]] = {}
    for instance, thread in arrangement:
        threads.setdefault(instance, []).append(thread)
    return frozenset(tuple(members) for members in threads.values())


def part_of(arrangement: Arrangement, instances: Iterable[int]) -> Arrangement:
    """Return the arrangement of some instances of an arrangement, numbered as they come first."""
    wanted = set(instances)
    numbers: dict[int, int] = {}
    return tuple(
        (numbers.setdefault(instance, len(numbers)), thread) for instance, thread in arrangement if instance in wanted
    )


def parts_of(arrangement: Arrangement, instances: int) -> list[Arrangement]:
    """Return the different arrangements that so many of the instances of an arrangement have."""
    known = sorted({instance for instance, _ in arrangement})
    chosen = itertools.combinations(known, min(instances, len(known)))
    return list(dict.fromkeys(part_of(arrangement, instances_of_part) for instances_of_part in chosen))


def proven_transfer(model: Model, orders: Iterable[Order]) -> Transfer | None:
    """Return why the verdicts of a model transfer to all launches, or None if the condition does not show that.

    `orders` are the orders that the threads of the instances have.
    """
    if not isinstance(model.fair, Expression):
        return None
    fair, orders = model.fair, list(orders)
    served = [serving for serving in _SERVED if all(serving in servings(fair, order) for order in orders)]
    return Transfer(holds=True, is_proven=True, reason=f"{model.name} {_SERVED[served[0]]}") if served else None


def tried_transfer(id_: str, model: Model, form: Form, launches: Sequence[Arrangement]) -> Transfer:
    """Return whether a program that passes a verdict also passes it in each of some small launches."""
    verdict = model.verdicts[model.forms.index(form)]
    if not _passes(id_, model, form):
        return Transfer(holds=True, is_proven=True, reason=f"{id_} itself fails {verdict}")
    for launch in sorted(launches, key=len):
        instances = len({instance for instance, _ in launch})
        try:
            lost = not _passes(written_out(all_instances(program_of_id(id_), launch)), model, form)
        except LimitError as error:
            why = f"{instances} instances of {id_} cannot be judged under {verdict}: {error}"
            return Transfer(holds=False, is_proven=False, reason=why)
        if lost:
            shown = " ".join(f"{instance}.{thread}" for instance, thread in launch)
            why = f"{id_} passes {verdict}, but {instances} instances of it fail it as the workgroups {shown}"
            return Transfer(holds=False, is_proven=True, reason=why)
    words = " and ".join(map(str, sorted({len({instance for instance, _ in members}) for members in launches})))
    return Transfer(holds=True, is_proven=False, reason=f"{words} instances of {id_} pass {verdict}, too")


@functools.lru_cache(maxsize=1 << 16)
def _passes(id_: str, model: Model, form: Form) -> bool:
    """Return whether a program passes a verdict."""
    return bool(judge([id_], (model,))[0] >> model.forms.index(form) & 1)


@functools.lru_cache(maxsize=1024)
def servings(expression: Expression, order: Order) -> tuple[Serving, ...]:
    """Return which instances a model with this set expression serves in every launch: each of the answers is true.

    If there is no answer, the condition of docs/understand/semantics.md, section 10, does not hold. It is about
    instances whose threads have the given order.
    """
    always = tuple(_SERVED)
    try:
        for state in _states(expression, order):
            always = tuple(serving for serving in always if _holds(serving, state))
            if not always:
                break
    except LimitError:
        return ()
    return always


def _holds(serving: Serving, state: _State) -> bool:
    """Return whether an instance is served in a state if it must be."""
    if serving in {"every", "each"}:
        return not state.alone & ~state.fair or (serving == "each" and not state.has_stepped)
    if not state.has_stepped:
        return True
    chosen = state.fair & -state.fair if serving == "lowest" else 1 << state.fair.bit_length() >> 1
    return bool(state.fair) and not (chosen & state.own and state.alone & ~state.fair)


def _states(expression: Expression, order: Order) -> Iterator[_State]:
    """Yield the states of an instance among as many other threads as the expression has functions.

    Only those states matter in which all promised threads have stepped.

    Raises:
        LimitError: there are too many states.
    """
    size, most = len(order), len(_functions(expression))
    if sum(math.comb(size + others, size) * 3 ** (size + others) for others in range(most + 1)) > _MOST_STATES:
        raise LimitError("transfer: the model has too many functions; write it with fewer")
    if sorted(order) != list(range(size)):
        raise InternalError(f"transfer: found the threads {order} of an instance, expected each once")
    for others in range(most + 1):
        everyone = (1 << size + others) - 1
        for places in itertools.combinations(range(size + others), size):
            own = sum(1 << place for place in places)
            for live, stepped in _statuses(size + others):
                fair = live & evaluate(expression, live=live, stepped=stepped, everyone=everyone)
                if fair & ~stepped:
                    continue
                workgroups = dict(zip(order, places, strict=True))
                mine, done = (_threads(mask, workgroups) for mask in (live, stepped))
                promised = mine & evaluate(expression, live=mine, stepped=done, everyone=(1 << size) - 1)
                alone = sum(1 << workgroup for t, workgroup in workgroups.items() if promised >> t & 1)
                yield _State(own, alone, fair, bool(own & live & stepped))


def _statuses(threads: int) -> Iterator[tuple[int, int]]:
    """Yield the sets of live threads and of threads that have stepped. A thread that has ended has stepped."""
    everyone = (1 << threads) - 1
    for live in range(everyone + 1):
        subset = live
        while True:
            yield live, (everyone & ~live) | subset
            if not subset:
                break
            subset = (subset - 1) & live


def _threads(mask: int, workgroups: Mapping[int, int]) -> int:
    """Return the threads of an instance that are in a set of workgroups. `workgroups` has the workgroup of each."""
    return sum(1 << t for t, workgroup in workgroups.items() if mask >> workgroup & 1)


def _functions(expression: Expression) -> frozenset[Function]:
    """Return the different applications of functions in an expression."""
    match expression:
        case Name():
            return frozenset()
        case Function(_, of):
            return _functions(of) | {expression}
        case Operation(_, left, right):
            return _functions(left) | _functions(right)
