"""A loop that a large counter ends: where a limit ends the search, the answer names the loop."""

import pytest

SOURCE = """
__kernel void waits(__global int *flag, __global int *out) {
    int n = 0;
    while (atomic_add(flag, 0) == 0 && n < 1000000)
        n++;
    out[0] = n;
}
__kernel void volatile_flag(volatile __global int *flag, __global int *out) {
    int s = 0;
    for (int i = 0; i < 2; i++) s += i;
    for (int n = 0; n < 1000000; n++) {
        if (*flag) break;
    }
    out[0] = s;
}
__kernel void down(__global int *flag, __global int *out) {
    int n = 1000000;
    do { if (atomic_or(flag, 0)) break; } while (--n);


    for (int i = 0; i < 1000000; i += 2) if (atomic_or(flag, 0)) return;
}
__kernel void count_first(__global int *flag, __global int *out) {
    for (int n = 0; n < 1000000 && !atomic_or(flag, 0); n++);
}
"""
LINES = {"waits": [4], "volatile_flag": [11], "down": [18, 21], "count_first": [24]}


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "limit"),
    [
        *((name, "states") for name in ("waits", "volatile_flag", "down")),
        ("waits", "time"),
        ("count_first", "states"),
    ],
)
def test_a_loop_of_a_million_rounds_is_named_when_a_limit_ends_the_search(synth, kernels, monkeypatch, name, limit):
    path = kernels(SOURCE, name="k.cl")
    words = ("kernel", "need", path, "--kernel", name, "--arg", "flag=0:1", "--arg", "out=0:1", "--workgroups", "1")
    if limit == "states":
        monkeypatch.setattr("synth_kernels.needs.MOST_STATES", 500)
        said = synth(*words)
    else:
        said = synth(*words, "--time-limit", "1s")
    where = ", ".join(f"{path}:{line}" for line in LINES[name])
    assert (said.code, said.out) == (75 if limit == "time" else 2, "")
    assert said.err.endswith(
        f"; a counter ends the loop at {where}, and each count makes more states: let it count fewer\n"
    )


@pytest.mark.full
def test_a_loop_that_only_counts_rounds_is_named_in_the_answer(synth, kernels):
    path = kernels(SOURCE.replace("1000000", "3"), name="k.cl")
    words = ("kernel", "need", path, "--arg", "flag=0:1", "--arg", "out=0:1", "--workgroups", "1")
    for name, lines in (("volatile_flag", [11]), ("waits", [])):  # what waits counts is used, too
        said = synth(*words, "--kernel", name).out
        assert [line for line in range(1, 30) if f":{line}: a counter ends this loop" in said] == lines
