"""`synth verify`: find data races and barrier divergence in GPU kernels, or prove that there are none."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from synth.cli.shared.kernel_file_options import (
    SITES,
    BarrierSites,
    CompiledBy,
    Define,
    Include,
    Instances,
    PointerWidth,
    SignedOverflow,
    Standard,
    pointer_bits_and_overflow,
)
from synth.cli.shared.output_files import OutFile, ReplaceFile, check_force, format_option
from synth.cli.shared.question_options import Memory, TimeLimit, check_word, words
from synth.cli.shared.sizes import read_kernel_sizes, sizes, split_outside_brackets
from synth.cli.verify_parts.answers import VerifyOutput, verify_and_print
from synth.cli.verify_parts.excluded_options import check_together
from synth.cli.verify_parts.gpuverify_flags import CommandWithFlags
from synth.cli.verify_parts.measures import measure_and_print
from synth.cli.verify_parts.question_options import (
    AssertOption,
    AssumeOption,
    BanksOption,
    EqualsOption,
    FloatOption,
    IntervalsOption,
    QuestionOptions,
    answer_questions,
)
from synth.cli.verify_parts.words import abstraction_of, encoding_of, loop_proof_options, refuse_beside_modular
from synth_checker.errors import InputError
from synth_workers.stop import parse_memory, parse_time

if TYPE_CHECKING:
    from synth_kernels.pair.options import Only
    from synth_kernels.verification import VerificationRequest

FORMATS = ("text", "html", "markdown", "csv", "svg")
EXAMPLE = "Example: synth verify scan.cl --local-size 64"
COMMAND_CLASS = CommandWithFlags


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
    local: Annotated[
        str | None,
        typer.Option(
            "--local-size",
            "--local_size",
            "--blockDim",
            help="Threads of a group, in up to three dimensions; * is any number.  [default: any]",
            metavar="N,...",
        ),
    ] = None,
    groups: Annotated[
        str | None,
        typer.Option(
            "--num-groups",
            "--num_groups",
            "--gridDim",
            help="Groups, in up to three dimensions; * is any number.  [default: any]",
            metavar="N,...",
        ),
    ] = None,
    whole: Annotated[
        str | None,
        typer.Option(
            "--global-size",
            "--global_size",
            help="Threads of the launch in each dimension, instead of --num-groups.",
            metavar="N,...",
        ),
    ] = None,
    offset: Annotated[
        str | None,
        typer.Option(
            "--global-offset",
            "--global_offset",
            help="What is added to global ids; * is any number.  [default: 0]",
            metavar="N,...",
        ),
    ] = None,
    warp: Annotated[
        int | None,
        typer.Option(
            help="Assume that N threads of a group run in lockstep, those with the same linear local id divided by N.",
            metavar="N",
            min=1,
            max=1024,
        ),
    ] = None,
    waits_fence: Annotated[
        bool,
        typer.Option(
            "--waits-fence",
            help="Assume that wait_group_events orders the copies that it waits for, as a barrier would.",
        ),
    ] = False,
    barrier_sites: BarrierSites = "same",
    from_launch: Annotated[
        Path | None,
        typer.Option(
            "--from-launch",
            help="Take the launches from a file of synth kernel record. Without KERNEL, its sources are verified.",
            metavar="FILE",
        ),
    ] = None,
    define: Define = None,
    include: Include = None,
    standard: Standard = "",
    instantiate: Instances = None,
    compiled_by: CompiledBy = "",
    pointer_bits: PointerWidth = None,
    overflow: SignedOverflow = "wrap",
    args: Annotated[
        list[str] | None,
        typer.Option(
            "--args",
            "--kernel-args",
            help="Fix the scalars of a kernel, in their order; * is any.",
            metavar="KERNEL,N,...",
        ),
    ] = None,
    arrays: Annotated[
        list[str] | None,
        typer.Option(
            "--arrays",
            "--kernel-arrays",
            help="The sizes of the arrays of a kernel in bytes, in their order; * is any.",
            metavar="KERNEL,N,...",
        ),
    ] = None,
    unroll: Annotated[
        int | None,
        typer.Option(
            help="Unroll loops N times and look for faults, without a proof for more rounds.",
            metavar="N",
            min=1,
            max=64,
        ),
    ] = None,
    only: Annotated[
        str,
        typer.Option(
            help="divergence: check barriers and assertions only. intra-group: report no races between groups.",
            metavar="divergence|intra-group",
        ),
    ] = "",
    no_annotations: Annotated[bool, typer.Option("--no-annotations", help="Ignore all annotations.")] = False,
    only_requires: Annotated[
        bool, typer.Option("--only-requires", help="Ignore all annotations but preconditions.")
    ] = False,
    as_candidates: Annotated[
        bool,
        typer.Option(
            "--invariants-as-candidates", help="Treat each invariant as a candidate: ignore it if it does not hold."
        ),
    ] = False,
    no_infer: Annotated[
        bool, typer.Option("--no-infer", help="Look for no invariants, and ignore candidates.")
    ] = False,
    omit: Annotated[
        list[str] | None,
        typer.Option("--omit", "--omit-infer", help="Make no candidates by these rules.", metavar="RULE,..."),
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(help="Make candidates by these rules only.  [default: all]", metavar="RULE,..."),
    ] = None,
    loops: Annotated[
        list[str] | None,
        typer.Option(
            help="Prove loops in these ways only: invariants, over-approximation, normalisation, compensation.  "
            "[default: all]",
            metavar="WAY,...",
        ),
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            help="What refutes candidates: H (Houdini), engines before it such as 'LU(2);H', or beside it such as "
            "portfolio, which is 'DYN||SBASE||H'. All keep the same candidates.",
            metavar="ENGINES",
        ),
    ] = "H",
    show_candidates: Annotated[
        bool,
        typer.Option(
            "--show-candidates", help="Show the candidates: which ones are kept, and when others were refuted."
        ),
    ] = False,
    depth: Annotated[
        int,
        typer.Option(
            "--k-induction-depth",
            help="Prove what holds in a loop from N more rounds before, by k-induction.",
            metavar="N",
            min=0,
            max=16,
        ),
    ] = 0,
    asymmetric: Annotated[
        bool,
        typer.Option(
            "--asymmetric-asserts",
            help="Check claims about single threads for the first of the two threads only, which is any of them.",
        ),
    ] = False,
    modular: Annotated[
        bool,
        typer.Option(
            "--modular",
            "--no-inline",
            help="Do not inline functions: verify each by itself, and use only its contract (__requires, __ensures) at "
            "calls.  [C and C++ only]",
        ),
    ] = False,
    optimise: Annotated[
        bool,
        typer.Option(
            "--optimise",
            help="Let LLVM optimise the kernel first, which may delete and merge accesses.  [C and C++ only]",
        ),
    ] = False,
    no_benign: Annotated[
        bool,
        typer.Option("--no-benign", "--no-benign-tolerance", help="Count two writes of the same value as a race, too."),
    ] = False,
    bounds: Annotated[
        bool, typer.Option("--bounds", "--check-array-bounds", help="Check also that no access is outside its array.")
    ] = False,
    state: Annotated[
        str,
        typer.Option(
            help="What is known of the contents of arrays: adversarial (nothing), equality (threads of a group read "
            "the same), or auto (equality where it matters).",
            metavar="WORD",
        ),
    ] = "auto",
    adversarial: Annotated[
        bool, typer.Option("--adversarial-abstraction", help="The same as --state adversarial.")
    ] = False,
    equality: Annotated[bool, typer.Option("--equality-abstraction", help="The same as --state equality.")] = False,
    encoding: Annotated[
        str,
        typer.Option(
            help="How the solver looks for races: watched (it chooses one place in memory), or seed (it chooses an "
            "access for each array and kind). Both give the same verdicts.",
            metavar="WORD",
        ),
    ] = "watched",
    solver: Annotated[str, typer.Option(help="The solver: z3, bitwuzla or cvc5.", metavar="SOLVER")] = "z3",
    time_limit: TimeLimit = None,
    memory: Memory = None,
    form: Annotated[str, format_option(FORMATS, "answer")] = "text",
    out: OutFile = None,
    force: ReplaceFile = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object for each kernel.")] = False,
    sarif: Annotated[
        Path | None,
        typer.Option(help="Also write the faults as SARIF 2.1.0, which editors and forges show.", metavar="FILE"),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(help="Keep answers in this folder, and take those that are known from there.", metavar="FOLDER"),
    ] = None,
    measure: Annotated[
        bool,
        typer.Option(
            "--measure", help="Measure instead how good the rules and engines are on these kernels, as tables."
        ),
    ] = False,
    banks: BanksOption = "",
    intervals: IntervalsOption = False,
    equals: EqualsOption = "",
    asserts: AssertOption = False,
    floats: FloatOption = "",
    assumes: AssumeOption = False,
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
    from synth_kernels.candidates.rules import chosen_rules
    from synth_kernels.claim_selection import Claims
    from synth_kernels.kernel_file import SourceOptions
    from synth_kernels.launch_sizes import Sizing
    from synth_kernels.pair.options import ONLY, Options
    from synth_kernels.refutation.engine_names import engines
    from synth_storage.files import check_file

    check_word("format", form, FORMATS)
    check_force(out, force=force)
    check_together(ctx)
    if as_json and (form != "text" or out is not None):
        raise InputError("--json prints JSON; leave it out to have another format, or to write a file with --out")
    for file in filter(None, (out, sarif)):
        check_file(file, force=force)
    sizing = Sizing(
        sizes("local size", local),
        sizes("number of groups", groups),
        sizes("global size", whole),
        sizes("global offset", offset) or (0,),
        read_kernel_sizes("--args", args),
        read_kernel_sizes("--arrays", arrays),
        warp=warp or 0,
        waits_fence=waits_fence,
    )
    if only:
        check_word("only", only, ONLY)
    check_word("barrier-sites", barrier_sites, SITES)
    names = tuple(name for text in kernel or () for name in split_outside_brackets(text))
    how = SourceOptions(
        tuple(define or ()),
        tuple(include or ()),
        standard,
        (*(instantiate or ()), *(name for name in names if "<" in name)),
        *pointer_bits_and_overflow(pointer_bits, overflow),
        claims=Claims(
            "none" if no_annotations else "requires" if only_requires else "all", as_candidates, not no_infer
        ),
        optimise=optimise,
        modular=modular,
        compiled_by=compiled_by,
    )
    infers, ways = loop_proof_options(words(loops))
    options = Options(
        tolerate_benign=not no_benign,
        check_bounds=bounds,
        abstraction=abstraction_of(state, adversarial, equality),
        encoding=encoding_of(encoding),
        only=cast("Only", only),
        unroll=unroll or 0,
        rules=chosen_rules(words(rules), words(omit)) if infers and not no_infer else (),
        ways=ways,
        engine=str(engines(engine)),
        asymmetric=asymmetric,
        depth=depth,
        one_barrier=barrier_sites == "any",
    )
    # Python and the command line have taken a part of the time.
    begun = time.monotonic() if ctx.obj is None else ctx.obj
    ends = None if time_limit is None else begun + parse_time(time_limit)
    request: VerificationRequest = {
        "sizing": sizing,
        "names": names,
        "how": how,
        "options": options,
        "solver": solver,
        "memory": 0 if memory is None else parse_memory(memory),
        "seconds_left": lambda: None if ends is None else ends - time.monotonic(),
    }
    question_options = QuestionOptions(banks, intervals, equals, asserts, floats, assumes)
    if modular:
        refuse_beside_modular(
            {
                "--unroll": unroll,
                "--bounds": bounds,
                "--warp": warp,
                "--k-induction-depth": depth,
                "--engine": engine != "H",
                "--encoding seed": encoding == "seed",
                "--loops": loops,
                "--optimise": optimise,
                "--from-launch": from_launch,
                "--cache": cache,
                "--measure": measure,
                "a question such as --banks": question_options.any(),
            }
        )
    if measure and (source is None or from_launch is not None):
        raise InputError("--measure needs a file or folder of kernels, and takes no launches of --from-launch")
    if question_options.any():
        if source is None and from_launch is None:
            raise InputError("a question such as --banks needs a file of kernels, or --from-launch FILE")
        others = {
            "--warp": warp,
            "--waits-fence": waits_fence,
            "--k-induction-depth": depth,
            "--asymmetric-asserts": asymmetric and not question_options.is_of_barriers,
            "--only": only,
            "--sarif": sarif,
            "--cache": cache,
            "--show-candidates": show_candidates,
            "--measure": measure,
            "--unroll": unroll and not question_options.is_of_barriers,
        }
        return answer_questions(
            question_options,
            source,
            request,
            others,
            launches=from_launch,
            form=form,
            out=out,
            force=force,
            as_json=as_json,
        )
    if source is not None and measure:
        return measure_and_print(source, request, form, out, force=force, as_json=as_json)
    if form in {"csv", "svg"}:
        raise InputError(
            f"--format {form} needs {'--measure' if form == 'csv' else '--banks or --measure'}, whose answer has it"
        )
    output = VerifyOutput(form, out, force, as_json, show_candidates, sarif, cache, from_launch)
    return verify_and_print(source, request, output)
