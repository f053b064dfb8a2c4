"""`synth check`: print the verdicts of programs, which need not be tests."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.program_arguments import refuse_kernels
from synth.cli.shared.question_options import OWN_VERDICT, NamesOf
from synth.cli.shared.streams import has_reader, say
from synth.cli.shared.vocabulary import completer, one_of
from synth_checker.nearest import check_known

EXAMPLE = "Example: synth check 01100002-01100002 --model OBE.weak,fair"


def check_command(
    source: Annotated[
        str,
        typer.Argument(
            callback=refuse_kernels,
            metavar="FILE|-|ID|NAME",
            help="A file of programs as text or records, - for standard input, the id of a program, the name of a "
            "test, or a corpus.",
        ),
    ],
    model: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Judge only under this model, or only this verdict, such as OBE.weak: {{models}}. {OWN_VERDICT}",
            metavar="MODEL",
            autocompletion=completer("models", "verdicts"),
        ),
    ] = None,
    expect: Annotated[
        str | None,
        typer.Option(
            help="Exit with status 1 unless all verdicts are this one: pass or fail.",
            metavar="RESULT",
            autocompletion=one_of("pass", "fail"),
        ),
    ] = None,
    certify: Annotated[bool, typer.Option("--certify", help="Prove each verdict, and check the proof.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object for each program.")] = False,
    corpus: NamesOf = None,
) -> int:
    """Print the verdicts of programs, their normal forms, and the rules that they break.

    Rules and verdicts are those of the program as you give it. If its normal form has others, the output says so.

    With --certify each verdict has a certificate that an independent checker has accepted; see synth explain. Exits
    with status 1 if a verdict that --model names fails, or if a verdict differs from the one that --expect names.
    """
    from synth_litmus.facts.program_facts import certify_answer, check_given
    from synth_litmus.inputs.models import given_verdicts, split_words
    from synth_litmus.inputs.programs import given_programs

    if expect is not None:
        check_known("expect", expect, ("pass", "fail"))
    models, forms = given_verdicts(split_words(model)) if model else (None, None)
    programs = given_programs(source, corpus)
    answers = check_given(programs, forms, models, to_certify=certify, tell=lambda warning: say(f"synth: {warning}"))
    for answer in answers:
        shown_answer = certify_answer(answer, models) if certify else answer
        if as_json:
            print_json(shown_answer)
        else:
            from synth_litmus.views.program import check_lines

            print_lines(check_lines(shown_answer))
        if not has_reader():
            break
    expected = expect or ("pass" if model else None)
    verdicts = {verdict for answer in answers for verdict in answer.verdicts.values()}
    return int(expected is not None and verdicts != {expected})
