"""The text of `synth machine run`: a line for the kernel, and one for each block; of a test, a line for each event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_machines.answers.gpu_tests import LitmusRun
    from synth_machines.answers.gpu_times import KernelTimes


def run_lines(run: KernelTimes) -> Iterator[str]:
    """Yield a line for the kernel, and for each block one with the ends of its threads."""
    blocks = count(len(run.blocks), "block")
    yield f"kernel: {run.start} to {run.end}, {count(run.threads, 'thread')} in {blocks}"
    for block in run.blocks:
        ends = ", ".join(str(thread.end) for thread in block.threads)
        times = f"{block.start} to {block.end}"
        yield f"block {block.block} on multiprocessor {block.multiprocessor}: {times}; threads end at {ends}"


def litmus_lines(run: LitmusRun) -> Iterator[str]:
    """Yield a line for each event of a test's run, and at last whether the test ends."""
    for number, event in enumerate(run.events):
        if number == run.cycle:
            yield "from here on, again and again:"
        words = [f"{event.time}: {event.event}"]
        if event.block is not None:
            words.append(f"block {event.block}")
        if event.multiprocessor is not None:
            words.append(f"on multiprocessor {event.multiprocessor}")
        if event.instruction is not None:
            memory = ", ".join(f"Mem[{place}] = {value}" for place, value in enumerate(event.memory or []))
            words.append(f"executes {event.instruction} Then {memory}")
        yield " ".join(words)
    if run.ended:
        yield f"{shown(run.test)} ends"
    else:
        yield f"{shown(run.test)} does not end" + ("" if run.cycle is not None else " within these steps")
