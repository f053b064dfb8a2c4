"""Write the figures of a job in the text format of Prometheus, for a collector of metrics.

Source: https://prometheus.io/docs/instrumenting/exposition_formats/. Each figure is a gauge. The last line is the one
with which a text in OpenMetrics ends, so the text is valid in both formats. The text leaves out a figure that is not
known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_jobs.progress import STATES, JobProgress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_jobs.answer import StatusAnswer


def metrics(job: str, answer: StatusAnswer) -> str:
    """Return numbers about a job in the text format of Prometheus.

    Their labels are `job`, the path of the job, and `question`, the name of its question.
    """
    labels = {"job": job, "question": answer.question}
    lines: list[str] = []

    def add(name: str, means: str, samples: Sequence[tuple[dict[str, str], float]]) -> None:
        lines.extend((f"# HELP synth_job_{name} {means}", f"# TYPE synth_job_{name} gauge"))
        for more, value in samples:
            named = ",".join(f'{key}="{_escaped(text)}"' for key, text in (labels | more).items())
            lines.append(f"synth_job_{name}{{{named}}} {value!r}")

    for name, means, value in _figures(answer) if isinstance(answer, JobProgress) else ():
        if value is not None:
            add(name, means, [({}, value)])
    add(
        "state",
        "1 for the current state of the job, 0 for all other states.",
        [({"state": state}, int(state == answer.state)) for state in STATES],
    )
    return "\n".join([*lines, "# EOF", ""])


def _figures(progress: JobProgress) -> Iterator[tuple[str, str, float | None]]:
    set_aside = sum(failed.set_aside for failed in progress.failed)
    yield "shards", "Number of shards of the job.", progress.shards
    yield "shards_done", "Number of shards that are done.", progress.done
    yield "shards_failed", "Number of shards that failed and are not done yet.", len(progress.failed)
    yield "shards_set_aside", "Number of shards that failed too often to get another try.", set_aside
    yield "tests", "Tests found so far.", progress.tests
    yield "tests_kept", "Tests kept so far.", progress.kept
    yield "processes", "Number of processes that do shards at present.", progress.at_work
    yield "cpu_seconds", "Processor seconds spent on the shards that are done.", progress.cpu_seconds
    yield "cpu_seconds_left", "Estimated processor seconds that are left.", progress.cpu_seconds_left
    yield "seconds_left", "Estimated seconds until all shards are done by the present processes.", progress.seconds_left


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
