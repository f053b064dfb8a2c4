"""The text of `synth machine run`: a line for the kernel, and one for each block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth.machines.running import RunFields


def run_lines(one: RunFields) -> Iterator[str]:
    """Yield a line for the kernel, and for each block one with the ends of its threads."""
    blocks = count(len(one["blocks"]), "block")
    yield f"kernel: {one['start']} to {one['end']}, {count(one['threads'], 'thread')} in {blocks}"
    for block in one["blocks"]:
        ends = ", ".join(str(thread["end"]) for thread in block["threads"])
        times = f"{block['start']} to {block['end']}"
        yield f"block {block['block']} on multiprocessor {block['multiprocessor']}: {times}; threads end at {ends}"
