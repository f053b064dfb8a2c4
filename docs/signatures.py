"""Writes `synth/commands.pyi`, `synth/kernel.pyi` and so on: the signatures of commands as functions (`synth.calls`).

`make reference` runs this, and a test compares what it would write with what is there.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from synth.call_parameters import calls_of, command_of
from synth.call_signatures import result_of, signature_of
from synth.cli.shared.command_list import GROUPS

if TYPE_CHECKING:
    from synth.call_parameters import CommandCall

FOLDER = Path(__file__).parents[1] / "synth"


def stubs() -> dict[str, str]:
    """Return the text of each stub by the name of its file."""
    return {f"{group or 'commands'}.pyi": _stub(group) for group in ("", *GROUPS)}


def _stub(group: str) -> str:
    calls, others = calls_of(group), calls_of("") if group else {}
    same = [name for name, call in calls.items() if others.get(name) == call]
    calls = {name: call for name, call in calls.items() if name not in same}
    functions = "\n".join(_function(name, call) for name, call in calls.items())
    used = {(kind.__module__, kind.__name__) for call in calls.values() for kind in result_of(call)[1]}
    if "Program" in functions:
        used.add(("synth_checker.programs.program", "Program"))
    imports = "".join(f"from {module} import {kind}\n" for module, kind in sorted(used))
    imports += "".join(f"from synth.commands import {name} as {name}\n" for name in same)
    about = f"below `synth {group}`" if group else "outside groups"
    return (
        f'"""The commands {about} as functions. Written by `make reference`; edit the options and not this file."""\n\n'
        "import builtins\nfrom collections.abc import Iterable, Mapping, Sequence\nfrom os import PathLike\n\n"
        f"{imports}\n{functions}"
    )


def _function(name: str, call: CommandCall) -> str:
    signature = signature_of(call, result_of(call)[0])
    texts = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in texts:
            texts.append("*")
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        texts.append(f"{parameter.name}: {parameter.annotation}{default}")
    about = textwrap.dedent(command_of(call.words).help or "").strip().partition("\n\n")[0]
    lines = [f"def {name}(", *(f"    {text}," for text in texts), f") -> {signature.return_annotation}:"]
    return "\n".join([*lines, f'    """{" ".join(about.split())}"""']) + "\n"


def main() -> None:
    """Write all of them."""
    for name, text in stubs().items():
        (FOLDER / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
