"""Kernels that were answered wrongly once, and what is so. Each is small, and each stands for a cause.

The kernels are in `tests/kernels/cases`.
"""

import json
from pathlib import Path

import pytest

CASES = Path(__file__).parents[1] / "cases"

#: The words of `synth verify`; then for each kernel its verdict, with `confirmed` or `possible` behind a fault.
VERDICTS = {
    # Pointers have 64 bits.
    "sz2.cl --kernel over --local-size 8 --num-groups 1": ["race confirmed"],
    "sz4.cl --local-size 64 --num-groups 4": ["race confirmed"],
    "sizet3.cl --local-size 8 --num-groups 1": ["race confirmed"],
    "sizet3.cl --local-size 8 --num-groups 1 --pointer-bits 32": ["verified"],
    # What is set on some paths only is not set on others.
    "u.cl --local-size 8 --num-groups 1": [*["race confirmed"] * 3, "divergence confirmed", *["race confirmed"] * 2],
    # Signed numbers wrap around, however a kernel is written.
    "nsw.cl --local-size 8 --num-groups 1": ["race confirmed"] * 3,
    # A pointer that is compared with null may be null.
    "null.cl --local-size 8 --num-groups 1": ["race confirmed"],
    # Options that look at less prove less.
    "od.cl --local-size 8 --num-groups 1 --only divergence": ["divergence confirmed"],
    "og.cl --local-size 8 --num-groups 2 --only intra-group": ["unknown"],
    "od.cl --local-size 8 --num-groups 1 --only divergence --modular": ["unknown"],
    "og.cl --local-size 8 --num-groups 2 --only intra-group --modular": ["unknown"],
    # Confirmed means executed: counters, locks and flags keep these threads apart, and constants have their values.
    "conf.cl --local-size 4 --num-groups 1": ["race possible"],
    "slot2.cu": ["race possible"],
    "goodlock.cu --local-size 1 --num-groups 2": ["race possible"],
    "flag.cu --local-size 1 --num-groups 2": ["race possible"],
    "constant.cl --local-size 4 --num-groups 1": ["race possible"],
    "private.cl --local-size 4 --num-groups 1": ["race possible"],
    # No device launches so many threads that the index wraps around.
    "soa3.cl --local-size 64 --num-groups *": ["race possible"],
    "soa3.cl --local-size 64 --num-groups 1000": ["verified"],
    # Atomic operations of a block do not order blocks.
    "scope.cu": ["unknown"],
    "scope.cu --modular": ["unknown"],
    # A barrier of the grid is one object; one of a group has the place that the language asks for.
    "gridsync2.cu --local-size 1 --num-groups 2": ["verified"],
    "gridsync2.cu --local-size 1 --num-groups 2 --modular": ["unknown"],
    "syncb.cu --local-size 64 --num-groups 1": ["divergence confirmed"],
    "syncb.cu --local-size 64 --num-groups 1 --barrier-sites any": ["verified"],
    # Refused for no good reason.
    "trivial.hip": ["verified"],
    "fnptr.cu": ["verified"],
    "intmax.cu": ["verified"],
    "uint.cu": ["verified"],
}


@pytest.mark.full
@pytest.mark.parametrize(("words", "right"), VERDICTS.items(), ids=VERDICTS)
def test_verdicts_that_were_once_wrong_are_right(synth, words, right):
    name, *more = words.split()
    answers = list(map(json.loads, synth("verify", CASES / name, *more, "--json").out.splitlines()))
    assert [_verdict(answer) for answer in answers] == right
    assert all(answer["rests_on"] for answer in answers)


def _verdict(answer):
    faults = [fault["confirmed"] for fault in answer["counterexamples"]]
    return f"{answer['verdict']}{(' confirmed' if any(faults) else ' possible') if faults else ''}"


@pytest.mark.full
def test_an_instance_is_named_as_the_source_has_it(synth):
    said = synth("verify", CASES / "tmpl.cu", "--kernel", "k<int, 4>")
    assert (said.code, said.out.splitlines()[0]) == (0, "k<int, 4>: verified")


@pytest.mark.full
@pytest.mark.parametrize("name", ["place1.cu", "place3.cl"])
def test_an_access_through_a_pointer_stands_where_it_is_made(synth, tmp_path, name):
    """In the text, in the JSON and in SARIF, the line is that of `*p = x`, and not that of `p = a + n`."""
    text = (CASES / name).read_text()
    line = next(number for number, source_line in enumerate(text.splitlines(), 1) if "*p = x" in source_line)
    said = synth("verify", CASES / name, "--sarif", tmp_path / "s.sarif")
    assert said.out.count(f"{name}:{line}: thread ") == 2
    (result,) = json.loads((tmp_path / "s.sarif").read_text())["runs"][0]["results"]
    assert {location["physicalLocation"]["region"]["startLine"] for location in result["locations"]} == {line}
    (fault,) = json.loads(synth("verify", CASES / name, "--json").out)["counterexamples"]
    assert [step["line"] for step in fault["steps"]] == [line, line]


#: The words of `synth kernel need`; then how its answer begins, and what is in it.
NEEDS = {
    "sz.cl --arg f=0:1": ("sz may hang under every model", "64-bit pointers"),
    "sz.cl --arg f=0:1 --pointer-bits 32": ("sz needs no guarantee", "32-bit pointers"),
    "un.cl --arg f=0:8": ("un needs HSA.weak", "Note: i ("),
    "scopelock.cu --arg lock=0:1 --arg sum=0:1": (
        "k has needs that are not known",
        "only among threads of a workgroup",
    ),
    "laneorder.cu --lanes lockstep --local-size 4 --workgroups 1 --arg x=0:1": (
        "k may hang under every model",
        "whose accesses come in any order",
    ),
    **dict.fromkeys(
        [
            "warp_lock.cu --local-size 4 --workgroups 1 --arg lock=0:1 --arg x=0:1",
            "warp_lock.cu --local-size 4 --workgroups 1 --arg lock=0:1 --arg x=0:1 --lanes lockstep",
        ],
        (
            "k needs HSA.weak or OBE.weak",
            "each lane is taken to be scheduled fairly within its workgroup; hardware that runs a warp as one may hang",
        ),
    ),
    "trivial.hip --arg a=0:1": ("k needs no guarantee", "64-bit pointers"),
}


@pytest.mark.full
@pytest.mark.parametrize(("words", "right"), NEEDS.items(), ids=NEEDS)
def test_needs_that_were_once_wrong_are_right(synth, words, right):
    name, *more = words.split()
    said = synth("kernel", "need", CASES / name, *more)
    assert (said.code, said.out.startswith(right[0]), right[1] in said.out) == (0, True, True)
    assert said.out.splitlines()[-1].startswith("Rests on: ")


@pytest.mark.full
def test_a_barrier_of_the_grid_at_two_places_is_one(synth):
    said = synth("kernel", "check", CASES / "gridsync2.cu", "--workgroups", "2", "--arg", "a=0:3", "--json")
    assert (said.code, set(json.loads(said.out)["launches"][0]["passes"].values())) == (0, {True})


@pytest.mark.full
def test_a_barrier_that_is_needed_for_what_is_stored_is_needed(synth):
    said = synth("verify", CASES / "i6.cl", "--local-size", "8", "--num-groups", "1", "--intervals")
    assert "i6.cl:6: this barrier is needed for what is stored" in said.out
    assert "not needed" not in said.out


@pytest.mark.full
def test_a_divergence_that_hardware_would_not_notice_says_so(synth):
    said = synth("verify", CASES / "syncb.cu", "--local-size", "64", "--num-groups", "1")
    assert "ardware of today" in said.out
