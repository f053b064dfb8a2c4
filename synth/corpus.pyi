"""The commands below `synth corpus` as functions. Written by `make reference`; edit the options and not this file."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike

from synth_corpus.diff_answer import DiffAnswer
from synth_corpus.differences import RecordDifference
from synth_corpus.import_report import ImportReport
from synth_corpus.manifest import ManifestFields
from synth_corpus.record import RecordFields
from synth_corpus.verification import CorpusFault
from synth_corpus.verify_answer import VerifyAnswer

def info(
    folder: str | PathLike[str],
) -> ManifestFields:
    """Print what the manifest of a corpus says: the question, the counts, the models, and how it was made."""

def list(
    folder: str | PathLike[str],
    *,
    pass_: str | Iterable[str] | None = None,
    fail: str | Iterable[str] | None = None,
    signature: str | None = None,
    bounds: str | Iterable[str] | None = None,
    id: str = '',
    alias: str | None = None,
    idiom: str | None = None,
    model: str | Iterable[str] | None = None,
    format: str | None = None,
    limit: int | None = None,
) -> builtins.list[RecordFields]:
    """List the tests of a corpus that meet all given conditions."""

def sample(
    folder: str | PathLike[str],
    *,
    size: int,
    seed: int = 0,
    format: str | None = None,
) -> builtins.list[RecordFields]:
    """Choose tests at random, in proportion to the tests of each signature."""

def diff(
    old: str | PathLike[str],
    new: str | PathLike[str],
    *,
    exit_code: bool = False,
    limit: int = 10,
    all: bool = False,
) -> builtins.list[RecordDifference | DiffAnswer]:
    """Compare two corpora test by test: tests removed, added, or with other verdicts or metadata, and the reasons."""

def merge(
    folders: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    out: str | PathLike[str],
    force: bool = False,
) -> ManifestFields:
    """Make one corpus from several corpora of different bounds."""

def query(
    folder: str | PathLike[str],
    sql: str,
    *,
    format: str | None = None,
) -> object:
    """Ask a corpus a question in SQL."""

def validate(
    folder: str | PathLike[str],
    *,
    limit: int = 1000,
) -> builtins.list[CorpusFault | VerifyAnswer]:
    """Check that a corpus is what it claims to be."""

def export(
    folder: str,
    *,
    format: str = 'jsonl',
    out: str | PathLike[str] | None = None,
    model: str | None = None,
    table: str | None = None,
    force: bool = False,
) -> str | None:
    """Write the tests of a corpus in some format."""

def import_(
    files: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    format: str,
    out: str | PathLike[str],
    model: str | Iterable[str] | None = None,
    alias_prefix: str | None = None,
    without: str | Iterable[str] | None = None,
    results: str | PathLike[str] | Iterable[str | PathLike[str]] | None = None,
    force: bool = False,
) -> ImportReport:
    """Make a corpus from programs in some format."""
