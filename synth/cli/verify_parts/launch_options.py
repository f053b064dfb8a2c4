"""The options of `synth verify` that say which launches are verified."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from synth.cli.shared.kernel_file_options import SITES, BarrierSites
from synth.cli.shared.sizes import read_kernel_sizes, sizes
from synth_checker.nearest import check_known

if TYPE_CHECKING:
    from synth_kernels.launch_sizes import Sizing


class LaunchOptions(NamedTuple):
    """The sizes of a launch, and how its threads meet."""

    local: Annotated[
        str | None,
        typer.Option(
            "--local-size",
            "--local_size",
            "--blockDim",
            help="Threads of a group, in up to three dimensions; * is any number.  [default: any]",
            metavar="N,...",
        ),
    ] = None
    groups: Annotated[
        str | None,
        typer.Option(
            "--num-groups",
            "--workgroups",
            "--num_groups",
            "--gridDim",
            help="Groups, in up to three dimensions; * is any number.  [default: any]",
            metavar="N,...",
        ),
    ] = None
    whole: Annotated[
        str | None,
        typer.Option(
            "--global-size",
            "--global_size",
            help="Threads of the launch in each dimension, instead of --num-groups.",
            metavar="N,...",
        ),
    ] = None
    offset: Annotated[
        str | None,
        typer.Option(
            "--global-offset",
            "--global_offset",
            help="What is added to global ids; * is any number.  [default: 0]",
            metavar="N,...",
        ),
    ] = None
    warp: Annotated[
        int | None,
        typer.Option(
            help="Assume that N threads of a group run in lockstep, those with the same linear local id divided by N.",
            metavar="N",
            min=1,
            max=1024,
        ),
    ] = None
    waits_fence: Annotated[
        bool,
        typer.Option(
            "--waits-fence",
            help="Assume that wait_group_events orders the copies that it waits for, as a barrier would.",
        ),
    ] = False
    barrier_sites: BarrierSites = "same"
    from_launch: Annotated[
        Path | None,
        typer.Option(
            "--from-launch",
            help="Take the launches from a file of synth kernel record. Without KERNEL, its sources are verified.",
            metavar="FILE",
        ),
    ] = None

    def sizing(self, arguments: ArgumentOptions) -> Sizing:
        """Return what is known of the launches.

        Raises:
            InputError: a size can't be read.
        """
        from synth_kernels.launch_sizes import Sizing

        return Sizing(
            sizes("local size", self.local),
            sizes("number of groups", self.groups),
            sizes("global size", self.whole),
            sizes("global offset", self.offset) or (0,),
            read_kernel_sizes("--args", arguments.args),
            read_kernel_sizes("--arrays", arguments.arrays),
            warp=self.warp or 0,
            waits_fence=self.waits_fence,
        )

    @property
    def is_one_barrier(self) -> bool:
        """Whether threads may wait at different barriers. Raises InputError for another word than those for this."""
        check_known("barrier-sites", self.barrier_sites, SITES)
        return self.barrier_sites == "any"


class ArgumentOptions(NamedTuple):
    """The arguments that a kernel gets."""

    args: Annotated[
        list[str] | None,
        typer.Option(
            "--args",
            "--kernel-args",
            help="Fix the scalars of a kernel, in their order; * is any.",
            metavar="KERNEL,N,...",
        ),
    ] = None
    arrays: Annotated[
        list[str] | None,
        typer.Option(
            "--arrays",
            "--kernel-arrays",
            help="The sizes of the arrays of a kernel in bytes, in their order; * is any.",
            metavar="KERNEL,N,...",
        ),
    ] = None
