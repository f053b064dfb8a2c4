"""`synth kernel check`: print whether launches of a kernel must end under each progress model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.kernel.options import takes_launches
from synth.cli.shared.document_answer import FORMATS, AnswerOutput
from synth.cli.shared.output_files import OutFile, ReplaceFile, format_option
from synth.cli.shared.question_options import OWN_VERDICT, words
from synth.cli.shared.vocabulary import completer

if TYPE_CHECKING:
    from synth.cli.kernel.options import LaunchQuestion

EXAMPLE = "Example: synth kernel check lock.cl --arg lock=0:1 --arg sum=0:1 --model OBE"


#: The exit status of an answer that is not known, as synth verify has it.
_UNKNOWN = 3


@takes_launches
def check_command(
    question: LaunchQuestion,
    model: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Judge only under this model, or only this verdict, such as OBE.weak: {{models}}. {OWN_VERDICT}",
            metavar="MODEL",
            autocompletion=completer("models", "verdicts"),
        ),
    ] = None,
    final: Annotated[
        str | None,
        typer.Option(
            help="Also check that this holds when all threads have ended, such as 'out[0] == 6'.", metavar="ASSERTION"
        ),
    ] = None,
    certify: Annotated[bool, typer.Option("--certify", help="Prove each verdict, and check the proof.")] = False,
    form: Annotated[str, format_option(FORMATS, "answer")] = "text",
    out: OutFile = None,
    force: ReplaceFile = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Print whether launches of a kernel must end under each progress model.

    With --certify each verdict has a certificate that an independent checker has accepted. Exits with status 1 if a
    launch fails a verdict that --model names, or ends although what --final says does not hold. Otherwise, it exits
    with 3 if one of these is not known.
    """
    from synth_checker.models import library, verdict_names
    from synth_kernels.needs.answer import needs_answer
    from synth_kernels.needs.final import final_of
    from synth_kernels.progress.final_assertions import Assertion
    from synth_kernels.views.needs import check_lines, end_lines, final_lines
    from synth_kernels.views.needs_document import check_document
    from synth_litmus.inputs.models import given_verdicts

    output = AnswerOutput(form, out, force, as_json)
    output.check()
    models, verdicts = given_verdicts(words(model)) if model else (None, verdict_names(library()))
    assertion = None if final is None else Assertion(final)
    needs = question.judge(models, to_certify=certify)
    if isinstance(needs, int):
        return needs
    final_report = None if assertion is None else final_of(needs, assertion)
    output.tell(
        lambda: [
            *check_lines(needs, verdicts, certified=certify),
            *([] if final_report is None else ["", *final_lines(needs, final_report)]),
            *end_lines(needs),
        ],
        lambda: check_document(needs, verdicts, final_report, certified=certify),
        lambda: replace(needs_answer(needs, verdicts), certified=certify or None, final=final_report),
    )
    holds = True if final_report is None else final_report.holds
    if holds is False or (model and not set(verdicts).isdisjoint(needs.failed)):
        return 1
    return _UNKNOWN if holds is None or (model and not set(verdicts) <= set(needs.passed)) else 0
