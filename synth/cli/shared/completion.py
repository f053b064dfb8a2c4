"""Complete command lines in shells (bash, zsh, fish and PowerShell) by means of typer.

A shell asks through the variable `_SYNTH_COMPLETE`. `synth --install-completion` makes the shell do so, and `synth
--show-completion` prints the script for it. Typer answers by ending the process. This module catches that, and returns
the exit code. Typer takes the words of bash as they come. Bash splits them at `=` and `@`, so this module joins them
again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.nearest import unknown
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from typer.core import TyperGroup

VARIABLE = "_SYNTH_COMPLETE"
OPTIONS = ("--install-completion", "--show-completion")
SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")


def is_completion(words: list[str]) -> bool:
    """Return whether a shell asks to complete a command line, or a user asks to install or see its script."""
    return bool(os.environ.get(VARIABLE)) or words[:1] in ([option] for option in OPTIONS)


def answer(command: TyperGroup, words: list[str]) -> int:
    """Answer a shell, or install or print the script that makes it ask; return the exit code.

    Raises:
        InputError: the shell is unknown, it has not said what to complete, or the script can't be written.
        ResourceError: a disk or device failed.
    """
    request = os.environ.get(VARIABLE, "")
    if request.endswith("_source"):  # Click writes bash_source, Typer writes source_bash
        request = os.environ[VARIABLE] = f"source_{request.removesuffix('_source')}"
    if request and request not in {f"{what}_{shell}" for what in ("source", "complete") for shell in SHELLS}:
        raise unknown(VARIABLE, request, (f"complete_{shell}" for shell in SHELLS))
    try:
        if "COMP_WORDS" in os.environ:
            _join_words()
        code: int = command(args=words, prog_name="synth", standalone_mode=False) or 0
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0
    except (KeyError, ValueError):
        raise InputError(
            f"{VARIABLE}: there are no words to complete; use the script that --show-completion prints"
        ) from None
    except OSError as error:
        raise refusal(error.filename or words[0], error, "a home folder that you may write to") from error
    if code and not request:  # typer gives no reason
        raise InputError(
            f"{words[0]}: no known shell has started this command; start it from one of {', '.join(SHELLS)}"
        )
    return code


def _join_words() -> None:
    """Join the words that bash splits at the `=` of a long option and at the `@` of a corpus."""
    at = int(os.environ["COMP_CWORD"])
    joined: list[str] = []
    parted = 0
    for place, word in enumerate(os.environ["COMP_WORDS"].split("\n")):
        before = joined[-1] if joined else ""
        if before == "@" or (before.startswith("--") and (word == "=" or before.endswith("="))):
            joined[-1] += word
            parted += place <= at
        else:
            joined.append(word)
    os.environ.update(COMP_WORDS="\n".join(joined), COMP_CWORD=str(at - parted))
