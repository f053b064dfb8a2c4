"""The options by which the commands of `synth kernel` take launches of a kernel, and the question that they ask."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias

import typer

from synth.cli.shared.exit_status import report_early_end
from synth.cli.shared.kernel_file_options import SITES, BarrierSites, ReadingOptions
from synth.cli.shared.option_group import NEEDED, OptionValues, SharedOption, options_of, takes_options
from synth.cli.shared.progress_bar import StateLines
from synth.cli.shared.question_options import Memory, TimeLimit, limits
from synth_checker.errors import InputError, quoted
from synth_checker.nearest import check_known

if TYPE_CHECKING:
    from synth_checker.models import Model
    from synth_kernels.needs import Needs
    from synth_kernels.needs.query import NeedQuery

Source: TypeAlias = Annotated[
    Path, typer.Argument(metavar="KERNEL", help="A file of kernels: OpenCL C, CUDA, HIP, or typed programs (.kernel).")
]
Name: TypeAlias = Annotated[
    str, typer.Option("--kernel", help="The kernel of the file.  [default: its only one]", metavar="NAME")
]
Workgroups: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--workgroups",
        "--num-groups",
        help="How many workgroups a launch has: a number, or a range such as 2..4.  [default: that of the only launch "
        "in the file if it is at most 4, or else 2..4]",
        metavar="N|A..B",
    ),
]
LocalSize: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Threads of a workgroup, in up to three dimensions.  [default: what the kernel requires, or what the only "
        "launch in the file has, or 1]",
        metavar="N,...",
    ),
]
Arguments: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--arg",
        help="The value of a scalar, or of all COUNT elements of an array; or the elements themselves, as in in=1,2,3; "
        "or null for a pointer. Repeat it for each argument.",
        metavar="NAME=VALUE[,...][:COUNT]",
    ),
]
Subgroup: TypeAlias = Annotated[
    int,
    typer.Option(help="Lanes of a subgroup, which run in lockstep and meet at its barriers.", metavar="N", min=1),
]
Lanes: TypeAlias = Annotated[
    str,
    typer.Option(
        help="Whether each lane goes on alone, or only when all lanes of its subgroup at the same place have made "
        "their accesses.",
        metavar="independent|lockstep",
    ),
]
AtBarriers: TypeAlias = Annotated[
    str,
    typer.Option(
        "--barrier",
        help="Whether a barrier waits for threads that have ended (strict), or not (leave).",
        metavar="strict|leave",
    ),
]
NoReduction: TypeAlias = Annotated[
    bool,
    typer.Option("--no-reduction", help="Make each access to memory and each arrival at a barrier a step of its own."),
]
_RANGE = re.compile(r"(\d+)(?:\.\.(\d+))?")


class LaunchQuestion(NamedTuple):
    """Launches of a kernel, and the limits of the work on them."""

    query: NeedQuery
    time_limit: str | None
    memory: str | None

    def smallest(self) -> LaunchQuestion:
        """Return the same question about the launch with the fewest workgroups only."""
        return self._replace(query=replace(self.query, only_smallest=True))

    def judge(self, models: tuple[Model, ...] | None, *, to_certify: bool = False) -> Needs | int:
        """Return the verdicts under models, or the exit code if a limit or a signal ended the work.

        With `to_certify`, a checker has accepted a proof of each verdict.
        """
        from synth_kernels.needs import NeedStoppedError, judge

        with limits(self.time_limit, self.memory) as stop:
            try:
                query = replace(self.query, models=models)
                lines = StateLines(self.query.path.name)
                needs = judge(query, lambda: stop.look() is not None, lines.states)
                if to_certify:
                    from synth_kernels.needs.certificates import certify

                    certify(needs, lambda: stop.look() is not None)
            except NeedStoppedError as stopped:
                return report_early_end(stop, f"nothing is decided{stopped}")
            return needs


def _launch_question(source: Path, options: OptionValues) -> LaunchQuestion:
    """Return what the options ask for.

    Raises:
        InputError: an option is wrong.
    """
    from synth_kernels.needs.query import NeedQuery
    from synth_kernels.progress.arguments import read_arguments
    from synth_kernels.progress.steps import Rules

    query = NeedQuery(
        source,
        None if options["workgroups"] is None else _range(options["workgroups"]),
        _local(options["local_size"]),
        read_arguments(options["arg"] or ()),
        options["kernel"],
        ReadingOptions(*(options[name] for name in ReadingOptions._fields)).how(),
        rules=Rules(
            options["subgroup"],
            lockstep=_is_second("lanes", options["lanes"], ("independent", "lockstep")),
            leave=_is_second("barrier", options["barrier"], ("strict", "leave")),
            one_barrier=_is_second("barrier-sites", options["barrier_sites"], SITES),
        ),
        reduces=not options["no_reduction"],
    )
    return LaunchQuestion(query, options["time_limit"], options["memory"])


def _is_second(what: str, word: str, words: tuple[str, str]) -> bool:
    """Return whether the word of an option is the second one of the two that it may be."""
    check_known(what, word, words)
    return word == words[1]


def _range(text: str) -> range:
    match = _RANGE.fullmatch(text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        raise InputError(f"workgroups: found {quoted(text)}, expected a number such as 3, or a range such as 2..4")
    return range(first, last + 1)


def _local(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*){0,2}", text):
        raise InputError(f"local size: found {quoted(text)}, expected up to three positive numbers, such as 64 or 8,8")
    return tuple(map(int, text.split(",")))


#: Gives a command the options for launches of a kernel.
takes_launches = takes_options(
    SharedOption(Source, NEEDED),
    {
        "kernel": SharedOption(Name, ""),
        "workgroups": SharedOption(Workgroups),
        "local_size": SharedOption(LocalSize),
        "arg": SharedOption(Arguments),
        "lanes": SharedOption(Lanes, "independent"),
        "subgroup": SharedOption(Subgroup, 32),
        "barrier": SharedOption(AtBarriers, "strict"),
        "barrier_sites": SharedOption(BarrierSites, "same"),
        "no_reduction": SharedOption(NoReduction, default=False),
        **options_of(ReadingOptions),
        "time_limit": SharedOption(TimeLimit),
        "memory": SharedOption(Memory),
    },
    _launch_question,
)
