"""`synth certify`: prove that a corpus has exactly the tests of its question, or verify such a proof."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_lines
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
        Path | None, typer.Option(metavar="DIR", help="Verify the certificate in this folder, instead of making one.")
    ] = None,
    checker: Annotated[
        str | None,
        typer.Option(
            metavar="CHECKER",
            help="The checker of the proofs: native or python (both are parts of synth), dratify, or the path of "
            "drat-trim.  "
            "[default: native]",
        ),
    ] = None,
) -> int:
    """Prove that a list has all tests of a question and nothing else, or verify such a proof.

    Exits with status 0 if that is proven. Otherwise prints the reason and exits with status 1.
    """
    from synth_search.completeness import RefutedClaim

    try:
        if verify is not None:
            if source is not None or bounds or out is not None or force:
                raise InputError(
                    "--verify cannot be combined with tests to certify, --bounds, --out or --force; use two calls"
                )
            _verify(verify, checker)
        else:
            if source is None or out is None or checker is not None:
                raise InputError(
                    "certify: give a corpus or file and --out DIR, or --verify DIR with or without --checker"
                )
            _certify(source, bounds or [], out, force=force)
    except RefutedClaim as reason:
        print_lines([f"refuted: {reason}"])
        return 1
    return 0


def _certify(source: str, bounds: list[str], out: Path, *, force: bool) -> None:
    from synth_search.completeness.proof import certify
    from synth_search.completeness.test_list import read_listing
    from synth_search.views.completeness import certified_lines, certified_split_lines

    question, ids = read_listing(source, bounds)
    splits = certify(question, ids, out, force=force, tell=lambda split: print_lines(certified_split_lines(split)))
    print_lines(certified_lines(question, splits, out))


def _verify(folder: Path, checker: str | None) -> None:
    from synth_search.completeness.checkers import checker_named
    from synth_search.completeness.verification import verify
    from synth_search.views.completeness import verified_lines, verified_split_lines

    chosen = checker_named(checker or "native")
    proven = verify(folder, chosen, tell=lambda split: print_lines(verified_split_lines(split)))
    print_lines(verified_lines(proven, folder, chosen))
