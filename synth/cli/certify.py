"""`synth certify`: a proof that the tests of a question are those of a corpus, and its verification."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth_checker.errors import InputError

EXAMPLE = "Example: synth certify 3x4.corpus --out 3x4.certificate"

_TRUSTED = """\
Still to be trusted:
- docs/certificates.md: that every test satisfies the formula it describes, and that synth_encodings.plain writes that;
- synth_checker.twin, which judged the listed tests;
- {checker};
- this Python and this machine, on which the formulas were made anew and compared."""


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
    from synth.certifying.making import SplitSummary, certify

    def say(done: SplitSummary) -> None:
        typer.echo(f"{done.name}: {_tests(done.tests)}; {done.clauses} clauses with all of them blocked have no model")

    question, ids = read_listing(source, bounds)
    certify(question, ids, out, force=force, progress=say)
    typer.echo(f"{_tests(len(ids))} of {question.name}, and no other; to check that: synth certify --verify {out}")


def _verify(folder: Path, checker: str | None) -> None:
    from synth.certifying.checkers import checker_named
    from synth.certifying.verifying import verify

    def say(split: str, tests: int) -> None:
        typer.echo(f"{split}: {_tests(tests)}, proof checked")

    chosen = checker_named(checker or "native")
    proven = verify(folder, chosen, progress=say)
    typer.echo(f"proven: {proven.question.name} has exactly {_tests(proven.tests)}, those in {folder}")
    typer.echo(_TRUSTED.format(checker=chosen.trusted))


def _tests(number: int) -> str:
    return f"{number} test{'' if number == 1 else 's'}"
