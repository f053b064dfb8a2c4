"""Completion of command lines by shells: bash, zsh, fish and PowerShell, as typer does it.

A shell asks by the variable `_SYNTH_COMPLETE`; `synth --install-completion` makes it do so, and
`synth --show-completion` prints what makes it. Typer ends the process to answer, which is no failure here. It also
takes the words of bash as they come, and bash parts them at `=` and `@`; they are put together again.
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


def is_asked(words: list[str]) -> bool:
    """Whether a shell asks for completion, or a person for its installation."""
    return bool(os.environ.get(VARIABLE)) or words[:1] in ([option] for option in OPTIONS)


def answer(command: TyperGroup, words: list[str]) -> int:
    """Answer a shell, or install or print what makes it ask; gives the exit code.

    Raises:
        InputError: the shell is not one of those, it has not said what to complete, or the script can't be written.
        ResourceError: what it would be written on failed.
    """
    asked = os.environ.get(VARIABLE, "")
    if asked.endswith("_source"):  # as Click writes it; Typer writes source_bash
        asked = os.environ[VARIABLE] = f"source_{asked.removesuffix('_source')}"
    if asked and asked not in {f"{what}_{shell}" for what in ("source", "complete") for shell in SHELLS}:
        raise unknown(VARIABLE, asked, (f"complete_{shell}" for shell in SHELLS))
    try:
        if "COMP_WORDS" in os.environ:
            _put_together()
        code: int = command(args=words, prog_name="synth", standalone_mode=False) or 0
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0
    except (KeyError, ValueError):
        msg = f"{VARIABLE}: found no words to complete, expected them as the script of --show-completion gives them"
        raise InputError(msg) from None
    except OSError as error:
        raise refusal(error.filename or words[0], error, "a home folder that can be written") from error
    if code and not asked:  # typer says no more than that
        msg = f"{words[0]}: found no shell that started this, expected to be called by one of {', '.join(SHELLS)}"
        raise InputError(msg)
    return code


def _put_together() -> None:
    """Give bash's words back the `=` of a long option and the `@` of a corpus, at which bash parts them."""
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
