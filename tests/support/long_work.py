"""Programs that keep the core busy for seconds."""


def counting(threads, instructions):
    """Return a program whose threads each store 1 and 2 in turn, several threads to a location.

    All interleavings are states.
    """
    return "-".join("".join(f"{t % 4}0{k % 2 + 1}{k + 1}" for k in range(instructions)) for t in range(threads))


def ring(threads, size):
    """Return a program whose threads each loop until location 0 holds 1: few live sets and large components."""
    waiting = "".join(f"01_{k + 1}" for k in range(size - 1)) + "00_0"
    return "-".join(["0010", *[waiting] * (threads - 1)])


LARGE = counting(8, 5)  # has more states than are explored, which takes many seconds to find out
