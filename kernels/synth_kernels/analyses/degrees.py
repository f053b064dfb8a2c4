"""Bank conflicts of a launch with given numbers: how many turns each access takes.

All threads run, and for each execution of a local access by a batch we count the words that it touches in each bank.
An execution is that of one line in the same rounds of the loops around it. Lanes that are elsewhere take no part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from synth_kernels.analyses.banks import WIDEST
from synth_kernels.concrete_run import Runner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from synth_kernels.analyses.banks import Banks
    from synth_kernels.concrete_run import Inputs, RunResult
    from synth_kernels.launch import Thread
    from synth_kernels.memory import Location
    from synth_kernels.program import Access, Kernel


class Touch(NamedTuple):
    """What a thread touches in one execution of an access: bytes from an address of a local array on."""

    thread: Thread
    access: Access
    rounds: tuple[int, ...]
    address: int

    @property
    def length(self) -> int:
        """How many bytes it touches."""
        return self.access.width // 8


class LaneBatch(NamedTuple):
    """One execution of an access by the threads of a batch. `first` is the linear id of its first lane."""

    group: tuple[int, ...]
    first: int
    touches: tuple[tuple[int, Touch], ...]


@dataclass(frozen=True, slots=True)
class Degree:
    """How many turns an access takes in its executions by batches: at most, and in all. `worst` is the longest one."""

    access: Access
    most: int
    turns: int
    executions: int
    worst: LaneBatch


def touches(  # noqa: PLR0913  (these are what a run takes)
    kernel: Kernel,
    sizes: Mapping[str, int],
    scalars: Mapping[str, int],
    threads: Sequence[Thread],
    *,
    inputs: Inputs | None = None,
    contents: Callable[[Location], int] | None = None,
) -> tuple[list[Touch], RunResult]:
    """Run threads, and return what they touch in local arrays, and what came of the run."""
    touched: list[Touch] = []

    def see(thread: Thread, access: Access, rounds: tuple[int, ...], offset: int) -> None:
        if is_judged(kernel, access):
            touched.append(Touch(thread, access, rounds, offset * (kernel.array(access.array).width // 8)))

    runner = Runner(kernel, sizes, scalars, inputs=inputs, contents=contents, seen=see)
    return touched, runner.run(threads)


def is_judged(kernel: Kernel, access: Access) -> bool:
    """Return whether something is said of an access: copies of many places, and wide accesses, are left out."""
    return kernel.array(access.array).space == "local" and not access.count and access.width <= 8 * WIDEST


def linear(thread: Thread, sizes: Mapping[str, int]) -> int:
    """Return the number of a thread in its group."""
    x, y, z = thread[1]
    return x + sizes["lsize.0"] * (y + sizes["lsize.1"] * z)


def batches(touched: Sequence[Touch], sizes: Mapping[str, int], banks: Banks) -> Iterator[LaneBatch]:
    """Yield the executions of accesses by batches."""
    together: dict[tuple[object, ...], list[tuple[int, Touch]]] = {}
    for touch in touched:
        batch, lane = divmod(linear(touch.thread, sizes), banks.batch(touch.length))
        key = (touch.access.line, touch.rounds, touch.thread[0], batch)
        together.setdefault(key, []).append((lane, touch))
    for parts in together.values():
        lane, touch = parts[0]
        yield LaneBatch(touch.thread[0], linear(touch.thread, sizes) - lane, tuple(parts))


def words_of(batch: LaneBatch, banks: Banks) -> list[int]:
    """Return the words that a batch touches."""
    return [word for _, touch in batch.touches for word in banks.words(touch.address, touch.length)]


def degrees(touched: Sequence[Touch], sizes: Mapping[str, int], banks: Banks) -> list[Degree]:
    """Return the degree of each access that was executed, in the order of the lines."""
    by_line: dict[int, list[tuple[int, LaneBatch]]] = {}
    for batch in batches(touched, sizes, banks):
        turns = banks.degree(words_of(batch, banks))
        by_line.setdefault(batch.touches[0][1].access.line, []).append((turns, batch))
    result = []
    for _, executed in sorted(by_line.items()):
        most, worst = max(executed, key=lambda pair: pair[0])
        turns = sum(turns_of for turns_of, _ in executed)
        result.append(Degree(worst.touches[0][1].access, most, turns, len(executed), worst))
    return result


def conflict_in(batch: LaneBatch, banks: Banks) -> tuple[Touch, Touch] | None:
    """Return two threads of a batch that touch different words of one bank, if there are any."""
    for number, (_, touch) in enumerate(batch.touches):
        for _, other in batch.touches[number + 1 :]:
            pairs = (
                (a, b)
                for a in banks.words(touch.address, touch.length)
                for b in banks.words(other.address, other.length)
            )
            if any(a != b and (a - b) % banks.banks == 0 for a, b in pairs):
                return touch, other
    return None
