"""Test that bitwuzla and cvc5 answer the queries about kernels as Z3 does."""

import contextlib
import random

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from random_kernels import GROUPS, LOCAL, kernels
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_solvers import peers
from synth_solvers.client import Solver


class Keeping(Solver):
    """Z3, which keeps its queries with their answers."""

    def __init__(self, *, dump):
        super().__init__(seconds=120.0, dump=dump)
        self.answers = {}

    def ask(self, script):
        answer = super().ask(script)
        self.answers[self.asked] = answer.verdict
        return answer


@pytest.mark.full
@pytest.mark.parametrize(
    ("examples", "each"),
    [(10, 8), pytest.param(40, 40, marks=pytest.mark.full), pytest.param(300, 250, marks=pytest.mark.exhaustive)],
)
def test_solvers_agree_on_the_queries_of_random_kernels(tmp_path, examples, each):
    """As many queries that can be satisfied as others, `each`, are taken from the files that were dumped."""
    of_kernel = {}

    @seed(1)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(kernels() | kernels(reads=True))
    def dump(kernel):
        before = z3.asked
        verify(kernel, Launch((LOCAL,), (GROUPS,)), z3)
        of_kernel.update(dict.fromkeys(range(before + 1, z3.asked + 1), len(set(of_kernel.values()))))

    with Keeping(dump=tmp_path) as z3:
        dump()
    draw = random.Random(1)
    chosen = [
        number
        for verdict in ("sat", "unsat")
        for number in draw.sample([script for script, found in z3.answers.items() if found == verdict], each)
    ]
    assert len({of_kernel[number] for number in chosen}) >= examples / 2
    with contextlib.ExitStack() as stack:
        others = [stack.enter_context(Solver(name, seconds=120.0)) for name in peers.NAMES if name != "z3"]
        for number in chosen:
            script = (tmp_path / f"{number:05}.smt2").read_text("utf-8")
            assert [other.ask(script).verdict for other in others] == [z3.answers[number]] * len(others)
