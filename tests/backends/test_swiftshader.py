"""Test the results of SwiftShader, a device made of the processor, through Vulkan, WebGPU and a browser.

SwiftShader starts workgroups in strides (0, 16, 32, ...) and keeps as many running as there are processors. Which of
them start first differs from run to run, so some tests hang in some runs only.
"""

import http.server
import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from emitted import (
    BOUNDS,
    MUTEX,
    PAPER,
    SPINS_FOR_EVER,
    TAKES_A_LOCK,
    WAITS_FOR_EARLIER,
    WAITS_FOR_LATER,
    a_test,
    emitted,
    minimal,
    ten_tests,
    words_of_kinds,
)
from making import make, results_of
from result_lines import lines_in, results_in
from shaders import SWIFTSHADER, chromium, script_of_page, shaders_of_script, webgpu_device
from synth_backends.target import Choices, files_of

#: Which hang under which mappings, sooner or later; and which may do either.
HANGING = {(WAITS_FOR_LATER, "chunked"), (WAITS_FOR_EARLIER, "chunked")}
OPEN = {(WAITS_FOR_LATER, "plain"), (WAITS_FOR_LATER, "round-robin")}


@pytest.fixture(autouse=True)
def _device():
    webgpu_device()


@pytest.mark.parametrize(
    "target",
    [
        pytest.param("glsl", marks=pytest.mark.full),
        pytest.param("spirv", marks=pytest.mark.exhaustive),
        pytest.param("wgsl", marks=pytest.mark.full),
    ],
)
def test_swiftshader_gives_the_answers_that_are_known_of_it(target, tmp_path):
    environment = {"VK_ICD_FILENAMES": str(SWIFTSHADER)}
    found, expected = {}, {}
    for mapping in PAPER:
        tests = [a_test(text) for text in (WAITS_FOR_LATER, WAITS_FOR_EARLIER, MUTEX)]
        folder = emitted(target, tests, tmp_path / mapping, mapping=mapping)
        make(folder)
        hanging = [test.id for test in tests if (test.id, mapping) in HANGING]
        ending = [test.id for test in tests if (test.id, mapping) not in HANGING | OPEN]
        arguments = f"PYTHON={sys.executable}"
        lines = results_of(folder, environment, "--iterations 2 --timeout 60", *ending, make=[arguments])
        if hanging:
            lines += results_of(folder, environment, "--iterations 100 --timeout 2", *hanging, make=[arguments])
        for line in lines:
            found[mapping, line["id"]] = line["result"]
            expected[mapping, line["id"]] = "hung" if line["id"] in hanging else "terminated"
            assert line["driver"].startswith("SwiftShader Device")
            assert line["result"] == "hung" or line["finished"] == {"11": line["instances"]}
    assert found == expected
    assert len(found) == 7


@pytest.mark.full
@pytest.mark.parametrize("target", ["glsl", "spirv", "wgsl"])
@pytest.mark.parametrize("stress", [0, 3])
def test_of_the_threads_of_a_workgroup_only_the_first_runs(target, stress, tmp_path):
    """The only thread of the program takes a lock that nobody frees. A second one would wait for ever."""
    folder = emitted(target, [a_test(TAKES_A_LOCK)], tmp_path / "wide", instances=5, width=4, stress=stress)
    make(folder)
    environment = {"VK_ICD_FILENAMES": str(SWIFTSHADER)}
    (line,) = results_of(folder, environment, "--iterations 2 --timeout 10", make=[f"PYTHON={sys.executable}"])
    assert (line["result"], line["finished"], line["width"]) == ("terminated", {"1": 5}, 4)
    assert line["workgroups"] == 5 + stress


@pytest.mark.full
@pytest.mark.parametrize("target", ["spirv", "glsl"])
def test_threads_that_share_a_subgroup_run_in_lockstep_and_subgroups_one_after_the_other(target, tmp_path):
    """SwiftShader's subgroups have four threads."""
    environment = os.environ | {"VK_ICD_FILENAMES": str(SWIFTSHADER)}
    for mapping, result in [("invocations", "terminated"), ("subgroups:4", "hung"), ("subgroups:2", "not run")]:
        folder = emitted(target, [a_test(WAITS_FOR_LATER)], tmp_path / result, mapping=mapping, instances=3)
        make(folder)
        words = ["build/litmus", "--iterations", "2", "--timeout", "1" if result == "hung" else "60"]
        run = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
        )
        (line,) = results_in(run.stdout)
        assert (line["result"], line["device"]["subgroup_size"]) == (result, "4")
        if result == "not run":
            why = "a subgroup has 4 threads, so threads of the test would share one; take subgroups:4"
            assert line["reason"] == f"mapping subgroups:2: {why}"


@pytest.mark.full
def test_of_a_run_that_hung_vulkan_tells_who_had_finished(tmp_path):
    """Thread 0 of the program never finishes, and thread 1 does if it is started; this device may not start it."""
    folder = emitted("glsl", [a_test(SPINS_FOR_EVER)], tmp_path / "hangs", mapping="plain", stress=2)
    make(folder)
    (line,) = results_of(folder, {"VK_ICD_FILENAMES": str(SWIFTSHADER)}, "--timeout 1")
    assert (line["result"], line["iteration"]) == ("hung", 1)
    assert (line["started"], line["finished"]) in [({"11": 1}, {"01": 1}), ({"10": 1}, {"00": 1})]
    assert 0 < line["quiet_s"] <= line["seconds"][-1]


def works_in(process, folder):
    try:
        return (process / "cwd").readlink() == folder
    except OSError:  # it has ended, or is none of ours
        return False


@pytest.mark.full
@pytest.mark.parametrize("target", ["glsl", "wgsl"])
def test_a_hanging_run_leaves_no_process_behind(target, tmp_path):
    folder = emitted(target, [a_test(WAITS_FOR_LATER)], tmp_path / "hangs")
    make(folder)
    environment = os.environ | {"VK_ICD_FILENAMES": str(SWIFTSHADER)}
    run = subprocess.Popen(
        ["make", "-s", "run", "ARGS=--timeout 1", f"PYTHON={sys.executable}"],
        cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    output, _ = run.communicate(timeout=60)
    assert [line["result"] for line in results_in(output)] == ["hung"]
    assert [process for process in Path("/proc").glob("[0-9]*") if works_in(process, folder)] == []


PROGRAMS = {"glsl": ["build/litmus"], "wgsl": [sys.executable, "litmus.py"]}


@pytest.mark.full
@pytest.mark.parametrize("target", PROGRAMS)
def test_what_is_wrong_with_arguments_and_devices_is_one_line(target, tmp_path):
    folder = emitted(target, [a_test(MUTEX)], tmp_path / "one", mapping="plain")
    make(folder)
    # Mesa, where it is installed too, writes lines of its own if no folder is named for what runs.
    environment = os.environ | {"VK_ICD_FILENAMES": str(SWIFTSHADER), "XDG_RUNTIME_DIR": str(tmp_path)}

    def ran(*words):
        command = [*PROGRAMS[target], *words]
        run = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
        )
        return run.returncode, run.stdout, run.stderr

    for words, message in [
        (["--timeout", "never"], "--timeout: found 'never', expected a number from 1 to 1000000\n"),
        (["0011"], "found 0011, expected the id of a test\n"),
    ]:
        code, output, error = ran(*words)
        assert (code, output, error.removeprefix("argument ")) == (2, "", message)
    if target == "glsl":
        code, output, error = ran("--queue-family", "1")
        assert (code, json.loads(output)["result"]) == (3, "not run")
        assert error.startswith(f"test {MUTEX}: --queue-family: found 1, expected one of 1 that runs compute shaders")
        code, output, _ = ran("--queue-family", "0")
        assert (code, json.loads(output)["device"]["queue_family"]) == (0, "0")
    code, output, error = ran("--device", "99")
    (line,) = lines_in(output)
    assert (code, line["result"], line["iteration"]) == (3, "not run", 0)
    assert re.fullmatch(rf"test {MUTEX}: --device: found 99, expected a number below [0-9]+, which is how .*\n", error)


# In a browser

REPORT = """
<script>
async function report() {
  if (element("state").textContent !== "Done") {
    setTimeout(report, 100);
    return;
  }
  %s
  fetch("/results", { method: "POST", body: results.join("\\n") });
}
report();
</script>
"""
#: What a page says when it is asked to run what it can't, each time instead of a result line.
WRONG_WORDS = """
  for (const [name, wrong] of [["iterations", ""], ["iterations", "0"], ["timeout", "abc"], ["timeout", "-1"]]) {
    const right = element(name).value;
    element(name).value = wrong;
    await runAll();
    results.push(JSON.stringify(element("state").textContent.split(":")[0]));
    element(name).value = right;
  }
  parameters.set("ids", `${tests[0].id},0012`);
  await runAll();
  results.push(JSON.stringify(element("state").textContent));
"""
#: No device, one that refuses a buffer, and one that fails in its second iteration.
FAILING = """
  parameters.set("ids", tests[0].id);
  const { requestAdapter } = GPU.prototype;
  GPU.prototype.requestAdapter = async () => null;
  await runAll();
  GPU.prototype.requestAdapter = requestAdapter;
  const { words } = tests[0];
  tests[0].words = 2 ** 40;
  await runAll();
  tests[0].words = words;
  const { submit } = GPUQueue.prototype;
  let submitted = 0;
  GPUQueue.prototype.submit = function (commands) {
    if (++submitted === 2) {
      throw new Error("broken");
    }
    submit.call(this, commands);
  };
  await runAll();
  results.push(JSON.stringify([...element("rows").rows].slice(3).map((row) => row.cells[4].textContent)));
"""
#: A device that is lost in its first launch, one that seems to hang in its second, and then devices that work.
LOSING = """
  parameters.set("ids", tests[0].id);
  element("after-hang").value = "2";
  element("timeout").value = "5";
  const { mapAsync } = GPUBuffer.prototype;
  let mapped = 0;
  GPUBuffer.prototype.mapAsync = function (mode) {
    return ++mapped === 4 ? new Promise(() => {}) : mapAsync.call(this, mode);
  };
  const { requestDevice } = GPUAdapter.prototype;
  let devices = 0;
  GPUAdapter.prototype.requestDevice = async function () {
    const device = await requestDevice.call(this);
    if (++devices === 1) {
      Object.defineProperty(device, "lost", { value: Promise.resolve({ reason: "unknown", message: "taken" }) });
    }
    return device;
  };
  await runAll();
"""
#: Compiles shaders, to the end; of each what there is to say of it.
COMPILING = """
  const device = await (await navigator.gpu.requestAdapter()).requestDevice();
  for (const code of %s) {
    const module = device.createShaderModule({ code });
    const said = (await module.getCompilationInfo()).messages.map(({ type, message }) => `${type}: ${message}`);
    const compute = { module, entryPoint: "run" };
    await device.createComputePipelineAsync({ layout: "auto", compute }).catch((error) => said.push(error.message));
    results.push(JSON.stringify(said));
  }
"""
FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu-sandbox", "--no-first-run", "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan,WebGPU", "--disable-dev-shm-usage",
]  # fmt: skip


def results_of_page(page, query, folder, then=""):
    """What a page has found when it is done, told to a server; the browser is killed with all that it has started.

    `then` is a script that runs when the page is done, and may add to `results`.
    """
    told = threading.Event()
    lines = []

    class Server(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = (page + REPORT % then).encode() if self.path.startswith("/?") else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            lines.extend(json.loads(line) for line in text.splitlines())
            self.send_response(204)
            self.end_headers()
            told.set()

        def log_message(self, *_):
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/?{query}"
        command = [chromium(), *FLAGS, f"--user-data-dir={folder}", address]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, start_new_session=True, **quiet) as browser:
            try:
                assert told.wait(120), "the page was not done in time"
            finally:
                os.killpg(browser.pid, signal.SIGKILL)
                server.shutdown()
    return lines


@pytest.mark.full
def test_a_browser_compiles_every_shader(tmp_path):
    """Of all minimal tests, and of ten under every kind of mapping; and it sees one that is none."""
    pages = [files_of("web", [test for bound in BOUNDS for test in minimal(bound)], Choices(per_file=1000))]
    words = words_of_kinds("web").values()
    pages += [files_of("web", ten_tests(), Choices(word, stress=7, per_file=10)) for word in words]
    texts = [text for files in pages for name, text in files.items() if name.endswith(".html")]
    shaders = ["wrong", *(each for text in texts for each in shaders_of_script(script_of_page(text)))]
    (page,) = emitted("web", [a_test(MUTEX)], tmp_path / "one", mapping="plain").glob("*.html")
    compiling = COMPILING % json.dumps(shaders).replace("<", "\\u003c")  # no name ends the script
    ran, wrong, *messages = results_of_page(
        page.read_text("utf-8"), "run&iterations=1", tmp_path / "browser", compiling
    )
    assert ran["result"] == "terminated"
    assert "error" in wrong[0]
    assert messages == [[]] * (len(shaders) - 1)
    assert len(messages) > 300


@pytest.mark.full
def test_a_page_runs_its_tests_in_a_browser(tmp_path):
    """Those that end end; the one that waits for a later chunk is last, for it hangs."""
    tests = [a_test(MUTEX, '</script> "`${name}`'), a_test(WAITS_FOR_EARLIER), a_test(WAITS_FOR_LATER)]
    folder = emitted("web", tests[:2], tmp_path / "ending", mapping="round-robin")
    (page,) = folder.glob("*.html")
    query = "run&iterations=2&timeout=60"
    lines = results_of_page(page.read_text("utf-8"), query, tmp_path / "first", WRONG_WORDS + FAILING)
    said = ["iterations", "iterations", "timeout", "timeout", "found 0012, expected the id of a test"]
    assert lines[2:7] == said
    refused, broken = lines.pop()
    assert re.match("failed: .*size", refused)
    assert broken == "failed: broken"
    for line in [*lines[:2], *lines[7:]]:
        lines_in(json.dumps(line))
    assert [(line["result"], line["iteration"], line["finished"]) for line in lines[7:]] == [
        ("not run", 0, {}),
        ("failed", 1, {}),
        ("failed", 2, {}),
    ]
    assert lines[7]["reason"] == "this browser has no WebGPU, or no device for it"
    assert lines[9]["reason"] == "broken"
    del lines[2:]
    told = [(line["id"], line["name"], line["result"], line["iteration"], line["finished"]) for line in lines]
    assert told == [
        (WAITS_FOR_EARLIER, WAITS_FOR_EARLIER, "terminated", 2, {"11": 32_767}),
        (MUTEX, '</script> "`${name}`', "terminated", 2, {"11": 32_767}),
    ]
    assert "swiftshader" in lines[0]["driver"].lower()

    folder = emitted("web", tests, tmp_path / "hanging", mapping="chunked")
    (page,) = folder.glob("*.html")
    query = f"run&iterations=20&timeout=2&no-canary&ids={WAITS_FOR_LATER}"
    (line,) = results_of_page(page.read_text("utf-8"), query, tmp_path / "second")
    assert (line["id"], line["result"], line["finished"]) == (WAITS_FOR_LATER, "hung", {})
    assert line["quiet_s"] is None


@pytest.mark.full
def test_a_page_goes_on_after_a_launch_that_does_not_end(tmp_path):
    """On another device, after a canary on one of its own. Here a script makes devices that are lost and that hang."""
    folder = emitted("web", [a_test(MUTEX)], tmp_path / "page", mapping="plain")
    (page,) = folder.glob("*.html")
    text = page.read_text("utf-8")
    ran, *lines = results_of_page(text, "run&iterations=3", tmp_path / "browser", LOSING)
    assert (ran["result"], len(ran["seconds"])) == ("terminated", 3)
    assert lines_in("\n".join(json.dumps(line) for line in lines)) == lines
    told = [(line["result"], line["process"], line["iteration"], line.get("canary", False)) for line in lines]
    assert told == [
        ("lost", 1, 1, False),
        ("terminated", 1, 1, True),
        ("hung", 2, 3, False),
        ("terminated", 2, 1, True),
    ]
    assert (lines[0]["code"], lines[0]["reason"]) == ("unknown", "taken")
