"""`synth verify --measure`: how good the rules and engines are on kernels, as tables or as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.cli.shared.answer_print import print_json
from synth.cli.shared.output_files import put_text
from synth.cli.shared.progress_bar import progress_bar
from synth_checker.errors import InputError
from synth_checker.nearest import check_known

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth.cli.verify_parts.output_options import OutputOptions
    from synth_documents.table import Table
    from synth_kernels.verification import VerificationRequest

#: Tables are Markdown, CSV or HTML; the picture is the influence of rules on others.
FORMATS = ("markdown", "csv", "html", "svg")


def measure_and_print(source: Path, request: VerificationRequest, output: OutputOptions) -> int:
    """Measure the kernels of a file or a folder, write the tables, and return the exit code.

    What the measurements find does not count there, but what could not be measured does.
    """
    from synth_kernels.verification import exit_code
    from synth_kernels.verification.measures import measure_files, tables_of

    form = "markdown" if output.form == "text" else output.form
    check_known("format", form, FORMATS)
    if not request["options"].rules:
        raise InputError(
            "--measure measures rules, and none is left; leave out --no-infer, or choose others with --rules"
        )
    rows = []
    with progress_bar("synth verify --measure", "file") as show:
        for done, files, row in measure_files(source, request):
            rows.append(row)
            show(done, files, running=f"{row.file} {row.kernel}")
    tables = tables_of(rows, request["options"].rules)
    if output.as_json:
        from synth_analysis.tables.answer import table_answer

        print_json([table_answer(table.title, table) for table in tables])
    else:
        put_text(_written(source, tables, form), output.out, force=output.force)
    return exit_code([row.verdict for row in rows if row.measured is None])


def _written(source: Path, tables: Sequence[Table], form: str) -> str:
    from synth_analysis.tables.answer import csv_of
    from synth_analysis.views.influence import influence_figure
    from synth_documents.document import Document
    from synth_documents.html import html_of
    from synth_documents.markdown import markdown_of

    if form == "csv":
        return "\n".join(f"{table.title}\n{csv_of(table)}" for table in tables)
    if form == "svg":
        return influence_figure(next(table for table in tables if table.title == "Influence"))
    document = Document(f"Rules and engines on the kernels of {source.name}", tuple(tables))
    return html_of(document) if form == "html" else markdown_of(document, {})
