"""`synth show`: one program explained."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.options import NamesOf

EXAMPLE = "Example: synth show 01100002-01100002"


def show_command(
    source: Annotated[str, typer.Argument(metavar="ID|NAME|FILE", help="A program.")],
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON object.")] = False,
    corpus: NamesOf = None,
) -> None:
    """Explain one program: its name, its text, what each instruction is, its idioms, the rules, its verdicts."""
    from synth.inputs.named_tests import names_of
    from synth.inputs.programs import given_program
    from synth.judging.checking import check_programs
    from synth_checker.idioms import annotated, reordered_idiom

    given = given_program(source, corpus)
    (check,) = check_programs([given.program])
    called = names_of([check.id], corpus)[check.id]
    (idioms,) = annotated([check.id])
    if as_json:
        from synth.cli.check import check_json

        typer.echo(check_json(given, check, {"called": called, **idioms}))
        return

    from rich.table import Table

    from synth.cli.check import form_notes
    from synth.cli.summary import plain_console, print_table, title, verdict_table
    from synth_checker.question import split_name
    from synth_checker.rules import RULES
    from synth_checker.text import write_instruction
    from synth_checker.verdicts import count_states

    console = plain_console()
    program = check.program
    console.print(check.id if given.name == called else title(given.name, check.id), style="bold")
    split = split_name(map(len, program))
    states = count_states(check.id)
    console.print(f"{len(program)}x{program.size}, split {split}; {states} reachable states")
    console.print(f"called {called}")
    if "idiom" in idioms:
        console.print(f"idiom {idioms['idiom']}")
    elif reordered := reordered_idiom(check.id):
        console.print(f"{reordered} with its threads in another order, and with other verdicts")
    if "contains" in idioms:
        console.print(f"contains as a sub-program, which says nothing of verdicts: {', '.join(idioms['contains'])}")
    for note in form_notes(given, check):
        console.print(note)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    for tid, thread in enumerate(program):
        table.add_row(f"THREAD {tid}", "", style="bold")
        for pc in range(len(thread)):
            table.add_row(f"{pc}: {write_instruction(thread, pc)}", thread.kind(pc).value)
    print_table(console, table)
    for rule in RULES:
        console.print(f"{'breaks' if rule in check.breaks else 'keeps '} {rule}")
    console.print("A test." if check.is_test else "Not a test.")
    print_table(console, verdict_table(check.verdicts))
    for sentence in check.differences():
        console.print(sentence)
