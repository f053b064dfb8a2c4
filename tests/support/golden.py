"""Golden files: what is written today against what was looked at and found good.

`make promote`, or `SYNTH_PROMOTE=1 pytest ...` for some, makes today's output the golden one; look at the difference
before it is committed.
"""

import os
import shlex
import shutil


def check_file(path, text):
    """Compare a text with a golden file, or write the file when promoting."""
    if promoting():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def check_folder(folder, files):
    """Compare texts with a folder that holds nothing but golden files: name -> text."""
    if promoting():
        shutil.rmtree(folder, ignore_errors=True)
        for name, text in files.items():
            check_file(folder / name, text)
    assert files == {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def transcript(words, ran):
    """Return what a terminal shows of a command: standard output, standard error, and in brackets the exit code."""
    return f"$ {shlex.join(['synth', *words])}\n{ran.out}{ran.err}[{ran.code}]\n"


def promoting():
    return bool(os.environ.get("SYNTH_PROMOTE"))
