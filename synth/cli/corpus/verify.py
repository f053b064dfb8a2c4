"""`synth corpus verify`: whether a corpus is what it says it is."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from synth.cli.printing import print_json, print_lines
from synth.cli.vocabulary import completed

EXAMPLE = "Example: synth corpus verify 3x4.corpus"


def verify_command(
    folder: Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus.", autocompletion=completed("corpora"))],
    limit: Annotated[int, typer.Option(min=1, help="Tell at most so many faults.", metavar="N")] = 1000,
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON object a fault, and one of what is not checked.")
    ] = False,
) -> int:
    """Verify a corpus: checksum, counts, order, ids, normal forms, rules, and all verdicts decided anew.

    Reports each fault with file and line, and the entries of the manifest that its records do not decide. Exits with
    status 1 if there is a fault, and with 2 if there is no corpus.
    """
    from synth.views.verifying import fault_lines, lines
    from synth_corpus.store import Corpus
    from synth_corpus.verify_answer import VerifyAnswer, fault_fields, verify_fields
    from synth_corpus.verifying import faults

    corpus = Corpus(folder)
    found = faults(corpus)
    told = 0
    for fault in islice(found, limit):
        if as_json:
            print_json(fault_fields(fault), compact=False)
        else:
            print_lines(fault_lines(fault))
        told += 1
    left = sum(1 for _ in found)
    answer = VerifyAnswer(corpus, told + left, told)
    if as_json:
        print_json(verify_fields(answer), compact=False)
    else:
        print_lines(lines(answer))
    return int(told > 0)
