"""`synth machine compare`: compare our obligations with those that Rodin wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.machine.options import SECONDS_HELP, AsJson
from synth.cli.shared.answer_print import print_json, print_lines
from synth_checker.nearest import check_known

EXAMPLE = "Example: synth machine compare project --prove"


def compare_command(
    project: Annotated[Path, typer.Argument(metavar="PROJECT", help="The folder of a project that Rodin has built.")],
    as_: Annotated[
        str,
        typer.Option(
            "--as",
            help="rodin: state the SIM obligations that Rodin states. definition: state those that are needed.",
            metavar="rodin|definition",
        ),
    ] = "rodin",
    prove: Annotated[
        bool, typer.Option("--prove", help="Prove that goals are equivalent which are not literally equal.")
    ] = False,
    verdicts: Annotated[
        bool,
        typer.Option("--verdicts", help="Prove or refute what Rodin's provers had discharged. None must be refuted."),
    ] = False,
    hypotheses: Annotated[
        bool, typer.Option("--hypotheses", help="Also compare hypotheses. They may differ without harm.")
    ] = False,
    seconds: Annotated[float, typer.Option(help=SECONDS_HELP, metavar="S", min=0.1, max=3600.0)] = 5.0,
    as_json: AsJson = False,
) -> int:
    """Say which names and goals of obligations differ from Rodin's, and what Rodin's provers had done.

    The command reads the files that Rodin builds beside the components: *.bpo, *.bps, *.bcc and *.bcm. It exits with
    status 1 if a name, a goal or a type differs, or if synth refutes what Rodin's provers discharged. With --json, each
    line is an object about a component.
    """
    from synth_machines.answers.comparison import ComparisonOptions, compare
    from synth_machines.answers.proof_attempts import ProofOptions
    from synth_machines.views.comparison import compared_lines
    from synth_workers.execution import usable_cpus

    check_known("--as", as_, ("rodin", "definition"))
    is_same = True
    proving = ProofOptions(seconds)
    comparison = ComparisonOptions(
        as_ == "rodin", proving if prove else None, proving if verdicts else None, hypotheses, usable_cpus()
    )
    for compared in compare(project, comparison):
        is_same = is_same and compared.agrees
        if as_json:
            print_json(compared)
        else:
            print_lines(compared_lines(compared))
    return int(not is_same)
