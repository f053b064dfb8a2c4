"""Let engines refute candidates, one after the other or at once, and then Houdini keep what holds.

Engines that run beside Houdini are threads of this process. Each has a solver in a process of its own, and DYN needs
none. Houdini sees what they have refuted before each of its queries, and ends them when it is done. They take time from
Houdini, so they start some time after it. On most kernels, Houdini has ended by then. DYN starts early, because its
first tenth of a second refutes most of what it refutes at all.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from synth_checker.errors import UserError
from synth_kernels import houdini
from synth_kernels.pair.options import DEFAULT
from synth_kernels.refutation import dynamic, unrolled
from synth_kernels.refutation.engine_names import engines, rounds_of
from synth_kernels.refutation.shared_refutations import RefutedCandidates

if TYPE_CHECKING:
    from synth_kernels.houdini import HoudiniResult
    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.program import Kernel
    from synth_solvers.client import Solver

#: Engines beside Houdini start so many seconds after it.
HEAD_STARTS = {dynamic.NAME: 0.1}
HEAD_START = 3.0


def infer(kernel: Kernel, launch: Launch, solver: Solver, options: Options = DEFAULT) -> HoudiniResult | str:
    """Return which candidates of a kernel are no invariants, by the engines that the options name.

    If the time is over before that is known, return so.
    """
    named, refuted = engines(options.engine), RefutedCandidates()
    for engine in named.before:
        refute(engine, kernel, launch, solver, options, refuted)
    if not named.beside:
        return houdini.infer(kernel, launch, solver, options, refuted)
    beside = [_EngineThread(engine, kernel, launch, solver, options, refuted) for engine in named.beside]
    try:
        for engine_ in beside:
            engine_.start()
        return houdini.infer(kernel, launch, solver, options, refuted)
    finally:
        refuted.stop.set()
        for engine_ in beside:
            engine_.end()


def refute(  # noqa: PLR0913, PLR0917
    engine: str, kernel: Kernel, launch: Launch, solver: Solver, options: Options, refuted: RefutedCandidates
) -> None:
    """Let one engine add to the refuted candidates."""
    if engine == dynamic.NAME:
        dynamic.refute(kernel, launch, refuted)
    elif rounds := rounds_of(engine):
        unrolled.refute(kernel, launch, solver, options, refuted, rounds)
    else:
        houdini.refute(kernel, launch, solver, options, refuted, engine)


class _EngineThread(threading.Thread):
    """An engine that runs until it is done, or until it is ended."""

    def __init__(  # noqa: PLR0913, PLR0917
        self, engine: str, kernel: Kernel, launch: Launch, solver: Solver, options: Options, refuted: RefutedCandidates
    ) -> None:
        super().__init__(name=engine, daemon=True)
        self._engine, self._kernel, self._launch = engine, kernel, launch
        self._options, self._refuted = options, refuted
        self._solver = solver.twin()
        self._error: Exception | None = None

    def run(self) -> None:
        if self._refuted.stop.wait(HEAD_STARTS.get(self._engine, HEAD_START)):
            return
        try:
            with self._solver:
                refute(self._engine, self._kernel, self._launch, self._solver, self._options, self._refuted)
        except UserError:
            pass  # such as that the time is over: Houdini goes on without this engine
        except Exception as error:  # noqa: BLE001  (`end` raises it)
            self._error = error

    def end(self) -> None:
        """End the engine, and raise what went wrong in it."""
        self._solver.until = time.monotonic()
        self._solver.interrupt()
        self.join()
        if self._error is not None:
            raise self._error
