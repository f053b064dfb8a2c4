"""`synth machine check`: check types and references."""

from __future__ import annotations

from synth.cli.machine.options import AsJson, ComponentName, Source
from synth.cli.printing import print_json, print_lines

EXAMPLE = "Example: synth machine check @gpu"


def check_command(source: Source, component: ComponentName = None, as_json: AsJson = False) -> int:
    """Check that components refer to what is there, and that all formulas are well typed.

    The command proves nothing. It prints what each component has, and notes about what is doubtful.
    """
    from synth.machines.answer import component_fields
    from synth.machines.files import checked_components, read_project
    from synth.views.machine import check_lines

    found = [component_fields(one) for one in checked_components(read_project(source), component)]
    if as_json:
        print_json(found)
    else:
        print_lines(check_lines(found))
    return 0
