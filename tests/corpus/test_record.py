"""Test records: their bytes are those of the definitions, they are read back, and other lines are refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from synth_checker.errors import InputError, LimitError
from synth_checker.models import library, verdict_names
from synth_checker.programs.ids import Ids
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.verdicts import judge, judge_all
from synth_corpus import record
from synth_corpus.record import Record, RecordWriter, read_record, record_fields, signature

VERDICTS = verdict_names(library())
MUTEX_AND_SPINNER = "01100002-00_0"
any_program = strategies.programs(threads=(1, 4), instructions=(1, 12), locations=36, values=36)
any_names = st.just(VERDICTS) | st.lists(st.text(st.characters(codec="utf-8"), min_size=1), unique=True, max_size=12)


def plainly(program, verdicts, passes):
    """A record as section 7 of the definitions says it."""
    return {
        "id": written_out(program),
        "threads": [[{"loc": i.loc, "check": i.check, "exch": i.exch, "target": i.target} for i in t] for t in program],
        "verdicts": {name: "pass" if passes >> k & 1 else "fail" for k, name in enumerate(verdicts)},
    }


def test_the_example_of_the_definitions_is_written_to_the_letter():
    """As a text: its verdicts, all `fail` but the last, are not those of its program."""
    line = RecordWriter(VERDICTS).line(MUTEX_AND_SPINNER, 1 << VERDICTS.index("fair.strong"))
    head, _, tail = line.partition(',"OBE.weak"')
    assert head == (
        '{"id":"01100002-00_0","threads":[[{"loc":0,"check":1,"exch":1,"target":0},{"loc":0,"check":0,"exch":0,'
        '"target":2}],[{"loc":0,"check":0,"exch":null,"target":0}]],"verdicts":{"unfair":"fail","HSA.weak":"fail",'
        '"HSA.strong":"fail"'
    )
    assert tail.endswith(',"fair.strong":"pass"}}\n')


@given(st.lists(st.tuples(any_program, st.integers(0, (1 << 12) - 1)), min_size=1, max_size=4), any_names)
def test_a_record_is_the_plain_dict_as_compact_json(programs, names):
    """One writer for all of them: what it remembers of one must not show in another."""
    writer = RecordWriter(names)
    for program, passes in programs:
        plain = plainly(program, names, passes)
        text = json.dumps(plain, separators=(",", ":"), ensure_ascii=False)
        assert writer.line(written_out(program), passes) == f"{text}\n"
        assert list(record_fields(program, plain["verdicts"]).items()) == list(plain.items())


@given(st.lists(strategies.waiting_programs() | strategies.programs(threads=(1, 3), instructions=(1, 6))))
def test_the_records_of_many_tests_are_the_plain_dicts_as_compact_json(programs):
    ids = Ids(map(written_out, programs))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(record, "_CHUNK", 3)
        lines = list(RecordWriter(VERDICTS).lines(ids, judge_all(ids), jobs=2))
    assert len(lines) == -(-len(ids) // 3)
    fields = [
        record_fields(program_of_id(id_), signature(mask, VERDICTS))
        for id_, mask in zip(ids, judge(list(ids)), strict=True)
    ]
    expected = [json.dumps(each, separators=(",", ":"), ensure_ascii=False) + "\n" for each in fields]
    assert b"".join(lines) == "".join(expected).encode()


@pytest.mark.parametrize("wrong", ["0", "0112", "-", "\ud800"])
def test_no_record_is_written_of_what_is_no_id(wrong):
    with pytest.raises(InputError, match="id "):
        RecordWriter(VERDICTS).line(wrong, 0)


@given(any_program, st.integers(0, (1 << 11) - 1))
def test_what_is_written_is_read_back(program, passes):
    id_ = written_out(program)
    verdicts = plainly(program, VERDICTS, passes)["verdicts"]
    found = read_record(RecordWriter(VERDICTS).line(id_, passes), "r")
    assert found == Record(id_, program, verdicts, {})
    assert list(found.verdicts) == list(VERDICTS)


THREADS = '"threads":[[{"loc":0,"check":1,"exch":1,"target":0}]]'


def test_id_and_verdicts_may_be_missing_and_further_keys_are_kept():
    found = read_record(f'{{"idiom":"mutex",{THREADS},"minimal":true}}', "r")
    assert found == Record("0110", program_of_id("0110"), {}, {"idiom": "mutex", "minimal": True})


def thread(fields):
    return f'{{"threads":[[{{{fields}}}]]}}'


BAD = {
    "nothing": ("", "this is not JSON ("),
    "cut off": (f"{{{THREADS}", "this is not JSON ("),
    "two records": (f"{{{THREADS}}}{{{THREADS}}}", "this is not JSON ("),
    "a number too long for Python": (thread(f'"loc":{"9" * 5000}'), "this is not JSON ("),
    "lists without end": ("[" * 100_000, "found JSON nested too deeply to be read, expected a record"),
    "objects without end": ('{"a":' * 100_000, "found JSON nested too deeply to be read, expected a record"),
    "no object": ("[]", "the key 'threads' with a list of threads is missing, expected a record"),
    "no threads": ('{"id":"0110"}', "the key 'threads' with a list of threads is missing, expected a record"),
    "threads by name": ('{"threads":{}}', "the key 'threads' with a list of threads is missing, expected a record"),
    "no thread": ('{"threads":[]}', "the list of threads is empty, expected at least one thread"),
    "an empty thread": ('{"threads":[[]]}', "thread: found no instruction, expected at least one"),
    "a thread that is none": ('{"threads":[1]}', "found thread 1, expected a list of instructions"),
    "an instruction that is none": (
        '{"threads":[["0110"]]}',
        "found instruction '0110', expected the keys loc, check, exch, target",
    ),
    "a field too few": (
        thread('"loc":0,"check":1,"target":0'),
        "found instruction {'check': 1, 'loc': 0, 'target': 0}, expected the keys loc, check, exch, target",
    ),
    "a field too many": (
        thread('"loc":0,"check":1,"exch":1,"target":0,"to":1'),
        "found instruction {'check': 1, 'exch': 1, 'loc': 0, 'target': 0, ...}, expected the keys ",
    ),
    "a field twice": (
        thread('"loc":0,"loc":1,"check":1,"exch":1,"target":0'),
        "this is not JSON (the key 'loc' occurs twice in an object), expected a record",
    ),
    "threads twice": (
        f"{{{THREADS},{THREADS}}}",
        "this is not JSON (the key 'threads' occurs twice in an object), expected a record",
    ),
    "a boolean": (
        thread('"loc":true,"check":1,"exch":1,"target":0'),
        "instruction field loc: found True, expected a non-negative integer",
    ),
    "a float": (
        thread('"loc":0,"check":1.0,"exch":1,"target":0'),
        "instruction field check: found 1.0, expected a non-negative integer",
    ),
    "not a number": (
        thread('"loc":0,"check":NaN,"exch":1,"target":0'),
        "this is not JSON (NaN is not a number in JSON), expected a record",
    ),
    "a negative number": (
        thread('"loc":0,"check":1,"exch":-1,"target":0'),
        "instruction field exch: found -1, expected a non-negative integer",
    ),
    "a list for a number": (
        thread('"loc":0,"check":1,"exch":[],"target":0'),
        "instruction field exch: found [], expected a non-negative integer",
    ),
    "null where only an exchange may be missing": (
        thread('"loc":null,"check":1,"exch":1,"target":0'),
        "instruction field loc: found None, expected a non-negative integer",
    ),
    "text with a line end": (
        thread('"loc":0,"check":1,"exch":1,"target":"\\n"'),
        r"instruction field target: found '\n', expected a non-negative integer",
    ),
    "text of a million letters": (
        thread(f'"loc":"{"a" * 1_000_000}","check":1,"exch":1,"target":0'),
        "instruction field loc: found 'aaaaaaaaaaaa...aaaaaaaaaaaaa', expected a non-negative integer",
    ),
    "a target behind the end": (
        thread('"loc":0,"check":1,"exch":1,"target":2'),
        "instruction 0: found target 2, expected 0 to 1 (the end)",
    ),
    "the id of another program": (
        f'{{"id":"0010",{THREADS}}}',
        "found id '0010', expected '0110', the id of its threads",
    ),
    "a long id": (f'{{"id":"{"0010" * 12}",{THREADS}}}', f"found id '{'0010' * 12}', expected '0110'"),
    "an id of a million digits": (f'{{"id":"{"0010" * 250_000}",{THREADS}}}', "found id '0010"),
    "an id that is no text": (f'{{"id":[0],{THREADS}}}', "found id [0], expected '0110', the id of its threads"),
    "a verdict that is none": (
        f'{{{THREADS},"verdicts":{{"fair.weak":"maybe"}}}}',
        "found verdicts {'fair.weak': 'maybe'}, expected an object of 'pass' and 'fail'",
    ),
    "verdicts without names": (
        f'{{{THREADS},"verdicts":["pass"]}}',
        "found verdicts ['pass'], expected an object of 'pass' and 'fail'",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_record_is_told_in_one_line_with_its_source_found_and_expected(case):
    text, message = BAD[case]
    with pytest.raises(InputError) as raised:
        read_record(text, "f:7")
    found = str(raised.value)
    assert found.startswith(f"f:7: {message}")
    assert ", expected " in found
    assert "\n" not in found
    assert len(found) < 300


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ('"loc":36,"check":1,"exch":1,"target":0', "f:7: instruction field loc: found 36, expected at most 35"),
        (
            f'"loc":0,"check":1{"0" * 4000},"exch":1,"target":0',
            "f:7: instruction field check: found 100000000000000000...0000000000000000000, expected at most 35",
        ),
    ],
)
def test_a_number_beyond_the_limits_is_a_limit_error(fields, message):
    with pytest.raises(LimitError) as raised:
        read_record(thread(fields), "f:7")
    assert str(raised.value) == message


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 36) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(any_program, st.data())
def test_a_record_with_anything_in_any_place_is_read_or_refused(program, data):
    """And where it is read, its id is that of its program."""
    plain = plainly(program, VERDICTS, 0)
    fields = data.draw(st.sampled_from([plain, plain["threads"][0][0], plain["verdicts"]]))
    fields[data.draw(st.sampled_from(sorted(fields)))] = data.draw(json_values)
    try:
        found = read_record(json.dumps(plain), "r")
    except InputError as error:
        assert str(error).startswith("r: ")  # noqa: PT017
    else:
        assert found.id == written_out(found.program)
