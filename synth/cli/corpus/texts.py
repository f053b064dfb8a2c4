"""What commands that write tests in some format have in common: the text as it comes, and which formats there are.

The package of the formats is imported only where one is used, or where somebody asks which there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from synth.cli.command import Command
from synth.cli.streams import is_heard

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

    from synth_corpus.formats import Export, Format


def print_texts(form: Format, export: Export) -> None:
    """Print an export in a format that is text, for as long as somebody reads it."""
    from synth.exchange.exporting import export_texts

    for text in export_texts(form, export):
        typer.echo(text, nl=False)
        if not is_heard():
            break


class WithFormats(Command):
    """A command whose help ends with what each format is."""

    to_read = False

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the formats, and then what follows in any help."""
        from synth_corpus.formats import FORMATS

        with formatter.section("Formats"):
            formatter.write_dl(
                [(one.name, one.says) for one in FORMATS.values() if one.read is not None or not self.to_read]
            )
        super().format_epilog(ctx, formatter)


class WithFormatsRead(WithFormats):
    """The same, of the formats that can be read."""

    to_read = True
