"""Replace a folder in processes, each of which is hit one step later than the one before, until one is not hit.

    python folder_steps.py FOLDER killed|refused exchange|two-renames
        -> one line a process: in which folder, and its exit code

A step is a call to the file system. At that step the process is killed; or the call, if it needs space, fails as on a
full disk. `two-renames` takes the way of systems that can't exchange two names.
"""

import errno
import os
import sys
from itertools import count
from pathlib import Path

from synth_checker.errors import ResourceError
from synth_storage import folders
from synth_storage.folders import FolderKind, put_folder, write_texts

CALLS = {"open", "ctypes.dlsym", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.scandir", "os.listdir"}
NEED_SPACE = {"open", "os.mkdir", "os.rename"}
MISSED = 100
OURS = FolderKind("a folder of ours", lambda folder: (folder / "ours").is_file())
OLD = {"ours": "old", "below/text": "old"}
NEW = {"ours": "new", "below/text": "new", "more": "new"}


def put(folder, files, *, force=False):
    put_folder(folder, lambda new: write_texts(new, files), OURS, force=force)


class Hits:
    """Hit this process at its step of a given number."""

    def __init__(self, step, how):
        self.left = step
        self.how = how
        sys.addaudithook(self.look)

    def look(self, event, arguments):
        if self.how == "killed":
            if event in CALLS and self.counted():
                os._exit(9)
        elif event in NEED_SPACE and (event != "open" or arguments[2] & (os.O_WRONLY | os.O_RDWR)) and self.counted():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def counted(self):
        self.left -= 1
        return self.left == 0


def replace(place, step, how):
    """Replace the folder in a child process, so that nothing outlives it.

    Return its exit code, or MISSED if the process had fewer steps.
    """
    child = os.fork()
    if not child:
        hits = Hits(step, how)
        code = 0
        try:
            put(place, NEW, force=True)
        except ResourceError:
            code = ResourceError.exit_code
        except BaseException:  # noqa: BLE001  (it must not go on as its parent)
            code = 1
        os._exit(MISSED if hits.left > 0 else code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main(folder, how, way):
    if way == "two-renames":
        folders._exchange = lambda _one, _other: False
    for step in count(1):
        place = Path(folder, str(step), "out")
        put(place, OLD)
        code = replace(place, step, how)
        if code == MISSED:
            return
        sys.stdout.write(f"{place.parent} {code}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
