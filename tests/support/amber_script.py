"""Read the part of AmberScript that is emitted, as Amber describes the language.

The reader is as strict as Amber. A name is declared once and before its use, and no binding is used twice. A pipeline
that runs is a compute pipeline with a shader, and compared buffers have one size. A shader ends where END first stands
in its text, even inside a word or a comment.
"""

import re
from typing import NamedTuple

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_NUMBER = re.compile(r"[0-9]{1,10}\Z")


class Script(NamedTuple):
    """The declarations and commands of a script.

    `buffers` has (words, value) by name, and `runs` has (pipeline, x, y, z).
    """

    shaders: dict[str, str]
    buffers: dict[str, tuple[int, int]]
    pipelines: dict[str, dict[int, str]]
    runs: list[tuple[str, int, int, int]]
    expected: list[tuple[str, str]]
    timeouts: list[int]


class AmberError(Exception):
    """The error for a line that is no AmberScript, or not of the part that this reader knows."""


def read(text):
    """Return the script in a text.

    Raises:
        AmberError: a line is wrong; the message has its number.
    """
    lines = text.split("\n")
    if lines[0] != "#!amber":
        raise AmberError("line 1: expected #!amber")
    script = Script({}, {}, {}, [], [], [])
    numbered = enumerate(lines[1:], 2)
    for number, line in numbered:
        words = line.partition("#")[0].split()
        try:
            if words:
                _read_command(script, words, numbered)
        except AmberError as error:
            raise AmberError(f"line {number}: {error}") from None
    if not script.runs:
        raise AmberError("nothing is run")
    return script


def _read_command(script, words, lines):
    match words:
        case ["SET", "ENGINE_DATA", "fence_timeout_ms", milliseconds]:
            script.timeouts.append(_number(milliseconds, least=1))
        case ["SHADER", "compute", name, "GLSL"]:
            _declare(script.shaders, name, _read_shader(lines))
        case ["BUFFER", name, "DATA_TYPE", "uint32", "SIZE", size, "FILL", value]:
            _declare(script.buffers, name, (_number(size, least=1), _number(value)))
        case ["PIPELINE", "compute", name]:
            _declare(script.pipelines, name, _read_pipeline(script, lines))
        case ["RUN", name, *sizes] if len(sizes) == 3:
            _known(script.pipelines, name)
            script.runs.append((name, *(_number(size, least=1) for size in sizes)))
        case ["EXPECT", buffer, "EQ_BUFFER", other]:
            if _known(script.buffers, buffer)[0] != _known(script.buffers, other)[0]:
                raise AmberError(f"{buffer} and {other} differ in size")
            script.expected.append((buffer, other))
        case _:
            raise AmberError(f"no command: {' '.join(words)}")


def _read_pipeline(script, lines):
    attached, bound = [], {}
    for line in _until_end(lines):
        match line.partition("#")[0].split():
            case []:
                pass
            case ["ATTACH", name]:
                _known(script.shaders, name)
                attached.append(name)
            case ["BIND", "BUFFER", name, "AS", "storage", "DESCRIPTOR_SET", "0", "BINDING", binding]:
                _known(script.buffers, name)
                if _number(binding) in bound:
                    raise AmberError(f"binding {binding} twice")
                bound[_number(binding)] = name
            case words:
                raise AmberError(f"no command of a pipeline: {' '.join(words)}")
    if len(attached) != 1:
        raise AmberError(f"found {len(attached)} shaders, expected one")
    return bound


def _read_shader(lines):
    """Return the text of a shader; Amber looks for the letters END and for nothing else in it."""
    text = ""
    for _, line in lines:
        before, end, behind = line.partition("END")
        text += before
        if not end:
            text += "\n"
        elif behind.partition("#")[0].strip():
            raise AmberError(f"END and more: {line.strip()}")
        else:
            return text
    raise AmberError("no END")


def _until_end(lines):
    """Yield the lines before END."""
    found = []
    for _, line in lines:
        if line.partition("#")[0].strip() == "END":
            return found
        if line.strip().startswith(("SHADER", "PIPELINE", "BUFFER", "RUN")):
            break
        found.append(line)
    raise AmberError("no END")


def _declare(names, name, what):
    if not _WORD.match(name):
        raise AmberError(f"no name: {name}")
    if name in names:
        raise AmberError(f"{name} twice")
    names[name] = what


def _known(names, name):
    if name not in names:
        raise AmberError(f"{name} is unknown here")
    return names[name]


def _number(text, least=0):
    if not _NUMBER.match(text) or not least <= int(text) < 1 << 32:
        raise AmberError(f"no number from {least}: {text}")
    return int(text)
