"""`synth emit`: tests as programs that run on devices."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EXAMPLE = "Example: synth emit --target cpp 01100002-01100002 --out mutex"


def emit_command(
    tests: Annotated[list[str], typer.Argument(metavar="TESTS", help="Ids, files with programs, '-', or corpora.")],
    target: Annotated[str, typer.Option(help="What to write: cpp.")],
    out: Annotated[Path, typer.Option(help="The folder to write.")],
    force: Annotated[bool, typer.Option("--force", help="Replace what an earlier call has written there.")] = False,  # noqa: FBT002
) -> None:
    """Write tests as programs of a target, in normal form, with all that builds and runs them."""
    from synth_backends.target import LitmusTest, load_target

    from synth.checking import check_programs
    from synth.programs import given_programs

    language = load_target(target)
    given = [one for word in tests for one in given_programs(word)]
    checks = check_programs([one.program for one in given])
    found: dict[str, LitmusTest] = {}
    for one, check in zip(given, checks, strict=True):
        found.setdefault(check.id, LitmusTest(one.name or check.id, check.id, check.program, check.verdicts))
    files = language.emit(list(found.values()))
    _write(files, out, force=force)
    typer.echo(f"{len(found)} test{'' if len(found) == 1 else 's'} in {out}; its README.md says how to build and run")


def _write(files: dict[str, str], folder: Path, *, force: bool) -> None:
    from synth_backends.target import MARK
    from synth_corpus.folders import put_folder

    def fill(new: Path) -> None:
        for name, text in files.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_text(text, "utf-8", newline="\n")

    def is_ours(place: Path) -> bool:
        readme = place / "README.md"
        return readme.is_file() and MARK in readme.read_text("utf-8", "replace")

    put_folder(folder, fill, force=force, is_ours=is_ours, kind="an earlier output of synth emit")
