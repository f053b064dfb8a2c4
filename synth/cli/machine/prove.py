"""`synth machine prove`: prove or refute what must be proved of components."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.machine.options import SECONDS_HELP, AsJson, ComponentName, Source, print_problems
from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.question_options import Jobs, TimeLimit, limits
from synth_checker.errors import InputError, quoted

EXAMPLE = "Example: synth machine prove @gpu --component GPU"


def prove_command(
    source: Source,
    component: ComponentName = None,
    obligation: Annotated[
        str | None, typer.Option(help="Only obligations whose name has this text, such as INV.", metavar="TEXT")
    ] = None,
    seconds: Annotated[float, typer.Option(help=SECONDS_HELP, metavar="S", min=0.1, max=3600.0)] = 20.0,
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Have cvc5 confirm each proof. It needs the extra solvers.")
    ] = False,
    proofs: Annotated[
        Path | None,
        typer.Option(help="Keep proofs in this file, and find those of earlier runs there.", metavar="FILE"),
    ] = None,
    steps: Annotated[
        int,
        typer.Option(
            help="For each refutation, look for an execution of so many steps at most. 0 looks for none.",
            metavar="N",
            min=0,
            max=1000,
        ),
    ] = 12,
    jobs: Jobs = None,
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
) -> int:
    """Prove each obligation for all values, or refute it with a state.

    A refutation is a state in which the hypotheses hold and the goal does not, as an evaluator has confirmed. The
    command then looks for an execution that begins with INITIALISATION and leads to such a state. Without --obligation,
    the command also shows, for each context, values for which its axioms hold. It exits with status 1 if an obligation
    is refuted or axioms contradict each other, and with 2 if a part of a component is not valid. If neither is so, but
    something is undecided, it exits with 3. With --json, each line is an object.
    """
    from synth_machines.answers.answer import decided_obligation
    from synth_machines.answers.files import checked_components
    from synth_machines.answers.proof_attempts import ProofOptions, prove
    from synth_machines.answers.proofs import Proofs
    from synth_machines.answers.reachability import ReachabilitySearch
    from synth_machines.checked_components import CheckedContext
    from synth_machines.obligations import obligations_of
    from synth_machines.obligations.of_contexts import consistency_of
    from synth_machines.views.machine import decided_lines, summary_lines
    from synth_workers.execution import usable_cpus

    checked = checked_components(source, component)
    print_problems(checked.problems)
    obligations = [
        obligation_
        for part in checked.valid
        for obligation_ in (
            *([consistency_of(part)] if isinstance(part, CheckedContext) else ()),
            *obligations_of(part),
        )
        if (obligation or "") in obligation_.full_name
    ]
    if obligation and not obligations:
        raise InputError(
            f"--obligation: no obligation has {quoted(obligation)} in its name; to see the names, run synth machine "
            "obligations"
        )
    proving = ProofOptions(seconds, "cvc5" if confirm else None, None if proofs is None else Proofs(proofs))
    search = ReachabilitySearch(checked.valid, steps)
    answers = []
    with limits(time_limit, None) as stop:
        for decided in prove(obligations, proving, jobs or usable_cpus(), lambda: stop.look() is not None):
            answers.append(decided_obligation(decided, search.reach(decided)))
            if as_json:
                print_json(answers[-1])
            else:
                print_lines(decided_lines(answers[-1]))
    if not as_json:
        print_lines(summary_lines(answers))
    verdicts = {decided.verdict for decided in answers}
    if checked.problems:
        return 2
    return 1 if verdicts & {"refuted", "contradictory"} else 3 if "undecided" in verdicts else 0
