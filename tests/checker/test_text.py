"""Test the text form of programs: written text is read back, and a message names the place of a fault."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from synth_checker.errors import InputError, LimitError
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import NamedProgram, read_program, read_programs, write_program

# Figure 2 of the paper, and a spinner: the example of the definitions.
MUTEX_AND_SPINNER = """\
// mutex of Figure 2, and a spinner
THREAD 0
0: if (Exch(Mem[0],1) == 1) goto 0;
1: Mem[0] = 0;

THREAD 1
0: if (Mem[0] == 0) goto 0;
"""

any_program = strategies.programs(threads=(1, 4), instructions=(1, 12), locations=36, values=36)
WORD = re.compile(r"[A-Za-z]+|[0-9]+|==|\S")


def test_the_example_of_the_definitions_is_read_and_written_alike():
    program = program_of_id("01100002-00_0")
    assert read_programs(MUTEX_AND_SPINNER) == [NamedProgram("mutex of Figure 2, and a spinner", program, 2)]
    assert write_program(program, "mutex of Figure 2, and a spinner") == MUTEX_AND_SPINNER


@given(any_program)
def test_every_program_is_read_back_as_it_was_written(program):
    assert read_program(write_program(program)) == program


@pytest.mark.full
@given(st.lists(st.tuples(any_program, st.none() | st.just("a name") | st.just("THREAD 0")), max_size=4))
def test_a_file_is_its_programs_one_after_the_other(named):
    text = "\n".join(write_program(program, name) for program, name in named)
    assert [(named_program.program, named_program.name) for named_program in read_programs(text)] == named


@given(strategies.programs(locations=36, values=36), st.randoms(use_true_random=False))
def test_white_space_and_comments_mean_nothing(program, random):
    gaps = [" ", "  ", "\n", "\r\n", "\t", " // Mem[0] = 1;\n", "\n//\n"]
    words = WORD.findall(write_program(program))
    assert read_program("".join(random.choice(gaps) + word for word in words)) == program


def test_only_words_that_would_run_together_need_white_space():
    dense = "THREAD0 0:if(Exch(Mem[0],1)==1)goto0;1:Mem[0]=0;THREAD1 0:if(Mem[0]==0)goto END;"
    assert read_program(dense) == program_of_id("01100002-00_1")


@pytest.mark.parametrize(
    ("instruction", "identifier"),
    [
        ("0: Mem[1] = 2;", "1021"),
        ("0: if (Mem[0] == 0) goto 1;", "00_1"),
        ("0: if (Mem[0] == 0) goto END;", "00_1"),
        ("0: if (Exch(Mem[0],1) == 0) goto END;", "0011"),
        ("0: if (Exch(Mem[3],1) == 2) goto 1;", "3211"),
        ("0: if (Exch(Mem[35],35) == 35) goto 0;", "zzz0"),
    ],
)
def test_reading_gives_the_fields_of_the_definitions(instruction, identifier):
    assert read_program(f"THREAD 0\n{instruction}") == program_of_id(identifier)


@pytest.mark.parametrize(
    ("identifier", "instruction"),
    [
        ("0011", "Mem[0] = 1;"),
        ("0111", "if (Exch(Mem[0],1) == 1) goto END;"),
        ("0010", "if (Exch(Mem[0],1) == 0) goto 0;"),
        ("01_0", "if (Mem[0] == 1) goto 0;"),
        ("01_1", "if (Mem[0] == 1) goto END;"),
    ],
)
def test_writing_tells_stores_that_compare_from_those_that_do_not(identifier, instruction):
    assert write_program(program_of_id(identifier)) == f"THREAD 0\n0: {instruction}\n"


def test_a_name_is_the_comment_line_just_before_thread_0():
    thread = "// no\n0: Mem[0] = 0; // no\n"
    text = f"// no\n// yes \nTHREAD 0 // no\n{thread}// no\nTHREAD 1\n{thread}THREAD 0\n{thread}"
    assert [(named_program.name, named_program.line) for named_program in read_programs(text)] == [
        ("yes", 3),
        (None, 10),
    ]


def test_a_text_without_programs_has_none():
    assert read_programs(" \n// only a comment") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0: Mem[0] = 1;", "t:1:1: found '0', expected 'THREAD'"),
        ("THREAD", "t:1:7: found the end of the text, expected thread number 0"),
        ("THREAD 1\n0: Mem[0] = 1;", "t:1:8: found '1', expected thread number 0"),
        ("THREAD 0\n0: Mem[0] = 1;\nTHREAD 2", "t:3:8: found '2', expected thread number 1"),
        ("THREAD 0\n\nTHREAD 1", "t:3:1: found 'THREAD', expected the first instruction of thread 0"),
        ("THREAD 0\n1: Mem[0] = 1;", "t:2:1: found '1', expected instruction number 0"),
        ("THREAD 0\n0; Mem[0] = 1;", "t:2:2: found ';', expected ':'"),
        ("THREAD 0\n0: mem[0] = 1;", "t:2:4: found 'mem', expected 'if' or 'Mem'"),
        ("THREAD 0\n0: Mem(0) = 1;", "t:2:7: found '(', expected '['"),
        ("THREAD 0\n0: Mem[x] = 1;", "t:2:8: found 'x', expected a memory location"),
        ("THREAD 0\n0: Mem[0] == 1;", "t:2:11: found '==', expected '='"),
        ("THREAD 0\n0: Mem[0] = -1;", "t:2:13: found '-', expected a value"),
        ("THREAD 0\n0: Mem[0] = 1", "t:2:14: found the end of the text, expected ';'"),
        ("THREAD 0\n0: Mem[0] = 1; x", "t:2:16: found 'x', expected an instruction, THREAD or the end of the text"),
        ("THREAD 0\n0: if Mem[0] == 1 goto 0;", "t:2:7: found 'Mem', expected '('"),
        ("THREAD 0\n0: if (Mem[0] = 1) goto 0;", "t:2:15: found '=', expected '=='"),
        ("THREAD 0\n0: if (Load(0) == 1) goto 0;", "t:2:8: found 'Load', expected 'Exch' or 'Mem'"),
        ("THREAD 0\n0: if (Exch(0,1) == 1) goto 0;", "t:2:13: found '0', expected 'Mem'"),
        ("THREAD 0\n0: if (Exch(Mem[0] 1) == 1) goto 0;", "t:2:20: found '1', expected ','"),
        ("THREAD 0\n0: if (Mem[0] == 1) jump 0;", "t:2:21: found 'jump', expected 'goto'"),
        ("THREAD 0\n0: if (Mem[0] == 1) goto end;", "t:2:26: found 'end', expected a location or END"),
        (
            "THREAD 0\n  // two spaces\n  0: if (Mem[0] == 1) goto 2;\n",
            "t:3:28: found '2', expected an instruction of thread 0 to jump to (0 to 1) or END",
        ),
    ],
)
def test_what_does_not_fit_is_reported_with_line_and_column_found_and_expected(text, message):
    with pytest.raises(InputError) as raised:
        read_programs(text, "t")
    assert (type(raised.value), str(raised.value)) == (InputError, message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("THREAD 0\n0: Mem[36] = 1;", "t:2:8: found '36', expected a memory location below 36"),
        ("THREAD 0\n0: Mem[0] = 36;", "t:2:13: found '36', expected a value below 36"),
        ("THREAD 0\n0: if (Mem[0] == 36) goto 0;", "t:2:18: found '36', expected a value below 36"),
        ("THREAD 0\n0: if (Mem[0] == 0) goto 36;", "t:2:26: found '36', expected a location or END below 36"),
        (
            "THREAD 0\n0: Mem[0] = " + "9" * 10_000 + ";",
            f"t:2:13: found '{'9' * 40}', expected a value below 36",
        ),
        (
            "THREAD 0\n" + "".join(f"{pc}: Mem[0] = 0;\n" for pc in range(36)),
            "t:37:1: found '35', expected at most 35 instructions in a thread",
        ),
    ],
)
def test_a_number_beyond_a_limit_is_a_limit_error_at_its_place(text, message):
    with pytest.raises(LimitError) as raised:
        read_programs(text, "t")
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "<text>:1:1: found 0 programs, expected one"),
        (MUTEX_AND_SPINNER + MUTEX_AND_SPINNER, "<text>:9:1: found 2 programs, expected one"),
    ],
)
def test_a_text_with_no_or_two_programs_is_refused_where_one_is_expected(text, message):
    with pytest.raises(InputError) as raised:
        read_program(text)
    assert str(raised.value) == message


@given(
    st.text()
    | st.lists(st.sampled_from(["THREAD", "0", "1", "99", ":", "Mem", "[", "]", "=", ";", "\n", "é", "²"])).map(
        " ".join
    )
    | st.tuples(any_program, st.integers(0), st.sampled_from(["", "0", ";", "THREAD 0", "//", "\0"])).map(
        lambda drawn: _damaged(write_program(drawn[0]), drawn[1], drawn[2])
    )
)
def test_any_text_is_read_or_refused_with_a_place(text):
    """And what is read from a damaged text is a program all the same."""
    try:
        programs = read_programs(text, "t")
    except InputError as error:
        assert re.fullmatch(r"t:\d+:\d+: found .*, expected .*", str(error), re.DOTALL)  # noqa: PT017
    else:
        assert [read_program(write_program(named_program.program)) for named_program in programs] == [
            p.program for p in programs
        ]


def _damaged(text, place, patch):
    """One word of the text replaced."""
    words = list(WORD.finditer(text))
    word = words[place % len(words)]
    return text[: word.start()] + patch + text[word.end() :]
