"""`synth corpus verify`: whether a corpus is what it says it is."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from synth.cli.vocabulary import completed
from synth.views.words import shown, tests

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
    from synth_corpus.manifest import incomplete_because
    from synth_corpus.manifest_faults import unchecked
    from synth_corpus.store import Corpus
    from synth_corpus.verifying import faults

    corpus = Corpus(folder)
    found = faults(corpus)
    told = 0
    for place, text in islice(found, limit):
        typer.echo(json.dumps({"place": place, "text": text}) if as_json else shown(f"{place}: {text}"))
        told += 1
    left = sum(1 for _ in found)
    manifest = corpus.manifest
    if as_json:
        typer.echo(json.dumps({"not_checked": unchecked(manifest)}))
    else:
        where = shown(str(folder))
        if told:
            more = f", {told} of them told" if left else ""
            typer.echo(f"{where}: {told + left} fault{'' if told + left == 1 else 's'}{more}")
        else:
            because = incomplete_because(manifest)
            complete = f"incomplete: {because}" if because else "complete"
            typer.echo(f"{where}: no fault in {tests(manifest.tests)} of {manifest.question.name}, {complete}")
        reasons: dict[str, list[str]] = {}
        for entry, why in unchecked(manifest).items():
            reasons.setdefault(why, []).append(entry)
        for why, entries in reasons.items():
            typer.echo(shown(f"not checked: {', '.join(entries)}: {why}"))
    return int(told > 0)
