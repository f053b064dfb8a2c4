"""`synth audit`: check a certificate that somebody made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines

EXAMPLE = "Example: synth audit 3x4.certificate"


def audit_command(
    certificate: Annotated[Path, typer.Argument(metavar="CERTIFICATE", help="The folder that synth certify wrote.")],
    checker: Annotated[
        str,
        typer.Option(
            metavar="CHECKER",
            help="The checker of the proofs: native or python (both are parts of synth), dratify, or the path of "
            "drat-trim.",
        ),
    ] = "native",
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Check a certificate without trusting who made it, and print what it proves and what you must still trust.

    Exits with status 1, and prints the reason, if the certificate does not prove its claim.
    """
    from synth_search.completeness.answer import audited
    from synth_search.views.completeness import audited_lines, audited_split_lines

    answer = audited(certificate, checker, None if as_json else lambda split: print_lines(audited_split_lines(split)))
    if as_json:
        print_json(answer)
    else:
        print_lines(audited_lines(answer))
    return 0 if answer.proven else 1
