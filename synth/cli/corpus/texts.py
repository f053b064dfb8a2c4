"""Print tests in a text format, and list the formats in help texts, for the commands that write tests.

The package of the formats is imported only if a format is used, or if a help text lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.cli.shared.command_class import SynthCommand
from synth.cli.shared.streams import has_reader, print_data

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

    from synth_corpus.formats import Export, Format


def print_texts(form: Format, export: Export) -> None:
    """Print an export in a text format, for as long as somebody reads it."""
    from synth_corpus.exports import export_texts

    for text in export_texts(form, export):
        print_data(text)
        if not has_reader():
            break


class CommandWithFormats(SynthCommand):
    """A command whose help ends with a list of the formats."""

    to_read = False

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the list of formats, and then the usual end of a help text."""
        from synth_corpus.formats import FORMATS

        with formatter.section("Formats"):
            formatter.write_dl(
                [
                    (format_.name, format_.says)
                    for format_ in FORMATS.values()
                    if format_.read is not None or not self.to_read
                ]
            )
        super().format_epilog(ctx, formatter)


class CommandWithReadFormats(CommandWithFormats):
    """A command whose help ends with a list of those formats that can be read."""

    to_read = True
