"""`synth corpus`: what can be done with a corpus, one module a command."""

from __future__ import annotations

import typer

from synth.cli.command import Command, Group
from synth.cli.corpus import diff, export, import_, info, list_, merge, query, sample, verify
from synth.cli.corpus.texts import WithFormats, WithFormatsRead

app = typer.Typer(
    cls=Group,
    rich_markup_mode=None,
    help="Work with corpora: list, compare, merge, verify, export.",
    epilog=info.EXAMPLE,
)


@app.callback()
def _corpus() -> None:
    """Keep each command a word of its own."""


for name, cls, short_help, run, example in (
    ("info", Command, "Print what a corpus says of itself", info.info_command, info.EXAMPLE),
    ("list", Command, "List the tests of a corpus, all or some", list_.list_command, list_.EXAMPLE),
    ("sample", Command, "Draw tests of a corpus at random", sample.sample_command, sample.EXAMPLE),
    ("diff", Command, "Compare two corpora test by test", diff.diff_command, diff.EXAMPLE),
    ("merge", Command, "Make one corpus of several", merge.merge_command, merge.EXAMPLE),
    ("query", Command, "Ask a corpus in SQL", query.query_command, query.EXAMPLE),
    ("verify", Command, "Verify all that a corpus says", verify.verify_command, verify.EXAMPLE),
    ("export", WithFormats, "Write the tests of a corpus in another format", export.export_command, export.EXAMPLE),
    ("import", WithFormatsRead, "Make a corpus of files in some format", import_.import_command, import_.EXAMPLE),
):
    app.command(name, cls=cls, short_help=short_help, epilog=example)(run)
