"""Read TOML, and refuse in one line whatever Python's own reader stumbles over.

Python's reader raises errors of three kinds: for text that is no TOML, for a number with thousands of digits, and for
brackets within thousands of brackets.
"""

from __future__ import annotations

import tomllib

from synth_checker.errors import InputError


def read_toml(text: str) -> dict[str, object]:
    """Return the value of a TOML text.

    Raises:
        InputError: the text is no TOML, or nobody wrote it by hand: a number or the nesting is far too large.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"found no TOML: {error}") from error
    except ValueError as error:
        raise InputError("found a number with too many digits") from error
    except RecursionError as error:
        raise InputError("found brackets that are nested too deep") from error
