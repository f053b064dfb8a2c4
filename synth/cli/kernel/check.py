"""`synth kernel check`: print whether launches of a kernel must end under each progress model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.kernel.options import takes_launches
from synth.cli.options import OWN_VERDICT, words
from synth.cli.printing import print_json, print_lines
from synth.cli.vocabulary import completer

if TYPE_CHECKING:
    from synth.cli.kernel.options import Question

EXAMPLE = "Example: synth kernel check lock.cl --arg lock=0:1 --arg sum=0:1 --model OBE"


@takes_launches
def check_command(
    question: Question,
    model: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Judge only under this model, or only this verdict, such as OBE.weak: {{models}}. {OWN_VERDICT}",
            metavar="MODEL",
            autocompletion=completer("models", "verdicts"),
        ),
    ] = None,
    certify: Annotated[bool, typer.Option("--certify", help="Prove each verdict, and check the proof.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Print whether launches of a kernel must end under each progress model.

    With --certify each verdict has a certificate that an independent checker has accepted. Exits with status 1 if a
    launch fails a verdict that --model names.
    """
    from synth.inputs.given_models import given_verdicts
    from synth.kernel_needs.answer import needs_fields
    from synth.views.kernel_needs import check_lines
    from synth_checker.models import library, verdict_names

    models, verdicts = given_verdicts(words(model)) if model else (None, verdict_names(library()))
    found = question.judged(models, to_certify=certify)
    if isinstance(found, int):
        return found
    if as_json:
        print_json(needs_fields(found, verdicts, certified=certify))
    else:
        print_lines(check_lines(found, verdicts, certified=certify))
    return int(bool(model) and not set(verdicts) <= set(found.passed))
