"""`synth machine guarantees`: which progress models a scheduler guarantees."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.machine.options import AsJson, Source
from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.question_options import Jobs, Models
from synth_checker.errors import InputError

EXAMPLE = "Example: synth machine guarantees @gpu --setting SM=1,nb_kernel_threads=2 --model HSA,LOBE"


def guarantees_command(
    source: Source,
    component: Annotated[
        str | None,
        typer.Option("--component", help="The machine.  [default: the one that no other refines]", metavar="NAME"),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            help="Explore this setting: sizes of carrier sets and values of constants. May be given several times.  "
            "[default: those of the reading]",
            metavar="NAME=VALUE,...",
        ),
    ] = None,
    model: Models = None,
    fairness: Annotated[
        str | None,
        typer.Option(
            help="The events that a run does not neglect, such as 'weak: all; strong: Thread_running'.  "
            "[default: that of the reading]",
            metavar="TEXT",
        ),
    ] = None,
    reading: Annotated[
        Path | None,
        typer.Option(
            help="How the machine is read as a scheduler: a file of TOML, or as @gpu or @schedulers are.  "
            "[default: as @gpu]",
            metavar="FILE",
        ),
    ] = None,
    tests: Annotated[
        list[str] | None,
        typer.Option(help="Also run the tests of this corpus in each setting, and count which end.", metavar="CORPUS"),
    ] = None,
    prove: Annotated[
        bool, typer.Option("--prove", help="Also prove for every setting what no explored setting refutes.")
    ] = False,
    seconds: Annotated[
        float, typer.Option(help="The time of a solver for one query, in seconds.", metavar="S", min=0.1, max=3600.0)
    ] = 20.0,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> int:
    """Say which progress models a machine guarantees as a scheduler, if its runs are fair.

    All states of small settings are explored. A run that neglects a thread refutes a model. So does the smallest litmus
    test that shows it, if one ships. With --prove, a solver also proves guarantees for every setting.

    Exits with status 1 if a model is not guaranteed. Otherwise, it exits with 3 if --prove leaves a model without a
    proof.
    """
    from synth_checker.models import library
    from synth_litmus.inputs.models import given_models, split_words
    from synth_litmus.inputs.named_tests import ids_in
    from synth_machines.answers.animation import machine_of
    from synth_machines.answers.files import read_project
    from synth_machines.answers.guarantees import GuaranteeQuestion, read_setting, reading_for
    from synth_machines.answers.proof_attempts import ProofOptions
    from synth_machines.views.guarantees import guarantees_lines
    from synth_workers.execution import usable_cpus

    chosen_reading = reading_for(source, reading)
    machine = machine_of(read_project(source), component)
    settings = [read_setting(word) for word in setting or chosen_reading.settings]
    if not settings:
        raise InputError("--setting: found no setting, expected at least one, such as SM=1,nb_kernel_threads=2")
    models = given_models(split_words(model)) if model else library()
    ids = [id_ for corpus in split_words(tests or ()) for id_ in ids_in(corpus)]
    proving = (ProofOptions(seconds), jobs or usable_cpus()) if prove else None
    answer = GuaranteeQuestion(machine, chosen_reading, fairness, settings, proving).answer(models, ids)
    if as_json:
        print_json(answer)
    else:
        print_lines(guarantees_lines(answer))
    if not all(model.guaranteed for model in answer.models):
        return 1
    return 0 if all(model.proof is None or model.proof.proved for model in answer.models) else 3
