"""`synth machine show`: print components as text."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.machine.options import ComponentName, Source
from synth.cli.shared.answer_print import print_lines
from synth_checker.nearest import check_known, unknown

EXAMPLE = "Example: synth machine show @gpu --style camillex"
_STYLES = ("camille", "camillex")


def show_command(
    source: Source,
    component: ComponentName = None,
    style: Annotated[
        str,
        typer.Option(help="camille, or camillex, which has witnesses after actions.", metavar="camille|camillex"),
    ] = "camille",
) -> int:
    """Print contexts and machines as text, with symbols of Unicode and one line for each part.

    Comments are kept. The command reads the text, but does not check types or references.
    """
    from synth_machines.answers.files import read_project
    from synth_machines.texts.writer import written_components
    from synth_machines.views.machine import text_lines

    check_known("--style", style, _STYLES)
    components = read_project(source).components
    if component is not None and component not in components:
        raise unknown("component", component, components)
    shown = [component_ for name, component_ in components.items() if component in (None, name)]
    print_lines(text_lines(written_components(shown, "camille" if style == "camille" else "camillex")))
    return 0
