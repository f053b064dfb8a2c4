"""`synth device`: what it says of devices, and its exit codes."""

import json

import pytest

from fake_gpus import put_compiler, put_devices
from synth_devices.health import KNOWN

SMALL = {"driver": "Small GPU, driver 7", "device": {"name": "Small GPU", "uuid": "aaaa-1"}}
BIG = {"driver": "Big GPU, driver 7", "device": {"name": "Big GPU", "uuid": "bbbb-1"}}
TWIN = BIG | {"device": {"name": "Big GPU", "uuid": "bbbb-2"}}
SIM = "simulated scheduler: slots = 16, order = linear, batch = 1, preempt = never, pick = random, seed = 0"


@pytest.fixture
def there(tmp_path, monkeypatch):
    """A function that puts GPUs in place, which are none."""
    put_compiler("cuda", tmp_path / "bin", monkeypatch)
    return lambda *devices: put_devices(devices, monkeypatch)


def test_a_list_has_what_is_there_and_what_to_install(synth, monkeypatch):
    monkeypatch.setenv("HIPCC", "no-such-compiler")
    ran = synth("device", "list", "sim", "hip")
    assert ran.out.splitlines() == [f"sim  {SIM}", "hip  not here: no-such-compiler not found: sudo apt install hipcc"]
    assert ran.code == 0


@pytest.mark.full
def test_each_name_in_a_list_is_that_of_one_device(synth, there):
    there(BIG, SMALL, TWIN)
    listed = json.loads(synth("device", "list", "cuda", "--json").out)
    assert [device["device"] for device in listed] == ["cuda:bbbb-1", "cuda:Small GPU", "cuda:bbbb-2"]
    for fields in listed:
        shown = json.loads(synth("device", "show", fields["device"], "--json").out)
        assert shown["driver"] == fields["driver"]
    assert shown["told"]["uuid"] == "bbbb-2"
    ran = synth("device", "show", "cuda:Big")
    assert (ran.code, ran.out) == (2, "")
    assert "found 2 that fit" in ran.err


@pytest.mark.full
def test_a_broken_device_is_listed_with_what_is_wrong_and_hides_no_other(synth, there):
    there(SMALL | {"result": "left early"}, BIG)
    lines = synth("device", "list", "cuda").out.splitlines()
    problem = f"{SMALL['driver']}: says that it has run a test of one store, but has not"
    assert lines == [
        f"cuda:Small GPU  {SMALL['driver']}; it does not work: {problem}",
        f"cuda:Big GPU    {BIG['driver']}",
    ]


def test_a_device_is_shown_with_all_that_it_says(synth, monkeypatch):
    monkeypatch.setenv("POCL_DEVICES", "basic")
    ran = synth("device", "show", "sim")
    assert {" ".join(line.split()) for line in ran.out.splitlines()} >= {
        f"driver {SIM}", "target sim", "memory order seq_cst", "workgroups 65,535 a launch", "POCL_DEVICES basic",
        "flags visible yes; it decides whether a launch hangs",
    }  # fmt: skip


@pytest.mark.full
def test_a_check_exits_with_0_1_or_3(synth, there):
    there(SMALL)
    ran = synth("device", "health", "cuda")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "healthy")
    assert [line.split()[:2] for line in ran.out.splitlines()[1:-1]] == [["ended", id_] for id_ in KNOWN]
    ran = synth("device", "health", "cuda", "--expected", "Radeon")
    assert (ran.code, ran.out.splitlines()[-1]) == (1, "not healthy: 1 problem")
    there()
    ran = synth("device", "health", "cuda")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err == (
        "synth: found no device: no device is detected: install the driver of the GPU: sudo apt install nvidia-driver\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["list", "cudo"], "found 'cudo' (did you mean cuda?)"),
        (["list", "command"], "kind of device: found 'command'"),
        (["show", "simm"], "found 'simm' (did you mean sim?)"),
        (["check", "command:true"], "found a command, which runs only tests that it knows"),
    ],
)
def test_wrong_words_are_refused(synth, words, said):
    ran = synth("device", *words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
