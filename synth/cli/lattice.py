"""`synth lattice`: order verdicts; each edge is proven or open, and each missing edge has its smallest witness."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.shared import answer_print
from synth.cli.shared.command_line import call_again
from synth.cli.shared.output_files import (
    AsJson,
    OutFile,
    ReplaceFile,
    check_force,
    chosen_format,
    format_option,
    put_text,
)
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.question_options import (
    BoundsOption,
    Jobs,
    Locations,
    Memory,
    Models,
    Threads,
    TimeLimit,
    Values,
    Without,
    bounds_argument,
    bounds_of,
    limits,
    question_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_search.lattice import Lattice

EXAMPLE = "Example: synth lattice --model HSA,OBE,fair"
FORMATS = ("text", "dot", "svg", "json")
DEFAULT_BOUNDS = "2x2..3x4"


def lattice_command(
    ctx: typer.Context,
    sizes: Annotated[list[str] | None, bounds_argument(DEFAULT_BOUNDS)] = None,
    bounds: BoundsOption = None,
    model: Models = None,
    locations: Locations = 2,
    values: Values = 2,
    without: Without = None,
    threads: Threads = 5,
    form: Annotated[str | None, format_option(FORMATS, default=FORMATS[0])] = None,
    as_json: AsJson = False,
    jobs: Jobs = None,
    memory: Memory = None,
    time_limit: TimeLimit = None,
    out: OutFile = None,
    force: ReplaceFile = False,
) -> int:
    """Order verdicts by what they guarantee, with a proof for each pair: inclusion of fair sets, or the smallest test.

    A pair for which there is neither proof is open up to the bounds. The output says for how many threads inclusion is
    known.
    """
    from synth_search.lattice import lattice_of
    from synth_search.lattice.answer import lattice_answer

    check_force(out, force=force)
    chosen = chosen_format(form, FORMATS, as_json=as_json)
    question = question_of(bounds_of(sizes, bounds, DEFAULT_BOUNDS), locations, values, without, model)
    with limits(time_limit, memory) as stop:
        with progress_bar(question.name) as progress:
            lattice = lattice_of(question, threads=threads, jobs=jobs, stop=stop, progress=progress)
        if chosen == "json" and out is None:
            answer_print.print_json(lattice_answer(lattice))
        else:
            put_text(_written(lattice, chosen, partial(call_again, ctx)), out, force=force)
        if not lattice.complete and stop.reason is not None:
            why = stop.fault or stop.reason.words
            typer.echo(f"synth: {why}; the result does not rest on all tests of the bounds", err=True)
        return stop.exit_code(complete=lattice.complete) or 0


def _written(lattice: Lattice, form: str, again: Callable[[int], str]) -> str:
    from synth_documents.graphs.dot import dot_of
    from synth_documents.graphs.graph import svg_of
    from synth_search.lattice.answer import lattice_answer
    from synth_search.lattice.picture import graph_of
    from synth_search.views.lattice import lines

    if form == "json":
        return f"{answer_print.as_json(lattice_answer(lattice))}\n"
    if form == "text":
        return "".join(f"{line}\n" for line in lines(lattice, again))
    return (svg_of if form == "svg" else dot_of)(graph_of(lattice))
