"""Test what `synth verify` says a person may do next: at a terminal, about what it has found, and nowhere else."""

import shlex

import pytest

VERIFIED = "kernel k\nglobal a: i32\nentry:\n  write i32 a[gid.0] = 1:i32\n  return\n"
RACE = VERIFIED.replace("a[gid.0] = 1:i32", "a[0:i32] = gid.0")
UNSHOWN = "__kernel void k(__global volatile int *f) { int i; if (i == 1) f[0] = 1; while (f[0] == 0) ; }"
NEED = "To see which progress model it needs to end: synth kernel need 'a k.kernel' --kernel k --arg a=VALUE:COUNT"
LOOK = "To look at the faults beside the source, add: --format html --out faults.html"
SAY = "A fault that is not confirmed may rest on values that never occur; __requires, --args and sizes say so."


@pytest.fixture
def at_a_terminal(monkeypatch):
    monkeypatch.setattr("synth.cli.shared.streams.is_terminal", lambda: True)


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (VERIFIED, [NEED]),
        (VERIFIED + VERIFIED.replace("kernel k", "kernel m"), [NEED]),
        (RACE, [LOOK]),
        (VERIFIED + RACE.replace("kernel k", "kernel m"), [LOOK]),
    ],
)
@pytest.mark.usefixtures("at_a_terminal")
def test_a_person_is_told_what_to_do_next(synth, tmp_path, source, lines):
    (tmp_path / "a k.kernel").write_text(source)
    assert synth("verify", "a k.kernel", "--local-size", "4").err.splitlines() == lines


@pytest.mark.full
@pytest.mark.usefixtures("at_a_terminal")
def test_a_fault_that_is_not_confirmed_is_explained(synth, tmp_path):
    (tmp_path / "k.cl").write_text(UNSHOWN)
    assert synth("verify", "k.cl", "--local-size", "4").err.splitlines() == [LOOK, SAY]


@pytest.mark.full
@pytest.mark.usefixtures("at_a_terminal")
def test_the_next_call_reads_the_file_as_this_one_did(synth, tmp_path):
    (tmp_path / "a k.cl").write_text(
        "__kernel void k(__global int *a, __local int *t, int n) { if (a) a[get_global_id(0)] = N; }"
    )
    told = synth("verify", "a k.cl", "-D", "N=4", "--pointer-bits", "32").err
    need = "synth kernel need 'a k.cl' --kernel k -D N=4 --pointer-bits 32"
    assert told.startswith(f"To see which progress model it needs to end: {need} --arg ")
    _, call = told.strip().split(": ")
    _, *words = shlex.split(call.replace("VALUE:COUNT", "0:4").replace("VALUE", "1"))
    assert synth(*words).code == 0


def test_a_program_is_not(synth, tmp_path):
    (tmp_path / "k.kernel").write_text(VERIFIED)
    assert synth("verify", "k.kernel").err == ""


@pytest.mark.usefixtures("at_a_terminal")
def test_neither_is_who_asks_for_json(synth, tmp_path):
    (tmp_path / "k.kernel").write_text(VERIFIED)
    assert synth("verify", "k.kernel", "--json").err == ""


def test_workgroups_and_num_groups_are_one_option(synth, tmp_path):
    (tmp_path / "k.kernel").write_text(RACE)
    for command, sizes in (("verify", ("--local-size", "1")), ("kernel need", ("--arg", "a=0:1"))):
        both = [synth(*command.split(), "k.kernel", *sizes, name, "2") for name in ("--workgroups", "--num-groups")]
        assert both[0] == both[1]
        assert both[0].code in {0, 1}
