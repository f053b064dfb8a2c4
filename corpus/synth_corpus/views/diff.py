"""The text of `synth corpus diff`: counts of the differences, and programs, each with its change and the reason."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import write_program
from synth_documents.columns import plain_table, signature_table
from synth_documents.phrases import shown
from synth_documents.readable import tests

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_corpus.diff_answer import SummaryAnswer
    from synth_corpus.differences import Change, RecordDifference
    from synth_documents.lines import Lines

#: The words after the count of each change.
_COUNTED: dict[Change, str] = {
    "removed": "removed",
    "added": "added",
    "verdicts": "with other verdicts",
    "metadata": "with other metadata",
}


def summary_lines(answer: SummaryAnswer) -> Lines:
    """Yield lines which say how the manifests of two corpora differ, and how many tests differ in which way."""
    for word, corpus in (("old", answer.old), ("new", answer.new)):
        complete = "complete" if corpus.complete else "INCOMPLETE"
        yield f"{word}: {shown(corpus.folder)}: {tests(corpus.tests)} of {corpus.question}, {complete}"
    if answer.manifests:
        table = plain_table("they differ in", "old", "new")
        for about, values in answer.manifests.items():
            table.add_row(about, *map(shown, values))
        yield table
    changes = answer.counts.changes
    counts = ", ".join(f"{changes[change]} {words}" for change, words in _COUNTED.items())
    yield f"{counts}; {answer.counts.same(answer.old.tests)} the same"
    for change, words in _COUNTED.items():
        if changes[change]:
            yield ""
            yield f"{changes[change]} {words}:"
            yield from _change(answer, change)


def _change(answer: SummaryAnswer, change: Change) -> Lines:
    summary = answer.counts
    for why, count in summary.reasons[change].most_common():
        yield f"  {count}: {why}"
    if change == "verdicts":
        table = plain_table("verdict", "old", "new", "tests")
        for (name, before, after), count in sorted(summary.verdicts.items()):
            table.add_row(name, before, after, str(count))
        yield table
    elif change == "metadata":
        table = plain_table("key", "tests")
        for key, count in sorted(summary.keys.items()):
            table.add_row(key, str(count))
        yield table
    else:
        corpus = answer.old if change == "removed" else answer.new
        yield signature_table(corpus.names, dict(summary.signatures[change].most_common()))


def difference_lines(explained: Iterable[RecordDifference]) -> Iterator[str]:
    """Yield the lines of programs, each with a comment before it that says what has changed and why."""
    for difference in explained:
        changes = [f"{name} {before} -> {after}" for name, (before, after) in difference.verdicts.items()]
        changes += [f"{key} {_json(a)} -> {_json(b)}" for key, (a, b) in difference.metadata.items()]
        words = ": ".join(filter(None, (", ".join(changes) or difference.change, difference.why)))
        yield ""
        yield f"// {shown(words)}"
        yield from write_program(program_of_id(difference.id), difference.id).splitlines()


def more_lines(answer: SummaryAnswer, listed: int) -> Iterator[str]:
    """Yield a line which says how many tests that differ were not shown, or nothing if all were."""
    rest = answer.counts.differences - listed
    if rest:
        yield ""
        yield f"{rest} more {'differs' if rest == 1 else 'differ'}; --all shows them"


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
