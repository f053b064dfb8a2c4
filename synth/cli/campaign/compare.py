"""`synth campaign compare`: what changed between two drivers, devices, loads or releases."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines

EXAMPLE = "Example: synth campaign compare old.campaign new.campaign"


def compare_command(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="A campaign, or a folder with some.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The campaign or folder to compare it with.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Say which tests hang more or less often than before: on another driver, device, load or release.

    Cells are compared that have the same test, mapping and instances on both sides. Exits with status 1 if a rate has
    changed, and with 0 if no change was found. Then the answer says which change would have been found.
    """
    from synth_analysis.tables.comparison import compare_campaigns, comparison_answer
    from synth_analysis.views.comparison import comparison_lines

    comparison = compare_campaigns(before, after)
    if as_json:
        print_json(comparison_answer(comparison))
    else:
        print_lines(comparison_lines(comparison))
    return 1 if comparison.comparison.changed else 0
