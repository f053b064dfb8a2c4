"""A sample of a corpus, stratified by signature: every signature has its share, and the same seed gives the same tests.

Two passes, neither of which keeps more than the sample's places: one counts the tests of each signature, one picks them
by their places among those. Shares are in proportion, rounded by largest remainders; but no signature goes empty where
the sample has a test for each.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

from synth_corpus.parts import fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_corpus.store import Corpus


def sample(corpus: Corpus, size: int, seed: int) -> Iterator[bytes]:
    """So many records, or all if there are fewer, sorted by id.

    Raises:
        InputError: the corpus is not as its manifest says.
    """
    counts = Counter(signature for _, signature in _with_signatures(corpus))
    chosen = {
        signature: set(random.Random(f"{seed} {signature}").sample(range(counts[signature]), share))  # noqa: S311
        for signature, share in shares(counts, size).items()
    }
    seen: Counter[str] = Counter()
    for line, signature in _with_signatures(corpus):
        if seen[signature] in chosen[signature]:
            yield line
        seen[signature] += 1


def shares(counts: Mapping[str, int], size: int) -> dict[str, int]:
    """How many of each signature a sample of some size has."""
    total = sum(counts.values())
    size = min(size, total)
    least = 1 if size >= len(counts) else 0
    left = size - least * len(counts)
    # What is beyond the least is shared out exactly, in whole numbers and remainders of the total.
    over = total - least * len(counts)
    parts = {name: divmod(left * (count - least), over or 1) for name, count in counts.items()}
    found = {name: least + whole for name, (whole, _) in parts.items()}
    by_remainder = sorted(parts, key=lambda name: (-parts[name][1], name))
    for name in by_remainder[: size - sum(found.values())]:
        found[name] += 1
    return found


def _with_signatures(corpus: Corpus) -> Iterator[tuple[bytes, str]]:
    for line in corpus.raw_lines():
        yield line, fields_of(line, corpus.place_of).signature
