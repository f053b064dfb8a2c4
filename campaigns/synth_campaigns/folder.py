"""The folder of a campaign.

    NAME.campaign/
        campaign.toml     what the campaign shall do, with all keys and the ids of all tests
        results.sqlite    the results (`store`)
        programs/         the programs of the tests, a folder for each device and setting
        lock              the process that runs the campaign holds it

`campaign.toml` makes the same campaign again, in the same order.
"""

from __future__ import annotations

import contextlib
import fcntl
import uuid
from dataclasses import replace
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING

from synth_campaigns.campaign_file import read_settings, text_of
from synth_campaigns.cells import cells_of
from synth_campaigns.store import Store, now
from synth_checker.errors import InputError
from synth_storage.folders import FolderKind, put_folder
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest
    from synth_campaigns.cells import Cell
    from synth_campaigns.settings import Settings

FILE, RESULTS, PROGRAMS, LOCK = "campaign.toml", "results.sqlite", "programs", "lock"


def is_campaign(folder: Path) -> bool:
    """Whether a folder holds a campaign."""
    return (folder / RESULTS).is_file() and (folder / FILE).is_file()


_KIND = FolderKind("a campaign", is_campaign)


def create(  # noqa: PLR0913  (all but the first three have defaults and names)
    folder: Path,
    settings: Settings,
    tests: Sequence[LitmusTest],
    *,
    cells: Sequence[Cell] | None = None,
    fill: Callable[[Store], None] = lambda _: None,
    more: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Make the folder of a new campaign, without launches.

    If `cells` is None, the cells are those that the settings describe. `fill` writes down results of others, and `more`
    is what the results know about the whole campaign besides.

    Raises:
        InputError: something else has this path.
        ResourceError: writing failed.
    """
    ordered = sorted(tests, key=lambda test: test.id)
    resolved = replace(settings, suite=tuple(test.id for test in ordered))
    devices = {run.device: run.load() for run in settings.runs}
    meta = {"synth": version("progress-synth"), "campaign": uuid.uuid4().hex, "made": now(), **more}

    def write(new: Path) -> None:
        (new / FILE).write_text(text_of(resolved), "utf-8")
        (new / PROGRAMS).mkdir()
        with Store(new / RESULTS, is_new=True) as store:
            chosen = cells_of(resolved, ordered) if cells is None else cells
            store.fill(list(devices.values()), ordered, chosen, meta)
            fill(store)

    put_folder(folder, write, _KIND)


def settings_in(folder: Path) -> Settings:
    """Return what a campaign shall do.

    Raises:
        InputError: the folder holds no campaign, or its file is not valid.
    """
    check_campaign(folder)
    return read_settings(folder / FILE)


def open_store(folder: Path) -> Store:
    """Open the results of a campaign.

    Raises:
        InputError: the folder holds no campaign.
    """
    check_campaign(folder)
    return Store(folder / RESULTS)


def check_campaign(folder: Path) -> None:
    """Raise InputError unless a folder holds a campaign."""
    if not is_campaign(folder):
        problem = "this is no campaign" if folder.exists() else "there is no such folder, expected a campaign"
        raise InputError(f"{folder}: {problem}; `synth campaign run` makes one")


@contextlib.contextmanager
def lock_campaign(folder: Path) -> Iterator[None]:
    """As a context manager, keep other processes from running this campaign. The lock ends with this process.

    Raises:
        InputError: another process runs the campaign, or this process cannot write into the folder.
    """
    path = folder / LOCK
    with as_user_errors(path, "a writable file"):
        file = path.open("w")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InputError(f"{folder}: another process runs this campaign; wait for it, or stop it") from error
        yield
