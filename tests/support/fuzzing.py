"""Make inputs that no person would write, for all functions that read text: random bytes, and changed valid inputs.

Each of `READERS` takes bytes and reads them, and raises InputError if they are not what it reads. It checks what it has
read against itself. The inputs are the same each time. With FUZZ_SECONDS there are others, for as long.
"""

import os
import random
import time
from importlib.resources import files

import own_models
import rodin_projects
from synth_checker import _native
from synth_checker.errors import InputError
from synth_checker.models import LIBRARY, library, read_model, verdict_names
from synth_checker.programs.normal import id_of, program_of_id, written_out
from synth_checker.programs.text import read_programs, write_program
from synth_checker.question import parse_bounds
from synth_corpus.formats import FORMATS
from synth_corpus.formats.format import Export
from synth_corpus.formats.results import read_table
from synth_corpus.manifest import Manifest
from synth_corpus.record import RecordWriter, read_record
from synth_machines.rodin.checked_files import read_checked
from synth_machines.rodin.hypotheses import Hypotheses
from synth_machines.rodin.obligation_files import read_goals, read_statuses
from synth_machines.rodin.reader import read_component
from synth_machines.rodin.writer import written_component
from synth_machines.shipped import shipped
from synth_machines.texts.reader import read_components
from synth_machines.texts.writer import written_components

#: For how long each fuzzer goes on; 0 for a fixed number of inputs.
SECONDS = int(os.environ.get("FUZZ_SECONDS", "0"))

IDS = ["01100002-00_0", "0011-00_01012-10_0", "zyx0", "0000", "00_2zz_2-0120", "0110" * 35]
MODELS = [(files("synth_checker.models") / "library" / f"{name}.model").read_text("utf-8") for name in LIBRARY]
MODELS += [*own_models.TEXT.split("\n\n"), own_models.BLINK, own_models.MINE]
TEXTS = [write_program(program_of_id(id_), name) for id_, name in zip(IDS, [None, "a name", *"äb/1"], strict=True)]


def _records():
    line = RecordWriter(verdict_names(library())).line
    return [line(id_, 0b10110) for id_ in IDS]


def _manifest():
    import corpora

    return corpora.manifest(tests=3, splits={"1+1": 3}, signatures={"p" * 11: 3}, run={"seconds": 1.5}).to_json()


def _text(data):
    """Return bytes as the text that Python makes of a command line; invalid UTF-8 becomes half of a surrogate pair."""
    return data.decode("utf-8", "surrogateescape")


def read_id(data):
    text = _text(data)
    program = program_of_id(text)
    assert written_out(program) == text


def ask_core(data):
    """Check that the core reads the ids that Python reads, and brings them to the same normal form."""
    text = _text(data)
    try:
        form = _native.normalise([text], keep_store_checks=False)
    except InputError as error:
        check(error, data)
        _native.common_threads([text])  # counts, and reads nothing
        for ask in (_native.broken_rules, _native.count_states):
            try:
                ask([text] if ask is _native.broken_rules else text)
            except InputError:
                continue
            raise AssertionError(ask) from error
        read_id(data)  # refuses it, too
        raise AssertionError(text) from error
    assert form == [id_of(program_of_id(text))]
    if len(text) <= 60 and _native.common_threads([text]) <= 4:
        _native.broken_rules([text])
        assert _native.count_states(text) >= 1


def read_text(data):
    found = read_programs(_text(data), "f")
    written = "\n".join(write_program(named_program.program, named_program.name) for named_program in found)
    assert [(program.program, program.name) for program in read_programs(written)] == [
        (named_program.program, named_program.name) for named_program in found
    ]


def read_bounds(data):
    found = parse_bounds([_text(data)])
    assert parse_bounds(map(str, found)) == found


def read_a_model(data):
    found = read_model(_text(data), "f")
    assert read_model(found.text, "again").fair == found.fair
    for threads in (1, 3):
        found.automaton(threads)


def read_a_record(data):
    found = read_record(_text(data), "f")
    assert written_out(found.program) == found.id


def read_manifest(data):
    found = Manifest.from_json(_text(data), "f")
    try:
        assert Manifest.from_json(found.to_json(), "f") == found
    except AssertionError:
        assert "NaN" in found.to_json()  # which equals nothing


def reader_of(form):
    """Return a reader that writes what a format has read, and checks that the format reads the same again."""

    def read(data):
        found = [program.program for program in FORMATS[form].read(_text(data).splitlines(keepends=True), "f")]
        made = list(FORMATS[form].read(_written(form, map(written_out, found)).splitlines(keepends=True), "f"))
        assert [program.program for program in made] == found

    return read


def _written(form, ids):
    verdicts = verdict_names(library())
    line = RecordWriter(verdicts).line
    lines = [line(id_, 2 ** len(verdicts) - 1) for id_ in ids]
    model = verdicts[0] if FORMATS[form].needs else None
    return "".join(FORMATS[form].write(Export(lambda: (line[:-1].encode() for line in lines), verdicts, model=model)))


def read_results(data):
    text = _text(data)
    assert read_table(text, "f").to_text() == text


def read_machines(data):
    text = written_components(read_components(_text(data)))
    assert written_components(read_components(text)) == text


def read_rodin(data):
    text = written_component(read_component(data, "m"))
    assert written_component(read_component(text.encode(), "m")) == text
    written_components([read_component(data, "m")])


def read_rodin_obligations(data):
    known = Hypotheses(lambda _: data)
    for name in read_goals(data):
        known.of("m.bpo", name)


def read_rodin_checked(data):
    read_checked(data)


def read_rodin_statuses(data):
    read_statuses(data)


TABLE = "Test File Name,a,b,All Passed\n0,P,P,P\n3,P,F (2/20),F\nTotal failures:,0,2,1"
#: Formats that are read; their records have a reader above.
READ = [name for name, form in FORMATS.items() if form.read is not None and name != "jsonl"]

#: Who reads, and what is right.
READERS = {
    "id": (read_id, IDS),
    "core": (ask_core, IDS),
    "text": (read_text, TEXTS),
    "bounds": (read_bounds, ["2x3", "1x1..4x5", "3x4, 2x2,35x69"]),
    "model": (read_a_model, MODELS),
    "record": (read_a_record, _records()),
    "manifest": (read_manifest, [_manifest()]),
    "results": (read_results, [TABLE]),
    "machines": (read_machines, [written_components(component for component in shipped("@gpu-printed")[:2])]),
    "rodin obligations": (read_rodin_obligations, [rodin_projects.obligations()]),
    "rodin statuses": (read_rodin_statuses, [rodin_projects.statuses()]),
    "rodin checked": (read_rodin_checked, [rodin_projects.checked()]),
    "rodin": (read_rodin, [written_component(component) for component in shipped("@gpu-printed")[:2]]),
    **{form: (reader_of(form), [_written(form, IDS)]) for form in READ if form != "text"},
}

# What readers treat in a way of its own.
_WORDS = [
    *(b"\0", b"\n", b"\r\n", b"\xff", b"\xe2\x80\xa8", b"\xef\xbb\xbf", "²٣Ⅷ".encode(), b"\x1b[31m", b"\x85"),
    *(b"-", b"_", b"z", b"0", b"36", b"-1", b"99999999999999999999", b"9" * 5000, b"1e999", b"NaN", b"true", b"null"),
    *(
        b"THREAD 0\n",
        b"THREAD 1",
        b"0:",
        b"Mem[0]",
        b"Exch(",
        b"goto END;",
        b"//",
        b"if",
        b"==",
        b";",
        b"x",
        b"..",
        b",",
    ),
    *(b"{", b"}", b"[", b"]", b"[" * 2000, b'"', b"\\", b"\\ud800", b"\\u0000", b'"id":"0110",', b'"threads":[]', b":"),
    *(
        b"`",
        b"@",
        b"/*",
        b"*/",
        "≔ ∈ ⦂ ∣".encode(),
        b"<!DOCTYPE a>",
        b"&#0;",
        b"&lt;",
        b"<a>",
        b"/>",
        b"end",
        b"theorem",
    ),
    *(b"live", b"stepped", b"lowest(", b"highest(", b"upto(", b"(" * 250, b")", b"&", b"|", b"#", b"=", b"\t", b" "),
]


def mutated(data, rng):
    """Return data with some bytes replaced, once to four times."""
    for _ in range(rng.randint(1, 4)):
        start = rng.randint(0, len(data))
        end = min(len(data), start + rng.choice([0, 0, 1, 1, 2, 4, 16, 64, len(data)]))
        copied = rng.randint(0, len(data))
        new = rng.choice([b"", rng.randbytes(rng.randint(1, 4)), rng.choice(_WORDS), data[copied : copied + 40]])
        data = data[:start] + new + data[end:]
    return data


def inputs(valid, count):
    """Yield `count` inputs, or as many as FUZZ_SECONDS allows: valid ones, random bytes, and changed ones."""
    yield from valid
    rng = random.Random(time.time_ns() if SECONDS else 1)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end if SECONDS else count:
        count -= 1
        yield rng.randbytes(rng.randint(0, 40)) if rng.random() < 0.05 else mutated(rng.choice(valid), rng)


def check(error, data):
    """Check that a message fits in one line of a terminal, and is not much longer than its quotations."""
    message = str(error)
    assert message.isprintable(), message
    assert 0 < len(message) < 500 + 10 * len(data), len(message)


def is_read(read, data):
    """Return whether the reader takes the bytes; any error but a plain refusal is reported with the bytes."""
    try:
        read(data)
    except InputError as error:
        check(error, data)
        return False
    except Exception as error:
        error.add_note(f"input: {data!r}")
        raise
    return True


def fuzz(name, count):
    """Return how many of `count` inputs a reader has taken, and how many it has refused."""
    read, valid = READERS[name]
    taken = [is_read(read, data) for data in inputs([text.encode() for text in valid], count)]
    return taken.count(True), taken.count(False)
