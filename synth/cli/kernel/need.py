"""`synth kernel need`: say which progress model a kernel needs, and show why less is not enough."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.kernel.options import takes_launches
from synth.cli.shared.answer_print import print_lines
from synth.cli.shared.document_answer import FORMATS, AnswerOutput
from synth.cli.shared.output_files import OutFile, ReplaceFile, format_option
from synth.cli.shared.question_options import Models, words
from synth_documents.phrases import shown

if TYPE_CHECKING:
    from synth.cli.kernel.options import LaunchQuestion
    from synth_documents.document import Document
    from synth_kernels.needs import Needs
    from synth_kernels.needs.device_results import DeviceResult

EXAMPLE = "Example: synth kernel need lock.cl --arg lock=0:1 --arg sum=0:1"


@takes_launches
def need_command(
    question: LaunchQuestion,
    model: Models = None,
    emit: Annotated[
        Path | None,
        typer.Option(
            help="Write the litmus tests with the verdicts of the kernel as a corpus, for synth campaign run.",
            metavar="DIR",
        ),
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(
            help="Say whether the devices of this campaign were seen to give what the kernel needs.", metavar="CAMPAIGN"
        ),
    ] = None,
    form: Annotated[str, format_option(FORMATS, "answer")] = "text",
    out: OutFile = None,
    force: ReplaceFile = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Say which progress model a kernel needs so that its launches must end, and show why less is not enough.

    The answer holds for the launches asked about, however their steps are ordered. It is no proof for larger ones. It
    also names the minimal litmus tests that pass and fail the same verdicts.

    With --results, exits with status 1 if a device violates every promise that is enough for the kernel.
    """
    from synth_kernels.needs.answer import need_answer
    from synth_kernels.needs.signature import check_suite_place, tests_like, write_suite
    from synth_kernels.views.needs import need_lines
    from synth_litmus.inputs.models import given_models

    output = AnswerOutput(form, out, force, as_json)
    output.check()
    models = given_models(words(model)) if model else None
    if emit is not None:
        check_suite_place(emit)
    if results is not None:
        from synth_campaigns.folder import settings_in

        settings_in(results)  # so that a wrong folder is refused before the work
    needs = question.judge(models)
    if isinstance(needs, int):
        return needs
    tests = tests_like(needs)
    lines, devices = (None, ()) if results is None else _devices(needs, results)
    output.tell(
        lambda: [*need_lines(needs, tests), *([] if lines is None else ["", *lines])],
        lambda: _document(needs, tests, lines),
        lambda: need_answer(needs, tests, devices),
    )
    if emit is not None:
        write_suite(tests, needs.kernel.name, emit)
        if not as_json and form == "text" and out is None:
            place = shown(str(emit))
            print_lines(["", f"The tests are in {place}. To run them: synth campaign run --device DEVICE {place}"])
    return int(any(device.claim == "violates" for device in devices))


def _document(needs: Needs, tests: list[str], devices: list[str] | None) -> Document:
    from synth_kernels.views.needs_document import need_document

    return need_document(needs, tests, devices)


def _devices(needs: Needs, results: Path) -> tuple[list[str], tuple[DeviceResult, ...]]:
    """Return what a campaign says of each device, in lines and as an answer."""
    from synth_kernels.needs.device_results import results_of
    from synth_kernels.views.device_results import results_lines

    devices = results_of(needs, results)
    return list(results_lines(needs, devices)), devices
