"""Exports of a corpus: records as they are, and programs that read back as the same tests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
import corpora
import strategies
from synth_checker.errors import InputError
from synth_checker.normal import id_of, written_out
from synth_checker.text import read_programs
from synth_corpus.formats import FORMATS, check_format
from synth_corpus.record import RecordWriter
from synth_corpus.store import Corpus

any_program = strategies.programs(threads=(1, 4), instructions=(1, 12), locations=36, values=36)


def exported(form, lines):
    return "".join(FORMATS[form](lines))


@pytest.mark.parametrize("size", [0, 1, 200])
def test_jsonl_is_the_records_to_the_byte(tmp_path, size):
    lines = corpora.some(size)
    corpora.write(tmp_path / "out", lines)
    assert exported("jsonl", Corpus(tmp_path / "out").lines()) == "".join(lines)


@given(st.lists(any_program, max_size=4))
def test_text_reads_back_as_the_same_programs_each_with_its_id_as_its_name(programs):
    """Also those whose stores compare with something, which are tests where that rule is dropped."""
    line = RecordWriter(corpora.VERDICTS).line
    found = read_programs(exported("text", (line(written_out(program), 0) for program in programs)))
    assert [(one.name, one.program) for one in found] == [(written_out(program), program) for program in programs]


@pytest.mark.parametrize("without", [(), ("meaningful-comparisons",)])
def test_text_of_a_corpus_reads_back_to_its_ids(tmp_path, without):
    """The ids of its tests' normal forms, those of stores that compare with 1 among them where they are tests."""
    records = brute.records(2, 3, without=without)
    line = RecordWriter(corpora.VERDICTS).line
    corpora.write(tmp_path / "out", [line(id_, passes) for id_, passes in records])
    text = exported("text", Corpus(tmp_path / "out").lines())
    found = [id_of(one.program, keep_store_checks=bool(without)) for one in read_programs(text)]
    assert found == [id_ for id_, _ in records]


def test_text_has_a_blank_line_between_programs_and_none_at_its_ends():
    line = RecordWriter(()).line
    assert exported("text", [line("0010-01_0", 0), line("0011", 0)]) == (
        "// 0010-01_0\nTHREAD 0\n0: if (Exch(Mem[0],1) == 0) goto 0;\n\nTHREAD 1\n0: if (Mem[0] == 1) goto 0;\n"
        "\n// 0011\nTHREAD 0\n0: Mem[0] = 1;\n"
    )


@pytest.mark.parametrize("form", FORMATS)
def test_an_export_is_a_stream(form):
    """Its first record is out before the last has been read."""

    def lines():
        yield RecordWriter(()).line("0011", 0)
        raise AssertionError

    assert "0011" in next(iter(FORMATS[form](lines())))


def test_an_unknown_format_is_one_line_that_names_those_there_are():
    for form in FORMATS:
        check_format(form)
    with pytest.raises(InputError) as raised:
        check_format("xml")
    assert str(raised.value) == "format: found 'xml', expected one of jsonl, text"


def test_a_record_that_is_none_is_found_by_its_number():
    lines = [*corpora.some(2), "{}\n"]
    with pytest.raises(InputError, match=r"^record 3: "):
        exported("text", lines)
