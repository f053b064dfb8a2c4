"""Devices that are not here: others run the tests, and only the results come here.

- `bundle:TARGET` runs the programs that a target of `synth emit` writes: `synth campaign bundle` packs them, and `synth
  campaign collect` reads the results.
- `published:NAME` has run tests whose results are published as a table, which `synth campaign import` reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from synth_backends.target import load_target
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest
    from synth_backends.target import Choices

#: The kinds of devices of which only results come here.
ELSEWHERE = ("bundle", "published")


class BundleDevice:
    """A device elsewhere that runs the programs of a target.

    Raises:
        InputError: there is no such target.
    """

    kind = "bundle"
    decides = False

    def __init__(self, words: str = "") -> None:
        self.name = f"bundle:{words}"
        self.target = words
        limits = load_target(words).limits
        self.usual_workgroups = limits.usual_workgroups
        self.has_lanes = limits.most_width > 1
        self.shows_flags = words in {"cpp", "cuda", "glsl", "hip", "opencl", "spirv"}

    def missing(self) -> str:
        """Return nothing: nothing is needed here."""
        return ""

    def build(self, tests: Sequence[LitmusTest], choices: Choices, folder: Path) -> NoReturn:  # noqa: ARG002
        """Refuse to run anything here."""
        raise InputError(
            f"device {self.name}: its programs run elsewhere; `synth campaign bundle` packs them, and "
            f"`synth campaign collect` reads what they print"
        )


class PublishedDevice:
    """A device of which only a table is known.

    Raises:
        InputError: the name is empty.
    """

    kind = "published"
    target = "published"
    usual_workgroups = 1
    shows_flags = False
    decides = False
    has_lanes = True

    def __init__(self, words: str = "") -> None:
        self.name = f"published:{words}"
        if not words.strip():
            raise InputError("device published: found no name after the colon, expected the name of the device")

    def missing(self) -> str:
        """Return nothing: nothing is needed here."""
        return ""

    def build(self, tests: Sequence[LitmusTest], choices: Choices, folder: Path) -> NoReturn:  # noqa: ARG002
        """Refuse to run anything here."""
        raise InputError(f"device {self.name}: its results are those of a published table; it cannot run anything here")
