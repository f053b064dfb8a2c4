"""The commands and groups of `synth`, in the order of `synth --help`, each with the module that has it.

A module is loaded only if its command is asked for. To load them all takes a third of the time of a short command.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from synth.cli.shared.command_class import add_commands

if TYPE_CHECKING:
    import typer

#: What each command does. The command NAME is the function `NAME_command` of the module NAME, or `NAME_` if Python has
#: another meaning for that word. The module also has an example of a call. It may name a class for its command.
COMMANDS = {
    "enumerate": "Find all tests of a size, with their verdicts",
    "check": "Print the verdicts of programs and the rules that they break",
    "show": "Print all known facts about one program",
    "shrink": "Reduce a program to its minimal sub-programs",
    "suite": "Choose a smallest conformance suite for a verdict",
    "find": "Find tests with given verdicts, the smallest first",
    "separate": "Find the smallest tests that tell two verdicts apart",
    "lattice": "Order verdicts by what they guarantee",
    "explain": "Explain and prove one verdict of a program",
    "explore": "Write a page on which to look at the tests of corpora",
    "lts": "Write or draw the states that a program reaches",
    "plot": "Draw a figure of corpora, campaigns or jobs",
    "probe": "Say what a device is seen to do",
    "report": "Write a report on devices, to print or to send",
    "verify": "Find races and divergence in GPU kernels",
    "emit": "Write tests as programs that run on devices",
    "certify": "Prove that a corpus has all tests of a size",
    "crosscheck": "Compare engines, and the C++ core with its Python twin",
}
#: What each group of commands does. It is the `app` of the module with its name.
GROUPS = {
    "model": "List, show and compare progress models.",
    "corpus": "Work with corpora: list, compare, merge, verify and export them.",
    "job": "Do long work as jobs that stop, move and resume.",
    "sim": "Run tests on a simulated device, whose scheduler is known.",
    "device": "List and check the devices that tests can run on.",
    "campaign": "Run tests on devices, and keep what came of every launch.",
    "kernel": "Say which progress model a kernel needs, and record launches.",
    "machine": "Read, check, prove and animate Event-B machines.",
}


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
