"""Find the corpora, the campaigns or the jobs that words of the command line name.

A word is one of them, or a folder with several of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_campaigns.folder import is_campaign
from synth_checker.errors import InputError
from synth_corpus.shipped import locate_corpus
from synth_corpus.store import MANIFEST, Corpus
from synth_jobs.layout import is_job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


class TableSources(NamedTuple):
    """What words name: corpora and the folders of campaigns, both in the order of the words."""

    corpora: tuple[Corpus, ...]
    campaigns: tuple[Path, ...]


def named_sources(words: Iterable[str]) -> TableSources:
    """Find the corpora and campaigns that words name. Those in one folder come in the order of their names.

    Raises:
        InputError: a word names neither a corpus nor a campaign, nor a folder with one.
    """
    corpora: list[Corpus] = []
    campaigns: list[Path] = []
    for word in words:
        here = _folders(word, _is_one, "a corpus, a campaign")
        if not here:
            raise InputError(f"{word}: found neither a corpus nor a campaign in this folder, expected at least one")
        for path in here:
            if is_campaign(path):
                campaigns.append(path)
            else:
                corpora.append(Corpus(word if path == locate_corpus(word) else path))
    return TableSources(tuple(corpora), tuple(campaigns))


def jobs_in(words: Iterable[str]) -> tuple[Path, ...]:
    """Find the folders of the jobs that words name, in the order of the words and of their names.

    Raises:
        InputError: a word names neither a job nor a folder with one.
    """
    jobs: list[Path] = []
    for word in words:
        here = _folders(word, is_job, "a job")
        if not here:
            raise InputError(
                f"{word}: found no job in this folder, expected at least one; only a job tells when its tests were "
                "found, and a corpus does not (synth job start --help)"
            )
        jobs += here
    return tuple(jobs)


def _folders(word: str, is_one: Callable[[Path], bool], expected: str) -> list[Path]:
    """Return the folder that a word names if it is one of those looked for, or else those in it, by name."""
    folder = locate_corpus(word)
    if not folder.is_dir():
        raise InputError(f"{word}: there is no such folder, expected {expected}, or a folder with some of them")
    return [folder] if is_one(folder) else sorted(filter(is_one, folder.iterdir()))


def _is_one(folder: Path) -> bool:
    return is_campaign(folder) or (folder / MANIFEST).is_file()
