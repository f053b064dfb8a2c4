"""Test programs with more than eight threads, for which the core asks the model, and compare with tables and twins."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import own_models
import strategies
from quick import examples
from registered_models import installed
from synth_checker.certificates.certification import certify, verdict_of
from synth_checker.errors import LimitError
from synth_checker.models import further_model, library, models_named, read_model, registered_model, verdict_names
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.twin import models as twin_models
from synth_checker.twin import verdicts as twin
from synth_checker.verdicts import judge
from synth_litmus.facts import check as checking

FURTHER = (further_model("round-robin"), further_model("resident-2"), read_model(own_models.BLINK, "blink"))
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def chain(threads, *, without=None):
    """The first thread sets a flag, and each other one waits for a flag and sets the next; one may not set its own."""

    def instructions(t):
        waits = f"{DIGITS[t - 1]}0_0" if t else ""
        pc = len(waits) // 4
        sets = f"{DIGITS[t]}01{pc + 1}" if t not in {threads - 1, without} else ""
        return waits + sets or "00_1"

    return [instructions(t) for t in range(threads)]


def passed(mask, models):
    return {name for k, name in enumerate(verdict_names(models)) if mask >> k & 1}


def by_the_twin(program, models):
    """The verdicts that a program passes: an expression is judged without tables, a guarded automaton by the twin."""
    names = set()
    for model in models:
        if isinstance(model.fair, twin_models.Expression):
            forms = twin_models.passes(program, model.fair)
        else:
            forms = twin.passes(program, model.beside(len(program)))
        names |= {name for name, passes in zip(model.verdicts, forms, strict=False) if passes}
    return names


@settings(max_examples=examples(60))
@given(
    st.lists(strategies.waiting_programs(threads=(1, 4), instructions=(1, 6), locations=2, values=2), max_size=4),
    strategies.model_expressions(),
)
def test_verdicts_on_demand_are_those_by_tables(programs, text):
    models = (*library(), *FURTHER, read_model(f"mine = {text}", "mine"))
    ids = list(map(written_out, programs))
    with pytest.MonkeyPatch.context() as patch:
        from_tables = judge(ids, models)
        patch.setattr("synth_checker.models.model._has_tables", lambda _fair, _threads: False)
        assert judge(ids, models) == from_tables


STORE = "0011"
#: Nine threads of which few wait: each one that does is in a history or not, and the twin looks at each pair of states.
NINE = {
    "stores first": [*[STORE] * 5, *chain(4)],
    "stores last": [*chain(4), *[STORE] * 5],
    "a flag never set": [*chain(4, without=1), *[STORE] * 5],
    "backwards": [*[STORE] * 5, *chain(4)[::-1]],
}


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "models"),
    [
        ("a flag never set", (*models_named(["OBE", "fair"]), FURTHER[0])),
        *(pytest.param(name, library(), marks=pytest.mark.full) for name in NINE),
    ],
)
def test_verdicts_of_nine_threads_are_those_of_the_twin(name, models):
    id_ = "-".join(NINE[name])
    (mask,) = judge([id_], models)
    assert passed(mask, models) == by_the_twin(program_of_id(id_), models)


@pytest.mark.full
def test_verdicts_of_ten_threads_are_those_of_the_twin():
    id_ = "-".join([*[STORE] * 7, *chain(3, without=0)])
    models = models_named(["HSA+OBE"])
    (mask,) = judge([id_], models)
    assert passed(mask, models) == by_the_twin(program_of_id(id_), models)


def test_batches_may_mix_few_and_many_threads():
    ids = ["-".join(chain(threads)) for threads in (9, 2, 9, 3)]
    assert judge(ids) == [judge([id_])[0] for id_ in ids]


@pytest.mark.full
def test_verdicts_of_nine_threads_are_certified():
    program = program_of_id("-".join(chain(9)))
    (check,) = checking.check_programs([program])
    for model in library():
        for form, name in zip(model.forms, model.verdicts, strict=True):
            assert verdict_of(certify(program, model.beside(9), form)) == check.verdicts[name]
    assert set(check.verdicts.values()) == {"pass", "fail"}


def test_a_program_of_32_threads_is_judged():
    models = models_named(["unfair", "HSA", "fair"])
    (mask,) = judge(["-".join(chain(32))], models)
    assert passed(mask, models) == {"HSA.weak", "HSA.strong", "fair.weak", "fair.strong"}


@pytest.mark.full
def test_eight_threads_for_which_tables_would_be_too_large_are_judged_without():
    models = (further_model("resident-3"),)
    assert not models[0].has_tables(8)
    (mask,) = judge(["-".join(chain(8))], models)
    assert passed(mask, models) == passed(judge(["-".join(chain(4))], models)[0], models)


def test_more_than_32_threads_are_refused_before_any_program_is_explored():
    """Each thread has too many states as well, which only work could tell."""
    with pytest.raises(LimitError, match="found a program with 33 threads, expected at most 32"):
        checking.check_programs([program_of_id("-".join(["001100220013"] * 33))])


def test_a_model_that_is_python_code_has_a_limit_of_8_threads(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    model = registered_model(f"{installed(tmp_path, 'Queue')}Queue")
    with pytest.raises(LimitError, match="found a program with 9 threads, expected at most 8 under a model"):
        checking.check_programs([program_of_id("-".join(chain(9)))], models=(model,))
