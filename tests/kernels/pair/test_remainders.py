"""Test what is known of remainders by open sizes against true remainders, for all numbers of 2 and 3 bits."""

import itertools

from quick import mostly_full
from synth_kernels.pair.products import Products
from synth_kernels.program import DIMENSIONS
from synth_kernels.terms import Terms, evaluate

SIZES = {f"{word}.{number}": 1 for word in ("lid", "gid", "lsize", "groups") for number in range(DIMENSIONS)}


@mostly_full("width", [2, 3])
def test_all_that_is_known_of_remainders_is_true(width):
    terms = Terms()
    ids = {name: terms.constant(value, 32) for name, value in SIZES.items()}
    products = Products(terms, (ids, ids))
    test = terms.variable("test", 1)
    x, y, z, by = (terms.variable(name, width) for name in ("x", "y", "z", "by"))
    moved = terms.apply("add", (x, by))
    divided = [x, y, terms.choose(test, moved, y), terms.apply("add", (y, z))]
    divided += [terms.apply("sub", (x, z)), terms.apply("sub", (y, z))]
    known = [products.remainder(term, by) for term in divided]
    facts = [fact for _, fact in known]
    remainders = {remainder.name: term for term, remainder in products._remainders[by].items()}
    assert len(remainders) >= len(divided)
    for values in itertools.product(range(1 << width), repeat=4):
        term_values = dict(zip(("x", "y", "z", "by"), values, strict=True)) | {"test": values[0] % 2}
        if values[3] == 0:
            continue
        true = evaluate(remainders.values(), term_values)
        term_values |= {name: true[term] % values[3] for name, term in remainders.items()}
        results = evaluate([*facts, products.exact, *(term for term, _ in known)], term_values)
        assert all(results[fact] for fact in facts), term_values
        assert results[products.exact], term_values
        for term, (remainder, _) in zip(divided, known, strict=True):
            assert results[remainder] == evaluate([term], term_values)[term] % values[3], term_values
