"""Test the formats: their output is that of the golden files and is read back, and a fault gives one line."""

import errno
import json
import os
import re
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corpora
import strategies
from golden import check_file
from synth_checker.errors import InputError, LimitError
from synth_checker.extras import how_to_install
from synth_checker.programs.normal import id_of, written_out
from synth_corpus import query
from synth_corpus.exports import put_export
from synth_corpus.formats import FORMATS, Export, export_of, format_named
from synth_corpus.formats.results import ResultTable, read_table
from synth_corpus.record import RecordWriter
from synth_corpus.shipped import locate_corpus
from synth_corpus.store import RECORDS, Corpus
from synth_storage import files
from synth_storage.files import put_file

GOLDEN = Path(__file__).parent / "golden"
READ = [name for name, form in FORMATS.items() if form.read is not None]  # all of them are written, too
ONCE_READ = ("results", "promela")  # these say first what comes last
STREAMED = [name for name, form in FORMATS.items() if form.write is not None and not name.startswith(ONCE_READ)]
#: What has all that formats write: verdicts of both kinds, aliases, results.
MORE = (
    ',"aliases":["2t_2i/0","wait"],"results":{"phone":{"0":{"plain":"F (13/20)","round robin":"P"}}}',
    ',"results":{"phone":{"7":{"plain":"P","round robin":"P"}}}',
    "",
)
LONG = "0110-00_000_1-0110"
LINES = [
    RecordWriter(corpora.VERDICTS).line(id_, passes)[:-2] + more + "}\n"
    for id_, passes, more in (("0010-00_0", 2046 - 8, MORE[0]), (LONG, 1, MORE[1]), ("01100002-00_0", 0, MORE[2]))
]

any_program = strategies.programs(threads=(1, 4), instructions=(1, 12), locations=36, values=36)


def export(lines, form="jsonl", *, model="HSA.weak", table="phone"):
    """An export with the options that a format has."""
    options = FORMATS[form].needs + FORMATS[form].takes
    if form == "herd":
        options = ("model",)  # or a table, but not both
    chosen = {name: value for name, value in (("model", model), ("table", table)) if name in options}
    return of(lines, name="2x2", **chosen)


def of(lines, **options):
    """An export of lines, which are raw in it."""
    return Export(lambda: (line[:-1].encode() for line in lines), corpora.VERDICTS, **options)


def exported(form, lines):
    made = export(lines, form)
    FORMATS[form].check_options(made)
    return "".join(FORMATS[form].write(made))


def read(form, text, source="f"):
    return list(FORMATS[form].read(text.splitlines(keepends=True), source))


def id_in(line):
    return line.split('"')[3]


def record_of(program, passes=0, more=""):
    return RecordWriter(corpora.VERDICTS).line(written_out(program), passes)[:-2] + more + "}\n"


# --- what is written ---


@pytest.mark.parametrize("form", [name for name, form in FORMATS.items() if form.write is not None])
def test_what_a_format_writes_is_as_in_its_golden_file(form):
    lines = LINES[:1] if form.startswith("results") else LINES
    check_file(GOLDEN / f"{form}{FORMATS[form].suffix}", exported(form, lines).replace("\r\n", "<CR>\n"))


def test_a_log_of_a_table_is_as_in_its_golden_file():
    made = of(LINES, table="phone")
    check_file(GOLDEN / "herd-table.log", "".join(FORMATS["herd"].write(made)))


def test_a_tree_has_a_file_a_test_under_its_alias_or_its_split_and_id(tmp_path):
    FORMATS["tree-artifact"].put(export(LINES), tmp_path / "tree", force=False)
    found = {path.relative_to(tmp_path / "tree").as_posix(): path.read_text() for path in tmp_path.rglob("*.txt")}
    assert found == {
        "2t_2i/0.txt": "THREAD0\natomic_exch_branch(0,0,1,0)\n\n\nTHREAD1\natomic_chk_branch(0,0,0)\n",
        "2+1/01100002-00_0.txt": "THREAD0\natomic_exch_branch(0,1,1,0)\n\natomic_store(0,0)\n\n\n"
        "THREAD1\natomic_chk_branch(0,0,0)\n",
        f"1+2+1/{LONG}.txt": "THREAD0\natomic_exch_branch(0,1,1,0)\n\n\nTHREAD1\natomic_chk_branch(0,0,0)\n\n"
        "atomic_chk_branch(0,0,1)\n\n\nTHREAD2\natomic_exch_branch(0,1,1,0)\n",
    }
    FORMATS["tree"].put(export(LINES[1:]), tmp_path / "tree", force=True)
    assert {path.name for path in tmp_path.rglob("*.*")} == {
        "index.json",
        "01100002-00_0.txt",
        "0110-00_000_1-0110.txt",
    }


def test_a_tree_replaces_nothing_but_a_tree(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="the folder contains other files"):
        FORMATS["tree"].put(export(LINES), tmp_path, force=True)


@pytest.mark.parametrize("alias", ["../etc", "/etc", "a//b", ".hidden", "a\\b"])
def test_an_alias_that_leads_out_of_a_tree_is_refused(tmp_path, alias):
    line = LINES[2][:-2] + f',"aliases":["{alias}"]}}\n'
    with pytest.raises(InputError, match=r"^alias of 01100002-00_0: found "):
        FORMATS["tree"].put(export([line.replace("\\", "\\\\")]), tmp_path / "tree", force=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("alias", ["2t_2i/0", "2t_2i/0.txt/1", "2+1/01100002-00_0"])
def test_two_tests_that_would_be_one_file_are_told(tmp_path, alias):
    """Under one alias, under the file of another test as a folder, under the file of a test without an alias."""
    line = LINES[1][:-2] + f',"aliases":["{alias}"]}}\n'
    with pytest.raises(InputError) as raised:
        FORMATS["tree"].put(export([LINES[0], line, LINES[2]]), tmp_path / "tree", force=False)
    assert re.fullmatch(
        rf"{tmp_path / 'tree'}: two tests have the same file '.*\.txt'; give them different aliases",
        str(raised.value),
    )
    assert list(tmp_path.iterdir()) == []


def suite_of(lines):
    return ET.fromstring(exported("junit", lines)).find("testsuite")  # noqa: S314  (our own)


def test_an_xml_report_counts_what_failed_and_what_did_not_run():
    suite = suite_of(LINES)
    assert suite.attrib == {"name": "2x2 HSA.weak phone", "tests": "3", "failures": "1", "errors": "0", "skipped": "2"}
    guaranteed = [record_of_id(line.split('"')[3], 2**11 - 1, more) for line, more in zip(LINES, MORE, strict=True)]
    suite = suite_of(guaranteed)
    assert [[(child.tag, child.get("message")) for child in case] for case in suite] == [
        [("failure", "plain: 13 of 20 runs hung")],
        [],
        [("skipped", "not run")],
    ]
    assert (suite.get("failures"), suite.get("skipped")) == ("1", "1")


def test_an_xml_report_has_characters_that_xml_lacks_as_escapes():
    (case,) = suite_of([record_of_id("0010-00_0", 2**11 - 1, MORE[0].replace('"plain"', r'"\u001b[31m\u0007"'))])
    assert case[0].get("message") == r"\x1b[31m\x07: 13 of 20 runs hung"


def record_of_id(id_, passes, more=""):
    return RecordWriter(corpora.VERDICTS).line(id_, passes)[:-2] + more + "}\n"


#: An entry of a log, by the grammar that herdtools7 reads logs with.
ENTRY = re.compile(
    r"Test ([\w/.+\[\]-]+) Allowed\n(?:States (\d+)|Histogram \((\d+) states\))\n"
    r"((?:(?:\d+ *[:*]>)?\w+=\d+;\n)+)(?:Ok|No)\nWitnesses\nPositive: (\d+) Negative: (\d+)\n"
    r"Condition exists \(terminated=0\)\nObservation \1 (?:Never|Sometimes|Always) \5 \6\n\n"
)


@pytest.mark.parametrize("asked", [{"model": "fair.weak"}, {"table": "phone"}])
def test_a_log_is_entries_whose_states_are_as_many_as_they_say(asked):
    text = "".join(FORMATS["herd"].write(of(LINES, **asked)))
    entries = list(ENTRY.finditer(text))
    assert "".join(entry[0] for entry in entries) == text
    assert [int(entry[2] or entry[3]) for entry in entries] == [entry[4].count("\n") for entry in entries]
    assert len(entries) == (3 if "model" in asked else 2)


def test_a_list_of_what_must_pass_holds_exactly_what_passes():
    lines = list(Corpus(locate_corpus("@complete/2x3")).lines())
    records = [json.loads(line) for line in lines]
    for verdict in corpora.VERDICTS:
        made = "".join(FORMATS["mustpass"].write(of(lines, model=verdict)))
        assert made.split() == [record["id"] for record in records if record["verdicts"][verdict] == "pass"]


@pytest.mark.parametrize("form", sorted({*STREAMED} - {"junit"}))  # which counts first
def test_an_export_is_a_stream(form):
    """Its first record is out before the last has been read."""

    def lines():
        yield RecordWriter(corpora.VERDICTS).line("0011", 2**11 - 1)[:-1].encode()
        raise AssertionError

    made = export(None, form)
    pieces = FORMATS[form].write(Export(lines, made.verdicts, model=made.model))
    assert any("0" in piece for _, piece in zip(range(2), pieces, strict=False))


# --- what is written is read ---


@given(st.lists(any_program, max_size=3, unique_by=written_out))
def test_what_is_written_reads_back_as_the_same_programs(programs):
    """Also no-ops, and stores that compare with something, which are tests where that rule is dropped."""
    lines = [record_of(program, 2**11 - 1) for program in programs]
    for form in READ:
        assert [program.program for program in read(form, exported(form, lines))] == programs


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_verdicts_and_aliases_read_back_from_what_writes_them(form):
    found = read(form, exported(form, LINES))
    assert [program.aliases for program in found] == [("2t_2i/0", "wait"), (), ()]
    assert [[program.verdicts[name] for name in corpora.VERDICTS] for program in found] == [
        ["pass" if passes >> k & 1 else "fail" for k in range(11)] for passes in (2046 - 8, 1, 0)
    ]


def test_published_texts_read_back_with_their_alias():
    assert [program.aliases for program in read("published", exported("published", LINES))] == [("2t_2i/0",), (), ()]


@pytest.mark.parametrize("form", sorted({*READ} - {"mustpass"}))  # which leaves out what fails
def test_a_corpus_reads_back_to_its_ids(form):
    lines = list(Corpus(locate_corpus("@complete/3x3")).lines())
    assert [id_of(program.program) for program in read(form, exported(form, lines))] == [
        line.split('"')[3] for line in lines
    ]


cells = st.just("P") | st.integers(1, 20).map("F ({}/20)".format)
settings = st.text(st.characters(codec="ascii", exclude_categories=("C",)))


@st.composite
def tables(draw):
    width = draw(st.integers(1, 4))
    names = draw(st.lists(settings, min_size=width, max_size=width, unique=True))
    rows = draw(st.dictionaries(st.integers(0, 999), st.tuples(*[cells] * width), min_size=1, max_size=9))
    return ResultTable(tuple(names), rows, draw(st.booleans()))


@given(tables())
def test_a_table_of_results_reads_back_in_its_layout(table):
    found = read_table(table.to_text(), "f")
    assert (found.settings, found.rows) == (table.settings, table.rows)
    assert found.to_text() == table.to_text()


# --- records that are not as the writer writes them ---


def loose(line):
    return json.dumps(json.loads(line)) + "\n"


def turned(line):
    return json.dumps(dict(reversed(json.loads(line).items())), separators=(",", ":")) + "\n"


def between(line):
    """The verdicts behind a key that ends as threads do."""
    return line.replace(']],"verdicts"', ']],"more":[[1]],"verdicts"')


@pytest.mark.parametrize("change", [loose, turned, between])
@pytest.mark.parametrize("form", sorted({*STREAMED} - {"jsonl"}))
def test_what_no_corpus_writes_is_not_taken_out_of_one_but_read_from_a_file(form, change):
    """Keys in another order, with spaces, or between the threads and the verdicts."""
    lines = [LINES[0], change(LINES[1])]
    with pytest.raises(InputError, match=r"^record: found .* expected a compact record with the keys id, threads, "):
        exported(form, lines)
    assert [id_of(program.program) for program in read("jsonl", "".join(lines))] == [id_in(line) for line in LINES[:2]]


@pytest.mark.full
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"HSA.weak":"fail"', '"HSA.weak":"flop"', "found verdicts '{"),
        ('"id":"0110-00_000_1-0110"', '"id":"0110-00_900_1-0110"', "id '0110-00_900_1-0110': instruction "),
        ('"results":', '"results":x', "(Expecting value: line 1 column 12 (char 11)), expected a JSON object"),
        ('"P","round robin"', 'NaN,"round robin"', "(NaN is not a number in JSON), expected a JSON object"),
        ('"P","round robin"', '-1e999,"round robin"', "(the number '-1e999' is too large), expected a JSON"),
        (
            '"plain":"P"',
            '"plain":"P","plain":"P"',
            "(the key 'plain' occurs twice in an object), expected a JSON object",
        ),
    ],
)
@pytest.mark.parametrize("form", ["text", "mustpass", "parquet", "tree"])
def test_a_record_of_a_corpus_that_is_none_is_told_with_file_and_line(tmp_path, form, old, new, told):
    corpora.write(tmp_path / "it", LINES)
    assert old in LINES[1]
    corpora.edit(tmp_path / "it", [line.encode() for line in (LINES[0], LINES[1].replace(old, new), LINES[2])])
    corpus = Corpus(tmp_path / "it")
    chosen = export(LINES, form)
    made = export_of(corpus, model=chosen.model, table=chosen.table)
    with pytest.raises(InputError) as raised:
        put_export(FORMATS[form], made, tmp_path / "out")
    assert str(raised.value).startswith(f"{corpus.folder / RECORDS}:2: ")
    assert told in str(raised.value)
    assert not (tmp_path / "out").exists()


def test_a_table_of_lines_that_only_its_writer_can_not_read_is_the_fault_of_the_line(tmp_path):
    corpora.write(tmp_path / "it", LINES)
    threads = LINES[1].replace('"exch":1', '"exch":l', 1)
    corpora.edit(tmp_path / "it", [line.encode() for line in (LINES[0], threads, LINES[2])])
    with pytest.raises(InputError, match=rf"^{tmp_path / 'it' / RECORDS}:2: this is not JSON"):
        put_export(FORMATS["parquet"], export_of(Corpus(tmp_path / "it")), tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["it"]


# --- what does not fit ---

ARTIFACT = "THREAD0\natomic_store(0,1)\n"
TUPLES = "Thread 0: [\n  0: AXB(m0, 0, 1, true, 1)\n"
TABLE = "Test File Name,a,b,All Passed\n0,P,P,P\n3,P,F (2/20),F\nTotal failures:,0,2,1"
WRONG = [
    ("artifact", "atomic_store(0,1)\n", "f:1: found 'atomic_store(0,1)', expected thread 0"),
    ("artifact", "THREAD1\n", "f:1: found thread 1, expected thread 0 or 0"),
    ("artifact", f"{ARTIFACT}\n\nTHREAD2\n", "f:5: found thread 2, expected thread 1 or 0"),
    ("artifact", f"{ARTIFACT}atomic_load(0)\n", "f:3: found 'atomic_load(0)', expected atomic_exch_branch(loc"),
    ("artifact", f"{ARTIFACT}atomic_store(0,END)\n", "f:3: found 'atomic_store(0,END)', expected atomic_exch_"),
    ("artifact", f"{ARTIFACT}atomic_chk_branch(0,END)\n", "f:3: found 'atomic_chk_branch(0,END)', expected"),
    ("artifact", f"{ARTIFACT}atomic_chk_branch(0,1,3)\n", "f:3: in the thread that ends here, instruction 1: found"),
    ("artifact", f"{ARTIFACT}atomic_store(36,1)\n", "f:3: in the thread that ends here, instruction field loc: "),
    ("artifact", "THREAD0\nTHREAD1\n", "f:2: in the thread that ends here, thread: found no instruction"),
    ("tuples", f"{TUPLES}  2: AXB(m0, 0, 1, true, 1)\n", "f:3: found '2: AXB(m0, 0, 1, true, 1)', expected the next"),
    ("tuples", f"{TUPLES}  1: AXB(x, 0, 1, true, 1)\n", "f:3: found '1: AXB(x, 0, 1, true, 1)', expected the next"),
    ("tuples", f"{TUPLES}  1: AXB(m0, 0, 1, maybe, 1)\n", "f:3: found '1: AXB(m0, 0, 1, maybe, 1)', expected the"),
    ("text", "THREAD 0\n0: if (Mem[0] == 0) gato 0;\n", "f:2:21: found 'gato', expected 'goto'"),
    ("jsonl", '{"threads":\n', "f:1: this is not JSON"),
    ("jsonl", LINES[2] + LINES[0].replace('"wait"', "1"), "f:2: the aliases are wrong, expected a list of names"),
    ("jsonl", LINES[0].replace("wait", "two words"), "f:1: the aliases are wrong, expected a list of names"),
    ("csv", "", "f:1: found the columns '', expected a column 'id' and no name twice"),
    ("csv", "name,fair.weak\n", "f:1: found the columns 'name, fair.weak', expected a column 'id'"),
    ("csv", "id,id\n", "f:1: found the columns 'id, id', expected a column 'id' and no name"),
    ("csv", "id,fair.weak\n00_0\n", "f:2: found 1 cells, expected 2, as in the first line"),
    ("csv", "id,fair.weak\n00_0,yes\n", "f:2: found 'yes' under 'fair.weak', expected pass or fail"),
    ("csv", "id\n00_0\n0009\n", "f:3: id '0009': instruction 0: found target 9, expected 0 to 1 (the end)"),
    ("csv", 'id\n"00_0\n', "f:2: unexpected end of data, expected comma-separated values"),
    ("csv", 'id\n""\n', "f:2: the id is empty; give the id of a program"),
    ("csv", "id,aliases\n00_0,a  b\n", "f:2: found the aliases 'a  b', expected names with one space between two"),
    ("csv", "id,aliases\n00_0,\x1b[1m\n", "f:2: found the aliases '\\x1b[1m', expected names with one space"),
    ("jsonl", LINES[2][:-2] + ',"seconds":NaN}\n', "f:1: this is not JSON (NaN is not a number in JSON), "),
    ("jsonl", LINES[2][:-2] + ',"seconds":1e999}\n', "f:1: this is not JSON (the number '1e999' is too large"),
    ("published", "[Infinity]", "f: this is not JSON (Infinity is not a number in JSON), expected an array"),
    ("mustpass", "# what must pass\n00_0\nfrobs\n", "f:3: id 'frobs': expected four base-36 digits for each"),
    ("published", "{}", "f: the JSON is not an array, expected an array of tests"),
    ("published", "[", "f: this is not JSON (Expecting value: line 1 column 2 (char 1)), expected an array of tests"),
    ("published", "[1]", "f: test 1: the key 'threads'"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "text", "told"), WRONG, ids=range(len(WRONG)))
def test_what_can_not_be_read_is_one_line_with_its_place(form, text, told):
    with pytest.raises(InputError) as raised:
        read(form, text)
    assert str(raised.value).startswith(told)
    assert str(raised.value).isprintable()


def test_a_number_beyond_the_limits_is_told_as_such():
    for text in ("THREAD0\natomic_store(0,36)\n", f"THREAD0\natomic_store(0,{'9' * 5000})\n"):
        with pytest.raises(LimitError, match=r"found (36|10000), expected at most 35"):
            read("artifact", text)


def test_texts_that_say_something_else_than_the_threads_are_refused():
    text = exported("published", LINES[:1])
    for name, old, new in (("pseudo", "Mem[0],1", "Mem[0],0"), ("artifact", "(0,0,1,0)", "(0,0,0,0)")):
        with pytest.raises(InputError) as raised:
            read("published", text.replace(old, new))
        assert str(raised.value) == (
            f"f: test 1: the programs under {name!r} and 'threads' differ, expected the same program"
        )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "Test File",
            "Test",
            "f:1: this is not a table of results, expected the first line 'Test File Name,SETTING,...,All Passed'",
        ),
        ("a,b", "a,a", "f:1: two settings have the same name, expected each name once"),
        ("0,P,P,P", "0,P,P", "f:2: found 3 cells, expected 4, as in the first line"),
        ("3,P", "0,P", "f:3: found '0', expected the number of a test, larger than the one before"),
        ("3,P", "x,P", "f:3: found 'x', expected the number of a test, larger than the one before"),
        ("F (2/20)", "F 2/20", "f:3: found 'F 2/20', expected P, or F (HUNG/RUNS)"),
        ("F (2/20)", "F", "f:4: found 'Total failures:,0,2,1', expected 'Total failures:,0,1,1'"),
        ("F (2/20)", "F (21/20)", "f:3: found 'F (21/20)', expected P, or F (HUNG/RUNS) with at least one "),
        (
            "3,P,F (2/20),F",
            "3,P,-,F",
            (
                "f:3: found '-', expected P, or F (HUNG/RUNS) with at least one hung run, or F; "
                "a test that was not run has no row"
            ),
        ),
        ("F (2/20)", "F (0/20)", "f:3: found 'F (0/20)', expected P, or F (HUNG/RUNS) with at least one "),
        ("a,b", f"a,{'b' * 200_000}", "f:1: field larger than field limit (131072), expected a table of results"),
        (",F\n", ",P\n", "f:3: found 'P' under 'All Passed', which contradicts the other cells"),
        (
            ":,0,2,1",
            ":,0,3,1",
            "f:4: found 'Total failures:,0,3,1', expected 'Total failures:,0,2,1', because lines end",
        ),
    ],
)
def test_a_table_that_does_not_add_up_is_one_line_with_its_place(old, new, told):
    assert read_table(TABLE, "f").to_text() == TABLE
    with pytest.raises(InputError) as raised:
        read_table(TABLE.replace(old, new), "f")
    assert str(raised.value).startswith(told)


def test_results_that_are_none_and_tables_that_are_not_there_are_refused():
    with pytest.raises(InputError, match=r"^results of 0010-00_0: those of the table 'phone' have the wrong form"):
        exported("results", [LINES[0].replace("13/20", "many")])
    for form in ("results", "junit"):  # a log or report of nothing would look like one without failures
        with pytest.raises(InputError, match=r"^table: no test has results in 'phone'"):
            exported(form, LINES[2:])
    with pytest.raises(InputError, match=r"^table 'phone': two tests have the number 7"):
        exported("results", [LINES[1], LINES[0].replace('{"0":', '{"7":')])
    other = LINES[1].replace('"plain"', '"odd"')
    with pytest.raises(InputError, match=r"^table 'phone': test 7 has other settings, expected plain, round robin"):
        exported("results", [LINES[0], other])


# --- names and options ---


def test_an_unknown_format_is_one_line_that_names_those_there_are():
    for name, form in FORMATS.items():
        assert format_named(name) is form
    with pytest.raises(InputError) as raised:
        format_named("xml")
    assert str(raised.value) == f"format: found 'xml', expected one of {', '.join(FORMATS)}"
    with pytest.raises(InputError) as raised:
        format_named("junit", to_read=True)
    assert str(raised.value) == f"format: found 'junit', expected one of {', '.join(READ)}"


def test_each_format_writes_in_one_way_and_says_what_it_is():
    assert all((form.write is None) != (form.put is None) for form in FORMATS.values())
    assert all(form.says for form in FORMATS.values())


@pytest.mark.parametrize(
    ("form", "options", "told"),
    [
        ("mustpass", {}, "format mustpass: this format needs the option --model"),
        ("text", {"model": "OBE.weak"}, "format text: leave out --model OBE.weak, which this format does not take"),
        ("junit", {"model": "frob"}, "model: found 'frob', expected a model or verdict out of unfair, HSA, OBE"),
    ],
)
def test_an_option_that_lacks_or_has_no_use_is_refused(form, options, told):
    with pytest.raises(InputError) as raised:
        FORMATS[form].check_options(of(LINES, **options))
    assert str(raised.value).startswith(told)


# --- files and tables ---


def test_a_file_is_replaced_only_if_it_is_meant_and_whole(tmp_path):
    place = tmp_path / "Ünïcode with spaces.csv"
    put_file(place, lambda new: new.write_text("one"))
    with pytest.raises(InputError, match=r"this file exists; give a new name, or --force to replace it"):
        put_file(place, lambda new: new.write_text("two"))

    def fail(new):
        new.write_text("half")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        put_file(place, fail, force=True)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["one"]
    put_file(place, lambda new: new.write_text("two"), force=True)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["two"]
    for other in (tmp_path / "nowhere" / "file", place / "below"):
        with pytest.raises(InputError, match="expected a name for a new"):
            put_file(other, lambda new: new.write_text("two"), force=True)


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(("other", "found"), [("folder", "a folder"), ("pipe", "a device or a pipe")])
def test_what_is_there_and_no_file_is_named_as_what_it_is(tmp_path, force, other, found):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError) as raised:
        put_file(tmp_path / other, lambda new: new.write_text("two"), force=force)
    assert str(raised.value) == f"{tmp_path / other}: found {found}, expected a name for a new file"


def refusing(number):
    def refuse(*_):
        raise OSError(number, os.strerror(number))

    return refuse


@pytest.mark.parametrize("links", [True, False])
def test_of_two_runs_that_end_at_one_file_the_slower_is_refused(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(files.os, "link", refusing(errno.EPERM))
    place = tmp_path / "out"

    def slow(new):
        new.write_text("slow")
        put_file(place, lambda new: new.write_text("fast"))

    with pytest.raises(InputError, match=r"out: this file exists; give a new name, or --force to replace it"):
        put_file(place, slow)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["fast"]
    place.unlink()
    put_file(place, lambda new: new.write_text("alone"))
    assert [path.read_text() for path in tmp_path.iterdir()] == ["alone"]


def test_the_next_run_removes_the_part_of_a_file_that_was_left_a_day_ago(tmp_path):
    old, new = (tmp_path / f".out-{digit * 16}.partial" for digit in "ab")
    for path, hours in ((old, 25), (new, 23)):
        path.write_text("some of it")
        then = time.time() - hours * 3600
        os.utime(path, (then, then))
    put_file(tmp_path / "out", lambda new: new.write_text("one"))
    assert {path.name for path in tmp_path.iterdir()} == {new.name, "out"}


def test_the_file_and_then_the_name_of_it_are_made_to_last(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(files, "sync", lambda path: synced.append((path, sorted(tmp_path.iterdir()))))
    put_file(tmp_path / "out", lambda new: new.write_text("one"))
    (part, before), (folder, after) = synced
    assert (before, folder) == ([part], tmp_path)
    assert tmp_path / "out" in after


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    corpora.write(tmp_path / "it's.corpus", LINES)
    return Corpus(tmp_path / "it's.corpus")


def test_a_table_for_data_frames_has_a_column_a_verdict(corpus, tmp_path):
    import duckdb

    place = tmp_path / "it's.parquet"
    made = export_of(corpus)
    FORMATS["parquet"].put(made, place, force=False)
    table = duckdb.read_parquet(str(place))
    assert table.columns == ["id", "threads", "instructions", *corpora.VERDICTS, "signature", "aliases"]
    letters = ["fppfppppppp", "pffffffffff", "fffffffffff"]
    assert [(row[0], *row[1:3], *row[-2:]) for row in table.fetchall()] == [
        ("0010-00_0", 2, 2, letters[0], ["2t_2i/0", "wait"]),
        ("0110-00_000_1-0110", 3, 4, letters[1], []),
        ("01100002-00_0", 2, 3, letters[2], []),
    ]
    assert [row[3:14] for row in table.fetchall() or duckdb.read_parquet(str(place)).fetchall()] == [
        tuple(letter == "p" for letter in row) for row in letters
    ]


def rows(corpus, sql):
    with query.ask(corpus, sql) as answer:
        return list(answer.rows)


def test_a_copy_is_made_once_and_anew_when_it_is_damaged_or_the_corpus_has_changed(corpus):
    question = 'SELECT count(*), sum(instructions) FROM tests WHERE NOT "fair.weak"'
    assert rows(corpus, question) == [(2, 7)]
    copy = query.copy_of(corpus)
    made = copy.stat().st_mtime_ns
    assert query.copy_of(corpus).stat().st_mtime_ns == made
    copy.write_bytes(copy.read_bytes()[:-1])
    assert rows(corpus, question) == [(2, 7)]
    corpora.write(corpus.folder, LINES[:2], force=True)
    assert rows(Corpus(corpus.folder), question) == [(1, 4)]
    with pytest.raises(InputError, match=r"^query: .*; the view tests has the columns id, .*, aliases$"):
        rows(corpus, "SELECT frob FROM tests")


def test_a_folder_with_an_asterisk_in_its_name_is_one_folder(corpus, tmp_path):
    starred = tmp_path / "a*[b]?.corpus"
    corpora.write(starred, LINES[:2])
    corpora.write(tmp_path / "a-b-.corpus", LINES)
    assert rows(Corpus(starred), "SELECT count(*) FROM tests") == [(2,)]
    assert rows(corpus, "SELECT count(*) FROM tests") == [(3,)]


@pytest.mark.parametrize("sql", ["", ";"])
def test_an_empty_query_is_one_line(corpus, sql):
    with pytest.raises(InputError, match=r"^query: "):
        rows(corpus, sql)


def test_without_duckdb_one_line_says_how_to_get_it(corpus, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    with pytest.raises(InputError) as raised:
        query.copy_of(corpus)
    assert str(raised.value) == f"parquet: DuckDB is not installed; to install it: {how_to_install('corpus')}"
