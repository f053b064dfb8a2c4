"""Test that docs/look-up/cli.md and docs/look-up/api.md agree with the commands and docstrings."""

import inspect
from pathlib import Path

import pytest

import synth
from scripts import imported
from synth import cli

DOCS = Path(__file__).parents[2] / "docs"
LOOK_UP = DOCS / "look-up"


@pytest.fixture(scope="module")
def reference():
    return imported(DOCS / "reference.py")


@pytest.mark.parametrize("name", ["cli", "api"])
def test_the_reference_is_what_the_code_says(reference, name):
    """If not: make reference."""
    assert (LOOK_UP / f"{name}.md").read_text("utf-8") == getattr(reference, name)()


@pytest.mark.full
def test_the_flows_of_five_commands_are_those_that_are_traced():
    """If not: make reference. A kernel passes at most eight packages on the way to the model that it needs."""
    flows = imported(DOCS / "flows.py")
    traced = {command: flows.flow(command) for command in flows.FLOWS}
    assert (DOCS / "build" / "architecture.md").read_text("utf-8") == flows.page(traced)
    (need,) = (modules for command, modules in traced.items() if command.startswith("synth kernel need"))
    assert len({name.partition(".")[0] for name in need}) <= 8


def test_every_command_and_every_public_name_has_a_section():
    def commands(below, path):
        yield path
        for name, command in getattr(below, "commands", {}).items():
            yield from commands(command, f"{path} {name}")

    sections = {line for line in (LOOK_UP / "cli.md").read_text("utf-8").splitlines() if line.startswith("## ")}
    assert sections == {f"## {path}" for path in commands(cli.command_line(), "synth")}
    sections = {line for line in (LOOK_UP / "api.md").read_text("utf-8").splitlines() if line.startswith("### ")}
    modules = {name for name in synth.__all__ if inspect.ismodule(getattr(synth, name))}
    assert sections == {f"### {name}" for name in {*synth.__all__} - modules}
    assert all(f"| `synth.{name}` |" in (LOOK_UP / "api.md").read_text("utf-8") for name in modules)


def test_what_stands_in_a_table_or_a_signature_is_written_so_that_it_is_read(reference):
    """By a function and a class that are none of ours."""

    def some(one: "int | None", *, other: str = "x", call: "print" = print) -> "dict[str, int | None]":
        """Say <one> thing."""

    assert reference._signature("some", some) == (
        "some(one: int | None, *, other: str = 'x', call: print = ...) -> dict[str, int | None]"
    )
    assert list(reference._function("some", some))[1] == "Say &lt;one> thing."
    assert reference._cell_code("int | None") == "`int \\| None`"
