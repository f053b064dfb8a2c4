"""Test that `synth --help` answers at once, and so imports nothing large too early."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from synth import cli
from synth.cli.shared.command_list import COMMANDS, GROUPS

HEAVY = {"pysat", "z3", "synth_checker._native", "jinja2", "zstandard", "multiprocess", "dill", "tqdm"}
HEAVY |= {"dratify", "cdclkit", "duckdb", "matplotlib", "dask", "distributed", "dask_jobqueue", "synth_corpus"}

CLI = Path(cli.__file__).parent

RUN = """
import sys
from synth.cli import main
sys.argv = ["synth", *{words}]
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
"""


@pytest.mark.parametrize("script", ["import synth", RUN.format(words=["--help"])], ids=["import synth", "synth --help"])
def test_start_loads_nothing_heavy(script):
    loaded = loaded_by(script)
    assert "synth" in loaded
    assert loaded & HEAVY == set()


@pytest.mark.full
def test_what_is_asked_of_an_id_needs_no_corpus():
    loaded = loaded_by(RUN.format(words=["explain", "0010-0100", "--model", "OBE.weak"]))
    assert "synth_litmus.explanation" in loaded
    assert loaded & {"synth_corpus.store", "rich", "zstandard"} == set()


@pytest.mark.full
def test_commands_import_late_only_what_is_not_loaded_anyway():
    """An import in a function pays only where starting would take longer without it."""
    by_all = loaded_by("from synth import cli\ncli.command_line()")
    by_one = loaded_by("from synth import cli\ncli.command_line('show')")  # for modules that all commands share
    ritual = [
        f"{path.relative_to(CLI)}:{late.lineno} {module}"
        for path in sorted(CLI.rglob("*.py"))
        for function in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(function, ast.FunctionDef)
        for late in ast.walk(function)
        for module in modules_of(late)
        if module in (by_one if "shared" in path.parts else by_all)
    ]
    assert ritual == []


@pytest.mark.full
def test_what_a_kernel_needs_is_said_without_campaigns(tmp_path):
    """A campaign is only loaded for --results."""
    kernel = "__kernel void k(__global volatile int *a) { while (a[0] == 0) { } }"
    (tmp_path / "k.cl").write_text(kernel)
    loaded = loaded_by(RUN.format(words=["kernel", "need", str(tmp_path / "k.cl"), "--arg", "a=0:1"]))
    assert {name for name in loaded if name.startswith(("synth_campaigns", "synth_devices", "synth_analysis"))} == set()
    assert len({name for name in loaded if name.partition(".")[0].partition("_")[0] == "synth"}) <= 200


def is_module(name):
    """Whether a name is that of a module of our packages."""
    package = name.partition(".")[0]
    folder = "" if package == "synth" else package.removeprefix("synth_")
    path = Path(__file__).parents[2] / folder / name.replace(".", "/")
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def modules_of(node):
    """The modules that an import needs; none if it is something else."""
    if isinstance(node, ast.ImportFrom):
        inside = [f"{node.module}.{alias.name}" for alias in node.names]
        return [name for name in inside if is_module(name)] or [node.module]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def loaded_by(script):
    listing = "\nimport sys\nprint(*sys.modules, file=sys.stderr)"
    started = subprocess.run([sys.executable, "-P", "-c", script + listing], capture_output=True, text=True)
    assert started.returncode == 0, started.stderr
    return set(started.stderr.split())


@pytest.mark.full
def test_a_command_is_made_without_the_others():
    """To make them all takes longer than `explain` does."""
    assert {word: set(cli.command_line(word).commands) for word in ("lts", "job", "")} == {
        "lts": {"lts"},
        "job": {"job"},
        "": {*COMMANDS, *GROUPS, "help"},
    }
    loaded = loaded_by(RUN.format(words=["enumerate", "--bounds", "2x2"]))
    assert loaded & {"synth.cli.campaign", "synth.cli.kernel", "synth.cli.find"} == set()


@pytest.mark.full
def test_commands_are_listed_as_they_are_without_being_loaded():
    def listed(command):
        with command.make_context("synth", [], resilient_parsing=True) as context:
            return command.get_help(context)

    assert listed(cli.command_line("--help")) == listed(cli.command_line())
    assert "synth.cli.enumerate_" not in loaded_by(RUN.format(words=["--help"]))


INTERRUPTED = """
import sys
class Interrupt:
    def find_spec(self, name, *_):
        if name == "typer":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
from {module} import {function}
{function}()
"""


@pytest.mark.full
def test_an_interrupt_while_the_command_line_is_loaded_is_one_line():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    module, function = project["scripts"]["synth"].split(":")
    script = INTERRUPTED.format(module=module, function=function)
    started = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True)
    assert (started.returncode, started.stdout, started.stderr) == (130, "", "synth: interrupted\n")
