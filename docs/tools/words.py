"""Counts the words of the pages: `python docs/tools/words.py`. Those that are no reference have a budget.

Before the pages were rewritten, on 2026-11-29, README, CONTRIBUTING and the pages that are no reference had 116,070
words, as `wc -w` counts. They may have half of that. Reference is what is looked up (docs/look-up), the table of
definitions and their tests, and the tables of measured devices, which a command writes.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BEFORE = 116_070
REFERENCE = {"docs/look-up", "docs/build/definitions-tests.md", "docs/results/measured.md"}


def counted() -> dict[str, int]:
    """The number of words of each folder of pages, and of each page that stands for itself."""
    words: dict[str, int] = {}
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        name, folder = (place.relative_to(ROOT).as_posix() for place in (page, page.parent))
        name = name if name in REFERENCE or folder == "." else folder
        words[name] = words.get(name, 0) + len(page.read_text("utf-8").split())
    return words


def spent() -> int:
    """The number of words on pages that are no reference."""
    return sum(number for name, number in counted().items() if name not in REFERENCE)


def main() -> int:
    """Print the words of each folder; 1 if there are too many."""
    for name, number in counted().items():
        print(f"{number:7,}  {name}{' (reference)' if name in REFERENCE else ''}")
    print(f"{spent():7,}  that are no reference, of {BEFORE // 2:,}")
    return int(spent() > BEFORE // 2)


if __name__ == "__main__":
    sys.exit(main())
