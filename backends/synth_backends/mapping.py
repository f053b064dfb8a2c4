"""Mappings: which thread of which instance of a test a workgroup runs.

    launch = Launch(read_mapping("chunked"), threads=2, instances=100)
    launch.place(130)          # (30, 1): instance 30, thread 1
    launch.spelt(C_LIKE)       # ("const unsigned instance = workgroup % 100u;", ...)

Section 6.1 of the paper calls mappings heuristics, and has the first three of `KINDS`. The others follow from
observations on devices, in the paper and by ourselves. Each mapping has one definition, from which Python and the
emitted code of every target compute the same.
Workgroups are numbered from 0. Of two threads of an instance, the one with the lower id runs in the workgroup with the
lower number.

Two kinds run all threads of an instance in one workgroup, of which each thread of the device is a *lane*. With
`invocations`, the threads are neighbours, and so share a subgroup. With `subgroups:S`, they are S lanes apart, and so
are in different subgroups, if a subgroup has at most S lanes.
"""

from __future__ import annotations

import functools
import hashlib
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_backends.expression import Expression, NameTerm, Number, Spelling, choice, evaluate, spell
from synth_backends.stress import StressShape
from synth_checker.errors import InputError, InternalError, LimitError, check_type, excerpt
from synth_checker.nearest import check_known

if TYPE_CHECKING:
    from collections.abc import Callable

#: Which parts of a launch run the threads of a test: workgroups, subgroups of one workgroup, or one subgroup's parts.
Across: TypeAlias = Literal["workgroups", "subgroups", "invocations"]
#: The number of a workgroup, that of a thread of the device within its workgroup, and that of a launch from 0 on.
WORKGROUP, LANE, LAUNCH = NameTerm("workgroup"), NameTerm("lane"), NameTerm("launch")
#: Definitions of names, in order, `instance` and `thread` among them. Each may use these three and the names before it.
Definitions = list[tuple[str, Expression]]


@dataclass(frozen=True, slots=True)
class MappingKind:
    """A kind of mapping, which may have a parameter.

    `define` returns the definitions for a number of threads, a number of instances and a parameter. `says` is a
    sentence for a comment, with `{}` in place of the parameter. `most_instances` is the most instances that the
    arithmetic of the mapping can take. It is None if the interfaces of devices set a lower limit. `across` says which
    parts of a launch run the threads of a test. `is_anew` says that each launch has other places.
    """

    define: Callable[[int, int, int], Definitions]
    says: str
    parameter: str | None = None
    default: int = 0
    least: int = 0
    most_instances: int | None = None
    across: Across = "workgroups"
    is_anew: bool = False


@dataclass(frozen=True, slots=True)
class Mapping:
    """A kind of mapping with the value of its parameter.

    `name` is the word that `read_mapping` reads, such as `hybrid:2`.
    """

    name: str
    kind: MappingKind
    parameter: int

    @property
    def says(self) -> str:
        """Return a sentence that describes the mapping."""
        return self.kind.says.format(self.parameter)

    @property
    def apart(self) -> int:
        """Return how many lanes two threads of an instance are apart, or 0 if each thread has a workgroup."""
        return 0 if self.kind.across == "workgroups" else max(1, self.parameter)

    def lanes(self, threads: int) -> int:
        """Return how many lanes a workgroup must have at least, for a test with so many threads."""
        return max(1, self.apart * threads)


@dataclass(frozen=True, slots=True)
class LitmusLaunch:
    """What one run of a test starts: the workgroups of all instances, and some that only stress memory.

    The workgroups that stress memory come first. A device that starts workgroups in order would otherwise start them
    too late. A workgroup has `width` threads of the device, called lanes. If each thread of the test has a workgroup,
    only the first lane runs. Otherwise as many lanes run as the test has threads. All other lanes return at once.

    Raises:
        LimitError: there are more instances than the mapping can distinguish.
        InternalError: the workgroups have too few lanes for the mapping.
    """

    mapping: Mapping
    threads: int
    instances: int
    stress: int = 0
    width: int = 1
    stress_shape: StressShape = field(default_factory=StressShape)
    #: The definitions of the mapping for these numbers; `workgroup` counts from the first one that runs the test.
    definitions: tuple[tuple[str, Expression], ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        most = self.mapping.kind.most_instances
        if most is not None and self.instances > most:
            raise LimitError(f"mapping {self.mapping.name}: found {self.instances} instances, expected at most {most}")
        if self.width < self.mapping.lanes(self.threads):
            raise InternalError(
                f"{self}: found width {self.width}, expected at least {self.mapping.lanes(self.threads)}"
            )
        object.__setattr__(self, "definitions", _defined(self.mapping, self.threads, self.instances))

    @property
    def workgroups(self) -> int:
        """Return the number of workgroups that are started."""
        return self.testing + self.stress

    @property
    def testing(self) -> int:
        """Return the number of workgroups that run the test."""
        return self.instances * (1 if self.mapping.apart else self.threads)

    @property
    def has_lanes(self) -> bool:
        """Return whether the code of a workgroup must know the number of its lane."""
        return self.width > 1 or self.mapping.apart > 0

    @property
    def has_idle_lanes(self) -> bool:
        """Return whether some lanes of a workgroup return at once."""
        return self.width > (self.threads if self.mapping.apart == 1 else 1)

    def is_idle(self, lane: int) -> bool:
        """Return whether a lane returns at once."""
        apart = self.mapping.apart
        return lane >= self.mapping.lanes(self.threads) or lane % (apart or 1) != 0

    def place(self, workgroup: int, lane: int = 0, launch: int = 0) -> tuple[int, int]:
        """Return the instance and the thread that a lane of a workgroup runs. Launches count from 0.

        Workgroups count from the first one that runs the test.

        Raises:
            InternalError: there is no such workgroup, the lane is idle, or a value of the mapping needs more than 32
                bits.
        """
        if not 0 <= workgroup < self.testing or self.is_idle(lane):
            raise InternalError(
                f"{self}: found lane {lane} of workgroup {workgroup}, expected one that runs a thread of the test"
            )
        names = {WORKGROUP.name: workgroup, LANE.name: lane, LAUNCH.name: launch}
        for name, expression in self.definitions:
            names[name] = evaluate(expression, names)
        return names["instance"], names["thread"]

    def spelt(self, spelling: Spelling) -> tuple[str, ...]:
        """Return a line of code for each definition of the mapping, in the language of a target."""
        return _spelt(self, spelling)


# Thousands of tests have only a few different launches, so the definitions are cached.
@functools.cache
def _defined(mapping: Mapping, threads: int, instances: int) -> tuple[tuple[str, Expression], ...]:
    return tuple(mapping.kind.define(threads, instances, mapping.parameter))


@functools.cache
def _spelt(launch: LitmusLaunch, spelling: Spelling) -> tuple[str, ...]:
    return tuple(
        spelling.definition.format(name=spelling.name(name), value=spell(expression, spelling))
        for name, expression in launch.definitions
    )


def _plain(_threads: int, _instances: int, _: int) -> Definitions:
    return [("instance", Number(0)), ("thread", WORKGROUP)]


def _round_robin(threads: int, _instances: int, _: int) -> Definitions:
    return [("instance", WORKGROUP / threads), ("thread", WORKGROUP % threads)]


def _chunked(_threads: int, instances: int, _: int) -> Definitions:
    return [("instance", WORKGROUP % instances), ("thread", WORKGROUP / instances)]


def _hybrid(threads: int, instances: int, first: int) -> Definitions:
    """Define `hybrid`. Chunks are counted from workgroup 0, as if the first threads were in chunks, too."""
    if first >= threads:
        return _round_robin(threads, instances, 0)
    is_among_first = WORKGROUP.is_below(first * instances)
    return [
        ("instance", choice(is_among_first, WORKGROUP / first, WORKGROUP % instances)),
        ("thread", choice(is_among_first, WORKGROUP % first, WORKGROUP / instances)),
    ]


def _stride(threads: int, instances: int, stride: int) -> Definitions:
    """Define `stride`: blocks of `stride` instances, each of which is chunked. The last block may be smaller."""
    if instances <= stride:
        return _chunked(threads, instances, 0)
    last = instances % stride
    block, rest = NameTerm("block"), NameTerm("rest")
    width = choice(block.is_below(instances // stride), stride, last) if last else Number(stride)
    return [
        ("block", WORKGROUP / (stride * threads)),
        ("rest", WORKGROUP % (stride * threads)),
        ("width", width),
        ("instance", block * stride + rest % NameTerm("width")),
        ("thread", rest / NameTerm("width")),
    ]


def _random(threads: int, instances: int, seed: int, *, is_anew: bool = False) -> Definitions:
    """Define `random`: each instance gets one workgroup, at a random place, of each *column*.

    A column is the set of workgroups whose numbers have the same remainder when divided by `threads`. Each column has
    its own affine permutation from places to instances, which can be inverted without a table. The thread that a
    workgroup runs is the number of workgroups of the same instance that have lower numbers.

    With `is_anew`, each launch turns each column by a step of its own. Over many launches, an instance gets any places.
    """
    factors, shifts, inverses, steps = [], [], [], []
    for number in range(threads):
        factor = _drawn(seed, threads, instances, number, "factor")
        while math.gcd(factor, instances) > 1:
            factor = (factor + 1) % instances
        factors.append(factor)
        shifts.append(_drawn(seed, threads, instances, number, "shift"))
        inverses.append(pow(factor, -1, instances))
        steps.append(_drawn(seed, threads, instances, number, "step"))
    column, instance = NameTerm("column"), NameTerm("instance")
    definitions: Definitions = [
        *([("column", WORKGROUP % threads)] if threads > 1 else []),
        ("factor", _of_column(column, factors)),
        *([("turn", LAUNCH % instances)] if is_anew else []),
        ("shift", _turned(_of_column(column, shifts), _of_column(column, steps), instances, is_anew=is_anew)),
        ("instance", (WORKGROUP / threads * NameTerm("factor") + NameTerm("shift")) % instances),
    ]
    rank: Expression | None = None
    for number, (shift, inverse, step) in enumerate(zip(shifts, inverses, steps, strict=True)):
        if is_anew:
            turned = _turned(Number(shift), Number(step), instances, is_anew=True)
            place = (instance + instances - turned) % instances * inverse % instances
        else:
            place = (instance * inverse + -shift * inverse % instances) % instances
        first_of_columns = place * threads
        in_column = first_of_columns + number if number else first_of_columns
        lower = NameTerm(f"lower_{number}")
        definitions.append((lower.name, choice(in_column.is_below(WORKGROUP), 1, 0)))
        rank = lower if rank is None else rank + lower
    return [*definitions, ("thread", rank or Number(0))]


def _turned(shift: Expression, step: Expression, instances: int, *, is_anew: bool) -> Expression:
    """Return by how much the column is shifted in this launch."""
    return (NameTerm("turn") * step + shift) % instances if is_anew else shift


def _within(_threads: int, _instances: int, apart: int) -> Definitions:
    """Define the kinds that run an instance in one workgroup, with the threads so many lanes apart."""
    return [("instance", WORKGROUP), ("thread", LANE / apart if apart > 1 else LANE)]


def _drawn(*what: object) -> int:
    """Return a number below the third argument (the instances) that depends on all; it is the same in every release."""
    digest = hashlib.sha256(" ".join(map(str, what)).encode()).digest()
    return int.from_bytes(digest[:8], "big") % int(str(what[2]))


def _of_column(column: Expression, numbers: list[int]) -> Expression:
    chosen: Expression = Number(numbers[-1])
    for number in range(len(numbers) - 2, -1, -1):
        chosen = choice(column.is_equal_to(number), numbers[number], chosen)
    return chosen


KINDS = {
    "plain": MappingKind(_plain, "one instance, whose thread is the workgroup"),
    "round-robin": MappingKind(_round_robin, "the threads of an instance are neighbours"),
    "chunked": MappingKind(_chunked, "first thread 0 of every instance, then thread 1 of every instance, and so on"),
    "hybrid": MappingKind(
        _hybrid,
        "the first {} threads of an instance are neighbours, each further thread has a chunk",
        "K",
        2,
        1,
    ),
    "random": MappingKind(
        _random, "the workgroups of an instance are chosen at random (seed {})", "SEED", 0, 0, most_instances=65_535
    ),
    "stride": MappingKind(_stride, "the threads of an instance are {} workgroups apart", "S", 16, 1),
    "invocations": MappingKind(_within, "the threads of an instance share a subgroup", across="invocations"),
    "subgroups": MappingKind(
        _within,
        "the threads of an instance share a workgroup and are in different subgroups, {} lanes apart",
        "S",
        64,
        2,
        across="subgroups",
    ),
}
#: `random:SEED+`, whose places are others in each launch.
_RANDOM_ANEW = MappingKind(
    functools.partial(_random, is_anew=True),
    "the workgroups of an instance are chosen at random, in each launch anew (seed {})",
    "SEED+",
    most_instances=65_535,
    is_anew=True,
)
_MOST_PARAMETER = 65_535


def read_mapping(word: str) -> Mapping:
    """Return the mapping with this name: a kind and, after a colon, the value of its parameter, such as `hybrid:3`.

    Raises:
        InputError: the kind is unknown, or the kind does not take this parameter.
    """
    check_type("mapping", word, str, "the name of a mapping")
    kind_name, colon, text = word.partition(":")
    check_known("mapping", kind_name, KINDS)
    kind = KINDS[kind_name]
    if kind.parameter is None:
        if colon:
            raise InputError(f"mapping {excerpt(word)!r}: this mapping takes no parameter; write only {kind_name}")
        return Mapping(kind_name, kind, 0)
    if not colon:
        text = str(kind.default)
    suffix = ""
    if kind_name == "random" and text.endswith("+"):
        kind, text, suffix = _RANDOM_ANEW, text[:-1], "+"
    if not (text.isascii() and text.isdigit() and len(text) < 6 and kind.least <= int(text) <= _MOST_PARAMETER):
        expected = f"{kind_name}:{kind.parameter} with {kind.parameter} from {kind.least} to {_MOST_PARAMETER}"
        raise InputError(f"mapping {excerpt(word)!r}: expected {expected}")
    return Mapping(f"{kind_name}:{int(text)}{suffix}", kind, int(text))
