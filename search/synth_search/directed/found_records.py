"""Write the tests that a directed search has found as records into a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.chunks import CHUNK
from synth_checker.models import verdict_names
from synth_checker.verdicts import judge
from synth_corpus.parts import with_more
from synth_corpus.record import RecordWriter
from synth_corpus.record_models import definitions_of
from synth_storage.files import put_file

if TYPE_CHECKING:
    from pathlib import Path

    from synth_search.directed.query import Directed


def write_tests(directed: Directed, out: Path, *, force: bool = False) -> None:
    """Write tests into a file, one record a line, the smallest first, with the verdicts of all models.

    A record also defines the models that are not among the six.

    Raises:
        InputError: the file can't be written, or it exists and `force` is not given.
        ResourceError: writing failed.
    """
    models = directed.query.wanted.models
    writer = RecordWriter(verdict_names(models))
    ids, own = directed.tests, definitions_of(models)

    def line(id_: str, passes: int) -> bytes:
        return with_more(writer.line(id_, passes)[:-1].encode(), own) + b"\n"

    def fill(new: Path) -> None:
        with new.open("wb") as file:
            for first in range(0, len(ids), CHUNK):
                piece = ids[first : first + CHUNK]
                file.writelines(map(line, piece, judge(piece, models)))

    put_file(out, fill, force=force)
