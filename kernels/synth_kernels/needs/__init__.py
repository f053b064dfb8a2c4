"""Which progress model a kernel needs: the verdicts on its launches, and an execution that does not end.

This is the work behind `synth kernel`. `synth_kernels.progress` decides; docs/do/progress.md explains the words.
"""

from __future__ import annotations

import contextlib
import functools
import math
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import LimitError
from synth_checker.models.expression import Expression
from synth_checker.relations.antichains import fairest, least_fair
from synth_kernels.launch import threads
from synth_kernels.launch_sizes import Sizing, launch_of
from synth_kernels.progress.core_space import CoreSpace, explore_fast
from synth_kernels.progress.counters import counted_loops
from synth_kernels.progress.decision import ModelVerdicts
from synth_kernels.progress.launch_constants import place_text
from synth_kernels.progress.machine import Machine
from synth_kernels.progress.open_values import Case, in_each_case
from synth_kernels.source_place import SourcePlace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from synth_kernels.needs.query import NeedQuery
    from synth_kernels.program import Access, Kernel
    from synth_kernels.progress.open_values import UnsetValue
    from synth_kernels.progress.steps import Rules
    from synth_kernels.progress.verdicts import Hang

#: A launch may have at most so many states, and so many to say what independent lanes would change.
MOST_STATES, MOST_TO_COMPARE = 1_000_000_000, 250_000


@dataclass(frozen=True, slots=True)
class JudgedLaunch:
    """A launch with so many workgroups, its states, and whether it passes each verdict.

    If variables that are not set decide something, it is one case of a launch, and `unset` are values of theirs.
    """

    workgroups: int
    space: CoreSpace
    decided: ModelVerdicts
    passes: dict[str, bool]
    unset: tuple[tuple[UnsetValue, int], ...] = ()

    @property
    def too_narrow(self) -> list[Access]:
        """Return the atomic accesses whose scopes leave out a thread that accesses the same element.

        The launch was searched as if they left out none, so it is not known that it passes a verdict.
        """
        return self.space.machine.reaching.too_narrow()

    @property
    def of_two_widths(self) -> list[Access]:
        """Return the atomic accesses to elements to which others make narrower ones; see `too_narrow`."""
        return self.space.machine.reaching.of_two_widths()


class SizeVerdicts(NamedTuple):
    """All cases of the launch with so many workgroups: their states, and whether all pass each verdict.

    None says that this is not known.
    """

    workgroups: int
    states: int
    passes: dict[str, bool | None]


@dataclass(frozen=True, slots=True)
class Needs:
    """The launches of a kernel, judged, and the models by whose verdicts.

    If lanes run in lockstep, `independent` says what each launch passes with independent lanes. It is None if these
    launches have too many states.
    """

    query: NeedQuery
    kernel: Kernel
    workgroups: range
    local: tuple[int, ...]
    launches: tuple[JudgedLaunch, ...]
    independent: tuple[dict[str, bool], ...] | None = None

    @property
    def threads(self) -> int:
        """Return the number of threads of a workgroup."""
        return math.prod(self.local)

    @property
    def sizes(self) -> list[SizeVerdicts]:
        """Return what is known of the launch with each number of workgroups."""
        sizes = []
        for workgroups, launches in groupby(self.launches, lambda launch: launch.workgroups):
            cases = list(launches)
            if_all = None if any(case.too_narrow or case.of_two_widths for case in cases) else True
            passes = {name: if_all if all(case.passes[name] for case in cases) else False for name in cases[0].passes}
            sizes.append(SizeVerdicts(workgroups, sum(len(case.space.states) for case in cases), passes))
        return sizes

    @property
    def lost(self) -> list[str] | None:
        """Return the verdicts that launches pass only because of lockstep, or None if this is not known."""
        if not self.query.rules.lockstep:
            return []
        if self.independent is None:
            return None
        return [name for name in self.passed if not all(passes[name] for passes in self.independent)]

    @property
    def passed(self) -> tuple[str, ...]:
        """Return the verdicts that all launches are known to pass."""
        return tuple(name for name in self.launches[0].passes if all(size.passes[name] for size in self.sizes))

    @property
    def failed(self) -> tuple[str, ...]:
        """Return the verdicts that some launch fails. All others pass, or are not known if scopes are too narrow."""
        return tuple(name for name in self.launches[0].passes if any(size.passes[name] is False for size in self.sizes))

    @property
    def too_narrow(self) -> list[Access]:
        """Return the atomic accesses because of whose scopes it is not known what launches pass."""
        return _by_line(access for launch in self.launches for access in launch.too_narrow)

    @property
    def of_two_widths(self) -> list[Access]:
        """Return the atomic accesses because of whose widths it is not known what launches pass."""
        return _by_line(access for launch in self.launches for access in launch.of_two_widths)

    @property
    def is_open(self) -> bool:
        """Whether it is not known what launches pass, because some accesses are not atomic to all others."""
        return bool(self.too_narrow or self.of_two_widths)

    @property
    def least(self) -> tuple[str, ...]:
        """Return the least fair verdicts that all launches pass: any one of them is enough."""
        return least_fair(self.passed, self.query.models)

    @property
    def not_enough(self) -> tuple[str, ...]:
        """Return the fairest verdicts that some launch fails."""
        return fairest(self.failed, self.query.models)

    def hang(self, verdict: str) -> tuple[JudgedLaunch, Hang] | None:
        """Return an execution of the smallest launch that fails a verdict, or None if all pass."""
        for launch in self.launches:
            if not launch.passes[verdict]:
                model, form = next(
                    (model, form)
                    for model in self.query.known_models
                    for name, form in zip(model.verdicts, model.forms, strict=True)
                    if name == verdict
                )
                execution = launch.decided.hang(model, form)
                assert execution is not None  # noqa: S101  (the launch fails)
                return launch, execution
        return None


def _by_line(accesses: Iterable[Access]) -> list[Access]:
    """Return different accesses by their lines."""
    return sorted(dict.fromkeys(accesses), key=lambda access: access.line)


class NeedStoppedError(Exception):
    """The caller wants no more states. The text, if there is one, says what made so many, behind another message."""


def judge(
    query: NeedQuery, must_stop: Callable[[], bool] = lambda: False, watch: Callable[[int], None] = lambda _: None
) -> Needs:
    """Judge the launches of a kernel. `must_stop` is called now and then, and says whether to end the work.

    `watch` is told as often how many states of a launch are known.

    Raises:
        StoppedError: it said so.
        InputError: the file, the launch or an argument is wrong, or the kernel has something that is not supported.
        LimitError: a launch has too many states.
        ResourceError: packages for that are missing.
    """
    kernel = query.kernel()
    local, workgroups = query.sizes(kernel)

    def tick(states: int) -> None:
        watch(states)
        if must_stop():
            raise NeedStoppedError

    def judged(number: int, rules: Rules, most: int, case: Case) -> JudgedLaunch:
        launch = launch_of(Sizing(local, (number,)), kernel.local_size)
        sizes = {name: size for name, size in launch.sizes().items() if size is not None}
        members = list(threads(sizes))
        machine = Machine(kernel, sizes, members, query.arguments, reduces=query.reduces, rules=rules, case=case)
        try:
            space = explore_fast(machine, most, tick)
        except LimitError as error:
            raise LimitError(f"{error}{_loop_hint(kernel)}") from None
        decided = ModelVerdicts(space, query.known_models, tick)
        return JudgedLaunch(number, space, decided, decided.passes(), case.example())

    def all_judged(rules: Rules, most: int, whole: Case) -> Iterator[JudgedLaunch]:
        for number in workgroups:
            yield from in_each_case(whole, functools.partial(judged, number, rules, most))

    rules = replace(query.rules, merges=all(isinstance(model.fair, Expression) for model in query.known_models))
    whole = Case(kernel)
    try:
        launches = tuple(all_judged(rules, MOST_STATES, whole))
    except NeedStoppedError:
        raise NeedStoppedError(_loop_hint(kernel)) from None
    independent = None
    if rules.lockstep:
        with contextlib.suppress(LimitError):
            free = replace(rules, lockstep=False)
            independent = tuple(judged.passes for judged in all_judged(free, MOST_TO_COMPARE, whole))
    return Needs(query, kernel, workgroups, local, launches, independent)


def _loop_hint(kernel: Kernel) -> str:
    """Return the loops of a kernel that make many states, as the end of a message."""
    places = [kernel.places.get(line) or SourcePlace("", line) for line in counted_loops(kernel, also_used=True)]
    where = ", ".join(dict.fromkeys(map(place_text, places)))
    return (
        f"; a counter ends the loop at {where}, and each count makes more states: let it count fewer" if where else ""
    )
