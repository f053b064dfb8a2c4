"""The device `browser`: what it does with a browser that breaks, and what a browser leaves behind."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fake_device
from emitted import SPINS_FOR_EVER, a_test
from quick import mostly_full
from result_lines import lines_in
from shaders import chromium
from synth_backends.target import Choices
from synth_checker.errors import InputError
from synth_devices.attempt import Session
from synth_devices.catalogue import load_device
from synth_devices.device import Request

ENDS = "0011-0011"
#: A program that stands in for a browser. It answers each message by the lines of ANSWERS, which may be code.
STAND_IN = """#!{python}
import json, os, sys
print("started", sys.argv[1:], flush=True)
page = 0
def tell(**message):
    os.write(4, json.dumps(message).encode() + b"\\0")
for text in iter(lambda: b"".join(iter(lambda: os.read(3, 1), b"\\0")), b""):
    message = json.loads(text)
    method, answer = message["method"], {{"targetId": "t", "sessionId": "s", "loaderId": "x"}}
    {behaviour}
    tell(id=message["id"], result=answer)
    if method == "Page.navigate":
        tell(method="Page.lifecycleEvent", params={{"name": "load", "loaderId": "x"}})
"""
THROWS = 'if "Runtime" in method: answer = {"exceptionDetails": {"exception": {"description": "Error: x\\n at 1"}}}'
REFUSES = """if "Runtime" in method: answer = {"result": {"value": '{"lines":[],"state":"found nothing"}'}}"""
BREAKING = {
    "dies at once": ("sys.exit('no display')", "the browser has ended: no display; "),
    "dies at work": ('if "Runtime" in method: sys.exit("gpu is gone")', "the browser has ended: gpu is gone; "),
    "throws": (THROWS, "Error: x"),
    "refuses": (REFUSES, "found nothing"),
    "cannot": (
        'if "attach" in method: tell(id=message["id"], error={"message": "no"}); continue',
        "Target.attachToTarget: no",
    ),
}


def built(tmp_path, name="browser"):
    return load_device(name).build([a_test(ENDS), a_test(SPINS_FOR_EVER)], Choices("chunked", 5), tmp_path / "build")


@mostly_full("behaviour", BREAKING)
def test_what_is_wrong_with_a_browser_is_said_in_one_line(behaviour, tmp_path, monkeypatch):
    code, told = BREAKING[behaviour]
    program = tmp_path / "browser"
    program.write_text(STAND_IN.format(python=sys.executable, behaviour=code), "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("CHROME_PATH", str(program))
    (tmp_path / "build").mkdir()
    assert load_device("browser").missing() == ""
    with Session(built(tmp_path)) as session:
        found = session.attempt(Request(ENDS, 1, 5), f"browser-{os.getpid()};")
    (launch,) = found.launches
    assert launch.end == "failed"
    assert launch.reason.startswith(f"it ended without a result (exit code 3): {told}")
    assert "--remote-debugging-pipe" in (tmp_path / "build" / "browser.log").read_text("utf-8")


def test_a_browser_that_ends_after_its_page_was_ready_has_crashed_even_at_the_first_request(tmp_path, monkeypatch):
    ready = {**fake_device.line(ENDS, "failed", 1, target="web", seconds=[]), "driver": "a GPU"}
    called = {"name": "synthIsReady", "payload": json.dumps(ready)}
    dies = f'if "evaluate" in method: tell(method="Runtime.bindingCalled", params={called!r}); sys.exit("gpu is gone")'
    program = tmp_path / "browser"
    program.write_text(STAND_IN.format(python=sys.executable, behaviour=dies), "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("CHROME_PATH", str(program))
    (tmp_path / "build").mkdir()
    with Session(built(tmp_path)) as session:
        found = session.attempt(Request(ENDS, 1, 5), f"browser-{os.getpid()};")
    (launch,) = found.launches
    assert (launch.end, found.driver) == ("crashed", "a GPU")
    assert launch.reason.startswith("the browser has ended: gpu is gone; ")


@pytest.mark.full
def test_a_browser_that_is_killed_while_it_runs_its_first_test_has_crashed(tmp_path):
    """Nobody sees from outside when the page is ready. So the browser is killed later and later, until it was."""
    chromium()
    (tmp_path / "build").mkdir()
    build, request, out = built(tmp_path, "browser:swiftshader"), Request(SPINS_FOR_EVER, 1, 100), ""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    for seconds in (5, 10, 20, 40, 80):
        with subprocess.Popen(build.words(request), **pipes) as host:
            host.stdin.write(f"{request.line()}\n")
            host.stdin.flush()
            time.sleep(seconds)
            for pid in processes_in(tmp_path / "build" / "profile"):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
            out, _ = host.communicate(timeout=60)
        if out:
            break
    (line,) = lines_in(out)
    assert (line["result"], line["id"]) == ("failed", SPINS_FOR_EVER)
    assert "SwiftShader" in line["driver"] or "swiftshader" in line["driver"]
    assert line["reason"].startswith("the browser has ended")


def test_without_a_browser_and_with_a_wrong_word_one_line_says_so(monkeypatch):
    monkeypatch.setenv("CHROME_PATH", "no-chrome")
    assert load_device("browser").missing().startswith("no browser is found: sudo apt install chromium, or set")
    with pytest.raises(InputError, match="swiftshader"):
        load_device("browser:swiftshade")


def processes_in(folder):
    """Processes that name a folder in their command or work in it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(folder) in (process / "cmdline").read_text("utf-8", "replace"):
                found.append(process.name)
    return found


def listening():
    """Addresses on which something listens, but not those of this machine alone."""
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path("/proc/net", table).read_text().splitlines()[1:]:
            _, address, _, state, *_ = line.split()
            if state == "0A" and not address.startswith(("0100007F", "00000000000000000000000001000000")):
                found.add(address)
    return found


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_browser_that_hangs_ends_with_its_program_listens_nowhere_and_leaves_nothing(number, tmp_path):
    """Whatever ends the program, nobody is left to kill the browser."""
    chromium()
    (tmp_path / "build").mkdir()
    before = listening()
    command = built(tmp_path, "browser:swiftshader").programs[ENDS]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, start_new_session=True, **pipes) as program:
        for test in (ENDS, SPINS_FOR_EVER):
            program.stdin.write(json.dumps({"id": test, "iterations": 2, "timeout_s": 60}) + "\n")
            program.stdin.flush()
            if test == ENDS:
                (line,) = lines_in(program.stdout.readline())
                assert line["result"] == "terminated"
        time.sleep(1)
        assert len(processes_in(tmp_path)) > 3
        assert listening() <= before
        assert list((tmp_path / "build" / "profile").glob("*hromium*"))  # what it would have made in /tmp
        program.send_signal(number)
    end = time.monotonic() + 20
    while processes_in(tmp_path) and time.monotonic() < end:
        time.sleep(0.1)
    assert not processes_in(tmp_path)
