"""`synth verify`: find data races and barrier divergence in GPU kernels, or prove that there are none."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.shared.command_line import given_words
from synth.cli.shared.kernel_file_options import ReadingOptions
from synth.cli.shared.option_group import takes_groups
from synth.cli.shared.output_files import check_force
from synth.cli.shared.sizes import split_outside_brackets
from synth.cli.verify_parts.answers import verify_and_print
from synth.cli.verify_parts.excluded_options import check_beside_modular, check_beside_question, check_together
from synth.cli.verify_parts.gpuverify_flags import CommandWithFlags
from synth.cli.verify_parts.launch_options import ArgumentOptions, LaunchOptions
from synth.cli.verify_parts.measures import measure_and_print
from synth.cli.verify_parts.output_options import FORMATS, OutputOptions
from synth.cli.verify_parts.proof_options import AccessOptions, ClaimOptions, LimitOptions, LoopOptions, pair_options
from synth.cli.verify_parts.question_options import QuestionOptions, answer_questions
from synth_checker.errors import InputError
from synth_checker.nearest import check_known

if TYPE_CHECKING:
    from synth_kernels.verification import VerificationRequest

EXAMPLE = "Example: synth verify scan.cl --local-size 64"
COMMAND_CLASS = CommandWithFlags


@takes_groups
def verify_command(
    ctx: typer.Context,
    source: Annotated[
        Path | None,
        typer.Argument(
            metavar="[KERNEL]",
            help="A file of kernels: OpenCL C (.cl), CUDA (.cu), HIP (.hip), or typed programs (.kernel). Or a folder "
            "with such files.",
            show_default=False,
        ),
    ] = None,
    kernel: Annotated[
        list[str] | None,
        typer.Option(help="Verify only these kernels.  [default: all of the file]", metavar="NAME,..."),
    ] = None,
    *,
    launch: LaunchOptions,
    reading: ReadingOptions,
    arguments: ArgumentOptions,
    claims: ClaimOptions,
    proof: LoopOptions,
    access: AccessOptions,
    limits: LimitOptions,
    output: OutputOptions,
    measure: Annotated[
        bool,
        typer.Option(
            "--measure", help="Measure instead how good the rules and engines are on these kernels, as tables."
        ),
    ] = False,
    questions: QuestionOptions,
) -> int:
    """Prove that kernels have no data race and no divergent barrier, or show two threads that have one.

    Two arbitrary threads stand for all of them, so a proof holds for any number of threads. It does not say that a
    kernel ends.

    Of a folder, all files are verified. The first line of a file may name its launch: `// --local-size 64`.

    Flags of GPUVerify are accepted, too. A flag that synth does not support is refused with a reason.

    Exits with status 1 if a kernel has a fault. Otherwise, it exits with 2 if the call or the file is wrong, or if no
    launch satisfies what a kernel assumes. Otherwise, it exits with 3 if a verdict is `unknown`, or else with 75 if the
    time limit stopped a kernel. Status 0 says that each kernel is `verified` or has `no bug found`.
    """
    check_known("format", output.form, FORMATS)
    check_force(output.out, force=output.force)
    check_together(ctx)
    output.check()
    sizing = launch.sizing(arguments)
    claims.check()
    one_barrier = launch.is_one_barrier
    names = tuple(name for text in kernel or () for name in split_outside_brackets(text))
    read = reading.how()
    how = replace(
        read,
        instances=(*read.instances, *(name for name in names if "<" in name)),
        claims=claims.claims(),
        optimise=proof.optimise,
        modular=proof.modular,
    )
    options = pair_options(claims, proof, access, one_barrier=one_barrier)
    # Python and the command line have taken a part of the time.
    seconds_left = limits.seconds_left(time.monotonic() if ctx.obj is None else ctx.obj)
    request: VerificationRequest = {
        "sizing": sizing,
        "names": names,
        "how": how,
        "options": options,
        "solver": limits.solver,
        "memory": limits.most_bytes,
        "seconds_left": seconds_left,
    }
    if proof.modular:
        check_beside_modular(ctx, questions)
    if measure and (source is None or launch.from_launch is not None):
        raise InputError("--measure needs a file or folder of kernels, and takes no launches of --from-launch")
    if questions.any():
        if source is None and launch.from_launch is None:
            raise InputError("a question such as --banks needs a file of kernels, or --from-launch FILE")
        check_beside_question(ctx, questions)
        return answer_questions(questions, source, request, output, launches=launch.from_launch)
    if source is not None and measure:
        return measure_and_print(source, request, output)
    if output.form in {"csv", "svg"}:
        raise InputError(
            f"--format {output.form} needs {'--measure' if output.form == 'csv' else '--banks or --measure'}, "
            "whose answer has it"
        )
    return verify_and_print(
        source,
        request,
        output,
        with_candidates=proof.show_candidates,
        launches=launch.from_launch,
        reading=given_words(ctx, ReadingOptions._fields),
    )
