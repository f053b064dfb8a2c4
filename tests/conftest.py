"""The settings of all tests: no time limits inside hypothesis, no skipped test in CI, and the published suite.

And what many folders share: the command line, run inside the process of the tests, since most of its tests need no
process of their own.

The published suite is not part of the repository. If it does not lie beside it, pytest deselects the tests that need
it, and the first lines of a run say so. The same holds for compilers that no distribution has, and for the sources of
Oclgrind, which `make test-full` downloads.
"""

import functools
import io
import json
import os
import shutil
import signal
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import Phase, settings

import quick
import written
from scripts import imported
from synth_checker._native import explicit_search_paths
from synth_checker.programs.program import Instruction, Program, Thread

IN_CI = bool(os.environ.get("CI"))

# A deadline per example fails on a busy machine. CI must not fail by chance: developers look for new examples.
# Few examples in the quick tests, which developers run again and again; all where full tests are asked for.
settings.register_profile("quick", deadline=None, derandomize=IN_CI, max_examples=quick.QUICK)
settings.register_profile("all", deadline=None, derandomize=IN_CI, max_examples=quick.ALL)
settings.load_profile("quick")
# For mutations/run.py, which asks whether a test fails and not with which least example.
ONCE = {"deadline": None, "derandomize": True, "phases": (Phase.explicit, Phase.generate)}
settings.register_profile("first", **ONCE, max_examples=quick.ALL)
settings.register_profile("first-quick", **ONCE, max_examples=quick.QUICK)


def _fail_if_skipped(report):
    """Make a skipped test or module a failed one: in CI everything a test needs is there, or CI must install it."""
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        _, _, reason = report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{reason} (a skipped test is a failure in CI)"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    return _fail_if_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return _fail_if_skipped((yield))


def pytest_configure(config):
    """Properties have all their examples wherever more than the quick tests is asked for.

    Tests send signals to commands, which would stay ignored where the tests are run by `nohup` or behind a shell.
    """
    if config.option.markexpr != "not full and not exhaustive" and not config.getoption("--hypothesis-profile"):
        settings.load_profile("all")
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)


@pytest.fixture(scope="session", autouse=True)
def _corpora_fit_their_schemas():
    """Whatever corpus a test writes, wherever it goes: before it is put in place it is held against the schemas."""
    with written.checked():
        yield


HERE = Path(__file__).parent
#: Files that are begun before the others, so that no process works on one of them alone at the end.
TAKE_LONG = {
    "backends/test_conformance.py",
    "backends/test_cpp.py",
    "backends/test_devices.py",
    "backends/test_host.py",
    "backends/test_meaning.py",
    "backends/test_shaders.py",
    "backends/test_swiftshader.py",
    "campaigns/test_misbehaving.py",
    "campaigns/test_resuming.py",
    "checker/test_minimality.py",
    "corpus/test_spin.py",
    "corpus/test_store.py",
    "encodings/test_proofs.py",
    "jobs/test_working.py",
    "native/test_native.py",
    "search/test_certify.py",
    "search/test_cli_enumerate.py",
    "search/test_directed.py",
    "search/test_engines.py",
    "search/test_enumeration.py",
    "search/test_keeping.py",
    "search/test_suites.py",
    "storage/test_leases.py",
    "synth/test_answers.py",
    "synth/test_cli.py",
    "synth/test_sessions.py",
    "workspace/test_readme.py",
    "workspace/test_wheel.py",
}
FOLDER = Path(__file__).parents[2] / "shared" / "published"
_FILES = {"2x2": "2t_2i.json", "2x3": "2t_3i.json"}


class Published(NamedTuple):
    alias: str
    text: str
    program: Program
    verdicts: dict[str, str]


@pytest.fixture(scope="session")
def published():
    """A function from a bound to its published tests."""
    return _row


#: Commands that not every machine has: compilers that come from their makers and not from a distribution, and npm,
#: Firefox, Boogie and what compiles for ARM and emulates it, which CI installs. Tests that need one are marked
#: `command(NAME)`.
COMMANDS = ("nvcc", "hipcc", "npm", "firefox-esr", "boogie", "aarch64-linux-gnu-g++", "qemu-aarch64")


#: The script that downloads kernels of others, and the command that downloads Oclgrind's.
FOREIGN = HERE.parent / "docs" / "measured" / "kernels.py"
OCLGRIND = "python docs/measured/kernels.py fetch oclgrind"


@pytest.fixture(scope="session")
def oclgrind():
    """The script that knows the tests of Oclgrind; a test that asks for it is deselected without their sources."""
    return imported(FOREIGN)


def _has_oclgrind():
    return FOREIGN.is_file() and imported(FOREIGN).folder("oclgrind").is_dir()


def pytest_report_header():
    lines = [] if FOLDER.is_dir() else [f"published suite: none at {FOLDER}; the tests that ask for it are deselected"]
    if not _has_oclgrind():
        lines.append(
            f"sources of Oclgrind: none; to download them, run {OCLGRIND}; the tests that need them are deselected"
        )
    lines += [
        f"explicit search: this processor does not have the path {name}, whose tests are left out"
        for name, has in explicit_search_paths()
        if not has
    ]
    return lines + [f"{name}: not installed; the tests that need it are deselected" for name in _missing_commands()]


def _missing_commands():
    return [name for name in COMMANDS if shutil.which(name) is None]


def pytest_collection_modifyitems(config, items):
    missing, has_oclgrind = _missing_commands(), _has_oclgrind()
    items.sort(key=lambda item: item.path.relative_to(HERE).as_posix() not in TAKE_LONG)

    def lacks_something(item):
        if not FOLDER.is_dir() and "published" in getattr(item, "fixturenames", ()):
            return True
        if not has_oclgrind and "oclgrind" in getattr(item, "fixturenames", ()):
            return True
        return any(mark.args[0] in missing for mark in item.iter_markers("command"))

    without = [item for item in items if lacks_something(item)]
    if without:
        config.hook.pytest_deselected(items=without)
        items[:] = [item for item in items if not lacks_something(item)]


@functools.cache
def _row(bound):
    records = json.loads((FOLDER / _FILES[bound]).read_text("utf-8"))
    return [Published(r["alias"], r["pseudo"], _program(r["threads"]), r["verdicts"]) for r in records]


def _program(threads):
    return Program(tuple(Thread(tuple(Instruction(**fields) for fields in thread)) for thread in threads))


@pytest.fixture(scope="session")
def idle_solvers():
    """Processes of solvers that wait for the next test, where tests share them."""
    from shared_solvers import Idle

    idle = Idle()
    yield idle
    idle.close()


class Ran(NamedTuple):
    """What a command left behind: its exit code and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def synth(capfd, monkeypatch, tmp_path):
    """A function that runs `synth` with the given words, in an empty folder, 100 columns wide and without colours."""
    from synth import cli  # no test of a package below needs to wait for it

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("XDG_CACHE_HOME", f"{tmp_path}.cache")
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)

    def run(*words, stdin=""):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8"))))
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            cli.main(list(map(str, words)))
        return Ran(left.value.code, *capfd.readouterr())

    return run


@pytest.fixture
def kernels(tmp_path):
    """A function that writes kernels into a file of an empty folder, and returns its path."""

    def write(*texts, name="k.kernel"):
        path = tmp_path / name
        path.write_text("\n".join(texts), "utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def unusual():
    """A mutex, renamed, with a no-op, and a store that compares with 1."""
    return """// a mutex, unusual
THREAD 0
0: if (Mem[7] == 3) goto 1;
1: if (Exch(Mem[5],4) == 4) goto 1;
2: if (Exch(Mem[5],0) == 4) goto 3;

THREAD 1
0: if (Exch(Mem[5],4) == 4) goto 0;
1: Mem[5] = 0;
"""


@pytest.fixture
def rights():
    """A function that sets the rights of a folder or file until the end of the test."""
    changed = []

    def change(path, mode):
        changed.append((path, path.stat().st_mode))
        path.chmod(mode)

    yield change
    for path, mode in changed:
        path.chmod(mode)


@pytest.fixture
def called(synth, unusual, tmp_path):
    """A function that calls a command and gives what it prints, an object a line or one of several lines."""
    import answer_calls

    answer_calls.lay_for_calls(tmp_path, unusual)

    def call(words):
        for needed, made_by in answer_calls.MADE.items():
            if needed in words:
                assert synth(*made_by).code == 0
        if answer_calls.FAULTY in words:
            manifest = tmp_path / answer_calls.FAULTY / "manifest.json"
            manifest.write_text(manifest.read_text().replace('"tests": 8', '"tests": 7'))
        ran = synth(*words)
        assert ran.code in {0, 1}, ran.err
        try:
            return [json.loads(ran.out)]
        except json.JSONDecodeError:
            return [json.loads(line) for line in ran.out.splitlines()]

    return call
