"""`synth kernel need`: say which progress model a kernel needs, and show why less is not enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.kernel.options import takes_launches
from synth.cli.options import Models, words
from synth.cli.printing import print_json, print_lines

if TYPE_CHECKING:
    from synth.cli.kernel.options import Question

EXAMPLE = "Example: synth kernel need lock.cl --arg lock=0:1 --arg sum=0:1"


@takes_launches
def need_command(
    question: Question,
    model: Models = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Say which progress model a kernel needs so that its launches must end, and show why less is not enough.

    The answer holds for the launches asked about, however their steps are ordered. It is no proof for larger ones.
    """
    from synth.inputs.given_models import given_models
    from synth.kernel_needs.answer import needs_fields
    from synth.views.kernel_needs import need_lines

    models = given_models(words(model)) if model else None
    found = question.judged(models)
    if isinstance(found, int):
        return found
    if as_json:
        print_json(needs_fields(found, found.not_enough[:1]))
    else:
        print_lines(need_lines(found))
    return 0
