"""What a format is: a name, a line about it, and what writes and reads tests in it.

A format writes text, as a stream (`write`), or makes a file or a folder of its own (`put`); it may read text (`read`).
Records are what comes in when it writes, one line each, sorted by id; what it reads are programs, tests or not, of
which whoever asked makes records.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from synth_checker.errors import InputError
from synth_checker.nearest import unknown
from synth_corpus.parts import fields_of
from synth_corpus.store import RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from synth_checker.programs.program import Program
    from synth_corpus.parts import Fields
    from synth_corpus.store import Corpus
    from synth_storage.strict_json import Json


@dataclass(frozen=True, slots=True)
class Export:
    """The tests that are to be written.

    `lines` gives the records, raw and without line ends, anew at each call; `verdicts` are the names of their verdicts
    in order, and `models` maps the names of their models to definitions; `name` is what the whole is called. `place_of`
    says in which line of which file a record stands, and `records` is the compressed file that they lie in, for what
    reads files itself. `model` is the verdict, and `table` the result table, that was asked for.
    """

    lines: Callable[[], Iterable[bytes]]
    verdicts: tuple[str, ...]
    name: str = "tests"
    place_of: Callable[[bytes], str] = lambda _line: "record"
    records: Path | None = None
    model: str | None = None
    table: str | None = None
    models: Mapping[str, str] = field(default_factory=dict)

    def tests(self) -> Iterator[Fields]:
        """The records, read but for their threads.

        Raises:
            InputError: one is none; the message starts with its place.
        """
        for line in self.lines():
            yield fields_of(line, self.place_of)


@dataclass(frozen=True, slots=True)
class Given:
    """A program that was read: where it stood, and what was said of it.

    `verdicts` are those that came with it, which nobody has checked; `more` holds keys of a record behind those.
    """

    program: Program
    source: str
    aliases: tuple[str, ...] = ()
    verdicts: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, Json] = field(default_factory=dict)


def export_of(corpus: Corpus, *, model: str | None = None, table: str | None = None) -> Export:
    """The tests of a corpus, to be written: with the verdict and the result table that the format is to speak of."""
    manifest = corpus.manifest
    return Export(
        corpus.raw_lines,
        manifest.verdicts,
        manifest.question.name,
        corpus.place_of,
        corpus.folder / RECORDS,
        model=model,
        table=table,
        models=manifest.models,
    )


def is_alias(text: str) -> bool:
    """Whether a text can be an alias: one word that can be printed."""
    return bool(text) and text.isprintable() and " " not in text


class Put(Protocol):
    """Makes a file or a folder of tests; with `force` an earlier one is replaced."""

    def __call__(self, export: Export, place: Path, *, force: bool) -> None:
        """Raises InputError where nothing can be put there, and ResourceError where writing failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format. `needs` and `takes` are options of `Export` that must and that may be given, `suffix` is that of files.

    `of_passing` says that the format is about the tests that pass the verdict `model`.

    `read` gets the lines of a file with their line ends, and what messages call it; it raises InputError that starts
    with that and the line.
    """

    name: str
    says: str
    suffix: str
    write: Callable[[Export], Iterator[str]] | None = None
    put: Put | None = None
    read: Callable[[Iterable[str], str], Iterator[Given]] | None = None
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    of_passing: bool = False

    def check_options(self, export: Export) -> None:
        """Raise InputError unless exactly the options are given that this format has a use for."""
        for option in ("model", "table"):
            given = getattr(export, option)
            if given is None and option in self.needs:
                msg = f"format {self.name}: found no --{option}, expected one"
                raise InputError(msg)
            if given is not None and option not in self.needs + self.takes:
                msg = f"format {self.name}: found --{option} {given}, expected none"
                raise InputError(msg)
        if export.model is not None and export.model not in export.verdicts:
            forms = [name for name in export.verdicts if name.startswith(f"{export.model}.")]
            meant = f"one verdict out of {', '.join(forms or export.verdicts)}"
            raise unknown("model", export.model, () if forms else export.verdicts, meant)
