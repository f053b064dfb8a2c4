"""What `synth explore` shows: corpora, suites, and campaigns with what they found.

What devices did is analysed as by `synth campaign analyse`. Two campaigns are also compared, as by `synth campaign
compare`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.answers.analysis import analysis_of
from synth_analysis.frequency import frequency_table
from synth_analysis.tables.comparison import compare_folders
from synth_analysis.tables.folders import named_sources
from synth_explorer.page_data import PageSuite
from synth_explorer.suites import suites_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_analysis.answers.analysis import Analysis
    from synth_analysis.tables.comparison import CampaignComparison
    from synth_corpus.store import Corpus
    from synth_documents.table import Table


class Findings(NamedTuple):
    """What some campaigns found. `comparison` is None unless there are two campaigns."""

    campaigns: tuple[Path, ...]
    analysis: Analysis
    frequency: Table
    comparison: CampaignComparison | None


class PageContent(NamedTuple):
    """What a page shows. `findings` is None if there is no campaign."""

    corpora: tuple[Corpus, ...]
    suites: tuple[PageSuite, ...]
    findings: Findings | None


def page_content(words: Iterable[str]) -> PageContent:
    """Read the corpora, suites and campaigns that words name.

    Raises:
        InputError: a word names none of them, or two words name the same campaign.
        ResourceError: reading failed.
    """
    suites, others = list[PageSuite](), list[str]()
    for word in words:
        suites_of_word = suites_in(Path(word))
        suites += suites_of_word
        others += [] if suites_of_word else [word]
    corpora, campaigns = named_sources(others)
    if not campaigns:
        return PageContent(corpora, tuple(suites), None)
    two = compare_folders(campaigns[:1], campaigns[1:]) if len(campaigns) == 2 else None
    analysis = analysis_of(campaigns)
    table = frequency_table([device.results for device in analysis.devices])
    return PageContent(corpora, tuple(suites), Findings(campaigns, analysis, table, two))
