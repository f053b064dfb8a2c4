"""Tests as a data frame of pandas (extra `pandas`), with the same columns as the format `parquet`.

The columns are `id`, `threads`, `instructions`, a column for each verdict (true means pass), `signature` (a letter p or
f for each verdict), and `aliases`, which holds lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.extras import how_to_install
from synth_corpus.tally import sizes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd


def frame(tests: Iterable[tuple[str, str, Sequence[str]]], verdicts: Sequence[str]) -> pd.DataFrame:
    """Return a data frame with a row for each test: its id, its sizes, its verdicts, its signature and its aliases.

    `tests` has the id, the signature and the aliases of each test. `verdicts` are the names of the verdicts for which
    the letters of a signature stand.

    Raises:
        InputError: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise InputError(f"to_pandas: pandas is not installed; to install it: {how_to_install('pandas')}") from None
    rows = list(tests)
    sizes = [sizes_of(id_.encode("ascii")) for id_, _, _ in rows]
    columns: dict[str, list[object]] = {
        "id": [id_ for id_, _, _ in rows],
        "threads": list(map(len, sizes)),
        "instructions": list(map(sum, sizes)),
    }
    for place, verdict in enumerate(verdicts):
        columns[verdict] = [signature[place] == "p" for _, signature, _ in rows]
    columns["signature"] = [signature for _, signature, _ in rows]
    columns["aliases"] = [list(aliases) for _, _, aliases in rows]
    return pd.DataFrame(columns)
