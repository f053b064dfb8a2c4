"""The text of `synth corpus info`: what the manifest of a corpus says. Its JSON is the manifest itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from synth_corpus.kept_tests import kept_words
from synth_corpus.manifest import incomplete_because
from synth_corpus.store import RECORDS
from synth_documents.columns import signature_table, split_table
from synth_documents.lines import Heading
from synth_documents.phrases import shown
from synth_documents.readable import kept_counts, tests

if TYPE_CHECKING:
    from pathlib import Path

    from synth_corpus.store import Corpus
    from synth_documents.lines import Lines


def lines(corpus: Corpus) -> Lines:
    """Yield lines about a corpus: its question, counts, models and origin; then tables by split and by signature."""
    manifest = corpus.manifest
    because = incomplete_because(manifest)
    state = f"INCOMPLETE: {because}" if because else "complete"
    yield Heading(f"{shown(corpus.name)}: {tests(manifest.tests)} of {manifest.question.name}, {state}")
    question = manifest.question
    for about, words in (
        ("locations", f"at most {question.locations}"),
        ("values", f"at most {question.values}"),
        ("rules", ", ".join(manifest.rules)),
        ("tests kept", kept_words(question)),
        ("tests up to", ", ".join(question.up_to) or "nothing, so that no two tests count as the same"),
        *([("kept", kept_counts(manifest.tests, manifest.found))] if manifest.found else []),
        *((f"model {name}", text) for name, text in manifest.models.items()),
        *((key.replace("_", " "), _text(value)) for key, value in manifest.run.items() if value is not None),
        ("records", f"{_size(corpus.folder / RECORDS)}, with the SHA-256 {manifest.sha256}"),
    ):
        yield f"{shown(about)}: {shown(words)}"
    yield split_table(question, manifest.splits)
    if manifest.signatures:
        yield signature_table(manifest.verdicts, manifest.signatures)


def _text(value: object) -> str:
    """Return a value under the key `run` of the manifest as text.

    For a value of several lines, say that --json shows it.
    """
    if isinstance(value, list | dict):
        return f"{len(value)} (see --json)"
    return value if isinstance(value, str) else json.dumps(value)


def _size(path: Path) -> str:
    try:
        return f"{path.stat().st_size:,} bytes"
    except OSError as error:
        return f"{error.strerror}"
