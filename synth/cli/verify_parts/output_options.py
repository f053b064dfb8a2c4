"""The options of `synth verify` that say how and where it tells its answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from synth.cli.shared.output_files import OutFile, ReplaceFile, format_option
from synth_checker.errors import InputError

FORMATS = ("text", "html", "markdown", "csv", "svg")


class OutputOptions(NamedTuple):
    """How to tell the answers, and the folder that keeps them."""

    form: Annotated[str, format_option(FORMATS, "answer")] = "text"
    out: OutFile = None
    force: ReplaceFile = False
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object for each kernel.")] = False
    sarif: Annotated[
        Path | None,
        typer.Option(help="Also write the faults as SARIF 2.1.0, which editors and forges show.", metavar="FILE"),
    ] = None
    cache: Annotated[
        Path | None,
        typer.Option(help="Keep answers in this folder, and take those that are known from there.", metavar="FOLDER"),
    ] = None

    def check(self) -> None:
        """Raise InputError for two forms of an answer, or if a file that must not be replaced is there."""
        from synth_storage.files import check_file

        if self.as_json and (self.form != "text" or self.out is not None):
            raise InputError("--json prints JSON; leave it out to have another format, or to write a file with --out")
        for file in filter(None, (self.out, self.sarif)):
            check_file(file, force=self.force)

    @property
    def prints(self) -> bool:
        """Whether answers appear as they come."""
        return self.form == "text" and self.out is None
