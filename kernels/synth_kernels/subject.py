"""A kernel of a file and the launch that somebody asks about, with the places of the source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_kernels.source_place import SourcePlace

if TYPE_CHECKING:
    from pathlib import Path

    from synth_kernels.launch import Launch
    from synth_kernels.program import Kernel


@dataclass(frozen=True, slots=True)
class Subject:
    """A kernel of a file and the launch that it is asked about. `origin` is the line of a recorded launch, or empty."""

    path: Path
    kernel: Kernel
    launch: Launch
    origin: str = ""

    def place(self, line: int) -> SourcePlace:
        """Return where the instruction with this line stands in the source."""
        return self.kernel.places.get(line) or SourcePlace(str(self.path), line)
