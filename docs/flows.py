"""Trace which modules the data of five commands passes, and write the lists into docs/build/architecture.md.

    flows.py                 writes the lists anew
    flows.py --trace WORDS   prints the list of one command

A module is in the list from the first call of one of its functions; importing it does not count. So the order is that
in which data passes. What other processes do, such as solvers and the simulated device, is not in the lists. Neither is
the C++ core.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

PAGE = Path(__file__).parent / "build" / "architecture.md"
START, END = "<!-- flows: `make reference` writes them -->\n", "<!-- end of flows -->"
KERNEL = """
__kernel void lock(__global volatile int *lock, __global int *sum) {
    while (atomic_xchg(lock, 1) == 1) {
    }
    *sum += 1;
    atomic_xchg(lock, 0);
}
"""
MACHINE = """
machine counter
variables n
invariants
  @typ n ∈ ℕ
events
  event INITIALISATION
    then
      @set n ≔ 0
  end
  event up
    then
      @more n ≔ n + 1
  end
end
"""
#: The commands, and the files that are in the folder in which they run.
FLOWS = (
    "synth enumerate --bounds 2x2 --jobs 1",
    "synth verify lock.cl --local-size 1 --num-groups 2",
    "synth kernel need lock.cl --arg lock=0:1 --arg sum=0:1 --workgroups 2",
    "synth probe --device sim:strided --launches 1",
    "synth machine prove counter.eventb --jobs 1",
)
FILES = {"lock.cl": KERNEL, "counter.eventb": MACHINE}
_OURS = re.compile(r"synth(_\w+)?(\.|$)")


def traced(words: list[str]) -> list[str]:
    """Run a command in this process, and return our modules in the order of their first calls."""
    seen: dict[str, None] = {}
    importing = 0

    def watch(frame: FrameType, event: str, called: object) -> None:
        nonlocal importing
        if frame.f_code.co_name == "<module>" and event in {"call", "return"}:
            importing += 1 if event == "call" else -1
        elif not importing and event in {"call", "c_call"}:
            name = frame.f_globals.get("__name__") if event == "call" else getattr(called, "__module__", None)
            if _OURS.match(name or ""):
                seen.setdefault(str(name))

    from synth import cli

    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        sys.setprofile(watch)
        try:
            cli.main(words)
        finally:
            sys.setprofile(None)
    return list(seen)


def flow(command: str) -> list[str]:
    """Return our modules that a command passes, in the order of their first calls, from a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            Path(folder, name).write_text(text, "utf-8")
        asked = [sys.executable, "-P", str(Path(__file__).resolve()), "--trace", *command.split()[1:]]
        ran = subprocess.run(asked, cwd=folder, env=os.environ, capture_output=True, text=True, check=True)  # noqa: S603  (this script)
    listed: list[str] = json.loads(ran.stdout)
    return listed


def text_of(command: str, modules: list[str]) -> Iterator[str]:
    """Yield the list of one command: the modules of one package that follow each other, and then those of the next."""
    packages = dict.fromkeys(name.partition(".")[0] for name in modules)
    yield f"`{command}` passes {len(modules)} modules of {len(packages)} packages:\n"
    yield "```text"
    for package, group in itertools.groupby(modules, lambda name: name.partition(".")[0]):
        inside = ", ".join(name.removeprefix(f"{package}.") for name in group)
        yield textwrap.fill(f"{package:16} {inside}", 120, subsequent_indent=17 * " ", break_on_hyphens=False)
    yield "```\n"


def page(flows: dict[str, list[str]]) -> str:
    """Return docs/build/architecture.md with the lists of these flows."""
    before, _, rest = PAGE.read_text("utf-8").partition(START)
    lists = "\n".join(line for command, modules in flows.items() for line in text_of(command, modules))
    return f"{before}{START}\n{lists}{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--trace"]:
        print(json.dumps(traced(sys.argv[2:])))
    else:
        PAGE.write_text(page({command: flow(command) for command in FLOWS}), "utf-8")
