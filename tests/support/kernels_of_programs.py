"""Litmus programs as typed kernels, one thread to a workgroup."""


def as_kernel(program, *, is_plain=False):
    """Return the text of a kernel that does what a program does.

    With `is_plain`, stores and check branches are plain accesses; what writes and branches stays atomic.
    """
    locations = 1 + max(instruction.loc for thread in program for instruction in thread)
    lines = ["kernel k", f"global M: i32[{locations}]", "entry:", "  jump start0"]
    for number, thread in enumerate(program):
        after = f"start{number + 1}" if number + 1 < len(program) else "end"
        lines += [f"start{number}:", f"  here{number} = eq gid.0, {number}:i32"]
        lines += [f"  branch here{number} ? t{number}.0 : {after}"]
        names = [f"t{number}.{pc}" for pc in range(len(thread))] + ["end"]
        for pc, one in enumerate(thread):
            name = f"{number}.{pc}"
            lines += [f"{names[pc]}:", *_instruction(one, name, is_plain=is_plain)]
            if one.target == pc + 1:
                lines += [f"  jump {names[pc + 1]}"]
            else:
                lines += [f"  c{name} = eq x{name}, {one.check}:i32"]
                lines += [f"  branch c{name} ? {names[one.target]} : {names[pc + 1]}"]
    return "\n".join([*lines, "end:", "  return\n"])


def _instruction(one, name, *, is_plain):
    place = f"i32 M[{one.loc}:i32]"
    if one.exch is None:
        return [f"  x{name} = read {place}" if is_plain else f"  x{name} = atomic {place} load"]
    if is_plain and one.target == int(name.partition(".")[2]) + 1:
        return [f"  write {place} = {one.exch}:i32"]
    return [f"  x{name} = atomic {place} exchange {one.exch}:i32"]
