"""Read the examples in documents: blocks of files, of commands with their output, and of Python."""

import re

BLOCK = re.compile(r"^```(?P<kind>\w+)(?: title=(?P<title>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
#: What differs from run to run, and from machine to machine.
TIMES = [
    (re.compile(r"[0-9.]+ s, [0-9,]+ tests/s"), "T s, R tests/s"),
]


def shown(text: str) -> str:
    """Return a text without times and without spaces that nobody sees."""
    for pattern, word in TIMES:
        text = pattern.sub(word, text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def commands(document, folder):
    """Yield each command of a document with the output that it shows, and lay the files of the document in a folder."""
    for block in BLOCK.finditer(document.read_text()):
        if block["title"]:
            (folder / block["title"]).write_text(block["text"])
        elif block["kind"] == "console":
            parts = re.split(r"^\$ (.*)\n", block["text"], flags=re.MULTILINE)
            yield from zip(parts[1::2], parts[2::2], strict=True)
