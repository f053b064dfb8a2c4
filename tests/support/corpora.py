"""Make small corpora that tests write, read, damage and replace."""

import hashlib
import itertools
import json
from pathlib import Path

import zstandard

from synth_checker.models import library, verdict_names
from synth_checker.programs.rules import RULES
from synth_checker.question import Question, parse_bounds
from synth_corpus.manifest import Manifest
from synth_corpus.parts import with_more
from synth_corpus.record import RecordWriter
from synth_corpus.store import MANIFEST, RECORDS, write_corpus

#: For processes that import this module.
FOLDER = Path(__file__).parent
VERDICTS = verdict_names(library())
QUESTION = Question(parse_bounds(["2x4"]))


def some(count):
    """Return the sorted lines of `count` programs; they need not be tests, which makes no difference to a corpus."""
    digits = ("".join(chosen) for chosen in itertools.product("01", "01", "_01", "012", repeat=2))
    threads = itertools.product(list(digits), repeat=2)
    line = RecordWriter(VERDICTS).line
    return sorted(line("-".join(pair), k % 2**11) for k, pair in enumerate(itertools.islice(threads, count)))


def manifest(**changes):
    """Return a manifest that fits the lines of `some`."""
    fields = {
        "question": QUESTION,
        "rules": RULES,
        "models": {model.name: model.definition for model in library()},
        "verdicts": VERDICTS,
        "complete": True,
        "tests": 0,
        "splits": {},
        "signatures": {},
        "sha256": "",
    }
    return Manifest(**fields | changes)


def write(folder, lines, *, force=False, **changes):
    """Write a corpus of such lines, and return its manifest."""
    return write_corpus(folder, map(str.encode, lines), manifest(tests=len(lines), **changes), force=force)


def of(tests):
    """Return the sorted lines of tests, given as id -> (bit mask of the verdicts passed, further keys)."""
    writer = RecordWriter(VERDICTS)
    return [
        with_more(writer.line(id_, passes)[:-1].encode(), more).decode() + "\n"
        for id_, (passes, more) in sorted(tests.items())
    ]


def edit(folder, lines, **changes):
    """Replace the records of a corpus, correct their checksum and number, and make `changes` in the manifest."""
    data = b"".join(lines)
    (folder / RECORDS).write_bytes(zstandard.compress(data))
    path = folder / MANIFEST
    mended = {"tests": data.count(b"\n"), "sha256": hashlib.sha256(data).hexdigest()}
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | mended | changes), "utf-8")
