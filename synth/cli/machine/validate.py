"""`synth machine validate`: check types and references."""

from __future__ import annotations

from synth.cli.machine.options import AsJson, ComponentName, Source, print_problems
from synth.cli.shared.answer_print import print_json, print_lines

EXAMPLE = "Example: synth machine validate @gpu"


def validate_command(source: Source, component: ComponentName = None, as_json: AsJson = False) -> int:
    """Check that components refer to what is there, and that all formulas are well typed.

    The command proves nothing. It prints what each component has, and notes about what is doubtful. What is not valid
    is named, the rest is checked, and the command exits with status 2.
    """
    from synth_machines.answers.answer import summary_of
    from synth_machines.answers.files import checked_components
    from synth_machines.views.machine import check_lines

    checked = checked_components(source, component)
    print_problems(checked.problems)
    components = [summary_of(component) for component in checked.valid]
    if as_json:
        print_json(components)
    else:
        print_lines(check_lines(components))
    return 2 if checked.problems else 0
