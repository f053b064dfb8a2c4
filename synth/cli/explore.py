"""`synth explore`: write one page on which to look at the tests of corpora."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.printing import print_lines
from synth.cli.vocabulary import completer

EXAMPLE = "Example: synth explore @complete/3x4 --out 3x4.html"


def explore_command(
    corpora: Annotated[
        list[Path],
        typer.Argument(
            metavar="CORPUS...", help="The corpora: folders, or corpora that ship.", autocompletion=completer("corpora")
        ),
    ],
    out: Annotated[Path, typer.Option(help="The file to write.", metavar="FILE")] = Path("explore.html"),
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Write one HTML file that shows the tests of corpora in a browser.

    The file needs no network and no other file. It has a table of the tests with their verdicts, filters, and a page
    for each test. Of two corpora it also shows what differs.
    """
    from synth.views.exploring import lines
    from synth_corpus.store import Corpus
    from synth_explorer.packing import check_size
    from synth_explorer.page import page_of
    from synth_storage.files import check_file, put_bytes

    given = [Corpus(folder) for folder in corpora]
    check_size(given)
    check_file(out, force=force)
    put_bytes(out, page_of(given), force=force)
    print_lines(lines(given, out))
