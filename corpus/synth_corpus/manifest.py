"""The manifest of a corpus: which question its records answer, whether the answer is complete, and what it contains.

Every run that answers the same question writes the same manifest, except for the key `run`. This key holds what differs
between runs: times, host, versions and how the question was asked.
"""

from __future__ import annotations

import json
import reprlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypedDict, TypeVar

from synth_checker.errors import InputError
from synth_checker.programs.program import MAX_VALUES
from synth_checker.programs.rules import DROPPABLE, RULES
from synth_checker.question import UP_TO, Question, parse_bounds
from synth_storage.folder_description import read_described

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_storage.strict_json import Json

#: The format that this release writes and reads.
FORMAT: Final = 1
KIND: Final = "progress litmus tests"
_T = TypeVar("_T")

# The JSON form, from which `schema` makes a JSON Schema.
Count = Annotated[int, {"minimum": 0}]
Limit = Annotated[int, {"minimum": 1, "maximum": MAX_VALUES}]
BoundText = Annotated[str, {"pattern": "^[1-9][0-9]{0,2}x[1-9][0-9]{0,2}$"}]
SplitText = Annotated[str, {"pattern": r"^[1-9][0-9]*(?:\+[1-9][0-9]*)*$"}]
Letters = Annotated[str, {"pattern": "^[pf]+$"}]


class QuestionFields(TypedDict):
    """The question that a corpus answers."""

    bounds: Annotated[list[BoundText], {"minItems": 1, "uniqueItems": True}]
    locations: Limit
    values: Limit
    without: Annotated[list[Annotated[str, {"enum": list(DROPPABLE)}]], {"uniqueItems": True}]
    models: Annotated[list[str], {"minItems": 1, "uniqueItems": True}]
    minimal: bool
    up_to: Annotated[list[Annotated[str, {"enum": list(UP_TO)}]], {"uniqueItems": True}]


class ManifestFields(TypedDict):
    """The manifest of a corpus. Every run that answers the same question gives the same values, except for `run`."""

    format: Literal[1]
    kind: Literal["progress litmus tests"]
    question: QuestionFields
    rules: Annotated[list[Annotated[str, {"enum": list(RULES)}]], {"uniqueItems": True}]
    models: dict[str, str]
    verdicts: Annotated[list[str], {"uniqueItems": True}]
    complete: bool
    tests: Count
    splits: dict[SplitText, Count]
    signatures: dict[Letters, Count]
    found: dict[str, Count]
    sha256: Annotated[str, {"pattern": "^[0-9a-f]{64}$"}]
    run: dict[str, Any]


@dataclass(frozen=True, slots=True, repr=False)
class Manifest:
    """The manifest of a corpus.

    - `tests` is the number of tests in the corpus.
    - `found` is empty if the question keeps all tests. Otherwise it counts all of them, before the question leaves some
      out: `tests` and, if they were counted, `behaviours`, `minimal` tests and `signatures`.
    - `models` maps the name of a model to its definition.
    - `splits` maps a split such as `2+1+1` to its number of tests.
    - `signatures` maps a signature, one letter `p` or `f` for each verdict, to its number of tests.
    - `sha256` is the checksum of the uncompressed records.
    """

    question: Question
    rules: tuple[str, ...]
    models: dict[str, str]
    verdicts: tuple[str, ...]
    complete: bool
    tests: int
    splits: dict[str, int]
    signatures: dict[str, int]
    found: dict[str, int] = field(default_factory=dict)
    sha256: str = ""
    run: dict[str, Json] = field(default_factory=dict)

    def __repr__(self) -> str:
        state = "complete" if self.complete else "incomplete"
        return f"<Manifest of {self.question.name}: {self.tests} tests, {state}>"

    def fields(self) -> ManifestFields:
        """Return the manifest as a dict, with the keys in their fixed order."""
        return {
            "format": FORMAT,
            "kind": KIND,
            "question": question_fields(self.question),
            "rules": list(self.rules),
            "models": self.models,
            "verdicts": list(self.verdicts),
            "complete": self.complete,
            "tests": self.tests,
            "splits": self.splits,
            "signatures": self.signatures,
            "found": self.found,
            "sha256": self.sha256,
            "run": self.run,
        }

    def to_json(self) -> str:
        """Return the manifest as an indented JSON text."""
        return json.dumps(self.fields(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    @staticmethod
    def from_json(text: str, source: str) -> Manifest:
        """Read a manifest. `source` is the name of the text in messages.

        Raises:
            InputError: the text is not a manifest, or has a format that this release does not know.
        """
        fields = read_described(text, source, KIND, FORMAT)
        try:
            return Manifest(
                question=question_in(fields),
                rules=_list(fields, "rules", str),
                models=_table(fields, "models", str),
                verdicts=_list(fields, "verdicts", str),
                complete=_one(fields, "complete", bool),
                tests=_one(fields, "tests", int),
                splits=_table(fields, "splits", int),
                signatures=_table(fields, "signatures", int),
                found=_table(fields, "found", int),
                sha256=_one(fields, "sha256", str),
                run=_object(fields, "run"),
            )
        except InputError as error:
            raise type(error)(f"{source}: {error}") from None


def question_fields(question: Question) -> QuestionFields:
    """Return a question as a dict, with the keys in their fixed order. This is the canonical form of the question."""
    return {
        "bounds": [str(bound) for bound in question.bounds],
        "locations": question.locations,
        "values": question.values,
        "without": list(question.without),
        "models": list(question.models),
        "minimal": question.minimal,
        "up_to": list(question.up_to),
    }


def question_in(fields: Mapping[str, object]) -> Question:
    """Read the question under the key `question` of a JSON object.

    Raises:
        InputError: there is no question, or it is not allowed.
    """
    asked_question = _object(fields, "question")
    return Question(
        parse_bounds(_list(asked_question, "bounds", str)),
        _one(asked_question, "locations", int),
        _one(asked_question, "values", int),
        _list(asked_question, "without", str),
        _list(asked_question, "models", str),
        _one(asked_question, "minimal", bool),
        _list(asked_question, "up_to", str),
    )


def incomplete_because(manifest: Manifest) -> str:
    """Describe in words why a corpus may lack tests of its question; return an empty text if it is complete."""
    return "" if manifest.complete else " and ".join(dict.fromkeys(_causes(manifest.run)))


def _causes(run: object, *, is_merged: bool = False) -> Iterator[str]:
    """Yield what made a corpus incomplete, from the notes about its run and about the corpora that were merged.

    `is_merged` means that the corpus has become a part of a merge.
    """
    said = run if isinstance(run, dict) else {}
    merged = said.get("merged")
    if isinstance(merged, list):
        parts = [cause for cause in merged if isinstance(cause, dict)]
        there = {bound for part in parts if part.get("complete") is True for bound in _bounds_in(part)}
        for part in parts:
            # An incomplete corpus lacks nothing where complete ones have all of its bounds.
            if part.get("complete") is not True and not (_bounds_in(part) and there.issuperset(_bounds_in(part))):
                yield from _causes(part.get("run"), is_merged=True)
    elif "imported" in said:
        yield "some of its tests were imported" if is_merged else "its tests were imported"
    elif "chosen" in said:
        yield "some of its tests were chosen from others" if is_merged else "its tests were chosen from others"
    else:
        yield "one of its runs was stopped" if is_merged else "its run was stopped"


def _bounds_in(part: Mapping[str, object]) -> list[str]:
    """Return the bounds of one of the corpora that were merged, if the notes give them."""
    bounds = part.get("bounds")
    return [str(bound) for bound in bounds] if isinstance(bounds, list) else []


def _one(table: Mapping[str, object], key: str, kind: type[_T]) -> _T:
    """Return the value of a key. The key must exist, and its value must have exactly that type."""
    value = table.get(key)
    if type(value) is not kind:  # bool is a subclass of int, but true is no number
        raise _unfit(key, value, kind.__name__)
    return value


def _list(table: Mapping[str, object], key: str, kind: type[_T]) -> tuple[_T, ...]:
    """Return the list under a key. All its values must have that type."""
    values = table.get(key)
    if not isinstance(values, list) or not all(isinstance(value, kind) for value in values):
        raise _unfit(key, values, f"a list of {kind.__name__}")
    return tuple(values)


def _table(table: Mapping[str, object], key: str, kind: type[_T]) -> dict[str, _T]:
    """Return the object under a key. All its values must have that type."""
    entries = table.get(key)
    if not isinstance(entries, dict) or not all(type(value) is kind for value in entries.values()):
        raise _unfit(key, entries, f"an object of {kind.__name__}")
    if kind is int and any(value < 0 for value in entries.values()):
        raise _unfit(key, entries, "an object of counts")
    return entries


def _object(table: Mapping[str, object], key: str) -> dict[str, Json]:
    """Return the object under a key, with any values."""
    fields = table.get(key)
    if not isinstance(fields, dict):
        raise _unfit(key, fields, "an object")
    return fields


def _unfit(key: str, value: object, expected: str) -> InputError:
    return InputError(f"{key}: found {'nothing' if value is None else reprlib.repr(value)}, expected {expected}")
