"""Commands that write a text to standard output or, with `--out`, to a file, which only `--force` replaces."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from synth.cli.shared.streams import encoded, print_data
from synth.cli.shared.vocabulary import one_of
from synth_checker.errors import InputError
from synth_checker.nearest import check_known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typer.models import OptionInfo

OutFile: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The file to write.  [default: standard output]")
]
ReplaceFile: TypeAlias = Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")]


def format_option(words: Sequence[str], what: str = "output", default: str = "") -> OptionInfo:
    """Return the option `--format` of a command, which takes one of `words`. `what` is what they are formats of.

    If the parameter has no default of its own, `default` has the words of the help.
    """
    option: OptionInfo = typer.Option(
        "--format",
        metavar="FORMAT",
        help=f"The format of the {what}: {', '.join(words)}." + f"  [default: {default}]" * bool(default),
        autocompletion=one_of(*words),
    )
    return option


#: The short form of --format json, or of --format jsonl.
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="The same as --format json.")]
AsJsonLines: TypeAlias = Annotated[bool, typer.Option("--json", help="The same as --format jsonl.")]


def chosen_format(form: str | None, formats: Sequence[str], *, as_json: bool) -> str:
    """Return the format of an output: that of `--format`, or the one of JSON with `--json`, or the first.

    Raises:
        InputError: there is no such format, or the two contradict each other.
    """
    json_format = "json" if "json" in formats else "jsonl"
    if form is not None:
        check_known("format", form, formats)
    if as_json and form not in {None, json_format}:
        raise InputError(f"--json cannot be combined with --format {form}; use one of the two")
    return json_format if as_json else form or formats[0]


def check_force(out: Path | None, *, force: bool, what: str = "file") -> None:
    """Raise InputError for `--force` without `--out`. `what` is what `--out` names."""
    if force and out is None:
        raise InputError(f"--force needs --out, which names the {what} to replace")


def check_svg(svg: Path | None, *, force: bool) -> None:
    """Raise InputError for `--force` without `--svg`, or if the file of `--svg` may not be written.

    A long run had better know this before it starts.
    """
    from synth_storage.files import check_file

    if svg is not None:
        check_file(svg, force=force)
    elif force:
        raise InputError("--force needs --svg, which names the file to replace")


def put_text(text: str, out: Path | None, *, force: bool) -> None:
    """Write a text to a file, or to standard output without one.

    Raises:
        InputError: the file exists, and `force` is false.
        ResourceError: the disk or the file system failed.
    """
    from synth_storage.files import put_bytes

    if out is None:
        print_data(text)
    else:
        put_bytes(out, encoded(text), force=force)
