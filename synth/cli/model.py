"""`synth model`: list the progress models, show what one says, and compare two."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.command_class import group
from synth.cli.shared.command_line import call_again
from synth.cli.shared.command_list import GROUPS
from synth.cli.shared.vocabulary import completer

LIST_EXAMPLE = "Example: synth model list"
SHOW_EXAMPLE = "Example: synth model show 'mine = live & (stepped | lowest(live - stepped))'"
EQUAL_EXAMPLE = "Example: synth model equal LOBE 'live & upto(stepped)'"
Threads = Annotated[
    int,
    typer.Option(min=1, help="Show the model for programs of T threads; compare it for up to five or T.", metavar="T"),
]
_WORD = (
    "The model: {models}. A model of your own is an expression such as 'live & stepped', a definition "
    "'NAME = EXPRESSION', or FILE:NAME for the model NAME of a file."
)


def list_command(
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """List the models of the library, those that ship beside it, and those that packages have registered."""
    from synth_litmus.facts.model_facts import known_models
    from synth_litmus.views.model import known_lines

    models = known_models()
    if as_json:
        print_json(models)
    else:
        print_lines(known_lines(models))


def show_command(
    ctx: typer.Context,
    model: Annotated[str, typer.Argument(metavar="MODEL", help=_WORD, autocompletion=completer("models"))],
    threads: Threads = 2,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object with all states.")] = False,
) -> None:
    """Show what a model says: its definition, its states, and how it compares with the six models of the library."""
    from synth_litmus.facts.model_facts import describe_model
    from synth_litmus.inputs.models import described_model
    from synth_litmus.views.model import description_lines

    description = describe_model(described_model(model), threads)
    if as_json:
        print_json(description)
    else:
        print_lines(description_lines(description, partial(call_again, ctx)))


def equal_command(
    ctx: typer.Context,
    first: Annotated[str, typer.Argument(metavar="A", help=_WORD, autocompletion=completer("models"))],
    second: Annotated[
        str,
        typer.Argument(
            metavar="B", help="The model to compare with A, written as A.", autocompletion=completer("models")
        ),
    ],
    threads: Annotated[int, typer.Option(min=1, help="Compare the models for up to T threads.", metavar="T")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Say whether two models guarantee the same, and if not, after which shortest history they differ.

    They are the same if they guarantee steps to the same threads wherever an execution may go on without end. Exits
    with status 1 if they differ.
    """
    from synth_litmus.facts.model_facts import check_threads, compare_models
    from synth_litmus.inputs.models import described_model
    from synth_litmus.views.model import difference_lines

    check_threads(threads)
    models = described_model(first), described_model(second)
    answer = compare_models(models, threads)
    if as_json:
        print_json(answer)
    else:
        print_lines(difference_lines(answer, models, partial(call_again, ctx)))
    return int(not answer.equal)


app = group(
    GROUPS["model"],
    LIST_EXAMPLE,
    ("list", "List all known models", list_command, LIST_EXAMPLE),
    ("show", "Show what a model says", show_command, SHOW_EXAMPLE),
    ("equal", "Say whether two models are the same, or how they differ", equal_command, EQUAL_EXAMPLE),
)
