"""The manifest of a corpus: which question its records answer, whether completely, and what is in it.

All but the key `run` is the same for every run that answers the same question; what varies (times, host, versions, how
it was asked) is under `run`.
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
from synth_storage.described import read_described

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_storage.strict_json import Json

#: The format that this release writes and reads.
FORMAT: Final = 1
KIND: Final = "progress litmus tests"
_T = TypeVar("_T")

# The JSON form, as in `record`.
Count = Annotated[int, {"minimum": 0}]
Limit = Annotated[int, {"minimum": 1, "maximum": MAX_VALUES}]
BoundText = Annotated[str, {"pattern": "^[1-9][0-9]{0,2}x[1-9][0-9]{0,2}$"}]
SplitText = Annotated[str, {"pattern": r"^[1-9][0-9]*(?:\+[1-9][0-9]*)*$"}]
Letters = Annotated[str, {"pattern": "^[pf]+$"}]


class QuestionFields(TypedDict):
    """What was asked for."""

    bounds: Annotated[list[BoundText], {"minItems": 1, "uniqueItems": True}]
    locations: Limit
    values: Limit
    without: Annotated[list[Annotated[str, {"enum": list(DROPPABLE)}]], {"uniqueItems": True}]
    models: Annotated[list[str], {"minItems": 1, "uniqueItems": True}]
    minimal: bool
    up_to: Annotated[list[Annotated[str, {"enum": list(UP_TO)}]], {"uniqueItems": True}]


class ManifestFields(TypedDict):
    """What a corpus says of itself; all but `run` is the same for every run that answers the question."""

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
    """What a corpus says of itself.

    `tests` is how many there are here, and `found` of how many they were kept, where not all are: `tests` and, where
    they were counted, `behaviours`, `minimal` ones and `signatures`. `models` maps a model's name to its definition,
    `splits` a split such as `2+1+1` to its number of tests, and `signatures` a signature, one letter `p` or `f` a
    verdict, to its number. `sha256` is of the records, uncompressed.
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
        """The manifest as a dict, keys in their order."""
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
        """The manifest as an indented JSON text."""
        return json.dumps(self.fields(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    @staticmethod
    def from_json(text: str, source: str) -> Manifest:
        """Read a manifest.

        Raises:
            InputError: the text is none, or has a format that this release does not know.
        """
        found = read_described(text, source, KIND, FORMAT)
        try:
            return Manifest(
                question=question_in(found),
                rules=_list(found, "rules", str),
                models=_table(found, "models", str),
                verdicts=_list(found, "verdicts", str),
                complete=_one(found, "complete", bool),
                tests=_one(found, "tests", int),
                splits=_table(found, "splits", int),
                signatures=_table(found, "signatures", int),
                found=_table(found, "found", int),
                sha256=_one(found, "sha256", str),
                run=_object(found, "run"),
            )
        except InputError as error:
            msg = f"{source}: {error}"
            raise type(error)(msg) from None


def question_fields(question: Question) -> QuestionFields:
    """A question as a dict, keys in their order: its canonical form."""
    return {
        "bounds": [str(bound) for bound in question.bounds],
        "locations": question.locations,
        "values": question.values,
        "without": list(question.without),
        "models": list(question.models),
        "minimal": question.minimal,
        "up_to": list(question.up_to),
    }


def question_in(found: Mapping[str, object]) -> Question:
    """The question under the key `question` of a JSON object.

    Raises:
        InputError: there is none, or one that can't be asked.
    """
    asked = _object(found, "question")
    return Question(
        parse_bounds(_list(asked, "bounds", str)),
        _one(asked, "locations", int),
        _one(asked, "values", int),
        _list(asked, "without", str),
        _list(asked, "models", str),
        _one(asked, "minimal", bool),
        _list(asked, "up_to", str),
    )


def incomplete_because(manifest: Manifest) -> str:
    """Why a corpus may lack tests that answer its question, in words; empty where it is complete."""
    return "" if manifest.complete else " and ".join(dict.fromkeys(_causes(manifest.run, "its tests", "its run")))


def _causes(run: object, tests: str, whole: str) -> Iterator[str]:
    """What made a corpus incomplete, by what is said of its run, and of the runs of those that it was merged of."""
    said = run if isinstance(run, dict) else {}
    merged = said.get("merged")
    if isinstance(merged, list):
        parts = [one for one in merged if isinstance(one, dict)]
        there = {bound for one in parts if one.get("complete") is True for bound in _bounds_in(one)}
        for one in parts:
            # An incomplete corpus lacks nothing where complete ones have all of its bounds.
            if one.get("complete") is not True and not (_bounds_in(one) and there.issuperset(_bounds_in(one))):
                yield from _causes(one.get("run"), "some of its tests", "one of its runs")
    elif "imported" in said:
        yield f"{tests} were imported"
    else:
        yield f"{whole} was stopped"


def _bounds_in(part: Mapping[str, object]) -> list[str]:
    """The bounds of a corpus that another was merged of, if they are said."""
    found = part.get("bounds")
    return [str(bound) for bound in found] if isinstance(found, list) else []


def _one(table: Mapping[str, object], key: str, kind: type[_T]) -> _T:
    """The value of a key, which must be there and of exactly that type."""
    found = table.get(key)
    if type(found) is not kind:  # bool is a subclass of int, but true is no number
        raise _unfit(key, found, kind.__name__)
    return found


def _list(table: Mapping[str, object], key: str, kind: type[_T]) -> tuple[_T, ...]:
    """The list under a key, its values all of that type."""
    found = table.get(key)
    if not isinstance(found, list) or not all(isinstance(value, kind) for value in found):
        raise _unfit(key, found, f"a list of {kind.__name__}")
    return tuple(found)


def _table(table: Mapping[str, object], key: str, kind: type[_T]) -> dict[str, _T]:
    """The object under a key, its values all of that type."""
    found = table.get(key)
    if not isinstance(found, dict) or not all(type(value) is kind for value in found.values()):
        raise _unfit(key, found, f"an object of {kind.__name__}")
    if kind is int and any(value < 0 for value in found.values()):
        raise _unfit(key, found, "an object of counts")
    return found


def _object(table: Mapping[str, object], key: str) -> dict[str, Json]:
    """The object under a key, whatever its values are."""
    found = table.get(key)
    if not isinstance(found, dict):
        raise _unfit(key, found, "an object")
    return found


def _unfit(key: str, found: object, expected: str) -> InputError:
    return InputError(f"{key}: found {'nothing' if found is None else reprlib.repr(found)}, expected {expected}")
