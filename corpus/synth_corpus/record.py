"""The record of a test: a compact JSON object on one line (definitions, section 7).

Two records of the same test under the same models are equal as bytes, so files of records can be compared as bytes. A
record is made from an id, which determines the program, and a bit mask of the verdicts that the test passes.
"""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from synth_checker.chunks import in_chunks
from synth_checker.errors import InputError
from synth_checker.programs.id_layout import ID_PATTERN
from synth_checker.programs.normal import written_out
from synth_checker.programs.program import MAX_INSTRUCTIONS, MAX_VALUES, Instruction, Program, Thread
from synth_storage import strict_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth_checker.programs.ids import Ids
    from synth_checker.verdicts import Passes
    from synth_storage.strict_json import Json

#: Shows a value that was found in a message, and shortens it if it is long.
_FOUND = reprlib.Repr()
_FOUND.maxstring = 80
#: How many records are made at once: about a megabyte, which stays in the cache of a processor.
_CHUNK = 1 << 11


# The JSON forms, from which `schema` makes JSON Schemas. An annotation holds the parts of a schema that a type lacks.
#: Pairs, unlike a dictionary, can be hashed, so that `Id | None` is a type.
Id = Annotated[str, (("pattern", f"^{ID_PATTERN.pattern}$"),)]
Digit = Annotated[int, {"minimum": 0, "maximum": MAX_VALUES - 1}]


class InstructionFields(TypedDict):
    """One instruction: compare a location with `check`, write `exch` to it (null: nothing), go to `target` if equal."""

    loc: Digit
    check: Digit
    exch: Annotated[int | None, {"minimum": 0, "maximum": MAX_VALUES - 1}]
    target: Annotated[int, {"minimum": 0, "maximum": MAX_INSTRUCTIONS}]


ThreadFields = Annotated[list[InstructionFields], {"minItems": 1, "maxItems": MAX_INSTRUCTIONS}]
ThreadsFields = Annotated[list[ThreadFields], {"minItems": 1}]
Verdict = Literal["pass", "fail"]


class RecordFields(TypedDict):
    """A test with its verdicts; the id is the program written out. Further keys may follow."""

    id: Id
    threads: ThreadsFields
    verdicts: dict[str, Verdict]


_FIELDS = tuple(InstructionFields.__annotations__)


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """A test with its verdicts, read from its record. `more` holds the keys after the verdicts."""

    id: str
    program: Program
    verdicts: Mapping[str, Verdict]
    more: Mapping[str, Json]

    def __repr__(self) -> str:
        return (
            f"<Record {self.id}: passes {list(self.verdicts.values()).count('pass')} of {len(self.verdicts)} verdicts>"
        )


class RecordWriter:
    """Writes the records of tests under a fixed list of verdicts.

    The C++ core puts the lines together from the pieces of text that this class gives it.
    """

    def __init__(self, verdicts: Sequence[str]) -> None:
        from synth_checker import _native

        self._verdicts = tuple(verdicts)
        self._ends: dict[int, str] = {}  # there are few signatures
        self._writer = _native.LineWriter(
            before_id='{"id":"',
            before_threads='","threads":[[',
            before_field=[f'{"," if k else "{"}"{name}":' for k, name in enumerate(_FIELDS)],
            after_fields="}",
            between_instructions=",",
            between_threads="],[",
            after_threads=']],"verdicts":',
            no_exchange="null",
        )

    def line(self, id_: str, passes: int) -> str:
        """Return the record of the test with this id, as a line.

        Bit k of `passes` is set if the test passes the k-th verdict.
        """
        return self._writer.line(id_, self._end(passes))

    def lines(self, ids: Ids, passes: Passes, *, jobs: int = 1) -> Iterator[bytes]:
        """Yield the records of tests as texts of many lines each, made in `jobs` operating-system threads."""
        ends = [self._end(mask) for mask in passes.packed.masks()]

        def some(first: int, last: int) -> bytes:
            return self._writer.lines(ids.packed, passes.packed, ends, first, last)

        return in_chunks(some, len(ids), jobs, _CHUNK)

    def _end(self, passes: int) -> str:
        if passes not in self._ends:
            self._ends[passes] = f"{strict_json.dumps(signature(passes, self._verdicts))}}}\n"
        return self._ends[passes]


def record_fields(program: Program, verdicts: Mapping[str, Verdict]) -> RecordFields:
    """Return the record of a program as a dict, with the keys in their fixed order.

    The result equals what `RecordWriter` writes, but is made in a slower and simpler way.
    """
    return {
        "id": written_out(program),
        "threads": [
            [{"loc": i.loc, "check": i.check, "exch": i.exch, "target": i.target} for i in thread] for thread in program
        ],
        "verdicts": dict(verdicts),
    }


def signature(passes: int, verdicts: Sequence[str]) -> dict[str, Verdict]:
    """Return the verdicts of a test by name. Bit k of `passes` is set if the test passes the k-th verdict."""
    return {name: "pass" if passes >> k & 1 else "fail" for k, name in enumerate(verdicts)}


def read_record(line: str, source: str) -> Record:
    """Read a record, or any JSON object with the key `threads`. If it has an id, this must be the id of its threads.

    `source` is the place of the line in messages.

    Raises:
        InputError: the line is not a record; the message starts with `source`.
        LimitError: a number is above the limits of the definitions.
    """
    try:
        fields = strict_json.loads(line)
    except ValueError as error:
        raise InputError(f"{source}: this is not JSON ({error}), expected a record") from None
    except RecursionError:
        raise InputError(f"{source}: found JSON nested too deeply to be read, expected a record") from None
    if not isinstance(fields, dict) or not isinstance(fields.get("threads"), list):
        raise InputError(f"{source}: the key 'threads' with a list of threads is missing, expected a record")
    try:
        program = Program(tuple(_thread(thread) for thread in fields.pop("threads")))
    except InputError as error:
        raise type(error)(f"{source}: {error}") from None
    if not len(program):
        raise InputError(f"{source}: the list of threads is empty, expected at least one thread")
    id_ = fields.pop("id", None)
    if id_ is None:
        id_ = written_out(program)
    elif id_ != written_out(program):
        raise InputError(
            f"{source}: found id {_FOUND.repr(id_)}, expected {written_out(program)!r}, the id of its threads"
        )
    verdicts = fields.pop("verdicts", {})
    if not isinstance(verdicts, dict) or not all(verdict in ("pass", "fail") for verdict in verdicts.values()):
        raise InputError(f"{source}: found verdicts {_FOUND.repr(verdicts)}, expected an object of 'pass' and 'fail'")
    return Record(id_, program, verdicts, fields)


def _thread(instructions: object) -> Thread:
    if not isinstance(instructions, list):
        raise InputError(f"found thread {_FOUND.repr(instructions)}, expected a list of instructions")
    return Thread(tuple(_instruction(instruction) for instruction in instructions))


def _instruction(fields: object) -> Instruction:
    if not isinstance(fields, dict) or set(fields) != set(_FIELDS):
        raise InputError(f"found instruction {_FOUND.repr(fields)}, expected the keys {', '.join(_FIELDS)}")
    return Instruction(**fields)
