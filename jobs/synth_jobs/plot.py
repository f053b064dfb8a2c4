"""Draw the course of a job: the tests found, and the part of the work done, over the processor time spent.

The same job gives the same bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.figures import svg_figure
from synth_documents.phrases import count
from synth_jobs.discovery_curve import discovery_curve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from synth_jobs.job import Job

_HOUR_S, _MINUTE_S = 3600.0, 60.0


def drawing(job: Job) -> str:
    """Return the drawing of a job as SVG.

    Raises:
        InputError: no shard is in the logs yet, or Matplotlib is missing.
    """
    spent, tests, share = zip(*discovery_curve(job), strict=True)
    unit, name = next(
        (unit, name)
        for unit, name in ((_HOUR_S, "hours"), (_MINUTE_S, "minutes"), (1.0, "seconds"))
        if spent[-1] >= 2 * unit or unit == 1.0
    )
    times = [seconds / unit for seconds in spent]

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        axes.plot(times, tests, color="C0", drawstyle="steps-post", label="tests found")
        axes.set(xlabel=f"processor time, {name}", ylabel="tests found")
        axes.set_ylim(bottom=0)
        right = axes.twinx()
        right.plot(times, share, color="C1", drawstyle="steps-post", linestyle="--", label="estimated work done")
        right.set(ylabel="estimated work done, %", ylim=(0, 105))
        figure.legend(loc="outside lower center", ncols=2, frameon=False)

    about = (
        f"After {times[-1]:.3g} {name} of processor time, the job had found {count(tests[-1], 'test')}, "
        f"and about {share[-1]:.0f} % of the estimated work was done."
    )
    return svg_figure((6.4, 3.6), draw, f"The course of the job {job.question.name}", about)
