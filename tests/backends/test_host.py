"""Test `litmus.h`, which every host in C or C++ includes, and the host of WGSL, with devices that crash or misbehave.

The tests make these devices themselves: programs that do what no device should, and a package `wgpu`.
"""

import errno
import json
import os
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from emitted import MUTEX, a_test, emitted
from quick import mostly_full
from result_lines import lines_in, results_in
from shaders import STUBS
from synth_backends.template_files import read_template

#: Devices, one a test. Each gets ready and starts an iteration; then something happens that no device should do.
HOST = r"""
#include "litmus.h"

static void start(const struct litmus_test* test) {
    litmus_ready("Caf\xc3\xa9 \xae \x7f \"q\" \\ \n");
    litmus_next(test);
}
static void is_missing(const struct litmus_test* test) {
    litmus_fail("found no \"driver\"\nof test %s", test->id);
}
static void crashes_at_once(const struct litmus_test* test) {
    (void)test;
    abort();
}
static void fails_late(const struct litmus_test* test) {
    start(test);
    litmus_fail("launch: error %d", -5);
}
static void crashes(const struct litmus_test* test) {
    start(test);
    abort();
}
// Beside a helper that does not even hold the pipe.
static void gives_up(const struct litmus_test* test) {
    if (fork() == 0) {
        for (int file = 3; file < 64; ++file) {
            close(file);
        }
        sleep(60);
    }
    start(test);
    _exit(7);
}
static void crashes_beside_a_helper(const struct litmus_test* test) {
    if (fork() == 0) {
        sleep(60);
    }
    start(test);
    abort();
}
static void leaves_beside_a_helper(const struct litmus_test* test) {
    if (fork() == 0) {
        sleep(60);
    }
    start(test);
    litmus_next(test);
}
static void hangs(const struct litmus_test* test) {
    start(test);
    fputs("hangs\n", stderr);
    for (;;) {
        pause();
    }
}
// Its flags change for half of a second, and then no more.
static void is_slow(const struct litmus_test* test) {
    start(test);
    for (unsigned k = 0; k < 5; ++k) {
        litmus_flags[k / 2] = 1 + k % 2;
        litmus_pause(100);
    }
    for (;;) {
        pause();
    }
}
static void is_lost(const struct litmus_test* test) {
    start(test);
    litmus_lose("ERROR_DEVICE_LOST", "end of the launch");
}
static void is_lost_at_once(const struct litmus_test* test) {
    (void)test;
    litmus_lose("ERROR_DEVICE_LOST", "queue");
}
static void is_chatty(const struct litmus_test* test) {
    start(test);
    puts("a driver says something");
    fflush(stdout);
    do {
        litmus_flags[0] = LITMUS_FINISHED;
    } while (litmus_next(test));
}
static void ends_by_itself(const struct litmus_test* test) {
    start(test);
    for (unsigned k = 0; k < 5; ++k) {
        litmus_pause(500);
    }
}
static void terminates(const struct litmus_test* test) {
    start(test);
    do {
        litmus_flags[0] = LITMUS_FINISHED;
    } while (litmus_next(test));
}
static void is_canary(const struct litmus_test* test) {
    getenv("CANARY") != NULL ? hangs(test) : terminates(test);
}
static const struct litmus_test tests[] = {
    {"missing", "", "plain", 1, 1, 0, 1, 1, 0, 1, is_missing, "", ""},
    {"at-once", "", "plain", 1, 1, 0, 1, 1, 0, 1, crashes_at_once, "", ""},
    {"late", "", "plain", 1, 1, 0, 1, 1, 0, 1, fails_late, "", ""},
    {"crashes", "", "plain", 1, 1, 0, 1, 1, 0, 1, crashes, "", ""},
    {"gives-up", "", "plain", 1, 1, 0, 1, 1, 0, 1, gives_up, "", ""},
    {"helped", "", "plain", 1, 1, 0, 1, 1, 0, 1, crashes_beside_a_helper, "", ""},
    {"leaves", "", "plain", 1, 1, 0, 1, 1, 0, 1, leaves_beside_a_helper, "", ""},
    {"hangs", "", "plain", 1, 1, 0, 1, 1, 0, 1, hangs, "fair.weak", "HSA.weak"},
    {"slow", "", "plain", 2, 3, 0, 6, 1, 0, 1, is_slow, "", ""},
    {"lost", "", "plain", 1, 1, 0, 1, 1, 0, 1, is_lost, "", ""},
    {"lost-at-once", "", "plain", 1, 1, 0, 1, 1, 0, 1, is_lost_at_once, "", ""},
    {"chatty", "", "plain", 1, 1, 0, 1, 1, 0, 1, is_chatty, "", ""},
    {"ends-late", "", "plain", 1, 1, 0, 1, 1, 0, 1, ends_by_itself, "", ""},
    {"terminates", "", "plain", 1, 1, 0, 1, 1, 0, 1, terminates, "fair.weak", ""},
    {"canary", "", "plain", 1, 1, 0, 1, 1, 0, 1, is_canary, "", ""},
};
int main(int count, char** words) {
    static const struct litmus_program program = {"host", "1.2.3", "relaxed device", 1, ""};
    return litmus_main(count, words, &program, tests, sizeof tests / sizeof tests[0]);
}
"""


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    return built_host(tmp_path_factory.mktemp("host"), read_template("common", "litmus.h"))


def built_host(folder, header, before=""):
    """The host with this litmus.h; `before` is what comes before it."""
    (folder / "litmus.h").write_text(header, "utf-8")
    (folder / "host.c").write_text(before + HOST, "utf-8")
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
    subprocess.run(["gcc", *flags, "-o", "host", "host.c"], cwd=folder, check=True, timeout=60)
    return folder / "host"


#: What stands in for the package `wgpu` beside a host in Python, which finds no other then, and what is said of it.
HANGING_WGPU = """
import signal, sys
print("hangs", file=sys.stderr, flush=True)
while True:
    signal.pause()
"""
FAILING_WGPU = [
    ("import os; os.abort()", f"test {MUTEX}: its process was ended by signal 6\n"),
    ("import os; os._exit(7)", f"test {MUTEX}: its process ended with exit code 7\n"),
    ("import sys; sys.exit('broken')", f"broken\ntest {MUTEX}: its process ended with exit code 1\n"),
    (
        "raise ModuleNotFoundError('No module named wgpu')",
        f"test {MUTEX}: No module named wgpu; to install the package: pip install wgpu\n",
    ),
    ("raise ValueError('broken')", f"test {MUTEX}: ValueError: broken\n"),
    (
        "class gpu: enumerate_adapters_sync = list",
        f"test {MUTEX}: found no device with a driver that wgpu can use\n",
    ),
]


@pytest.fixture(scope="module")
def host_of_wgsl(tmp_path_factory):
    test = a_test(MUTEX, verdicts={"fair.weak": "pass"})
    folder = emitted("wgsl", [test], tmp_path_factory.mktemp("wgsl") / "host", mapping="plain")
    return folder / "litmus.py"


@pytest.fixture(scope="module")
def host_of_metal(tmp_path_factory):
    """The host that runs kernels of Metal, with a device that is made here."""
    folder = emitted("metal", [a_test(MUTEX)], tmp_path_factory.mktemp("metal") / "host", mapping="plain")
    command = ["g++", "-std=c++17", "-w", f"-I{STUBS}", "-o", "host", "litmus.cpp", STUBS / "device.cpp"]
    subprocess.run(command, cwd=folder, check=True, timeout=60)
    return folder / "host"


def run(host, *words, **options):
    """Standard output is given back as bytes, for it must be UTF-8 whatever the device says."""
    options = {"stdout": subprocess.PIPE} | options
    return subprocess.run([host, *words], stderr=subprocess.PIPE, check=False, timeout=30, **options)


@pytest.mark.parametrize(
    ("device", "end"),
    [
        ("crashes", b"was ended by signal 6"),
        ("gives-up", b"ended with exit code 7"),
        ("helped", b"was ended by signal 6"),
    ],
)
def test_a_device_that_dies_has_failed_and_standard_error_says_how(host, device, end):
    """It has not hung, not even where a helper of the driver lives on and holds the pipe."""
    found = run(host, "--timeout", "1", device)
    result = json.loads(found.stdout)
    assert (found.returncode, found.stderr) == (3, b"test %s: its process %s\n" % (device.encode(), end))
    assert (result["result"], result["iteration"], result["finished"]) == ("failed", 1, {"0": 1})
    assert result["reason"] == f"its process {end.decode()}"


@pytest.mark.parametrize(
    ("device", "result", "iteration", "finished", "reason"),
    [
        ("missing", "not run", 0, {}, 'found no "driver"\nof test missing'),
        ("at-once", "not run", 0, {}, "its process was ended by signal 6"),
        ("late", "failed", 1, {"0": 1}, "launch: error -5"),
    ],
)
def test_a_test_that_never_began_was_not_run_and_one_that_began_has_failed(
    host, device, result, iteration, finished, reason
):
    """Either way the exit code is 3, and the line says why, as does standard error."""
    found = run(host, device)
    line = json.loads(found.stdout)
    told = (line["result"], line["iteration"], line["finished"], line["reason"])
    assert told == (result, iteration, finished, reason)
    assert (found.returncode, found.stderr.decode()) == (3, f"test {device}: {reason}\n")


def test_only_what_went_wrong_has_a_reason(host):
    assert "reason" not in json.loads(run(host, "terminates").stdout)


def test_what_a_device_has_started_ends_with_its_test(host):
    """Or it would hold standard error, whose end is waited for; for as long, others would share the device with it."""
    found = run(host, "leaves")
    assert (found.returncode, found.stderr, json.loads(found.stdout)["result"]) == (0, b"", "left early")


# Launches that do not end


def test_of_a_hang_the_line_says_for_how_long_nothing_had_changed(host):
    """The one device never does anything; the other goes on for half of a second, and is not quiet for that long."""
    hangs, slow = results_in(run(host, "--timeout", "1", "hangs", "slow").stdout)
    assert (hangs["result"], hangs["started"], hangs["finished"]) == ("hung", {"0": 1}, {"0": 1})
    assert 0 < hangs["quiet_s"] <= hangs["seconds"][0]
    assert (slow["result"], slow["finished"]) == ("hung", {"00": 2, "11": 1})
    assert slow["started"] == {"00": 1, "10": 1, "11": 1}
    assert 0 < slow["quiet_s"] < slow["seconds"][0]


def test_after_a_hang_a_canary_shows_whether_the_device_works(host):
    """It is a process of its own that hangs here, too; the program goes on, and ends as if the device had failed."""
    found = run(host, "--timeout", "1", "hangs", "terminates", env={"CANARY": "hangs"})
    lines = lines_in(found.stdout)
    assert [(line["id"], line.get("canary"), line["result"]) for line in lines] == [
        ("hangs", None, "hung"), ("canary", True, "hung"), ("terminates", None, "terminated")
    ]  # fmt: skip
    said = b"hangs\nhangs\ntest canary: the canary did not end, so the device has not recovered\n"
    assert (found.returncode, found.stderr) == (3, said)


def test_no_canary_runs_if_nobody_wants_one(host):
    found = run(host, "--timeout", "1", "--no-canary", "hangs")
    assert [line["id"] for line in lines_in(found.stdout)] == ["hangs"]
    assert found.returncode == 0


def test_each_canary_has_a_number_and_each_process_of_a_test(host):
    lines = lines_in(run(host, "--timeout", "1", "--after-hang", "1", "lost", "hangs").stdout)
    assert [(line["id"], line["process"], line["iteration"]) for line in lines] == [
        ("hangs", 1, 1), ("canary", 1, 1), ("hangs", 2, 2), ("canary", 2, 1),
        ("lost", 1, 1), ("canary", 3, 1), ("lost", 2, 2), ("canary", 4, 1),
    ]  # fmt: skip


def test_a_device_that_was_lost_has_not_failed(host):
    """If it is lost before the test could be launched, the test was not run."""
    found = run(host, "lost", "lost-at-once")
    lost, never = results_in(found.stdout)
    assert (lost["result"], lost["code"], lost["iteration"]) == ("lost", "ERROR_DEVICE_LOST", 1)
    assert lost["reason"] == "end of the launch: ERROR_DEVICE_LOST"
    assert (never["result"], never["seconds"], never["reason"]) == ("not run", [], "queue: ERROR_DEVICE_LOST")
    said = f"test lost: {lost['reason']}\ntest lost-at-once: {never['reason']}\n"
    assert (found.returncode, found.stderr.decode()) == (3, said)


#: What takes the place of `kill`: no process of a test ends by it, as if it were stuck in its driver.
SPARING = """
#include <signal.h>
static int spare(pid_t process, int number) {
    return number == SIGKILL ? 0 : kill(process, number);
}
#define kill spare
"""


@pytest.mark.full
def test_a_process_that_cannot_be_killed_holds_nothing_back(tmp_path):
    """Its line is there before it has ended. Once it has, it is no zombie for longer than the next process needs."""
    header, grace = read_template("common", "litmus.h"), "litmus_grace = 5;"
    assert grace in header
    stuck = built_host(tmp_path, header.replace(grace, "litmus_grace = 1;"), SPARING)
    words = [stuck, "--timeout", "1", "--after-hang", "2", "--no-canary", "ends-late"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        lines, late = [], []
        for _ in range(3):
            lines += lines_in(running.stdout.readline())
            assert select.select([running.stderr], [], [], 0)[0] == []  # of the process nothing is said yet
            late.append(re.fullmatch(LATE, running.stderr.readline())[1])
            if len(late) == 1:
                assert Path("/proc", late[0]).exists()
        assert not Path("/proc", late[0]).exists()
    assert running.returncode == 0
    assert [(line["result"], line["process"]) for line in lines] == [("hung", 1), ("hung", 2), ("hung", 3)]


LATE = r"test ends-late: process (\d+) has not ended 1 seconds after it was killed; not waiting for it\n"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["fair.weak", "terminates"], 0),
        (["fair.weak", "terminates", "hangs"], 1),
        (["HSA.weak", "hangs"], 0),
        (["fair.weak", "hangs", "late"], 3),
        (["fair.weak", "late", "hangs"], 3),
        (["fair.strong"], 2),
    ],
)
def test_a_promise_that_is_broken_can_be_an_error(host, words, code):
    assert run(host, "--timeout", "1", "--expect", *words).returncode == code


@pytest.mark.full
@mostly_full(
    ("device", "result", "iteration", "reason"),
    [
        ("finishes", "terminated", 20, None),
        ("leaves", "left early", 1, None),
        ("fails", "failed", 1, "launch: broken"),
        ("is-taken-away", "lost", 1, "end of the launch: MTLCommandBufferErrorTimeout"),
        ("dies", "failed", 1, "its process was ended by signal 6"),
        ("none", "not run", 0, "found no Metal device"),
    ],
    quick=2,
)
def test_a_device_of_metal_speaks_through_the_program_that_is_started_again(
    host_of_metal, device, result, iteration, reason
):
    found = run(host_of_metal, "--no-canary", cwd=host_of_metal.parent, env={"DEVICE": device})
    (line,) = lines_in(found.stdout)
    assert (line["driver"], line["result"], line["iteration"]) == ("made here" if iteration else "", result, iteration)
    assert line["order"] == "relaxed device"
    assert line.get("reason") == reason
    expected = (3, f"test {MUTEX}: {reason}\n") if reason else (0, "")
    assert (found.returncode, found.stderr.decode()) == expected


@pytest.mark.full
@mostly_full(
    ("wgpu", "error"),
    FAILING_WGPU,
    ids=["dies", "gives-up", "leaves", "is-missing", "is-broken", "has-no-device"],
    quick=2,
)
def test_a_test_that_no_device_of_wgsl_can_begin_was_not_run(host_of_wgsl, wgpu, error):
    assert_is_not_run(host_of_wgsl, wgpu, error)


def test_a_device_of_wgsl_that_is_never_ready_runs_nothing(host_of_wgsl):
    impatient = host_of_wgsl.with_name("impatient.py")
    text, patience = host_of_wgsl.read_text("utf-8"), "PREPARATION = 120 "
    assert patience in text
    impatient.write_text(text.replace(patience, "PREPARATION = 0.2 "), "utf-8")
    error = f"test {MUTEX}: found no device ready after 0.2 seconds\n"
    assert_is_not_run(impatient, "import time; time.sleep(60)", error)


def assert_is_not_run(host_of_wgsl, wgpu, error):
    host_of_wgsl.with_name("wgpu.py").write_text(wgpu, "utf-8")
    found = run(sys.executable, host_of_wgsl)
    line = json.loads(found.stdout)
    assert (found.returncode, line["result"], line["iteration"], line["finished"]) == (3, "not run", 0, {})
    assert found.stderr.decode() == error
    assert error.endswith(f"test {MUTEX}: {line['reason']}\n")


#: A device that is there, and is lost when it is to launch something.
LOST_WGPU = """
from unittest.mock import MagicMock
__version__ = "1.2.3"
BufferUsage = MagicMock(STORAGE=1, COPY_SRC=2, COPY_DST=4)
info = {"device": "made here", "vendor": "", "vendor_id": 4318, "description": "x", "backend_type": "Vulkan"}
adapter, gpu = MagicMock(info=info), MagicMock()
adapter.request_device_sync.return_value.queue.submit.side_effect = RuntimeError("Parent device is lost")
gpu.enumerate_adapters_sync.return_value = [adapter]
"""


@pytest.mark.full
def test_a_device_of_wgsl_that_was_lost_has_not_failed(host_of_wgsl):
    host_of_wgsl.with_name("wgpu.py").write_text(LOST_WGPU, "utf-8")
    found = run(sys.executable, host_of_wgsl, "--after-hang", "1", "--expect", "fair.weak")
    lines = lines_in(found.stdout)
    told = [(line["result"], line.get("code"), line["process"], line.get("canary")) for line in lines]
    assert told == [("lost", "lost", 1, None), ("lost", "lost", 1, True), ("lost", "lost", 2, None),
                    ("lost", "lost", 2, True)]  # fmt: skip
    device = lines[0]["device"]
    assert device.pop("os")
    assert device == {"name": "made here", "vendor_id": "0x10de", "driver": "x", "api": "Vulkan by wgpu 1.2.3"}
    assert lines[0]["reason"] == "RuntimeError: Parent device is lost"
    assert found.returncode == 3


def test_a_process_of_wgsl_that_cannot_be_killed_holds_nothing_back(host_of_wgsl):
    """As of the host in C; here nothing is killed, and the process ends by itself after two seconds."""
    sparing, text = host_of_wgsl.with_name("sparing.py"), host_of_wgsl.read_text("utf-8")
    kept_alive = [("os.killpg(child.pid, signal.SIGKILL)", "pass"), ("os._exit(1)", "time.sleep(9)")]
    for right, wrong in [*kept_alive, ("LONGEST_END = 5 ", "LONGEST_END = 0.3 ")]:
        assert right in text
        text = text.replace(right, wrong)
    sparing.write_text(text, "utf-8")
    late = LOST_WGPU.replace('RuntimeError("Parent device is lost")', "lambda _: time.sleep(2)")
    host_of_wgsl.with_name("wgpu.py").write_text(f"import time\n{late}", "utf-8")
    words = [sys.executable, sparing, "--timeout", "1", "--no-canary"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        (line,) = lines_in(running.stdout.readline())
        assert select.select([running.stderr], [], [], 0)[0] == []
        said = "has not ended 0.3 seconds after it was killed; not waiting for it\n"
        assert re.fullmatch(rf"test {MUTEX}: process \d+ {re.escape(said)}", running.stderr.readline())
    assert (line["result"], line["quiet_s"], running.returncode) == ("hung", None, 0)


#: Two devices that work. What is imported is said on standard error, so that children can be counted.
WORKING_WGPU = """
import sys
from unittest.mock import MagicMock
print("imported", file=sys.stderr)
__version__ = "1.2.3"
BufferUsage = MagicMock(STORAGE=1, COPY_SRC=2, COPY_DST=4)
gpu = MagicMock()
infos = [{"device": name, "description": "", "backend_type": "Vulkan"} for name in ("Card 4090", "Card 3080")]
adapters = [MagicMock(info=info) for info in infos]
for adapter in adapters:
    queue = adapter.request_device_sync.return_value.queue
    queue.read_buffer.return_value.cast.return_value.tolist.return_value = [2, 2]
gpu.enumerate_adapters_sync.return_value = adapters
"""


@pytest.mark.full
def test_a_program_of_wgsl_that_serves_keeps_its_child_from_test_to_test(host_of_wgsl):
    host_of_wgsl.with_name("wgpu.py").write_text(WORKING_WGPU, "utf-8")

    def served(*requests):
        words = (sys.executable, host_of_wgsl, "--serve", "--device", "0")
        return run(*words, input="".join(f"{request}\n" for request in requests).encode())

    asked = json.dumps({"id": MUTEX, "iterations": 3, "timeout_s": 9, "first": 0})
    found = served(asked, asked)
    lines = lines_in(found.stdout)
    assert [(line["result"], line["iterations"], line["timeout_s"]) for line in lines] == [("terminated", 3, 9)] * 2
    assert (found.returncode, found.stderr) == (0, b"imported\n")
    for wrong in ("{", "[]", "{}", '{"id":1,"iterations":1,"timeout_s":0}', asked.replace(MUTEX, "0011")):
        found = served(wrong)
        assert (found.returncode, found.stdout, found.stderr.count(b"\n")) == (2, b"", 1)


@mostly_full(
    ("text", "result", "told"),
    [
        ("card 3080, Vul", "terminated", "Card 3080, Vulkan, wgpu 1.2.3"),
        ("llvmpipe", "not run", "found 0 devices with 'llvmpipe' in their drivers"),
        ("Vulkan", "not run", "found 2 devices with 'Vulkan' in their drivers"),
    ],
)
def test_a_device_of_wgsl_is_chosen_by_what_its_driver_says(host_of_wgsl, text, result, told):
    """If none or several fit, one line names them all."""
    host_of_wgsl.with_name("wgpu.py").write_text(WORKING_WGPU, "utf-8")
    found = run(sys.executable, host_of_wgsl, "--driver", text)
    (line,) = lines_in(found.stdout)
    assert line["result"] == result
    if result == "terminated":
        assert line["driver"] == told
    else:
        both = "expected one of: Card 4090, Vulkan, wgpu 1.2.3; Card 3080, Vulkan, wgpu 1.2.3"
        assert line["reason"] == f"{told}, {both}"


@pytest.mark.full
def test_a_program_of_wgsl_that_takes_the_first_of_several_devices_says_so_once(host_of_wgsl):
    host_of_wgsl.with_name("wgpu.py").write_text(WORKING_WGPU, "utf-8")
    first, other = (f"{name}, Vulkan, wgpu 1.2.3" for name in ("Card 4090", "Card 3080"))
    said = f"using device 0 of 2: {first}; --device or --driver chooses: {other}\n"
    for words, driver, error in (
        ((), first, said),
        (("--device", "0"), first, ""),
        (("--device", "1"), other, ""),
        (("--driver", other), other, ""),
    ):
        found = run(sys.executable, host_of_wgsl, *words, MUTEX, MUTEX)
        assert [line["driver"] for line in lines_in(found.stdout)] == [driver] * 2
        assert found.stderr.decode().replace("imported\n", "") == error


def test_a_whole_line_chooses_a_device_of_wgsl_even_if_another_line_contains_it(host_of_wgsl):
    named = WORKING_WGPU.replace("Card 3080", "A Card 4090")
    host_of_wgsl.with_name("wgpu.py").write_text(named, "utf-8")
    (line,) = lines_in(run(sys.executable, host_of_wgsl, "--driver", "Card 4090, Vulkan, wgpu 1.2.3").stdout)
    assert line["driver"] == "Card 4090, Vulkan, wgpu 1.2.3"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_device_that_hangs_ends_with_the_program(host, number):
    assert_ends_with_the_device([host, "--timeout", "60", "hangs"], number)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_device_of_wgsl_that_hangs_ends_with_the_program(host_of_wgsl, number):
    """Which is told of no signal: the program has no handlers."""
    host_of_wgsl.with_name("wgpu.py").write_text(HANGING_WGPU, "utf-8")
    assert_ends_with_the_device([sys.executable, host_of_wgsl], number)


def assert_ends_with_the_device(command, number):
    """Or the device would hold standard error, whose end is waited for."""
    with subprocess.Popen(command, stderr=subprocess.PIPE) as running:
        assert running.stderr.readline() == b"hangs\n"
        running.send_signal(number)
        assert running.communicate(timeout=10) == (None, b"")
    assert running.returncode == -number


def test_whatever_a_driver_says_of_itself_is_json(host):
    found = run(host, "terminates")
    assert (found.returncode, found.stderr) == (0, b"")
    assert json.loads(found.stdout)["driver"] == 'Caf?? ? ? "q" \\ \n'


def test_what_a_driver_prints_is_no_result(host):
    found = run(host, "chatty")
    assert [line["result"] for line in lines_in(found.stdout)] == ["terminated"]
    assert found.stderr == b"a driver says something\n"


def test_a_result_that_cannot_be_written_is_a_failure(host):
    with Path("/dev/full").open("wb") as full:
        found = run(host, "terminates", stdout=full)
    expected = f"test terminates: the result can't be written: {os.strerror(errno.ENOSPC)}\n"
    assert (found.returncode, found.stderr.decode()) == (3, expected)
