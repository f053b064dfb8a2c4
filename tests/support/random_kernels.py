"""Random kernels as typed programs, and the slow judgement of a kernel: all threads of a launch, with small scalars.

A kernel is drawn as structured code, which is lowered to blocks. It has loops up to two deep with breaks, branches on
ids, early returns, masks, barriers of all fences, and accesses of one or two elements. If `reads` are asked for, what
a thread reads may also decide where it goes, what it accesses next and whether an assertion holds. With `peeks`, a
thread may also claim that an array holds what it has stored there. With `copies`, there are asynchronous copies, too.
"""

import itertools

from hypothesis import strategies as st

from synth_kernels.concrete_run import Runner
from synth_kernels.launch import threads
from synth_kernels.text import parse

#: The launch of all random kernels.
LOCAL, GROUPS = 4, 2
#: Loops end for all these values of the scalar, and the slow judgement tries them all.
SCALARS = range(4)
#: What arrays hold before a run: zeros, or what a function says of a place.
CONTENTS = (None, lambda place: place[2] & 3, lambda place: (3 * place[2] + 1) & 3)
SPACES = {"T": "local", "A": "global", "P": "private", "C": "global"}


class _Writer:
    """Writes the lines of blocks; `fresh` gives new names."""

    def __init__(self, *, peeks=False, copies=False):
        self.peeks, self.copies = peeks, copies
        self.lines = []
        #: The events that are known here.
        self.events = []
        self.count = itertools.count()

    def fresh(self, word):
        return f"{word}{next(self.count)}"

    def say(self, line):
        self.lines.append(f"  {line}")

    def value(self, line):
        name = self.fresh("v")
        self.say(f"{name} = {line}")
        return name

    def begin(self, block):
        self.lines.append(f"{block}:")


@st.composite
def _values(draw, writer, known):
    """Draw a value: an id, the scalar, a counter, or a simple function of these."""
    name = draw(st.sampled_from(["lid.0", "lid.0", "gid.0", "n", *known]))
    number = draw(st.integers(0, 3))
    match draw(st.sampled_from(["plain", "number", "add", "and", "mul", "xor", "global"])):
        case "plain":
            return name
        case "number":
            return f"{number}:i32"
        case "global":
            start = writer.value(f"mul gid.0, {LOCAL}:i32")
            return writer.value(f"add {start}, {name}")
        case operator:
            return writer.value(f"{operator} {name}, {number}:i32")


@st.composite
def _tests(draw, writer, known):
    one, other = draw(_values(writer, known)), draw(_values(writer, known))
    return writer.value(f"{draw(st.sampled_from(['eq', 'ult', 'ule']))} {one}, {other}")


def _access(draw, writer, known, arrays):
    """Write an access. With more arrays than two, what is read becomes known, and the last one is only read."""
    array = draw(st.sampled_from(arrays))
    offset = draw(_values(writer, known))
    width = draw(st.sampled_from([32, 32, 32, 64]))
    kinds = ["read"] if array == "C" else ["read", "write", "write", "same", "atomic"]
    match draw(st.sampled_from(kinds)):
        case "write":
            value = draw(_values(writer, known))
            if width == 64:
                value = writer.value(f"zext {value} to i64")
            writer.say(f"write i{width} {array}[{offset}] = {value}")
        case "same":
            writer.say(f"write i{width} {array}[{offset}] = 1:i{width}")
        case kind:
            found = writer.value(f"{kind} i{width} {array}[{offset}]")
            if len(arrays) > 2:
                narrow = writer.value(f"trunc {found} to i32") if width == 64 else found
                known.append(writer.value(f"and {narrow}, 3:i32"))


def _copy(draw, writer, known):
    """Write an asynchronous copy, mostly with the same arguments for all threads, and perhaps wait for it at once."""
    source, target = draw(st.sampled_from([("A", "T"), ("T", "A"), ("A", "A")]))
    start = writer.value(f"mul gid.0, {LOCAL}:i32")
    alike = ["0:i32", "0:i32", "1:i32", "n", start]
    offsets = [draw(st.sampled_from([*alike, "lid.0", *known])) for _ in range(2)]
    count = draw(st.sampled_from(["1:i32", "2:i32", f"{LOCAL}:i32", "n"]))
    step = draw(st.sampled_from(["", "", " step 2:i32", " step n"]))
    new = writer.value("any event i32")
    event = draw(st.sampled_from([new, new, *writer.events]))
    writer.say(f"barrier group same {', '.join([*offsets, count, event])}")
    found = writer.value(f"read i32 {source}[{offsets[0]}] for {count} event {event}")
    writer.say(f"write i32 {target}[{offsets[1]}] = {found} for {count}{step} event {event}")
    writer.events.append(event)
    if draw(st.booleans()):
        _wait(draw, writer)
        writer.say(f"barrier group {draw(st.sampled_from(['local', 'global', 'local global']))}")


def _wait(draw, writer):
    event = draw(st.sampled_from([writer.events[-1], *writer.events]))
    writer.say(f"barrier group same {event} waits {event}")


def _claim(draw, writer, known, arrays):
    """Write a store, perhaps something else, and the claim that the value is still there."""
    array = draw(st.sampled_from([name for name in arrays if name != "C"]))
    offset, value = draw(_values(writer, known)), draw(_values(writer, known))
    writer.say(f"write i32 {array}[{offset}] = {value}")
    match draw(st.sampled_from(["nothing", "nothing", "barrier", "access"])):
        case "barrier":
            writer.say(f"barrier group {draw(st.sampled_from(['local', 'global']))}")
        case "access":
            _access(draw, writer, known, arrays)
    found = writer.value(f"peek i32 {array}[{offset}]")
    writer.say(f"assert {writer.value(f'eq {found}, {value}')}")


def _statement(draw, writer, known, loops, ends, arrays):  # noqa: C901  (a case for each kind)
    """Write a statement. `ends` are the blocks behind the loops around it."""
    kinds = ["access"] * 5 + ["barrier"] * 3 + ["if", "if", "return"] + (["break"] if ends else [])
    kinds += ["loop", "bottom"] if len(ends) < loops else []
    kinds += ["assert"] if len(arrays) > 2 else []
    kinds += ["claim"] * 4 if writer.peeks else []
    kinds += ["copy"] * 4 if writer.copies else []
    kinds += ["wait"] * 2 if writer.events else []
    match draw(st.sampled_from(kinds)):
        case "access":
            _access(draw, writer, known, arrays)
        case "assert":
            writer.say(f"assert {draw(_tests(writer, known))}")
        case "copy":
            _copy(draw, writer, known)
        case "wait":
            _wait(draw, writer)
        case "claim":
            _claim(draw, writer, known, arrays)
        case "barrier":
            writer.say(f"barrier group{draw(st.sampled_from([' local', ' global', ' local global', '']))}")
        case "if" | "return" | "break" as kind:
            test = draw(_tests(writer, known))
            then, after = writer.fresh("then"), writer.fresh("after")
            writer.say(f"branch {test} ? {then} : {after}")
            writer.begin(then)
            if kind == "if":
                _statements(draw, writer, known, loops, ends, arrays)
                writer.say(f"jump {after}")
            else:
                writer.say("return" if kind == "return" else f"jump {ends[-1]}")
            writer.begin(after)
        case "loop":
            _loop(draw, writer, known, loops, ends, arrays)
        case "bottom":
            _bottom_loop(draw, writer, known, loops, ends, arrays)


def _loop(draw, writer, known, loops, ends, arrays):
    """A loop that is tested at its top: `for (i = 0; i < end; i++)`, with candidates."""
    head, body, after, counter = (writer.fresh(word) for word in ("head", "body", "after", "i"))
    end = draw(st.sampled_from(["n", "lid.0", "2:i32", *known[-1:]]))
    writer.say(f"jump {head}(0:i32)")
    writer.begin(f"{head}({counter}: i32)")
    _candidates(draw, writer, counter)
    test = writer.value(f"ult {counter}, {end}")
    writer.say(f"branch {test} ? {body} : {after}")
    writer.begin(body)
    _statements(draw, writer, [*known, counter], loops, [*ends, after], arrays)
    following = writer.value(f"add {counter}, 1:i32")
    writer.say(f"jump {head}({following})")
    writer.begin(after)


def _bottom_loop(draw, writer, known, loops, ends, arrays):
    """A loop that is tested at its bottom: `do ... while (++i < end)`."""
    head, after, counter = (writer.fresh(word) for word in ("head", "after", "i"))
    end = draw(st.sampled_from(["n", "lid.0", "2:i32", *known[-1:]]))
    writer.say(f"jump {head}(0:i32)")
    writer.begin(f"{head}({counter}: i32)")
    _candidates(draw, writer, counter)
    _statements(draw, writer, [*known, counter], loops, [*ends, after], arrays)
    following = writer.value(f"add {counter}, 1:i32")
    test = writer.value(f"ult {following}, {end}")
    writer.say(f"branch {test} ? {head}({following}) : {after}")
    writer.begin(after)


def _candidates(draw, writer, counter):
    if draw(st.booleans()):
        writer.say(f"candidate {writer.value(f'uniform {counter}')}")
        writer.say(f"candidate {writer.value('uniform enabled')}")
        copies = ("put.T", "fetch.T", "put.A", "fetch.A") if writer.copies else ()
        for flag in ("write.T", "read.T", "write.A", "read.A", *copies):
            writer.say(f"candidate {writer.value(f'not {flag}')}")


def _statements(draw, writer, known, loops, ends, arrays):
    known, events = list(known), list(writer.events)
    for _ in range(draw(st.integers(1, 3))):
        _statement(draw, writer, known, loops, ends, arrays)
    writer.events = events


@st.composite
def kernels(draw, *, loops=2, reads=False, peeks=False, copies=False):
    """Draw kernels with loops at most so deep."""
    writer, known = _Writer(peeks=peeks, copies=copies), []
    arrays = ["T", "A", "P", "C"] if reads else ["T", "A"]
    writer.begin("entry")
    for _ in range(draw(st.integers(1, 4))):
        _statement(draw, writer, known, loops, [], arrays)
    writer.say("return")
    declared = [f"{SPACES[name]} {name}: i32" for name in arrays]
    return parse("\n".join(["kernel random", *declared, "scalar n: i32", *writer.lines]))


def faults(kernel, scalars=SCALARS, contents=(None,), *, backwards=False, warp=0, waits_fence=False):
    """Return the kinds of the faults of a kernel, by running all threads of the launch for each value of the scalar.

    All arrays hold zeros at first, or what each function of `contents` says of a place. Between two barriers, threads
    run one after the other, the last one first if they run `backwards`. `warp` and `waits_fence` are the launch's.
    """
    sizes = {"lsize.0": LOCAL, "groups.0": GROUPS} | {
        f"{word}.{number}": 1 for word in ("lsize", "groups") for number in (1, 2)
    }
    everyone = list(threads(sizes))[:: -1 if backwards else 1]
    runs = [
        Runner(kernel, sizes, {"n": value}, contents=held, warp=warp, waits_fence=waits_fence).run(everyone)
        for value in scalars
        for held in contents
    ]
    return {fault.kind for run in runs for fault in run.faults}
