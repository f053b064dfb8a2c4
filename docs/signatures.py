"""Writes `synth/commands.pyi`, `synth/kernel.pyi` and so on: the signatures of commands as functions (`synth.calls`).

`make reference` runs this, and a test compares what it would write with what is there.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, get_args, get_origin, get_type_hints

from synth.calls import calls_of, command_of, parameters_of, prints_json
from synth.cli.shared.command_list import GROUPS
from synth.schema import ANSWERS, MANY, OF_FILES

if TYPE_CHECKING:
    from synth.calls import CallParameter, CommandCall

#: What may be a number in Python beside a text with a unit, by what the help calls it: seconds, and bytes.
_NUMBERS = {"TIME": "float", "SIZE": "int"}
FOLDER = Path(__file__).parents[1] / "synth"


def stubs() -> dict[str, str]:
    """Return the text of each stub by the name of its file."""
    return {f"{group or 'commands'}.pyi": _stub(group) for group in ("", *GROUPS)}


def _stub(group: str) -> str:
    functions, modules = [], set()
    for name, call in calls_of(group).items():
        text, used = _function(name, call)
        functions.append(text)
        modules |= used
    about = f"below `synth {group}`" if group else "outside groups"
    if any("Program" in text for text in functions):
        modules.add(("synth_checker.programs.program", "Program"))
    imports = "".join(f"from {module} import {kind}\n" for module, kind in sorted(modules))
    return (
        f'"""The commands {about} as functions. Written by `make reference`; edit the options and not this file."""\n\n'
        "import builtins\nfrom collections.abc import Iterable, Mapping\n"
        "from os import PathLike\n\n"
        f"{imports}\n" + "\n".join(functions)
    )


def _function(name: str, call: CommandCall) -> tuple[str, set[tuple[str, str]]]:
    command = command_of(call.words)
    hints = get_type_hints(command.callback)
    parameters = parameters_of(call)
    by_position = [parameter for parameter in parameters if parameter.is_argument or parameter.name == call.option]
    others = [parameter for parameter in parameters if parameter not in by_position]
    others.sort(key=lambda parameter: not parameter.param.required)
    texts = [_parameter(parameter, hints) for parameter in by_position]
    texts += ["*"] * bool(others) + [_parameter(parameter, hints) for parameter in others]
    gives, used = _result(call)
    about = textwrap.dedent(command.help or "").strip().partition("\n\n")[0]
    lines = [f"def {name}(", *(f"    {text}," for text in texts), f") -> {gives}:"]
    return "\n".join([*lines, f'    """{" ".join(about.split())}"""']) + "\n", used


def _parameter(parameter: CallParameter, hints: dict[str, object]) -> str:
    param = parameter.param
    hint = hints[param.name]
    kinds = [kind for kind in (get_args(hint) or (hint,)) if kind is not NoneType]
    if get_origin(hint) is list:
        kinds = [hint]
    (kind,) = kinds
    is_list = get_origin(kind) is list
    inner = get_args(kind)[0] if is_list else kind
    text = "str | PathLike[str]" if inner is Path else inner.__name__
    if parameter.is_argument and "ID" in (param.metavar or "").split("|"):
        text = "str | PathLike[str] | Program"
    if param.metavar in _NUMBERS:
        text += f" | {_NUMBERS[param.metavar]}"
    if is_list:
        text += f" | Iterable[{text}]"
        if "=" in (param.metavar or ""):
            text += " | Mapping[str, object]"
    if param.required:
        return f"{parameter.name}: {text}"
    default = list(param.default) if isinstance(param.default, tuple) else param.default
    if default is None or default == []:
        return f"{parameter.name}: {text} | None = None"
    return f"{parameter.name}: {text} = {(str(default) if isinstance(default, Path) else default)!r}"


def _result(call: CommandCall) -> tuple[str, set[tuple[str, str]]]:
    """Return the type of what a function gives, and the modules and names that it needs."""
    name = "-".join([*call.words, call.option] if call.option else call.words)
    kind = (ANSWERS | OF_FILES).get(name)
    if kind is None:
        return ("object" if prints_json(call.words) else "str | None"), set()
    is_list = get_origin(kind) is list
    inner = get_args(kind)[0] if is_list else kind
    parts = get_args(inner) or (inner,)
    used = {(part.__module__, part.__name__) for part in parts}
    text = " | ".join(part.__name__ for part in parts)
    return (f"builtins.list[{text}]" if is_list or "-".join(call.words) in MANY else text), used


def main() -> None:
    """Write all of them."""
    for name, text in stubs().items():
        (FOLDER / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
