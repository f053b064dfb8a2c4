"""`synth report`: what campaigns show of devices, as a document for those who make them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.shared.output_files import OutFile, ReplaceFile, check_force, format_option, put_text
from synth.cli.shared.question_options import Models
from synth.cli.shared.streams import say
from synth_checker.nearest import check_known

if TYPE_CHECKING:
    from synth_documents.document import Document

EXAMPLE = "Example: synth report sim.campaign --out report.html"
FORMATS = ("html", "markdown")


def report_command(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="The folders of one or more campaigns.")],
    form: Annotated[str, format_option(FORMATS, "report")] = "html",
    model: Models = None,
    patterns: Annotated[
        bool, typer.Option("--patterns", help="Also count who had finished when a launch hung, as sharper evidence.")
    ] = False,
    out: OutFile = None,
    force: ReplaceFile = False,
) -> None:
    """Write a report about devices: what was claimed, on which evidence, and what was not tested.

    The report is one HTML file without a script, which you can print and send to a vendor. As Markdown, its figures are
    SVG files beside FILE, and without --out it has no figures. The figures need Matplotlib, which the extra 'plot'
    installs. The same campaigns give the same bytes.
    """
    from synth_analysis.tables.report import report_of
    from synth_analysis.views.report import report_document
    from synth_documents.html import html_of

    check_force(out, force=force)
    check_known("format", form, FORMATS)
    report = report_of(folders, model or (), by_patterns=patterns)
    if report.lacks:
        say(f"synth: {report.lacks}; the report has no figures")
    document = report_document(report)
    if form == "html":
        put_text(html_of(document), out, force=force)
    else:
        _put_markdown(document, out, force=force)


def _put_markdown(document: Document, out: Path | None, *, force: bool) -> None:
    """Write a document as Markdown, and its pictures beside it."""
    from synth_documents.document import Picture
    from synth_documents.markdown import markdown_of
    from synth_storage.files import check_file, put_bytes

    pictures = [block for block in document.blocks if isinstance(block, Picture)] if out else []
    files = {picture.name: out.with_name(f"{out.stem}-{picture.name}.svg") for picture in pictures if out}
    for file in (*files.values(), *([out] if out else [])):
        check_file(file, force=force)
    for picture in pictures:
        put_bytes(files[picture.name], picture.svg.encode("utf-8"), force=force)
    put_text(markdown_of(document, {name: file.name for name, file in files.items()}), out, force=force)
