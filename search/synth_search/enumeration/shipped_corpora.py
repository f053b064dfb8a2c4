"""Make the corpora that ship with the package again; `make corpora` runs this module.

    python -P -m synth_search.enumeration.shipped_corpora [FOLDER]

Each corpus answers one question. It holds nothing that varies from run to run: its manifest has under the key `run` the
command that finds the same tests.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from synth_checker.errors import InternalError
from synth_checker.question import Question, parse_bounds
from synth_corpus.shipped import DATA, NAMES
from synth_corpus.store import write_corpus
from synth_search.enumeration.every_test import enumerate_tests


def write_shipped(folder: Path) -> None:
    """Write each corpus that ships with the package into a folder of its own below `folder`, such as `complete/3x4`.

    Raises:
        InputError: a folder can't be used.
        ResourceError: writing failed.
        InternalError: an enumeration was not completed.
    """
    for name in NAMES:
        kind, bound = name.removeprefix("@").split("/")
        enumeration = enumerate_tests(Question(parse_bounds([bound]), minimal=kind == "minimal"))
        if not enumeration.complete:
            raise InternalError(f"{name}: found an incomplete enumeration, expected all tests")
        command = f"synth enumerate --bounds {bound}{' --minimal' if enumeration.question.minimal else ''}"
        manifest = replace(enumeration.manifest(), run={"command": command})
        write_corpus(folder / kind / bound, enumeration.records(), manifest, force=True)


if __name__ == "__main__":
    write_shipped(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
