"""`synth explore`: write one page on which to look at the tests of corpora, and at what campaigns found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.printing import print_lines
from synth.cli.vocabulary import completer

EXAMPLE = "Example: synth explore @complete/3x4 --out 3x4.html"


def explore_command(
    folders: Annotated[
        list[str],
        typer.Argument(
            metavar="FOLDER...",
            help="Corpora, campaigns, or folders with some of them.",
            autocompletion=completer("corpora"),
        ),
    ],
    out: Annotated[Path, typer.Option(help="The file to write.", metavar="FILE")] = Path("explore.html"),
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Write one HTML file that shows the tests of corpora, and what campaigns found, in a browser.

    The file needs no network and no other file. It has a table of the tests with their verdicts, filters, and a page
    for each test. Of campaigns it shows what is claimed of each device, with the evidence. Of two corpora or two
    campaigns it also shows what differs.
    """
    from synth.exploring import explored
    from synth.views.explored_results import packed_results, suites
    from synth.views.exploring import lines
    from synth_explorer.packing import check_size
    from synth_explorer.page import page_of
    from synth_storage.files import check_file, put_bytes

    corpora, findings = explored(folders)
    tests = suites(findings) if findings else []
    check_size(corpora, tests)
    check_file(out, force=force)
    put_bytes(out, page_of(corpora, tests, packed_results(findings) if findings else None), force=force)
    print_lines(lines(corpora, tests, out))
