"""`synth certify`: a proof that the tests of a question are those of a corpus, and its verification."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.printing import print_lines
from synth_checker.errors import InputError

EXAMPLE = "Example: synth certify 3x4.corpus --out 3x4.certificate"


def certify_command(
    source: Annotated[
        str | None, typer.Argument(metavar="CORPUS|FILE", help="The tests: a corpus, or a file of records or programs.")
    ] = None,
    bounds: Annotated[
        list[str] | None,
        typer.Option(
            help="The bounds whose tests a FILE claims to hold: TxN, a comma list, or AxB..CxD.", metavar="BOUNDS"
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="The certificate, a folder.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a certificate that is there.")] = False,
    verify: Annotated[Path | None, typer.Option(metavar="DIR", help="Verify this certificate instead.")] = None,
    checker: Annotated[
        str | None,
        typer.Option(
            metavar="CHECKER",
            help="What checks the proofs: native or python, which are synth's own, dratify, or the path of drat-trim.  "
            "[default: native]",
        ),
    ] = None,
) -> int:
    """Prove that the listed tests are all tests of their question, and each one a test; or verify such a proof.

    Leaves with 0 if that is proven, and with 1 if not and the reason.
    """
    from synth.certifying import Refuted

    try:
        if verify is not None:
            if source is not None or bounds or out is not None or force:
                msg = "certify: found --verify and something to certify, expected either"
                raise InputError(msg)
            _verify(verify, checker)
        else:
            if source is None or out is None or checker is not None:
                msg = "certify: expected a corpus or file and --out DIR, or --verify DIR with or without --checker"
                raise InputError(msg)
            _certify(source, bounds or [], out, force=force)
    except Refuted as reason:
        typer.echo(f"refuted: {reason}")
        return 1
    return 0


def _certify(source: str, bounds: list[str], out: Path, *, force: bool) -> None:
    from synth.certifying.listing import read_listing
    from synth.certifying.making import certify
    from synth.views.certifying import certified_lines, certified_split_lines

    question, ids = read_listing(source, bounds)
    splits = certify(question, ids, out, force=force, tell=lambda split: print_lines(certified_split_lines(split)))
    print_lines(certified_lines(question, splits, out))


def _verify(folder: Path, checker: str | None) -> None:
    from synth.certifying.checkers import checker_named
    from synth.certifying.verifying import verify
    from synth.views.certifying import verified_lines, verified_split_lines

    chosen = checker_named(checker or "native")
    proven = verify(folder, chosen, tell=lambda split: print_lines(verified_split_lines(split)))
    print_lines(verified_lines(proven, folder, chosen))
