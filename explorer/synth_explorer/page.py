"""The page with its data: `page.html`, in which the data stands in place of `{{data}}`.

The data is base64, digits and words of small letters. So nothing that a corpus or a campaign contains is ever
HTML. The page computes text from it, and shows text only as text.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

from synth_checker.errors import InternalError
from synth_explorer.page_data import packed_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_corpus.store import Corpus
    from synth_explorer.page_data import PageSuite
    from synth_explorer.results import PackedResults

_PLACE: Final = "{{data}}"


def page_of(corpora: Sequence[Corpus], suites: Sequence[PageSuite] = (), results: PackedResults | None = None) -> bytes:
    """Return the page that shows some corpora and campaigns, as the bytes of an HTML file.

    `suites` are the tests of the campaigns, and `results` what these found. The same data give the same bytes.

    Raises:
        InputError: two corpora are the same, or the records of one cannot be read or do not agree with its manifest.
        LimitError: there are too many tests.
        ResourceError: the disk failed.
    """
    before, place, after = template().partition(_PLACE)
    if not place:
        raise InternalError(f"page.html: found no {_PLACE}, expected it once")
    return f"{before}{packed_data(corpora, suites, results)}{after}".encode()


def template() -> str:
    """Return the built page, without data."""
    return (files("synth_explorer") / "page.html").read_text("utf-8")
