"""One test on the page: steps, states, proofs of verdicts, relatives, and texts to copy."""

import pytest

from browsing import wait_until
from synth_backends.emission import litmus_tests
from synth_backends.target import Choices, files_of
from synth_checker.certificates.certificate import Lasso
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import write_program
from synth_checker.transitions.executions import Executions
from synth_checker.transitions.transition_system import explore
from synth_corpus.store import Corpus
from synth_litmus.explanation import explain
from synth_litmus.inputs.programs import given_program

pytestmark = [pytest.mark.full, pytest.mark.command("npm")]
MUTEX = "01100002-01100002"
CLIPBOARD = "navigator.clipboard.readText()"


def open_test(opened, five, id_, more="", **options):
    return opened(five, f"#test={id_}{more}", until="#test-name:visible", **options)


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def state_of(page):
    return page.inner_text(".state").strip()


def test_the_steps_of_threads_lead_through_the_states(opened, five):
    page = open_test(opened, five, MUTEX)
    assert page.locator(".program code").all_inner_texts() == [
        line for line in write_program(program_of_id(MUTEX)).splitlines() if line[:1].isdigit()
    ]
    assert state_of(page) == "At the start: Mem[0] is 0."
    press(page, "Step of thread 1")
    assert state_of(page) == "After 1 step: Mem[0] is 1."
    page.keyboard.press("0")
    page.keyboard.press("1")
    assert state_of(page) == "After 3 steps: Mem[0] is 0. Thread 1 has ended."
    assert page.get_by_role("button", name="Step of thread 1", exact=True).is_disabled()
    wait_until(page, "location.hash.endsWith('&run=101')")
    page.keyboard.press("b")
    assert state_of(page) == "After 2 steps: Mem[0] is 1."
    assert page.locator(".program tr.here code").all_inner_texts() == [
        "0: if (Exch(Mem[0],1) == 1) goto 0;",
        "1: Mem[0] = 0;",
    ]


def test_all_states_are_drawn_and_the_current_one_is_marked(opened, five):
    page = open_test(opened, five, MUTEX, "&run=1")
    graph = explore(Executions(program_of_id(MUTEX)), 1000)
    drawing = page.locator(".run .drawing")
    assert drawing.locator(".node").count() == len(graph.states)
    assert drawing.locator(".edge").count() == len(
        {(s, t) for s, row in enumerate(graph.successors) for t in row.values()}
    )
    assert drawing.locator(".node.current text").all_text_contents() == ["at 0 1", "mem 1"]


def test_a_failing_verdict_is_played_to_its_end_and_round_again(opened, five):
    for id_, verdict in ((MUTEX, "HSA.weak"), ("0000-00010011-0010", "OBE.strong")):
        lasso = explain(given_program(id_, None).program, verdict).certificate
        assert isinstance(lasso, Lasso)
        page = open_test(opened, five, id_)
        press(page, f"{verdict}: how it hangs")
        first = page.locator(".proof p").first.inner_text()
        assert "There is no shorter way." in first
        rows = page.locator(".lasso tbody tr")
        assert rows.count() == len(lasso.steps)
        for number, step in enumerate(lasso.steps):
            cells = rows.nth(number).locator("td").all_inner_texts()
            assert cells[1] == " ".join(map(str, step.state.system.memory))
            owed = [str(t) for t in range(4) if step.fair >> t & 1]
            assert cells[2] == (", ".join(owed) or "none")
            assert cells[3] == str(step.thread)
            assert rows.nth(number).get_attribute("aria-current") == "step"
            press(page, "Next step of the execution")
        assert rows.nth(lasso.prefix).get_attribute("aria-current") == "step"  # round again
        page.keyboard.press("n")
        assert page.locator(".lasso tr[aria-current]").count() == 1


def test_play_stops_when_asked(opened, five):
    page = open_test(opened, five, MUTEX, "&verdict=HSA.weak")
    press(page, "Play")
    wait_until(page, "location.hash.includes('run=10')")
    press(page, "Stop")
    assert page.get_by_role("button", name="Play", exact=True).is_visible()


def test_a_passing_verdict_has_a_rank_that_falls_to_zero(opened, five):
    page = open_test(opened, five, MUTEX, "&verdict=OBE.weak")
    ranks = []
    for thread in "0011":
        ranks.append(int(page.inner_text(".rank").split()[6].rstrip(".")))
        page.keyboard.press(thread)
    ranks.append(int(page.inner_text(".rank").split()[6].rstrip(".")))
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[-1] == 0
    assert page.inner_text(".state").endswith("All threads have ended.")


def test_the_order_of_verdicts_fills_those_that_the_test_passes(opened, five):
    page = open_test(opened, five, MUTEX)
    order = page.locator(".test > .drawing")
    passed = order.locator(".node.passed").all_text_contents()
    [record] = [record for record in Corpus("@complete/2x4") if record.id == MUTEX]
    expected = {name for name, result in record.verdicts.items() if result == "pass"}
    assert {name.split("P passes")[0] for name in passed} == expected


def test_a_relative_opens(opened, five):
    page = open_test(opened, five, "00_0-0011")
    page.get_by_role("button", name="producer-consumer-increasing", exact=False).first.click()
    wait_until(page, "location.hash === '#test=0011-00_0'")
    assert page.inner_text(".test > .id") == "0011-00_0"
    page.go_back()
    wait_until(page, "document.querySelector('.test > .id').textContent === '00_0-0011'")


def test_programs_code_and_commands_are_copied(opened, five):
    page = open_test(opened, five, MUTEX)
    press(page, "Copy the program")
    page.wait_for_selector("text=Copied")
    assert page.evaluate("navigator.clipboard.readText()").rstrip() == write_program(program_of_id(MUTEX)).rstrip()
    page.get_by_role("combobox", name="Code for").select_option("opencl")
    press(page, "Copy the command")
    wait_until(page, f"{CLIPBOARD}.then((text) => text === 'synth emit --target opencl {MUTEX} --out {MUTEX}-opencl')")
    page.get_by_role("combobox", name="Mapping").select_option("stride:16")
    press(page, "Copy the code")
    wait_until(page, f"{CLIPBOARD}.then((text) => text.startsWith('// Progress litmus test'))")
    [test] = litmus_tests([MUTEX])
    code = files_of("opencl", [test], Choices("stride:16"))[f"test-{MUTEX}.cl"]
    assert page.evaluate(CLIPBOARD) == page.locator("pre.source").text_content() == code
    press(page, "Copy the command")
    wait_until(page, f"{CLIPBOARD}.then((text) => text.includes('--mapping stride:16'))")
    wait_until(page, f"location.hash === '#test={MUTEX}&target=opencl&mapping=stride%3A16'")


def test_the_address_names_the_code_and_a_mapping_that_the_target_lacks_is_named(opened, five):
    page = open_test(opened, five, MUTEX, "&target=cpp&mapping=subgroups%3A64")
    said = "The target cpp cannot run this test with the mapping subgroups:64, which the address names."
    assert page.locator(".test .notice").all_inner_texts() == [said]
    [test] = litmus_tests([MUTEX])
    assert page.locator("pre.source").text_content() == files_of("cpp", [test])[f"test-{MUTEX}.cpp"]
    wrong = opened(five, "#target=fortran&mapping=diagonal")
    assert wrong.locator(".notice").all_inner_texts() == [
        "This page has no target fortran, which the address names.",
        "This page has no mapping diagonal, which the address names.",
    ]


def test_the_open_test_is_printed_without_what_one_presses(opened, five):
    page = open_test(opened, five, MUTEX, "&verdict=HSA.weak&target=cuda", dark=True)
    page.emulate_media(media="print", color_scheme="light")
    for part in ("#test-name", ".program", ".lasso", ".drawing", "pre.source"):
        assert page.locator(part).first.is_visible()
    for part in (".list", "nav", "select", "button", "footer"):
        assert not any(element.is_visible() for element in page.locator(part).all())
    source = page.locator("pre.source")
    assert source.evaluate("(pre) => pre.scrollHeight <= pre.clientHeight + 1")
