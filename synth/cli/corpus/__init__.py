"""`synth corpus`: commands for corpora, with one module for each command."""

from __future__ import annotations

from synth.cli.corpus import diff, export, import_, info, list_, merge, query, sample, validate
from synth.cli.corpus.texts import CommandWithFormats, CommandWithReadFormats
from synth.cli.shared.command_class import group
from synth.cli.shared.command_list import GROUPS

app = group(
    GROUPS["corpus"],
    info.EXAMPLE,
    ("info", "Print what the manifest of a corpus says", info.info_command, info.EXAMPLE),
    ("list", "List the tests of a corpus, all or some", list_.list_command, list_.EXAMPLE),
    ("sample", "Choose tests of a corpus at random", sample.sample_command, sample.EXAMPLE),
    ("diff", "Compare two corpora test by test", diff.diff_command, diff.EXAMPLE),
    ("merge", "Make one corpus from several", merge.merge_command, merge.EXAMPLE),
    ("query", "Ask a corpus in SQL", query.query_command, query.EXAMPLE),
    ("validate", "Check everything that a corpus says", validate.validate_command, validate.EXAMPLE),
    ("export", "Write the tests of a corpus in another format", export.export_command, export.EXAMPLE),
    ("import", "Make a corpus from files in some format", import_.import_command, import_.EXAMPLE),
    classes={"export": CommandWithFormats, "import": CommandWithReadFormats},
)
