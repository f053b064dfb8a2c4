"""`synth emit`: write tests as programs that run on devices."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.program_arguments import refuse_kernels
from synth.cli.shared.question_options import OWN_MODEL, NamesOf
from synth.cli.shared.vocabulary import completer

EXAMPLE = "Example: synth emit --target cpp 01100002-01100002 --out mutex"


def emit_command(
    tests: Annotated[
        list[str],
        typer.Argument(
            callback=refuse_kernels,
            metavar="TESTS",
            help="The tests: ids, names, files, '-' for standard input, or corpora.",
            autocompletion=completer("corpora"),
        ),
    ],
    target: Annotated[
        list[str],
        typer.Option(
            help="The kind of program to write: {targets}. Each of several targets gets a folder of its own.",
            metavar="TARGET",
            autocompletion=completer("targets"),
        ),
    ],
    out: Annotated[Path, typer.Option(help="The folder to write into.", metavar="DIR")],
    mapping: Annotated[
        str | None,
        typer.Option(
            help="Which workgroup runs which thread: {mappings}.  [default: plain for cpp, otherwise chunked]",
            metavar="MAPPING",
            autocompletion=completer("mappings"),
        ),
    ] = None,
    instances: Annotated[
        int | None,
        typer.Option(
            help="How many instances of a test run at once.  [default: enough to fill 65,535 workgroups; 200 for cpp]",
            metavar="N",
        ),
    ] = None,
    stress: Annotated[
        str,
        typer.Option(
            help="How many workgroups to add that run no test, but only keep the memory busy; or, such as 0.25, their "
            "share of all workgroups.",
            metavar="N",
        ),
    ] = "0",
    per_file: Annotated[
        int | None,
        typer.Option(
            help="How many tests share a source file.  [default: 1; 100 for cts, cuda and hip; 1000 for web]",
            metavar="N",
        ),
    ] = None,
    width: Annotated[
        int,
        typer.Option(
            help="How many threads a workgroup has at least. The mapping says which of them run the test.", metavar="N"
        ),
    ] = 1,
    stress_shape: Annotated[
        str,
        typer.Option(
            help="What the workgroups of --stress do: PATTERN[:LINES[:WORDS[:ROUNDS[:STRIDE]]]] or random:SEED. "
            "PATTERN is add, store, load, store-load or load-store. ROUNDS may be test: as long as the test runs.",
            metavar="SHAPE",
        ),
    ] = "add",
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="Also give the verdicts of this model, beside the six and those that corpora and files define. "
            f"{OWN_MODEL}",
            metavar="MODEL",
            autocompletion=completer("models"),
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace what an earlier synth emit has written into the folder.")
    ] = False,
    corpus: NamesOf = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """Write tests in normal form as programs for one or more targets, with everything that builds and runs them."""
    from synth_backends.emission import EmissionSummary, check_emission, emit, litmus_tests, targets_of
    from synth_backends.target import Choices, stress_number
    from synth_backends.views.emission import lines
    from synth_litmus.inputs.models import given_verdicts, split_words
    from synth_litmus.inputs.programs import given_programs

    targets = ",".join(target)
    number = stress_number(stress)
    check_emission(targets, out, Choices(mapping, instances, number, per_file, width, stress_shape), force=force)
    models = given_verdicts(split_words(model or []))[0]
    litmus = litmus_tests((program for word in tests for program in given_programs(word, corpus)), models)
    emit(
        targets, litmus, out, mapping=mapping, instances=instances, stress=number, per_file=per_file, width=width,
        stress_shape=stress_shape, force=force,
    )  # fmt: skip
    summary = EmissionSummary(str(out), targets_of(targets), len(litmus))
    if as_json:
        print_json(summary)
    else:
        print_lines(lines(summary))
