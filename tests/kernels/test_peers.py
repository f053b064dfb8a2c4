"""Test that bitwuzla and cvc5 answer the queries about kernels as Z3 does."""

import contextlib
import random

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from random_kernels import GROUPS, LOCAL, kernels
from synth_kernels.launch import Launch
from synth_kernels.verifying import verify
from synth_solvers import peers
from synth_solvers.asking import Solver

MOST = 50


@pytest.mark.full
def test_solvers_agree_on_the_queries_of_random_kernels(tmp_path):
    @seed(1)
    @settings(
        max_examples=20, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(kernels())
    def dump(kernel):
        verify(kernel, Launch((LOCAL,), (GROUPS,)), z3)

    with Solver(seconds=120.0, dump=tmp_path) as z3:
        dump()
    queries = sorted(tmp_path.iterdir())
    chosen = random.Random(1).sample(queries, min(MOST, len(queries)))
    with contextlib.ExitStack() as stack:
        solvers = [stack.enter_context(Solver(name, seconds=120.0)) for name in peers.NAMES]
        answers = {query: {one.ask(query.read_text()).verdict for one in solvers} for query in chosen}
    assert {len(verdicts) for verdicts in answers.values()} == {1}
    assert set().union(*answers.values()) == {"sat", "unsat"}
