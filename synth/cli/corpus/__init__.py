"""`synth corpus`: what can be done with a corpus, one module a command."""

from __future__ import annotations

import typer

from synth.cli.corpus import diff, export, import_, info, list_, merge, query, sample, verify
from synth.cli.corpus.texts import WithFormats, WithFormatsRead

app = typer.Typer(rich_markup_mode=None, help="Work with corpora.", epilog=info.EXAMPLE)


@app.callback()
def _corpus() -> None:
    """Keep each command a word of its own."""


app.command("info", epilog=info.EXAMPLE)(info.info_command)
app.command("list", epilog=list_.EXAMPLE)(list_.list_command)
app.command("sample", epilog=sample.EXAMPLE)(sample.sample_command)
app.command("diff", epilog=diff.EXAMPLE)(diff.diff_command)
app.command("merge", epilog=merge.EXAMPLE)(merge.merge_command)
app.command("query", epilog=query.EXAMPLE)(query.query_command)
app.command("verify", epilog=verify.EXAMPLE)(verify.verify_command)
app.command("export", cls=WithFormats, epilog=export.EXAMPLE)(export.export_command)
app.command("import", cls=WithFormatsRead, epilog=import_.EXAMPLE)(import_.import_command)
