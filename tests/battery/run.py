"""Run a fixed list of commands as a shell would, and keep what each of them printed and wrote.

    run.py FOLDER

Line N of commands.txt is run in a folder that first holds a copy of `inputs`, and then what the lines before it wrote.
Its standard output, its standard error, its exit status, and a digest of each file that it wrote or changed go into the
file N of FOLDER. `kept` is such a FOLDER, and `diff -r` compares two.

What differs from run to run by its nature is replaced: times, and the names of temporary folders. Files that hold times
are left out.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SYNTH = Path(sysconfig.get_path("scripts")) / "synth"
#: What differs from run to run, and what is kept in its place.
VARIES = (
    (r"\b\d+(\.\d+)? (ms|s|min|seconds?|minutes?)\b", "TIME"),
    (r'"(\w*seconds|\w*time|created|started|ended|updated|at)": ?"?[-+:.\dTZe]+"?', r'"\1": TIME'),
    (r"[\d,]+ tests/s", "RATE"),
    (r"(?m)^seconds: .*$", "seconds: TIME"),
    (r'"(load\w*)":[\d.]+', r'"\1":LOAD'),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?", "DATE"),
)
#: Files whose bytes, and even names, hold times or numbers of processes: databases, and all of a job but its corpus.
HOLDS_TIMES = re.compile(r"\.(db|sqlite|log|lock)$|/(provenance|run)\.json$|\.job/(?!corpus/)")


def digests(folder: Path) -> dict[str, str]:
    """The digest of each file below a folder, by its name."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    names = {str(path.relative_to(folder)): path for path in files}
    return {name: digest(path) for name, path in names.items() if not HOLDS_TIMES.search(name)}


def digest(path: Path) -> str:
    data = path.read_bytes()
    try:
        return hashlib.sha256(steady(data.decode(), path.parent).encode()).hexdigest()[:16]
    except UnicodeDecodeError:
        return hashlib.sha256(data).hexdigest()[:16]


def steady(text: str, folder: Path) -> str:
    """A text without what differs from run to run."""
    text = text.replace(str(folder), "FOLDER")
    for pattern, instead in VARIES:
        text = re.sub(pattern, instead, text)
    return text


def kept(line: str, folder: Path) -> str:
    """Run one command in a folder, and return what is kept of it."""
    before = digests(folder)
    words = shlex.split(line)
    ran = subprocess.run(
        [str(SYNTH), *words[1:]],
        cwd=folder,
        env=os.environ | {"COLUMNS": "100", "NO_COLOR": "1", "XDG_CACHE_HOME": str(folder / ".cache")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    written = [
        f"{name}  {now}"
        for name, now in digests(folder).items()
        if before.get(name) != now and not name.startswith(".cache")
    ]
    parts = (f"$ {line}", ran.stdout, "--- standard error", ran.stderr, f"--- exit {ran.returncode}", *written)
    return steady("\n".join(parts), folder) + "\n"


def lines() -> list[str]:
    """The commands, in order."""
    return (HERE / "commands.txt").read_text("utf-8").splitlines()


def run(out: Path) -> None:
    """Run all commands, and keep what they did in a folder that is made."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "battery"
        shutil.copytree(HERE / "inputs", folder)
        for number, line in enumerate(lines(), 1):
            (out / f"{number:02}.txt").write_text(kept(line, folder))


if __name__ == "__main__":
    if len(sys.argv) != len(["run.py", "FOLDER"]):
        sys.exit(__doc__)
    run(Path(sys.argv[1]))
