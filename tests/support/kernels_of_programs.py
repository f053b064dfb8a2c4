"""Litmus programs as typed kernels, one thread to a workgroup."""


def as_kernel(program, *, is_plain=False):
    """Return the text of a kernel that does what a program does.

    With `is_plain`, stores and check branches are plain accesses; what writes and branches stays atomic.
    """
    lines = [
        "kernel k",
        f"global M: i32[{_locations(program)}]",
        "entry:",
        "  number = add gid.0, 0:i32",
        "  jump start0",
    ]
    return "\n".join([*lines, *_program(program, "", is_plain=is_plain), "end:", "  return\n"])


def as_kernel_with_barriers(programs, local_size):
    """Return the text of a kernel that does what some programs do, one after the other, with a barrier between them.

    The threads of the programs are those of the launch, in workgroups of this size.
    """
    lines = ["kernel k", f"global M: i32[{max(map(_locations, programs))}]", "entry:"]
    lines += [f"  first = mul gid.0, {local_size}:i32", "  number = add first, lid.0", "  jump p0.start0"]
    for place, program in enumerate(programs):
        prefix = f"p{place}."
        after = f"p{place + 1}.start0" if place + 1 < len(programs) else "end"
        lines += [
            *_program(program, prefix, is_plain=False),
            f"{prefix}end:",
            "  barrier group local",
            f"  jump {after}",
        ]
    return "\n".join([*lines, "end:", "  return\n"])


def with_masks(text):
    """Return the text of a kernel whose first barrier becomes one of two lanes each, those of a mask."""
    masks = "  pair = and lid.0, 2:i32\n  wide = zext pair to i64\n  mask = shl 3:i64, wide\n"
    text = text.replace("entry:\n", f"entry:\n{masks}", 1)
    return text.replace("barrier group local", "barrier subgroup local of mask", 1)


def _locations(program):
    return 1 + max(instruction.loc for thread in program for instruction in thread)


def _program(program, prefix, *, is_plain):
    lines = []
    for number, thread in enumerate(program):
        after = f"{prefix}start{number + 1}" if number + 1 < len(program) else f"{prefix}end"
        lines += [f"{prefix}start{number}:", f"  {prefix}here{number} = eq number, {number}:i32"]
        lines += [f"  branch {prefix}here{number} ? {prefix}t{number}.0 : {after}"]
        names = [f"{prefix}t{number}.{pc}" for pc in range(len(thread))] + [f"{prefix}end"]
        for pc, instruction in enumerate(thread):
            name = f"{prefix}{number}.{pc}"
            lines += [f"{names[pc]}:", *_instruction(instruction, name, is_plain=is_plain)]
            if instruction.target == pc + 1:
                lines += [f"  jump {names[pc + 1]}"]
            else:
                lines += [f"  c{name} = eq x{name}, {instruction.check}:i32"]
                lines += [f"  branch c{name} ? {names[instruction.target]} : {names[pc + 1]}"]
    return lines


def _instruction(one, name, *, is_plain):
    place = f"i32 M[{one.loc}:i32]"
    if one.exch is None:
        return [f"  x{name} = read {place}" if is_plain else f"  x{name} = atomic {place} load"]
    if is_plain and one.target == int(name.rpartition(".")[2]) + 1:
        return [f"  write {place} = {one.exch}:i32"]
    return [f"  x{name} = atomic {place} exchange {one.exch}:i32"]
