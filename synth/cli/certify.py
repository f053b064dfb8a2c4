"""`synth certify`: prove that a corpus has exactly the tests of its question, and write the proof down."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.audit import audit_command
from synth.cli.shared.answer_print import print_json, print_lines
from synth_checker.errors import InputError

EXAMPLE = "Example: synth certify 3x4.corpus --out 3x4.certificate"


def certify_command(
    source: Annotated[
        str | None, typer.Argument(metavar="CORPUS|FILE", help="The tests: a corpus, or a file of records or programs.")
    ] = None,
    bounds: Annotated[
        list[str] | None,
        typer.Option(help="The bounds of the tests in FILE: TxN, several with commas, or AxB..CxD.", metavar="BOUNDS"),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder for the certificate.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a certificate that is in the folder.")] = False,
    verify: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The old name of synth audit DIR.", hidden=True)
    ] = None,
    checker: Annotated[
        str | None, typer.Option(metavar="CHECKER", help="The checker for --verify.", hidden=True)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Prove that a list has all tests of a question and nothing else. To check the proof, call synth audit.

    Exits with status 0 if that is proven. Otherwise prints the reason and exits with status 1.
    """
    from synth_search.completeness.answer import certified
    from synth_search.views.completeness import certified_lines, certified_split_lines

    if verify is not None:
        if source is not None or bounds or out is not None or force:
            raise InputError(
                "--verify cannot be combined with tests to certify, --bounds, --out or --force; use two calls"
            )
        return audit_command(verify, checker or "native", as_json)
    if source is None or out is None or checker is not None:
        raise InputError("certify: give a corpus or file and --out DIR; to check a certificate: synth audit DIR")
    tell = None if as_json else lambda split: print_lines(certified_split_lines(split))
    answer = certified(source, bounds or [], out, force=force, tell=tell)
    if as_json:
        print_json(answer)
    else:
        print_lines(certified_lines(answer))
    return 0 if answer.proven else 1
