"""The examples of docs/understand/kernels.md: for each typed program its verdict, the lines that have the fault, and
its text."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "understand" / "kernels.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```\n# (\w+)(?: in lines? ([\w ]+))?\n(kernel .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
#: Those that need k-induction: the depth, and the text.
DEEP = re.findall(r"^```\n# verified with --k-induction-depth (\d+)\n(kernel .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
#: Those that need warps in lockstep: of how many threads, and the text.
WARPS = re.findall(r"^```\n# verified with --warp (\d+)\n(kernel .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
