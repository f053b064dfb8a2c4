"""The formats in which tests are written and read, one module for each; docs/look-up/formats.md says how to add one.

`FORMATS` lists them. Each module describes its format in an object of class `Format`.
"""

from __future__ import annotations

from synth_checker.nearest import check_known
from synth_corpus.formats import (
    artifact,
    cadp,
    csv_,
    dartagnan,
    herd,
    jsonl,
    junit,
    mustpass,
    parquet,
    promela,
    published,
    results,
    text,
    tree,
    tuples,
)
from synth_corpus.formats.format import Export, Format, ImportedProgram, export_of

__all__ = ["FORMATS", "Export", "Format", "ImportedProgram", "export_of", "format_named"]

#: Every format by its name.
FORMATS: dict[str, Format] = {
    format_.name: format_
    for format_ in (
        jsonl.FORMAT,
        text.FORMAT,
        tuples.FORMAT,
        artifact.FORMAT,
        published.FORMAT,
        csv_.FORMAT,
        *results.FORMATS,
        herd.FORMAT,
        junit.FORMAT,
        mustpass.FORMAT,
        parquet.FORMAT,
        promela.FORMAT,
        cadp.FORMAT,
        dartagnan.FORMAT,
        *tree.FORMATS,
    )
}


def format_named(name: str, *, to_read: bool = False) -> Format:
    """Return the format with this name.

    Raises:
        InputError: there is no such format; or, with `to_read`, the format is only for writing.
    """
    fit = {format_.name: format_ for format_ in FORMATS.values() if format_.read is not None or not to_read}
    check_known("format", name, fit)
    return fit[name]
