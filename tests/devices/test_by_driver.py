"""Devices behind a driver: which of several is taken, and what is said where there is none.

The compiler and the devices are stand-ins: the programs that `fake_compiler.py` makes say what a test wants.
"""

import pytest

from emitted import MUTEX, a_test
from fake_gpus import put_compiler, put_devices
from shaders import SWIFTSHADER, webgpu_device
from synth_backends.target import Choices
from synth_checker.errors import InputError, ResourceError
from synth_devices import attempt, identification
from synth_devices.catalogue import load_device
from synth_devices.device import Request
from synth_devices.identification import BrokenError, answer_of, selecting_environment

BIG = {"driver": "Big GPU, driver 7", "device": {"name": "Big GPU", "uuid": "aaaa-1"}}
TWIN = {"driver": "Big GPU, driver 7", "device": {"name": "Big GPU", "uuid": "bbbb-2"}}
SMALL = {"driver": "Small GPU, driver 7", "device": {"name": "Small GPU"}}


@pytest.fixture(params=["cuda", pytest.param("hip", marks=pytest.mark.full)])
def kind(request, tmp_path, monkeypatch):
    """A kind of device whose compiler is a stand-in."""
    put_compiler(request.param, tmp_path / "bin", monkeypatch)
    return request.param


@pytest.fixture
def there(monkeypatch):
    return lambda *devices: put_devices(devices, monkeypatch)


def number_of(name, folder):
    build = load_device(name).build([a_test(MUTEX)], Choices("chunked", 2), folder)
    (program,) = build.programs.values()
    return int(program[program.index("--device") + 1])


@pytest.mark.full
def test_the_device_that_fits_is_taken_whatever_its_number(kind, there, tmp_path):
    for devices in ([BIG, SMALL], [SMALL, BIG]):
        there(*devices)
        assert number_of(f"{kind}:small", tmp_path) == devices.index(SMALL)
        assert number_of(f"{kind}:Big GPU, driver", tmp_path) == devices.index(BIG)
    there(BIG, TWIN)
    assert number_of(f"{kind}:bbbb", tmp_path) == 1
    there(SMALL)
    assert number_of(kind, tmp_path) == 0


@pytest.mark.full
def test_the_build_says_what_made_it_and_its_canary_runs(kind, there, tmp_path):
    there(SMALL)
    device = load_device(kind)
    assert device.missing() == ""
    build = device.build([a_test(MUTEX)], Choices("chunked", 2), tmp_path)
    assert (build.target, build.compiler) == (kind, "fake compilation tools, release 7.5")
    assert answer_of(device, tmp_path / "asked")["driver"] == SMALL["driver"]


@pytest.mark.full
def test_none_or_several_that_fit_are_refused_in_a_line_that_lists_them(kind, there, tmp_path):
    there(BIG, SMALL)
    with pytest.raises(ResourceError) as none:
        number_of(f"{kind}:Intel", tmp_path)
    listed = "Big GPU, driver 7; Small GPU, driver 7"
    assert str(none.value) == f"device {kind}:Intel: found {listed}, expected 'Intel' in one of these lines"
    with pytest.raises(InputError) as several:
        number_of(kind, tmp_path)
    assert str(several.value) == (
        f"device {kind}: found 2 that fit: {listed}; expected one: write {kind}:TEXT with a text that only one of "
        "these lines has, or with its UUID"
    )
    there(BIG, TWIN)
    with pytest.raises(InputError) as twins:
        number_of(f"{kind}:big", tmp_path)
    assert "found 2 that fit: Big GPU, driver 7 (UUID aaaa-1); Big GPU, driver 7 (UUID bbbb-2);" in str(twins.value)


@pytest.mark.full
def test_where_no_device_is_or_none_works_the_reason_is_said(kind, there, tmp_path, monkeypatch):
    there()
    with pytest.raises(ResourceError, match="found no device: no device is detected: install the driver of the GPU"):
        number_of(kind, tmp_path)
    there(BIG | {"reason": "memory: out of memory"})
    with pytest.raises(ResourceError, match="memory: out of memory"):
        number_of(kind, tmp_path)
    there(BIG | {"result": "left early"})
    with pytest.raises(BrokenError, match="Big GPU, driver 7: says that it has run a test of one store, but has not"):
        number_of(kind, tmp_path)
    there(BIG | {"result": "hung", "quiet_s": 10})
    with pytest.raises(BrokenError, match="Big GPU, driver 7: did not end a test of one store in 10 seconds"):
        number_of(kind, tmp_path)
    monkeypatch.setattr(identification, "READY_S", 0.5)
    monkeypatch.setattr(identification, "LAUNCH_S", 0.1)
    monkeypatch.setattr(attempt, "GRACE_S", 0.1)
    there(BIG | {"sleep": 60})
    with pytest.raises(ResourceError, match=r"it printed no result for 0\.7 seconds"):
        number_of(kind, tmp_path)


@pytest.mark.full
def test_one_broken_device_does_not_keep_another_from_being_used(kind, there, tmp_path):
    there({"reason": "--device: found 0, which runs no compute shaders"}, SMALL)
    assert number_of(f"{kind}:small", tmp_path) == 1


@pytest.mark.parametrize(
    ("name", "variable", "install"),
    [
        ("cuda", "NVCC", "CUDA Toolkit"),
        ("hip", "HIPCC", "sudo apt install hipcc"),
        ("vulkan", "SPIRV_AS", "sudo apt install spirv-tools"),
        ("vulkan-glsl", "GLSLANG", "sudo apt install glslang-tools"),
        ("opencl", "CC", "sudo apt install gcc"),
    ],
)
def test_what_is_missing_is_one_line_with_how_to_install_it(name, variable, install, monkeypatch, tmp_path):
    monkeypatch.setenv(variable, "no-such-compiler")
    missing = load_device(name).missing()
    assert missing.startswith("no-such-compiler not found: ")
    assert install in missing
    with pytest.raises(ResourceError, match="no-such-compiler not found"):
        answer_of(load_device(name), tmp_path)


def test_variables_that_select_a_device_are_kept_without_the_name_of_the_user(monkeypatch):
    monkeypatch.setenv("HOME", "/home/alice")
    monkeypatch.setenv("VK_DRIVER_FILES", "/home/alice/icd.json:/usr/share/icd.json")
    monkeypatch.setenv("POCL_MAX_PTHREAD_COUNT", "2")
    monkeypatch.setenv("SECRET", "x")
    found = selecting_environment()
    assert found["VK_DRIVER_FILES"] == "~/icd.json:/usr/share/icd.json"
    assert found["POCL_MAX_PTHREAD_COUNT"] == "2"
    assert "SECRET" not in found


@pytest.mark.parametrize(
    ("words", "pattern", "options"),
    [
        ("Swift", "Swift", ()),
        ("Swift,queue-family=1", "Swift", ("--queue-family", "1")),
        ("queue-family=63", "", ("--queue-family", "63")),
    ],
)
def test_a_name_chooses_the_family_of_queues_of_a_device_of_vulkan(words, pattern, options):
    for kind in ("vulkan", "vulkan-glsl"):
        device = load_device(f"{kind}:{words}")
        assert (device.name, device._pattern, device.options) == (f"{kind}:{words}", pattern, options)


@pytest.mark.parametrize("family", ["", "64", "-1", "x", "01"])
def test_a_family_of_queues_that_none_can_be_is_one_line(family):
    with pytest.raises(InputError) as error:
        load_device(f"vulkan:queue-family={family}")
    assert str(error.value) == f"device vulkan: found queue-family={family}, expected a number from 0 to 63"


@pytest.mark.full
def test_tests_run_in_the_family_of_queues_that_was_chosen_or_not_at_all(tmp_path, monkeypatch):
    webgpu_device()  # skips the test if SwiftShader is not there
    monkeypatch.setenv("VK_ICD_FILENAMES", str(SWIFTSHADER))
    line = answer_of(load_device("vulkan:SwiftShader,queue-family=0"), tmp_path / "first")
    assert line["device"]["queue_family"] == "0"
    with pytest.raises(ResourceError, match="--queue-family: found 9, expected one of 1 that runs compute shaders"):
        answer_of(load_device("vulkan:queue-family=9"), tmp_path / "none")


@pytest.mark.full
def test_a_program_is_told_how_many_launches_came_before_if_their_places_depend_on_it(kind, there, tmp_path):
    there(SMALL)
    for mapping, expected in [("random:7+", ["--first", "7"]), ("random:7", [])]:
        build = load_device(kind).build([a_test(MUTEX)], Choices(mapping, 2), tmp_path / mapping)
        words = build.words(Request(MUTEX, 5, 2, first=7))
        assert words[3:] == [*expected, "--iterations", "5", "--timeout", "2", MUTEX]
