"""`synth kernel explain`: show step by step how a launch of a kernel may hang under a progress model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.kernel.options import takes_launches
from synth.cli.shared.document_answer import FORMATS, AnswerOutput
from synth.cli.shared.output_files import OutFile, ReplaceFile, format_option
from synth.cli.shared.question_options import OWN_SINGLE_VERDICT
from synth.cli.shared.vocabulary import completer

if TYPE_CHECKING:
    from synth.cli.kernel.options import LaunchQuestion

EXAMPLE = "Example: synth kernel explain lock.cl --arg lock=0:1 --arg sum=0:1 --model HSA.weak"


@takes_launches
def explain_command(
    question: LaunchQuestion,
    model: Annotated[
        str,
        typer.Option(
            help=f"The verdict to explain: {{verdicts}}. {OWN_SINGLE_VERDICT}",
            metavar="VERDICT",
            autocompletion=completer("models", "verdicts"),
        ),
    ],
    form: Annotated[str, format_option(FORMATS, "answer")] = "text",
    out: OutFile = None,
    force: ReplaceFile = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Show step by step how a launch may hang on a device that keeps the promise of a progress model.

    If the launch must end, the answer says so.
    """
    from synth_kernels.needs.answer import needs_answer
    from synth_kernels.views.needs import end_lines, hang_lines
    from synth_kernels.views.needs_document import explain_document
    from synth_litmus.inputs.models import given_verdicts

    output = AnswerOutput(form, out, force, as_json)
    output.check()
    models, verdicts = given_verdicts([model])
    needs = question.judge(models)
    if isinstance(needs, int):
        return needs
    output.tell(
        lambda: [
            *(line for n, verdict in enumerate(verdicts) for line in (*[""] * (n > 0), *hang_lines(needs, verdict))),
            *end_lines(needs),
        ],
        lambda: explain_document(needs, verdicts),
        lambda: needs_answer(needs, verdicts),
    )
    return 0
