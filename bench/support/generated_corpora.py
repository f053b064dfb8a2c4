"""Corpora of any size, quickly: programs of 3x6 one after the other with made up verdicts, in three variants.

They are no tests, which nothing that streams records asks.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from typing import TYPE_CHECKING

import zstandard

from synth_checker.models import library, verdict_names
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.rules import RULES
from synth_checker.question import Question, parse_bounds
from synth_corpus.manifest import Manifest
from synth_corpus.record import record_fields, signature
from synth_corpus.store import MANIFEST, RECORDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_VERDICTS = verdict_names(library())
_SIGNATURES = 13


def write_generated(folder: Path, programs: int, which: int) -> int:
    """Write a variant of a corpus of so many programs; gives how many records it has.

    Of 1,000 programs each variant lacks 4, and of those no other lacks any; 2 have other verdicts in variant 1. So
    variants 0 and 1 differ in 1 %, and 0 and 2 can be merged.
    """
    folder.mkdir()
    digest, count = hashlib.sha256(), 0
    compressor = zstandard.ZstdCompressor(level=1)
    with (folder / RECORDS).open("wb") as file, compressor.stream_writer(file) as stream:
        for lines in _blocks(programs, which):
            data = "".join(lines).encode()
            digest.update(data)
            stream.write(data)
            count += len(lines)
    manifest = Manifest(
        question=Question(parse_bounds(["3x6"])),
        rules=RULES,
        models={model.name: model.definition for model in library()},
        verdicts=_VERDICTS,
        complete=False,
        tests=count,
        splits={},
        signatures={},
        sha256=digest.hexdigest(),
    )
    (folder / MANIFEST).write_text(manifest.to_json(), "utf-8")
    return count


def _blocks(programs: int, which: int) -> Iterator[list[str]]:
    """The records, some at a time."""
    threads = sorted("".join(digits) for digits in itertools.product("01", "01", "01_", "012", repeat=2))
    as_json = {thread: _json(record_fields(program_of_id(thread), {})["threads"][0]) for thread in threads}
    verdicts = [_json(signature(k * 157 % 2**11, _VERDICTS)) for k in range(_SIGNATURES)]
    done = 0
    for first, second in itertools.product(threads, repeat=2):
        if done >= programs:
            return
        before = f'{{"id":"{first}-{second}-'
        between = f'","threads":[{as_json[first]},{as_json[second]},'
        yield [
            f'{before}{third}{between}{as_json[third]}],"verdicts":{verdicts[_verdicts_of(number, which)]}}}\n'
            for number, third in enumerate(threads[: programs - done], done)
            if number % 250 != which
        ]
        done += len(threads)


def _verdicts_of(number: int, which: int) -> int:
    return (number * 7 + (which == 1 and number % 500 == 2)) % _SIGNATURES


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
