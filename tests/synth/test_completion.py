"""Test completion in real shells, with the scripts that `synth` prints or installs."""

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from synth.cli.shared.vocabulary import KINDS, completer, fill_in_kinds
from synth_checker.programs.rules import DROPPABLE
from synth_search.engines.choice import SOLVERS

BELL = b"\a"
BIN = str(Path(sys.executable).parent)

ASKED = {
    ("en",): ["enumerate"],
    ("corpus", "d"): ["diff"],
    ("help", "corpus", "d"): ["diff"],
    ("check", "--mod"): ["--model"],
    ("check", "mutex", "--model", "OBE.w"): ["OBE.weak"],
    ("check", "mutex", "--model", "=", "LOBE.w"): ["LOBE.weak"],
    ("check", "mutex", "--model", "HSA,LOBE.w"): ["HSA,LOBE.weak"],
    ("enumerate", "--without", "all"): ["all-branches"],
    ("enumerate", "--engine", "sat-"): ["sat-full"],
    ("find", "--engine", "di"): ["directed"],
    ("enumerate", "--solver", "cadical19"): ["cadical195"],
    ("emit", "mutex", "--target", "o"): ["opencl"],
    ("emit", "mutex", "--mapping", "hy"): ["hybrid"],
    ("model", "show", "res"): ["resident-"],
    ("find", "--contains", "din"): ["dining-philosophers"],
    ("corpus", "export", "here.corpus", "--format", "mu"): ["mustpass"],
    ("lts", "mutex", "--format", "a"): ["aut"],
    ("corpus", "info", "@", "complete/3x4"): ["@complete/3x4"],
    ("corpus", "info", "her"): ["here.corpus"],
    ("job", "start", "--executor", "sl"): ["slurm-array"],
    ("shrink", "mutex", "--keep", "OBE.weak=f"): ["OBE.weak=fail"],
    ("frob", "--fr"): [],
}


def needs(shell):
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """A function that runs a script in a shell, in a folder with one corpus, and gives what it printed."""
    (tmp_path / "here.corpus").mkdir()
    (tmp_path / "here.corpus" / "manifest.json").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", BIN, prepend=":")

    def run(*words):
        ran = subprocess.run(words, capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (0, "")
        return ran.stdout

    return run


@pytest.mark.parametrize("words", ASKED, ids=" ".join)
def test_words_of_each_kind_are_completed(synth, monkeypatch, words):
    """Asked as bash asks, without a process."""
    monkeypatch.setenv("_SYNTH_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "\n".join(("synth", *words)))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    Path("here.corpus").mkdir()
    Path("here.corpus", "manifest.json").touch()
    ran = synth()
    assert (ran.code, ran.out.split(), ran.err) == (0, ASKED[words], "")


#: A command, words that bash splits at `=` and `@`, a folder, and a word that has no completion.
SOME_ASKED = [
    ("en",),
    ("check", "mutex", "--model", "=", "LOBE.w"),
    ("corpus", "info", "@", "complete/3x4"),
    ("corpus", "info", "her"),
    ("frob", "--fr"),
]


@pytest.mark.full
@pytest.mark.parametrize("asked", [SOME_ASKED, pytest.param(list(ASKED), marks=pytest.mark.full)], ids=["some", "all"])
def test_bash_completes_words_of_each_kind(shell, asked):
    script = "\n".join(
        f"COMP_WORDS=(synth {' '.join(map(repr, words))}); COMP_CWORD={len(words)}; COMPREPLY=()\n"
        '_synth_completion synth; echo "${COMPREPLY[*]}"'
        for words in asked
    )
    found = shell("bash", "-c", f'eval "$(_SYNTH_COMPLETE=source_bash synth)"\n{script}')
    assert [line.split() for line in found.splitlines()] == [ASKED[words] for words in asked]


@pytest.mark.full
@pytest.mark.parametrize("name", ["bash", pytest.param("zsh", marks=needs("zsh"))])
def test_installed_completion_completes_at_the_tabulator(shell, name):
    """In an interactive shell that reads what the installation has written."""
    installed = shell(name, "-c", "synth --install-completion; true")
    assert installed.startswith(f"{name} completion installed")
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "dumb"
        os.execvp(name, [name, "-i"])  # noqa: S606
    seen = b""

    def read_until(*words):
        nonlocal seen
        end = time.monotonic() + 60
        while not any(word in seen for word in words) and time.monotonic() < end:
            if select.select([terminal], [], [], 1)[0]:
                seen += os.read(terminal, 4096)

    try:
        os.write(terminal, b"echo read''y\n")
        read_until(b"ready")
        os.write(terminal, b"synth emit --target op\t")
        read_until(b"encl ", BELL)
        if name == "zsh" and b"encl " not in seen:  # the first one loads the script, and completes nothing
            os.write(terminal, b"\t")
            read_until(b"encl ")
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.close(terminal)
    assert b"encl " in seen


@pytest.mark.full
@needs("fish")
def test_fish_completes_words_of_each_kind(shell):
    shell("fish", "-c", "synth --install-completion; true")
    for words, expected in {("en",): "enumerate", ("check", "x", "--model", "OBE.w"): "OBE.weak"}.items():
        found = shell("fish", "-c", f"complete -C 'synth {' '.join(words)}'")
        assert [line.split("\t")[0] for line in found.splitlines()] == [expected]


@pytest.mark.parametrize(
    ("name", "beginning"), [("source_bash", "_synth"), ("bash_source", "_synth"), ("source_zsh", "#compdef")]
)
def test_the_script_is_printed_for_the_standard_variables(synth, monkeypatch, name, beginning):
    monkeypatch.setenv("_SYNTH_COMPLETE", name)
    ran = synth()
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.strip().startswith(beginning)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("complete_frob", "_SYNTH_COMPLETE: found 'complete_frob'"),
        ("frob", "_SYNTH_COMPLETE: found 'frob'"),
        ("complete_bash", "_SYNTH_COMPLETE: there are no words to complete"),
    ],
)
def test_what_no_shell_asks_is_refused_in_one_line(synth, monkeypatch, name, told):
    monkeypatch.setenv("_SYNTH_COMPLETE", name)
    monkeypatch.delenv("COMP_WORDS", raising=False)
    ran = synth()
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"synth: {told}")


@pytest.mark.full
@pytest.mark.usefixtures("shell")
def test_a_home_that_takes_no_script_is_told_in_one_line(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    ran = subprocess.run(["bash", "-c", "synth --install-completion; exit $?"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert "expected a home folder that you may write to" in ran.stderr


def test_help_names_the_words_and_completion_knows_them():
    assert fill_in_kinds("Drop a rule: {rules}.") == f"Drop a rule: {', '.join(DROPPABLE)}."
    for kind, words in KINDS.items():
        known = [word.partition(":")[0].removesuffix("K") for word in words()]
        assert known
        assert completer(kind)("") == known
        assert known[0] in completer(kind)(known[0][:2])
        assert completer(kind)("no such word") == []


def test_the_solvers_that_help_names_are_solvers_of_pysat():
    from pysat.solvers import SolverNames

    assert {name for name in SOLVERS if not hasattr(SolverNames, name)} == set()
