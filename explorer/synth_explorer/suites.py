"""Read suites again, to look at them: what `synth suite` has written, and the tests that `synth emit` has written.

The verdicts are decided again, under the six models and those that the files define, and must be those of the files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.models import verdict_names
from synth_checker.programs.normal import program_of_id
from synth_checker.verdicts import judge
from synth_corpus.record import Record, read_record, signature
from synth_corpus.record_models import all_models, check_known, models_in
from synth_explorer.page_data import PageSuite
from synth_search.suites.records import is_folder_of_suites
from synth_storage import strict_json
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

#: The file in each folder of emitted tests that has their verdicts.
_EXPECTED = "expected.json"
_WAY_OUT = "make a corpus of the file with synth corpus import --model, and explore that"


def suites_in(path: Path) -> list[PageSuite]:
    """Return the suites in a file or folder of suites, or in a folder of emitted tests; none if it is not one of these.

    Raises:
        InputError: a file can't be read, or has verdicts that are wrong or of a model that it does not define.
        ResourceError: reading failed.
    """
    try:
        return [_suite(file, dict(_records(file))) for file in _files(path)]
    except OSError as error:
        raise refusal(path, error, "tests of a suite") from error


def _files(path: Path) -> list[Path]:
    """Return the files that hold the tests. All targets of one emission have the same tests, so one of them counts."""
    if path.is_file():
        return [path]
    if is_folder_of_suites(path):
        return sorted(path.glob("*.jsonl"))
    return [file for file in (path / _EXPECTED, *sorted(path.glob(f"*/{_EXPECTED}"))) if file.is_file()][:1]


def _records(file: Path) -> Iterator[tuple[str, Record]]:
    """Yield the records of a file by their places."""
    try:
        text = file.read_text("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{file}: found a byte that is not UTF-8, expected tests of a suite") from None
    if file.name == _EXPECTED:
        yield from _emitted(text, str(file))
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield f"{file}:{number}", read_record(line, f"{file}:{number}")


def _emitted(text: str, place: str) -> Iterator[tuple[str, Record]]:
    try:
        folder_fields = strict_json.loads(text)
        tests = folder_fields["tests"]
        verdicts = {id_: dict(fields["verdicts"]) for id_, fields in tests.items()}
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise InputError(f"{place}: found other JSON than synth emit writes, expected the verdicts of tests") from None
    for id_, said in verdicts.items():
        yield f"{place}: test {id_}", Record(id_, program_of_id(id_), said, folder_fields)


def _suite(file: Path, records: Mapping[str, Record]) -> PageSuite:
    models = all_models((), {place: models_in(record.more, place) for place, record in records.items()})
    for place, record in records.items():
        check_known(record.verdicts, models, place, _WAY_OUT)
    ids = [record.id for record in records.values()]
    for (place, record), mask in zip(records.items(), judge(ids, models) if ids else (), strict=True):
        decided = signature(mask, verdict_names(models))
        for name, said in record.verdicts.items():
            if said != decided[name]:
                raise InputError(
                    f"{place}: found {said} for {name}, but synth decides {decided[name]}; import the file to see all"
                )
    idioms = {record.id: record.more for record in records.values()}
    return PageSuite(file.parent if file.name == _EXPECTED else file, ids, kind="corpus", models=models, idioms=idioms)
