"""`synth explore`: write one page on which to look at the tests of corpora, and at what campaigns found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from synth.cli.shared.answer_print import print_lines
from synth.cli.shared.vocabulary import completer
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from synth_corpus.store import Corpus
    from synth_explorer.page_data import PageSuite

EXAMPLE = "Example: synth explore @complete/3x4 --out 3x4.html"


def explore_command(
    folders: Annotated[
        list[str],
        typer.Argument(
            metavar="FOLDER...",
            help="Corpora, campaigns, or folders with some of them; files or folders that synth suite or synth emit "
            "has written.",
            autocompletion=completer("corpora"),
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="The file to write.  [default: explore.html]", metavar="FILE")
    ] = None,
    serve: Annotated[
        bool,
        typer.Option(
            "--serve",
            help="Write no file. Show the page at an address of this machine until Ctrl-C. Each time it is loaded, it "
            "shows what the folders then hold.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Write one HTML file that shows the tests of corpora, and what campaigns found, in a browser.

    The file needs no network and no other file. It has a table of the tests with their verdicts, filters, and a page
    for each test. Of campaigns it shows what is claimed of each device, with the evidence. Of two corpora or two
    campaigns it also shows what differs.
    """
    from synth_explorer.server import PageServer
    from synth_explorer.views.page import lines, served_lines
    from synth_storage.files import check_file, put_bytes

    if serve and (out is not None or force):
        raise InputError("--serve: found --out or --force, which are for a file; leave them out")
    corpora, tests, page = _gather(folders)
    if serve:
        page()  # so that the command refuses at once what no page can show
        with PageServer(lambda: _gather(folders).page()) as server:
            print_lines(served_lines(corpora, tests, server.address))
            server.serve_forever()
        return
    out = out or Path("explore.html")
    check_file(out, force=force)
    put_bytes(out, page(), force=force)
    print_lines(lines(corpora, tests, out))


class _PageSources(NamedTuple):
    corpora: Sequence[Corpus]
    suites: Sequence[PageSuite]
    page: Callable[[], bytes]


def _gather(folders: list[str]) -> _PageSources:
    """Read what the folders hold. The page of it is made when it is asked for, because that takes longer."""
    from synth_explorer.page import page_of
    from synth_explorer.page_content import page_content
    from synth_explorer.page_data import check_size
    from synth_explorer.views.results import packed_results, suites

    corpora, chosen, findings = page_content(folders)
    tests = [*chosen, *(suites(findings) if findings else [])]
    check_size(corpora, tests)
    return _PageSources(corpora, tests, lambda: page_of(corpora, tests, packed_results(findings) if findings else None))
