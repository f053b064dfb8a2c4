"""`synth machine animate`: steps of a machine by choice or at random, and a drawing of its states."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.machine.options import AsJson, Limits, Settings, Source
from synth.cli.shared.answer_print import as_json as json_text
from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.output_files import ReplaceFile, check_force, put_text
from synth_checker.errors import InputError
from synth_documents.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_machines.animation.machine_steps import Animation
    from synth_machines.answers.animation import RandomWalk

EXAMPLE = "Example: synth machine animate counter.eventb --set most=4 --seed 1 --out trace.json"
_LEAST = 1


def animate_command(
    source: Source,
    component: Annotated[
        str | None,
        typer.Option(
            "--component", help="The machine to animate.  [default: the one that no other refines]", metavar="NAME"
        ),
    ] = None,
    settings: Settings = None,
    limit: Limits = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Choose each step at random, with this seed.", metavar="N")
    ] = None,
    steps: Annotated[int, typer.Option(min=_LEAST, help="End after so many steps.", metavar="N")] = 100,
    graph: Annotated[
        Path | None,
        typer.Option(help="Draw all states instead, into this file: .svg, or .dot for Graphviz.", metavar="FILE"),
    ] = None,
    states: Annotated[int, typer.Option(min=_LEAST, help="Draw so many states at most.", metavar="N")] = 200,
    proofs: Annotated[
        Path | None,
        typer.Option(
            help="In each state, evaluate the obligations whose proofs synth machine prove has kept in this file.",
            metavar="FILE",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the trace into this file, as JSON.", metavar="FILE")] = None,
    force: ReplaceFile = False,
    as_json: AsJson = False,
) -> int:
    """Step through a machine in a setting: a size for each carrier set, and values of constants.

    Without --seed, the command prints the events that can happen and reads the number of one of them. The letter q or
    the end of the input ends this. It exits with status 1 if an invariant does not hold or something is ill-defined.
    """
    from synth_machines.answers.animation import animation_of, machine_of, random_walk
    from synth_machines.answers.files import read_project
    from synth_machines.answers.reachability import proved_of
    from synth_machines.answers.traces import trace_fields
    from synth_machines.views.animation import walk_lines

    if out is None and graph is None:
        check_force(out, force=force)
    if as_json and seed is None:
        raise InputError("--json needs --seed, because only a random trace ends by itself")
    animation = animation_of(machine_of(read_project(source, partly=True), component), settings or [], limit or [])
    if graph is not None:
        return _draw(animation, graph, states, force=force)
    proved = None if proofs is None else proved_of(animation, proofs)
    walk, is_faulty = None, False
    for walk in random_walk(animation, seed, steps) if seed is not None else _chosen(animation, steps):
        is_faulty = is_faulty or bool(walk.violated or walk.findings)
        if proved is not None:
            proved.check(walk.steps)
        if not as_json:
            print_lines(walk_lines(walk))
    if proved is not None and not as_json:
        print_lines([f"{count(len(proved), 'proved obligation')} hold in all states of this trace"])
    fields = trace_fields(animation, walk, steps)
    if as_json:
        print_json(fields)
    if out is not None:
        put_text(json_text(fields) + "\n", out, force=force)
    return int(is_faulty)


def _draw(animation: Animation, file: Path, most: int, *, force: bool) -> int:
    from synth_documents.graphs.dot import dot_of
    from synth_documents.graphs.graph import svg_of
    from synth_machines.answers.animation import state_graph

    if file.suffix not in {".svg", ".dot"}:
        raise InputError(f"--graph: found {str(file)!r}, expected a file .svg or .dot")
    graph = state_graph(animation, most)
    put_text(svg_of(graph) if file.suffix == ".svg" else dot_of(graph), file, force=force)
    print_lines([*graph.notes, f"drew {len(graph.nodes)} states"])
    return 0


def _chosen(animation: Animation, most: int) -> Iterator[RandomWalk]:
    """Yield a walk after each step that somebody chooses by its number."""
    from synth_machines.answers.animation import RandomWalk
    from synth_machines.views.animation import option_lines

    walk = RandomWalk(animation)
    while walk.options and len(walk.steps) < most:
        print_lines(option_lines(walk))
        word = sys.stdin.readline().strip() if sys.stdin else ""
        if word in {"", "q"}:
            return
        if not (word.isascii() and word.isdigit()) or not 1 <= int(word) <= len(walk.options):
            print_lines([f"found {word!r}, expected a number from 1 to {len(walk.options)}, or q"], to_stderr=True)
            continue
        walk.take(int(word) - 1)
        yield walk
