"""The manifest of a corpus: which question its records answer, whether completely, and what is in it.

All but the key `run` is the same for every run that answers the same question; what varies (times, host, versions, how
it was asked) is under `run`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from synth_checker.errors import InputError
from synth_checker.question import Question, parse_bounds

#: The format that this release writes and reads.
FORMAT = 1
_KIND = "progress litmus tests"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a corpus says of itself.

    `models` maps a model's name to its definition, `splits` a split such as `2+1+1` to its number of tests, and
    `signatures` a signature, one letter `p` or `f` a verdict, to its number. `sha256` is of the records, uncompressed.
    """

    question: Question
    rules: tuple[str, ...]
    models: dict[str, str]
    verdicts: tuple[str, ...]
    complete: bool
    tests: int
    splits: dict[str, int]
    signatures: dict[str, int]
    sha256: str
    run: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        """The manifest as an indented JSON text, keys in this class's order, `run` last."""
        question = self.question
        return (
            json.dumps(
                {
                    "format": FORMAT,
                    "kind": _KIND,
                    "question": {
                        "bounds": [str(bound) for bound in question.bounds],
                        "locations": question.locations,
                        "values": question.values,
                        "without": list(question.without),
                    },
                    "rules": list(self.rules),
                    "models": self.models,
                    "verdicts": list(self.verdicts),
                    "complete": self.complete,
                    "tests": self.tests,
                    "splits": self.splits,
                    "signatures": self.signatures,
                    "sha256": self.sha256,
                    "run": self.run,
                },
                indent=2,
                ensure_ascii=False,
            )
            + "\n"
        )

    @staticmethod
    def from_json(text: str, source: str) -> Manifest:
        """Read a manifest.

        Raises:
            InputError: the text is none, or has a format that this release does not know.
        """
        try:
            found = json.loads(text)
            version, kind = found["format"], found["kind"]
        except (ValueError, TypeError, KeyError):
            msg = f"{source}: found no manifest of a corpus, expected a JSON object with 'format' and 'kind'"
            raise InputError(msg) from None
        if kind != _KIND or version != FORMAT:
            msg = f"{source}: found format {version!r} of {kind!r}, expected format {FORMAT} of {_KIND!r}"
            raise InputError(msg)
        try:
            asked = found["question"]
            question = Question(
                parse_bounds(asked["bounds"]), asked["locations"], asked["values"], tuple(asked["without"])
            )
            return Manifest(
                question=question,
                rules=tuple(found["rules"]),
                models=dict(found["models"]),
                verdicts=tuple(found["verdicts"]),
                complete=bool(found["complete"]),
                tests=int(found["tests"]),
                splits=dict(found["splits"]),
                signatures=dict(found["signatures"]),
                sha256=str(found["sha256"]),
                run=dict(found["run"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            msg = f"{source}: found a manifest that can't be read ({error!r}), expected format {FORMAT}"
            raise InputError(msg) from None
