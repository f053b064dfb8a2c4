"""The description of a format: its name, a line about it, and the functions that write and read tests in it.

A format writes text as a stream (`write`), or a file or folder (`put`). It may also read text (`read`). It writes
records, which come one line each, sorted by id. It reads programs, which may be tests or not; the caller makes records
of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from synth_checker.errors import InputError
from synth_checker.models import model_of, verdicts_meant
from synth_checker.nearest import unknown
from synth_corpus.parts import fields_of
from synth_corpus.store import RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from synth_checker.programs.program import Program
    from synth_corpus.parts import RecordParts
    from synth_corpus.store import Corpus
    from synth_storage.strict_json import Json


@dataclass(frozen=True, slots=True)
class Export:
    """The tests that a format writes.

    - `lines` is a function that returns the records, without line ends. It can be called several times.
    - `verdicts` are the names of their verdicts, in order.
    - `name` is the name of all these tests together.
    - `place_of` returns the file and line of a record.
    - `records` is the compressed file of the records, for formats that read the file themselves.
    - `model` is the verdict that the user selected, or a model for both its forms, and `table` the result table.
    - `models` maps the names of the models to their definitions.
    """

    lines: Callable[[], Iterable[bytes]]
    verdicts: tuple[str, ...]
    name: str = "tests"
    place_of: Callable[[bytes], str] = lambda _line: "record"
    records: Path | None = None
    model: str | None = None
    table: str | None = None
    models: Mapping[str, str] = field(default_factory=dict)

    def guarantees(self, test: RecordParts) -> bool:
        """Return whether a device that keeps the selected verdict, or both of a model, must let a test end."""
        return any(test.verdicts.get(name) == "pass" for name in verdicts_meant(self.model or "", self.verdicts))

    def tests(self) -> Iterator[RecordParts]:
        """Yield the records as fields, without their threads.

        Raises:
            InputError: a line is not a record; the message starts with its place.
        """
        for line in self.lines():
            yield fields_of(line, self.place_of)


@dataclass(frozen=True, slots=True)
class ImportedProgram:
    """A program that was read from a file, and what the file says about it.

    `source` is the file and the line of the program. The `verdicts` are those in the file, and are not checked yet.
    `more` holds the keys of a record that come after the verdicts.
    """

    program: Program
    source: str
    aliases: tuple[str, ...] = ()
    verdicts: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, Json] = field(default_factory=dict)


def export_of(corpus: Corpus, *, model: str | None = None, table: str | None = None) -> Export:
    """Return the tests of a corpus as an export.

    `model` is the selected verdict, and `table` the selected result table.
    """
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
    """Return whether a text can be an alias: one word of printable characters."""
    return bool(text) and text.isprintable() and " " not in text


class FormatWriter(Protocol):
    """A function that writes tests to a file or a folder."""

    def __call__(self, export: Export, place: Path, *, force: bool) -> None:
        """Write the tests to `place`; with `force`, replace an earlier file or folder of the same kind.

        Raises:
            InputError: nothing can be put at this place.
            ResourceError: writing failed.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format in which tests are written or read.

    - `says` is a short description, and `suffix` is the ending of the names of its files.
    - `needs` names the fields of `Export` that the user must give as options, and `takes` those that the user may give.
    - `of_passing` says that only the tests that pass the verdict `model` matter for the format.
    - `read` takes the lines of a file, with line ends, and the name of the file. Its InputError starts with that name
      and the line.
    """

    name: str
    says: str
    suffix: str
    write: Callable[[Export], Iterator[str]] | None = None
    put: FormatWriter | None = None
    read: Callable[[Iterable[str], str], Iterator[ImportedProgram]] | None = None
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    of_passing: bool = False

    def check_options(self, export: Export) -> None:
        """Raise InputError if an option is missing that the format needs, or one is given that it does not take."""
        for option in ("model", "table"):
            value = getattr(export, option)
            if value is None and option in self.needs:
                raise InputError(f"format {self.name}: this format needs the option --{option}")
            if value is not None and option not in self.needs + self.takes:
                raise InputError(f"format {self.name}: leave out --{option} {value}, which this format does not take")
        if export.model is not None and not verdicts_meant(export.model, export.verdicts):
            known = tuple(dict.fromkeys((*map(model_of, export.verdicts), *export.verdicts)))
            raise unknown("model", export.model, known, f"a model or verdict out of {', '.join(known)}")
