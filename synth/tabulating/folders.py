"""Find the corpora and campaigns that words of the command line name.

A word is a corpus, a campaign, or a folder with several of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_campaigns.folder import is_campaign
from synth_checker.errors import InputError
from synth_corpus.shipped import located
from synth_corpus.store import MANIFEST, Corpus

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class Found(NamedTuple):
    """What words name: corpora and the folders of campaigns, both in the order of the words."""

    corpora: tuple[Corpus, ...]
    campaigns: tuple[Path, ...]


def found_in(words: Iterable[str]) -> Found:
    """Find the corpora and campaigns that words name. Those in one folder come in the order of their names.

    Raises:
        InputError: a word names neither a corpus nor a campaign, nor a folder with one.
    """
    corpora: list[Corpus] = []
    campaigns: list[Path] = []
    for word in words:
        folder = located(word)
        if not folder.is_dir():
            msg = f"{word}: there is no such folder, expected a corpus, a campaign, or a folder with some of them"
            raise InputError(msg)
        here = [folder] if _is_one(folder) else sorted(filter(_is_one, folder.iterdir()))
        if not here:
            msg = f"{word}: found neither a corpus nor a campaign in this folder, expected at least one"
            raise InputError(msg)
        for one in here:
            if is_campaign(one):
                campaigns.append(one)
            else:
                corpora.append(Corpus(word if one == folder else one))
    return Found(tuple(corpora), tuple(campaigns))


def _is_one(folder: Path) -> bool:
    return is_campaign(folder) or (folder / MANIFEST).is_file()
