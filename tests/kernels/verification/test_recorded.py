"""`synth verify --from-launch`: the sizes and the values of launches, and which values are needed."""

import itertools
import json

import pytest

from synth_kernels.fixed_scalars import needed_scalars
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.pair.options import Options
from synth_kernels.text import parse
from synth_solvers.client import Solver

#: Right if `by` is 0, or if `off` is.
SHIFT = """kernel shift
global A: i32
scalar m: i32
scalar off: i32
scalar by: i32
entry:
  on = eq off, 0:i32
  b = mul gid.0, lsize.0
  g = add b, lid.0
  branch on ? done : go
go:
  i = add g, by
  x = read i32 A[i]
  y = add x, m
  write i32 A[g] = y
  jump done
done:
  return
"""


def launch(**changed):
    values = changed.pop("values", {"m": 3, "off": 1, "by": 0})
    arguments = [{"name": name, "kind": "value", "value": value} for name, value in values.items()]
    fields = {"kernel": "shift", "global_size": [8], "local_size": [4], "source": "k.kernel"}
    return json.dumps(fields | {"arguments": [{"name": "A", "kind": "buffer", "bytes": 32}, *arguments]} | changed)


@pytest.fixture
def launches(kernels, tmp_path):
    """A function that writes a file of launches beside a kernel, and returns its path."""
    kernels(SHIFT)

    def write(*lines):
        path = tmp_path / "launches.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        return path

    return write


@pytest.mark.full
def test_known_answers_about_launches_are_kept(synth, launches, tmp_path, monkeypatch):
    words = ("verify", "--from-launch", launches(launch()), "--cache", tmp_path / "cache")
    first = synth(*words)

    def not_again(*_, **__):
        raise AssertionError

    monkeypatch.setattr("synth_kernels.verification.verify", not_again)
    assert synth(*words).out == first.out
    assert "shift: " in first.out


def test_only_the_values_that_are_needed_are_fixed(synth, launches):
    path = launches(launch(), launch())
    said = synth("verify", "--from-launch", path)
    assert said.code == 0
    assert said.out.splitlines() == [
        "shift: verified",
        f"  The launch of {path}:1, launched 2 times. With any value: m and off.",
        "  Rests on: local size 4, groups 2; by = 0; each thread ends; no access outside its array.",
    ]


def test_a_fault_of_the_launch_itself_is_shown_with_its_values(synth, launches):
    said = synth("verify", "--from-launch", launches(launch(values={"m": 3, "off": 1, "by": -1})), "--json")
    assert said.code == 1
    answer = json.loads(said.out)
    assert answer["verdict"] == "race"
    assert answer["recorded"]["fixed"] == {"m": 3, "off": 1, "by": -1}
    assert answer["recorded"]["open"] == []
    assert not answer["recorded"]["clean"]


def test_each_launch_has_an_answer_and_the_worst_decides(synth, launches):
    path = launches(launch(values={"m": 3, "off": 1, "by": 1}), "", launch(values={"m": 3, "off": 0, "by": 1}))
    said = synth("verify", "--from-launch", path)
    assert said.code == 1
    assert [line for line in said.out.splitlines() if line.startswith("shift")] == [
        "shift: race",
        "shift: verified",
    ]
    assert f"The launch of {path}:3. With any value: m and by." in said.out
    assert "Rests on: local size 4, groups 2; off = 0;" in said.out


def test_bytes_are_read_as_they_lie_in_memory_and_buffers_have_their_sizes(synth, launches):
    said = synth("verify", "--from-launch", launches(launch(values={"by": "00000000"})), "--bounds")
    assert said.code == 0, said.out
    said = synth("verify", "--from-launch", launches(launch(values={"by": "00010000", "off": 1})), "--bounds")
    assert said.code == 1
    assert "by = 256" in said.out
    assert "access outside an array" in said.out


@pytest.mark.full
def test_a_launch_without_a_local_size_is_any_launch_or_gets_one(synth, launches):
    path = launches(launch(local_size=None))
    assert "Rests on: local size any, groups any;" in synth("verify", "--from-launch", path).out
    assert "Rests on: local size 2, groups 4;" in synth("verify", "--from-launch", path, "--local-size", 2).out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "expected a JSON object"),
        ('{"kernel": "shift"}', "the key 'global_size' is missing"),
        (launch(kernel="shif"), "found 'shif' (did you mean shift?)"),
        (launch(source=None), "found no source of shift"),
        (launch(values={"n": 1}), "found a value for 'n', expected a scalar of shift (m, off, by)"),
        (launch(values={"by": "00"}), "found 1 bytes for 'by', expected 4"),
        (launch(values={"by": "xx"}), "expected a number or bytes in hexadecimal digits"),
        (launch(local_size=[0]), "local_size[0]: found 0, expected at least 1"),
        (launch(global_size=[9]), "expected a multiple of the local size 4"),
        ("", "found no launch"),
    ],
)
def test_wrong_launches_are_refused_with_their_line(synth, launches, line, message):
    said = synth("verify", "--from-launch", launches(line))
    assert said.code == 2
    assert message in said.err


def test_sizes_beside_those_of_launches_are_refused(synth, launches):
    said = synth("verify", "--from-launch", launches(launch()), "--num-groups", 2)
    assert said.code == 2
    assert "found --from-launch and --num-groups" in said.err


def test_fixed_values_are_a_smallest_choice_by_trying_all():
    """The slow twin tries each choice of values: what `needed_scalars` returns is right, and each smaller choice is
    not."""
    kernel, values, options = parse(SHIFT), {"m": 3, "off": 0, "by": 0}, Options()

    def is_right(chosen):
        return verify(kernel, Launch((4,), (2,), scalars=tuple(chosen)), solver, options).verdict == "verified"

    with Solver(seconds=60.0) as solver:
        constants = needed_scalars(kernel, Launch((4,), (2,)), values, solver, options)
        right = {
            chosen
            for count in range(len(values) + 1)
            for chosen in itertools.combinations(values.items(), count)
            if is_right(chosen)
        }
    assert constants.is_clean
    assert constants.scalars in right
    assert not [chosen for chosen in right if set(chosen) < set(constants.scalars)]


#: Threads write to `pitch * lid`. With a pitch of 33, each is in a bank of its own.
PITCHED = """kernel shift
global A: i32
local T: i32
scalar pitch: i32
entry:
  b = mul gid.0, lsize.0
  g = add b, lid.0
  i = mul lid.0, pitch
  x = read i32 A[g]
  write i32 T[i] = x
  barrier group local
  y = read i32 T[i]
  write i32 A[g] = y
  return
"""


def test_the_answer_to_a_question_depends_on_the_launch_and_names_it(synth, launches, kernels):
    """The answer depends on the values of the launch, and names it."""
    kernels(PITCHED)
    path = launches(launch(values={"pitch": 32}), launch(values={"pitch": 33}))
    said = synth("verify", "--from-launch", path, "--banks", "today")
    heads = [line for line in said.out.splitlines() if line.startswith(("shift", "  The launch"))]
    assert said.code == 1
    assert heads == [
        "shift: bank conflicts (32 banks of 4 bytes, 32 lanes)",
        f"  The launch of {path}:1, with pitch = 32.",
        "shift: no bank conflicts (32 banks of 4 bytes, 32 lanes)",
        f"  The launch of {path}:2, with pitch = 33.",
    ]
    said = synth("verify", path.parent / "k.kernel", "--from-launch", path, "--banks", "today", "--json")
    assert [json.loads(line)["verdict"] for line in said.out.splitlines()] == ["conflict", "free"]


def test_questions_about_launches_take_their_sizes(synth, launches):
    said = synth("verify", "--from-launch", launches(launch()), "--intervals", "--num-groups", 2)
    assert said.code == 2
    assert "found --from-launch and --num-groups" in said.err
    said = synth("verify", "--from-launch", launches(launch()), "--measure")
    assert "takes no launches of --from-launch" in said.err
