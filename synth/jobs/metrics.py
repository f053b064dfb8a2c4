"""The figures of a job as text for a metrics collector, in the text format of Prometheus.

Source: https://prometheus.io/docs/instrumenting/exposition_formats/; each figure is a gauge, and the last line is the
one that OpenMetrics ends with, so the text is both. A figure that is not known is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.jobs.presence import SAMPLING
from synth.jobs.progress import STATES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth.jobs.progress import JobProgress


def metrics(job: str, question: str, progress: JobProgress | None) -> str:
    """The figures of a job, called by its path and its question; None while that is sampled."""
    labels = {"job": job, "question": question}
    lines: list[str] = []

    def add(name: str, means: str, samples: Sequence[tuple[dict[str, str], float]]) -> None:
        lines.extend((f"# HELP synth_job_{name} {means}", f"# TYPE synth_job_{name} gauge"))
        for more, value in samples:
            named = ",".join(f'{key}="{_escaped(text)}"' for key, text in (labels | more).items())
            lines.append(f"synth_job_{name}{{{named}}} {value!r}")

    for name, means, value in _figures(progress) if progress is not None else ():
        if value is not None:
            add(name, means, [({}, value)])
    now = progress.state if progress is not None else SAMPLING
    add("state", "1 for the state that the job is in.", [({"state": state}, int(state == now)) for state in STATES])
    return "\n".join([*lines, "# EOF", ""])


def _figures(progress: JobProgress) -> Iterator[tuple[str, str, float | None]]:
    set_aside = sum(failed.is_set_aside for failed in progress.failed)
    yield "shards", "Shards that the job was cut into.", progress.shards
    yield "shards_done", "Shards that are done.", progress.done
    yield "shards_failed", "Shards that failed and are not done since.", len(progress.failed)
    yield "shards_set_aside", "Shards that failed too often to be tried again.", set_aside
    yield "tests", "Tests found so far.", progress.tests
    yield "tests_kept", "Tests kept so far.", progress.kept
    yield "processes", "Processes that do shards just now.", progress.at_work
    yield "cpu_seconds", "Processor seconds spent on the shards that are done.", progress.cpu_seconds
    yield "cpu_seconds_left", "Processor seconds left by estimate.", progress.cpu_seconds_left
    yield "seconds_left", "Seconds left by estimate with those who are at work.", progress.seconds_left


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
