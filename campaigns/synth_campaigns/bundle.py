"""A bundle: a folder with everything that somebody else needs to run a campaign, on a device that is not here.

    NAME/
        README.md        what to type, and what it means
        run.sh           builds and runs all tests, and writes results.jsonl (not for the target web, which is a page)
        bundle.json      the campaign, and the SHA-256 of each emitted file
        SHA256SUMS       the same digests, for `sha256sum -c`
        TARGET-MAPPING/  what a target of `synth emit` writes, for each mapping

The first line that `run.sh` writes has the digest of the bundle. So results can be told from those of another bundle.
Neither a bundle nor results have the name of a host or a user.
"""

from __future__ import annotations

import hashlib
import json
import math
import zipfile
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypedDict

from synth_backends.litmus_test import LitmusTest
from synth_backends.mapping import read_mapping
from synth_backends.target import Choices, files_of, load_target, release
from synth_backends.template_files import environment
from synth_campaigns.campaign_file import settings_of, text_of
from synth_checker.errors import InputError
from synth_checker.programs.normal import program_of_id
from synth_storage.answer_json import HIDDEN
from synth_storage.files import read_small
from synth_storage.folders import FolderKind, put_folder, write_texts
from synth_storage.strict_json import loads
from synth_storage.typed_json import checked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from synth_campaigns.settings import LaunchSettings, RunSettings, Settings

FILE = "bundle.json"
#: Targets whose programs nobody starts with a command.
_PAGES = ("web",)
_WITHOUT_RESULTS = ("cts",)


class BundleFields(TypedDict):
    """The file `bundle.json`. `tests` has names by ids, and `files` the SHA-256 of each emitted file."""

    format: Literal[1]
    synth: str
    digest: str
    campaign: str
    tests: dict[str, str]
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class BundlePart:
    """The programs for one mapping on one device, emitted by a target with these choices."""

    folder: str
    target: str
    mapping: str
    choices: Choices = field(metadata=HIDDEN)


def bundle_settings(settings: Settings) -> Settings:
    """Return the campaign that a bundle asks for: each device is one that runs programs of a target elsewhere.

    Nobody can tell there which hang would be the first against a verdict. So each launch is given up only when its hang
    counts as confirmed.

    Raises:
        InputError: a device has no target that others can run, or something is asked for that a bundle cannot do.
    """
    launches = replace(settings.launches, timeout_s=max(settings.launches.timeout_s, settings.launches.confirm_s))
    return replace(settings, runs=tuple(_elsewhere(run) for run in settings.runs), launches=launches)


def parts_of(settings: Settings) -> list[BundlePart]:
    """Return the parts of a bundle, in the order of the campaign."""
    parts = []
    for run in settings.runs:
        target = run.load().target
        for word in run.mappings:
            mapping = read_mapping(word).name
            shape = "" if run.stress_shape == "add" else f"-{run.stress_shape.replace(':', '.')}"
            stress = f"-stress{run.stress}{shape}" if run.stress else ""
            instances = f"-{run.instances}" if run.instances and mapping != "plain" else ""
            width = f"-width{run.width}" if run.width > 1 else ""
            choices = Choices(
                mapping,
                1 if mapping == "plain" else run.instances,
                run.stress,
                width=run.width,
                stress_shape=run.stress_shape,
            )
            folder = f"{target}-{mapping.replace(':', '')}{instances}{stress}{width}"
            parts.append(BundlePart(folder, target, mapping, choices))
    return list(dict.fromkeys(parts))  # several devices may have the same programs


def files_of_bundle(settings: Settings, tests: Sequence[LitmusTest], name: str) -> dict[str, str]:
    """Return all files of a bundle by their paths. `settings` is what `bundle_settings` returns.

    Raises:
        InputError: a target cannot emit the tests.
        LimitError: a test is too large for a target.
    """
    ordered = sorted(tests, key=lambda test: test.id)
    resolved = replace(settings, suite=tuple(test.id for test in ordered))
    parts = parts_of(resolved)
    files: dict[str, str] = {}
    for part in parts:
        emitted = files_of(part.target, ordered, part.choices)
        files |= {f"{part.folder}/{path}": text for path, text in emitted.items()}
    values = {
        "parts": parts,
        "arguments": arguments(resolved.launches),
        "launches": resolved.launches,
        "timeout": math.ceil(resolved.launches.timeout_s),
        "tests": len(ordered),
        "name": name,
        "targets": sorted({part.target for part in parts}),
        "pages": [part for part in parts if part.target in _PAGES],
        "programs": [part for part in parts if part.target not in _PAGES],
        "most_minutes": _most_minutes(resolved.launches, len(ordered) * len(parts)),
    }
    templates = environment("bundle")
    digests = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()}
    digest = digest_of(digests)
    values["digest"] = digest
    files["README.md"] = templates.get_template("README.md").render(values)
    if values["programs"]:
        files["run.sh"] = templates.get_template("run.sh").render(values)
    files["SHA256SUMS"] = _sums(digests)
    fields: BundleFields = {
        "format": 1,
        "synth": release(),
        "digest": digest,
        "campaign": text_of(resolved),
        "tests": {test.id: test.name for test in ordered},
        "files": digests,
    }
    files[FILE] = json.dumps(fields, indent=1) + "\n"
    return files


def digest_of(digests: Mapping[str, str]) -> str:
    """Return the digest of a bundle: that of the paths and digests of all emitted files."""
    return hashlib.sha256(_sums(digests).encode()).hexdigest()


def _sums(digests: Mapping[str, str]) -> str:
    """Return digests by paths as `sha256sum` writes them."""
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(digests.items()))


def arguments(launches: LaunchSettings) -> str:
    """Return the arguments with which all programs of a bundle are started."""
    options = f"--iterations {launches.declared} --timeout {math.ceil(launches.timeout_s)}"
    return f"{options} --after-hang {launches.after_first_hang}" if launches.after_first_hang else options


def is_bundle(folder: Path) -> bool:
    """Whether a folder holds a bundle."""
    return (folder / FILE).is_file()


_KIND = FolderKind("a bundle", is_bundle)


def put_bundle(folder: Path, files: Mapping[str, str], *, force: bool = False) -> None:
    """Write a bundle into a folder.

    Raises:
        InputError: the place is taken.
        ResourceError: writing failed.
    """
    put_folder(folder, lambda new: write_texts(new, files), _KIND, force=force)


def put_zip(path: Path, files: Mapping[str, str], name: str) -> None:
    """Write a bundle as a zip file, in which all files are in a folder. The same files give the same bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, text in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(f"{name}/{file}"), text, zipfile.ZIP_DEFLATED)


def campaign_in(folder: Path) -> tuple[str, Settings, list[LitmusTest]]:
    """Return the digest, the settings and the tests of a bundle.

    Raises:
        InputError: the folder holds no bundle, or it was changed.
    """
    path = folder / FILE
    text = read_small(path, "the file of a bundle")
    try:
        fields = checked(loads(text), BundleFields, str(path))
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else error
        raise InputError(f"{path}: found no JSON: {reason}") from error
    if digest_of(fields["files"]) != fields["digest"]:
        raise InputError(f"{path}: its digest does not fit its files; take the bundle as it was made")
    tests = [LitmusTest(name, id_, program_of_id(id_)) for id_, name in fields["tests"].items()]
    return fields["digest"], settings_of(fields["campaign"]), tests


def _elsewhere(run: RunSettings) -> RunSettings:
    target = run.load().target
    if target in _WITHOUT_RESULTS:
        raise InputError(f"device {run.device}: the target {target} prints no result lines, so nobody can collect any")
    try:
        load_target(target)
    except InputError as error:
        raise InputError(
            f"device {run.device}: others cannot run it; choose a target, such as --device bundle:cuda"
        ) from error
    if "queue-family=" in run.device:
        raise InputError(f"device {run.device}: a bundle cannot choose a queue family; leave it out")
    if run.busy:
        raise InputError(
            f"device {run.device}: found {run.busy} busy processes, but a bundle cannot start any; leave them out"
        )
    return replace(run, device=f"bundle:{target}")


def _most_minutes(launches: LaunchSettings, cells: int) -> int:
    """Return how long a bundle takes at most, besides what ends at once: if each test hangs each time."""
    return math.ceil(cells * (1 + launches.after_first_hang) * math.ceil(launches.timeout_s) / 60)
