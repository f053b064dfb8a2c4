"""Test programs with no-ops: commands give the verdicts of the program given, and say how its normal form differs."""

import json

import pytest

from synth import api
from synth_backends.emission import litmus_tests
from synth_checker.certificates.certification import certify
from synth_checker.models import read_model
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.programs.text import read_program, write_program
from synth_corpus.store import Corpus
from synth_litmus.lts import lts_of

ODD = "odd = live - lowest(stepped)"
#: Fails `odd` in both forms; its normal form passes it.
GIVEN, FORM = "00_10010-0000", "0010-0000"
#: Thread 0 is gone in the normal form. `first` still counts it as the lowest.
FIRST = "first = live & lowest(all)"
WITH_THREAD, WITHOUT = "00_1-0010-00_0", "0010-00_0"
FAIL, PASS = ({"odd.weak": verdict, "odd.strong": verdict} for verdict in ("fail", "pass"))


def test_verdicts_are_those_of_the_program_given(synth, tmp_path):
    file = tmp_path / "given.txt"
    file.write_text(write_program(program_of_id(GIVEN)))
    for source in (GIVEN, str(file)):
        ran = synth("check", source, "--model", ODD)
        assert ran.code == 1
        assert "odd    fail  fail" in ran.out
        assert synth("check", source, "--model", ODD, "--expect", "fail", "--certify").code == 0
    assert synth("check", FORM, "--model", ODD).code == 0
    for form in (GIVEN, program_of_id(GIVEN), write_program(program_of_id(GIVEN))):
        assert api.check(form, [ODD]).verdicts == FAIL
    assert [check.verdicts for check in api.check_all([FORM, GIVEN, FORM], [ODD])] == [PASS, FAIL, PASS]


def test_check_says_what_the_normal_form_has_otherwise(synth):
    ran = synth("check", GIVEN, "--model", ODD)
    assert ran.out.splitlines()[0] == FORM
    told = "Its normal form, which has no no-ops, has these verdicts instead: odd.weak pass, odd.strong pass."
    assert ran.out.splitlines()[-1] == told
    assert "other verdicts" not in synth("check", FORM, "--model", ODD).out
    assert "other verdicts" not in synth("check", GIVEN).out
    record = json.loads(synth("check", GIVEN, "--model", ODD, "--json").out)
    assert (record["id"], record["with_no_ops"], record["verdicts"]) == (FORM, GIVEN, FAIL)
    assert record["normal_form"] == {"breaks": [], "verdicts": PASS}
    assert not {"with_no_ops", "normal_form"} & json.loads(synth("check", FORM, "--json").out).keys()


def test_a_thread_of_no_ops_alone_is_there_when_verdicts_are_decided(synth):
    check = api.check(WITH_THREAD, [FIRST])
    assert (check.id, len(check.judged), len(check.program)) == (WITHOUT, 3, 2)
    assert check.verdicts == {"first.weak": "fail", "first.strong": "fail"}
    assert check.normal_form.verdicts == {"first.weak": "pass", "first.strong": "pass"}
    assert api.check(WITH_THREAD).verdicts == api.check(WITHOUT).verdicts
    assert synth("check", WITH_THREAD, "--model", FIRST, "--expect", "fail", "--certify").code == 0


def test_rules_are_those_of_the_program_given_and_the_normal_form_has_its_own(synth):
    """A no-op behind a jump that is always taken is never executed; the normal form lacks it."""
    text = """
    THREAD 0
    0: if (Mem[0] == 0) goto 0;
    1: if (Exch(Mem[1],0) == 0) goto 3;
    2: if (Mem[1] == 0) goto 3;
    THREAD 1
    0: Mem[0] = 1;
    """
    check = api.check(text)
    assert "executed" in check.breaks
    assert "executed" not in check.normal_form.breaks
    told = [line for line in synth("check", "-", stdin=text).out.splitlines() if line.startswith("Its normal form")]
    assert told == [f"Its normal form breaks {', '.join(check.normal_form.breaks)}."]


def test_explain_shows_the_program_with_its_no_ops_and_why_it_has_its_verdict(synth):
    ran = synth("explain", GIVEN, "--model", f"odd.weak ={ODD.partition('=')[2]}")
    assert ran.out.splitlines()[0] == GIVEN
    assert "0: if (Mem[0] == 0) goto 1;" in ran.out
    assert f"(the program given, with its no-ops; its normal form is {FORM})" in ran.out
    assert "odd.weak: fail" in ran.out
    record = json.loads(synth("explain", GIVEN, "--model", f"odd.weak ={ODD.partition('=')[2]}", "--json").out)
    assert (record["id"], record["with_no_ops"], record["verdict"]) == (FORM, GIVEN, {"odd.weak": "fail"})
    assert api.explain(FORM, f"odd.weak ={ODD.partition('=')[2]}").result == "pass"


def test_the_lts_has_the_steps_of_no_ops(synth):
    found = lts_of(program_of_id(GIVEN), ODD)
    assert (written_out(found.of.program), found.of.id) == (GIVEN, FORM)
    assert any(each.for_ever for each in found.transitions)
    assert not any(each.for_ever for each in lts_of(program_of_id(FORM), ODD).transitions)
    record = json.loads(synth("lts", GIVEN, "--format", "json").out)
    assert (record["id"], record["with_no_ops"]) == (FORM, GIVEN)
    assert "with_no_ops" not in json.loads(synth("lts", FORM, "--format", "json").out)


def test_the_certificate_is_that_of_the_program_given():
    check = api.check(GIVEN, [ODD])
    certificate = certify(check.judged, read_model(ODD, "here").automaton(2), "weak")
    assert any(step.state.system.pcs[0] == 0 and step.thread == 0 for step in certificate.steps)


def test_what_is_emitted_is_the_normal_form_with_its_verdicts():
    (test,) = litmus_tests([GIVEN])
    assert (test.id, test.program) == (FORM, program_of_id(FORM))
    assert test.verdicts == api.check(FORM).verdicts


def test_shrink_says_that_it_shrinks_the_normal_form_which_has_other_verdicts(synth):
    out = synth("shrink", GIVEN, "--model", ODD).out
    told = (
        "The program as given has other verdicts (odd.weak fail, odd.strong fail); "
        "the program above is its normal form, which is shrunk."
    )
    assert told in out.splitlines()
    assert "other verdicts" not in synth("shrink", FORM, "--model", ODD).out


@pytest.mark.parametrize("id_", [GIVEN, WITH_THREAD])
def test_a_program_with_no_ops_is_written_and_read_back(id_):
    assert read_program(write_program(program_of_id(id_))) == program_of_id(id_)


def test_what_check_prints_as_json_is_imported_as_the_normal_form(synth, tmp_path):
    file = tmp_path / "checked.jsonl"
    file.write_text(synth("check", GIVEN, "--json").out)
    ran = synth("corpus", "import", str(file), "--format", "jsonl", "--out", str(tmp_path / "corpus"))
    assert ran.code == 0
    (line,) = Corpus(tmp_path / "corpus").lines()
    record = json.loads(line)
    assert record["id"] == FORM
    assert not {"with_no_ops", "normal_form"} & record.keys()
