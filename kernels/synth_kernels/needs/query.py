"""What somebody asks about a kernel of a file: which launches of it, and by which models to judge them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.models import Model, library
from synth_checker.nearest import unknown
from synth_kernels.kernel_file import CUDA, RUNS, SourceOptions, read
from synth_kernels.launch_sizes import compared_name
from synth_kernels.program import Kernel, UnreadKernel
from synth_kernels.progress.steps import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from synth_kernels.progress.arguments import ArgumentValues

#: The numbers of workgroups that are looked at if nobody says one. Some faults show only from three workgroups on.
USUAL = range(2, 5)


@dataclass(frozen=True, slots=True)
class NeedQuery:
    """A kernel of a file, and the launches of it that somebody asks about.

    `workgroups` are their numbers of workgroups, and `local` is the local size. Where they are None, the kernel or the
    launches of its file may say them. Without a name, the file has one kernel. Without `reduces`, each access to memory
    and each arrival at a barrier is a step of its own. With `only_smallest`, only the smallest launch counts.
    """

    path: Path
    workgroups: range | None
    local: tuple[int, ...] | None
    arguments: Mapping[str, ArgumentValues]
    name: str = ""
    how: SourceOptions = field(default_factory=SourceOptions)
    models: tuple[Model, ...] | None = None
    rules: Rules = field(default_factory=Rules)
    reduces: bool = True
    only_smallest: bool = False

    @property
    def known_models(self) -> tuple[Model, ...]:
        """Return the models asked about, or else those of the paper."""
        return library() if self.models is None else self.models

    def kernel(self) -> Kernel:
        """Return the kernel asked about, for a launch that is run.

        Raises:
            InputError: there is no such kernel, or it has something that is not supported.
        """
        how = replace(self.how, defines=(*self.how.defines, f"{RUNS}={self.rules.subgroup}"))
        if "<" in self.name:
            how = replace(how, instances=(*how.instances, self.name))
        return _chosen(read(self.path, how), self)

    def sizes(self, kernel: Kernel) -> tuple[tuple[int, ...], range]:
        """Return the local size, and the numbers of workgroups: those asked about, or of the kernel, or of its file."""
        file_sizes = None
        if self.path.suffix in CUDA and (self.local is None or self.workgroups is None):
            from synth_kernels.clang.launches import launched_sizes

            file_sizes = launched_sizes(self.path.read_text("utf-8-sig", "replace"), kernel.name)
        local = self.local or kernel.local_size or (file_sizes and file_sizes.local) or (1,)
        number = math.prod(file_sizes.groups) if file_sizes and file_sizes.groups else 0
        usual = range(number, number + 1) if 0 < number < USUAL.stop else USUAL
        workgroups = self.workgroups or usual
        return local, workgroups[:1] if self.only_smallest else workgroups


def _chosen(kernels: Sequence[Kernel | UnreadKernel], query: NeedQuery) -> Kernel:
    names = [compared_name(candidate.name) for candidate in kernels]
    name = compared_name(query.name)
    if name and name not in names:
        raise unknown("kernel", query.name, [candidate.name for candidate in kernels])
    if not name and len(kernels) > 1:
        raise InputError(f"{query.path}: found the kernels {', '.join(names)}, expected one of them with --kernel")
    kernel = kernels[names.index(name)] if name else kernels[0]
    if isinstance(kernel, UnreadKernel):
        raise InputError(f"{kernel.place.file}:{kernel.place.line}: not supported: {kernel.reason}")
    return kernel
