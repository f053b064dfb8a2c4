"""The order of verdicts as sets, and the fairest and the least fair of some verdicts, against the definition."""

import itertools

import pytest

from synth_checker.models import Model, further_model, library, verdict_names, verdicts_in
from synth_checker.models.expression import parse
from synth_checker.relations.antichains import at_most_as_fair, fairest, least_fair, less_fair
from synth_checker.relations.fairness_order import is_implied, verdicts_of

SAME = Model("hsa", "lowest(live)", parse("lowest(live)"))
OWN = Model("own", "live & (stepped | highest(live))", parse("live & (stepped | highest(live))"))
#: The models of the paper, and some with another name that promise the same, or something new.
SOME = (*library()[:4], SAME, OWN, further_model("resident-1"))


@pytest.fixture(scope="module", params=[library(), SOME], ids=["library", "others"])
def models(request):
    return request.param


@pytest.mark.full
def test_the_order_is_that_of_each_pair(models):
    at_most, less = at_most_as_fair(models), less_fair(models)
    for first, other in itertools.product(verdicts_of(models), repeat=2):
        implied = is_implied(first, other)
        assert (first.name in at_most[other.name]) == implied
        assert (first.name in less[other.name]) == (implied and not is_implied(other, first))


@pytest.mark.full
def test_of_some_verdicts_those_are_the_fairest_that_none_of_them_exceeds(models):
    names, less = verdict_names(models), less_fair(models)
    for mask in range(0, 1 << len(names), 7):
        chosen = verdicts_in(mask, models)
        assert set(chosen) == {name for place, name in enumerate(names) if mask >> place & 1}
        assert fairest(chosen, models) == tuple(
            verdict for verdict in chosen if all(verdict not in less[other] for other in chosen)
        )
        assert least_fair(chosen, models) == tuple(
            verdict for verdict in chosen if all(other not in less[verdict] for other in chosen)
        )


def test_models_of_equal_fairness_are_the_fairest_together():
    models = (library()[1], SAME)
    assert fairest(verdict_names(models), models) == ("HSA.strong", "hsa.strong")
    assert least_fair(["hsa.strong", "HSA.strong"], models) == ("hsa.strong", "HSA.strong")


def test_by_default_the_models_are_those_of_the_paper():
    assert at_most_as_fair() == at_most_as_fair(library())
    assert fairest(verdict_names(library())) == ("fair.strong",)
    assert least_fair(verdict_names(library())) == ("unfair",)
