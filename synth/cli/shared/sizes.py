"""Read sizes of launches and of arrays as options give them."""

from __future__ import annotations

from synth_checker.errors import InputError


def read_kernel_sizes(option: str, texts: list[str] | None) -> dict[str, tuple[int | None, ...]]:
    """Read words such as `scale,4,*`: a kernel, which may be an instance of a template, and numbers."""
    sizes_by_name = {}
    for text in texts or ():
        name, *numbers = split_outside_brackets(text.strip().removeprefix("[").removesuffix("]"))
        sizes_by_name[name] = sizes(f"{option} {name}", ",".join(numbers)) or ()
    return sizes_by_name


def split_outside_brackets(text: str) -> list[str]:
    """Divide a text at its commas, but for those in angle brackets, such as that of `scale<float, 4>`."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "<") - (letter == ">")
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def sizes(what: str, text: str | None) -> tuple[int | None, ...] | None:
    """Read sizes such as `64`, `8,*` or `[64,2]`."""
    if text is None:
        return None
    numbers: list[int | None] = []
    for word in text.strip().removeprefix("[").removesuffix("]").split(","):
        if word.strip() == "*":
            numbers.append(None)
        elif word.strip().isascii() and word.strip().isdigit():
            numbers.append(int(word))
        else:
            raise InputError(
                f"{what}: found {text!r}, expected numbers or * with commas between them, such as 64 or 8,8"
            )
    return tuple(numbers)
