"""The commands and groups of `synth`, by the sections of `synth --help`.

A module is loaded only if its command is asked for. To load them all takes a third of the time of a short command.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from synth.cli.shared.command_class import add_commands

if TYPE_CHECKING:
    import typer

#: The sections of `synth --help`: what each command and each group of commands does. The command NAME is the function
#: `NAME_command` of the module NAME, or `NAME_` if Python has another meaning for that word. The module also has an
#: example of a call. It may name a class for its command. What is said of a group ends with a full stop; the group is
#: the `app` of the module with its name.
SECTIONS = {
    "Tests": {
        "enumerate": "Find all tests of a size, with their verdicts",
        "check": "Print the verdicts of programs and the rules that they break",
        "show": "Print all known facts about one program",
        "explain": "Explain and prove one verdict of a program",
        "lts": "Write or draw the states that a program reaches",
        "shrink": "Reduce a program to its minimal sub-programs",
        "find": "Find tests with given verdicts, the smallest first",
        "separate": "Find the smallest tests that tell two verdicts apart",
        "suite": "Choose a smallest conformance suite for a verdict",
        "emit": "Write tests as programs that run on devices",
        "corpus": "List, compare, merge, validate and export corpora.",
        "explore": "Write an HTML page that shows the tests of corpora",
        "certify": "Prove that a corpus has all tests of a size",
        "audit": "Check a certificate that synth certify wrote",
        "crosscheck": "Compare engines, and the C++ core with its Python twin",
    },
    "Models": {
        "model": "List, show and compare progress models.",
        "lattice": "Order verdicts by what they guarantee",
    },
    "Kernels": {
        "verify": "Find races and divergence in GPU kernels",
        "kernel": "Say which progress model a kernel needs, and why.",
    },
    "Devices": {
        "probe": "Run a suite on a device, and say which promises it broke",
        "device": "List the devices of this machine, and say whether they work.",
        "campaign": "Run tests on devices, and keep what came of every launch.",
        "report": "Write a report on devices",
        "plot": "Draw a figure of corpora, campaigns or jobs",
    },
    "Schedulers": {
        "sim": "Run tests on a simulated device, whose scheduler is known.",
        "machine": "Read, validate, prove and animate Event-B machines.",
    },
    "Long work": {
        "job": "Do long work as jobs that stop, move and resume.",
    },
}
_ALL = {name: about for section in SECTIONS.values() for name, about in section.items()}
#: What each command does, and what each group of commands does.
COMMANDS = {name: about for name, about in _ALL.items() if not about.endswith(".")}
GROUPS = {name: about for name, about in _ALL.items() if about.endswith(".")}


def add_names(app: typer.Typer, rows: dict[str, str]) -> None:
    """Add commands or groups that can only be listed. None of their modules is loaded."""
    add_commands(app, *((name, about, _listed_only, "") for name, about in rows.items()))


def _listed_only() -> None:
    raise AssertionError("this command is only listed")


def add_command(app: typer.Typer, name: str) -> None:
    """Add the command of this name."""
    module = import_module(f"synth.cli.{name}_" if name == "enumerate" else f"synth.cli.{name}")
    classes = {name: module.COMMAND_CLASS} if hasattr(module, "COMMAND_CLASS") else None
    add_commands(app, (name, COMMANDS[name], getattr(module, f"{name}_command"), module.EXAMPLE), classes=classes)


def add_group(app: typer.Typer, name: str) -> None:
    """Add the group of this name, with all its commands."""
    app.add_typer(import_module(f"synth.cli.{name}").app, name=name)
