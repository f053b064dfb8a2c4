"""Draw a sample of a corpus in which every signature has its share. The same seed gives the same tests.

The sample takes two passes, and keeps only the places of its tests in memory. The first pass counts the tests of each
signature, and the second picks some of them. Shares are proportional, rounded by the method of largest remainders. If
the sample has at least as many tests as there are signatures, each signature gets at least one test.
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
    """Choose `size` records of a corpus at random, so that each signature has its share, and yield them sorted by id.

    If the corpus has fewer records, yield all of them. The same `seed` chooses the same records.

    Raises:
        InputError: the corpus does not agree with its manifest.
    """
    counts = Counter(signature for _, signature in _with_signatures(corpus))
    chosen = {
        signature: set(random.Random(f"{seed} {signature}").sample(range(counts[signature]), share))  # noqa: S311
        for signature, share in shares(counts, size).items()
    }
    counts_seen: Counter[str] = Counter()
    for line, signature in _with_signatures(corpus):
        if counts_seen[signature] in chosen[signature]:
            yield line
        counts_seen[signature] += 1


def shares(counts: Mapping[str, int], size: int) -> dict[str, int]:
    """Return how many tests of each signature a sample of `size` tests has.

    `counts` says how many tests of each signature the whole corpus has.
    """
    total = sum(counts.values())
    size = min(size, total)
    least = 1 if size >= len(counts) else 0
    to_share = size - least * len(counts)
    # The rest is divided exactly, as whole numbers and remainders of the total.
    over = total - least * len(counts)
    parts = {name: divmod(to_share * (count - least), over or 1) for name, count in counts.items()}
    sizes = {name: least + whole for name, (whole, _) in parts.items()}
    by_remainder = sorted(parts, key=lambda name: (-parts[name][1], name))
    for name in by_remainder[: size - sum(sizes.values())]:
        sizes[name] += 1
    return sizes


def _with_signatures(corpus: Corpus) -> Iterator[tuple[bytes, str]]:
    for line in corpus.raw_lines():
        yield line, fields_of(line, corpus.place_of).signature
