"""Read the programs that a word of the command line names.

The word is a file, `-` for standard input, an id, a corpus, or the name of a test. A file holds programs in text form,
or records, one a line; its first character tells which. Names, aliases, and the beginnings of names and ids are looked
up in a corpus, or in the corpora that ship. A full id needs no corpus. A word that looks like an id but is none, such
as `mute`, may be the beginning of a name.
"""

from __future__ import annotations

import errno
import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.models import LIBRARY
from synth_checker.programs.id_layout import ID_PATTERN
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import read_programs
from synth_corpus.record import read_record
from synth_corpus.record_models import KEY
from synth_corpus.shipped import locate_corpus
from synth_storage.folders import beginning
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from synth_checker.programs.program import Program
    from synth_storage.strict_json import Json


#: The most bytes of a file of programs. A larger file is a corpus, or a mistake.
MAX_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class GivenProgram:
    """A program as a user gave it, with its name if it has one, and the place that it came from.

    `verdicts` are the names of the verdicts that its record has, and `models` the definitions of the models beside the
    six, by name, that its record or its corpus has.
    """

    name: str | None
    program: Program
    source: str
    verdicts: tuple[str, ...] = ()
    models: Mapping[str, Json] = field(default_factory=dict)


def given_programs(word: str, corpus: str | None = None) -> list[GivenProgram]:
    """Return the programs that a word of the command line names, at least one.

    Names of tests are looked up in `corpus`.

    Raises:
        InputError: there is no such file or test, the word names several tests, or a file holds no program or one that
            can't be read.
        ResourceError: a disk or device failed while the programs were read.
    """
    source = "<stdin>" if word == "-" else word
    try:
        programs = _given(word, source, corpus)
    except OSError as error:
        raise refusal(source, error, "programs") from error
    if not programs:
        raise InputError(f"{source}: found no program, expected at least one program")
    return programs


def given_program(word: str, corpus: str | None = None) -> GivenProgram:
    """Return the single program that a word of the command line names.

    Raises:
        InputError: the word names no program or several, or the program can't be read.
    """
    programs = given_programs(word, corpus)
    if len(programs) > 1:
        raise InputError(f"{word}: found {len(programs)} programs, expected a single program")
    return programs[0]


def _given(word: str, source: str, corpus: str | None) -> list[GivenProgram]:
    if word == "-":
        return _read(
            sys.stdin.buffer.read(MAX_BYTES + 1) if sys.stdin else b"", source
        )  # nothing if standard input is closed
    path = locate_corpus(word)
    if not _exists(path):
        return [_of_word(word, source, corpus)]
    if path.is_dir():
        from synth_corpus.store import Corpus  # only a corpus needs this import

        corpus_ = Corpus(path)
        own = {name: text for name, text in corpus_.manifest.models.items() if name not in LIBRARY}
        records = (_of_record(line, f"{source}:{number}") for number, line in enumerate(corpus_.lines(), 1))
        return [replace(record, models=own) for record in records]
    return _read(beginning(path, MAX_BYTES + 1), source)


def _of_word(word: str, source: str, corpus: str | None) -> GivenProgram:
    """Return the program that a word names as an id, or as the name of a test or its beginning."""
    why_no_id = ""
    if ID_PATTERN.fullmatch(word):
        try:
            return GivenProgram(None, program_of_id(word), source)
        except InputError as error:
            why_no_id = f"; as an {error}"
    from synth_litmus.inputs.named_tests import named_test

    try:
        test = named_test(word, corpus)
    except InputError as error:
        raise InputError(f"{error}{why_no_id}") from error
    return GivenProgram(test.name, program_of_id(test.id), source)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # the id of a large program is too long for a file name
            return False
        raise


def _read(data: bytes, source: str) -> list[GivenProgram]:
    if len(data) > MAX_BYTES:
        raise InputError(
            f"{source}: found more than {MAX_BYTES >> 20} MB, which is too large; give a smaller file or a corpus"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{source}:{line}: found a byte that is not UTF-8, expected programs in text form or records"
        ) from None
    if text.lstrip()[:1] == "{":
        lines = enumerate(text.split("\n"), 1)  # splitlines would cut at characters that names may hold
        return [_of_record(line, f"{source}:{number}") for number, line in lines if line.strip()]
    return [GivenProgram(p.name, p.program, f"{source}:{p.line}") for p in read_programs(text, source)]


def _of_record(line: str, source: str) -> GivenProgram:
    record = read_record(line, source)
    name = record.more.get("name")
    # JSON can hold half of a surrogate pair, which can't be printed. It is shown as the escape that JSON has for it.
    shown = name.encode("utf-8", "backslashreplace").decode("utf-8") if isinstance(name, str) else None
    models = record.more.get(KEY)
    own = models if isinstance(models, dict) else {}
    return GivenProgram(shown, record.program, source, tuple(record.verdicts), own)
