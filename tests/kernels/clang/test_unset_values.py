"""A variable that nothing has set holds any value, each thread its own: in branches, loops, structures and arrays."""

import json

import pytest

#: Bodies in which a variable is not set on some path, so that threads may write to one place. `T` is a thread's id.
RACES = {
    "branch": "int i; if (a[9]) i = T; a[i] = T;",
    "switch": "int i; switch (a[9]) { case 0: i = T; break; case 1: i = T; } a[i] = T;",
    "loop": "int i; for (int n = 0; n < a[9]; n++) i = T; a[i] = T;",
    "structure": "struct { int x, y; } s; s.x = T; a[s.y] = T;",
    "array": "int t[2]; t[0] = T; a[t[1]] = T;",
}
SET = {
    "branch_set": "int i; if (a[9]) i = T; else i = T; a[i] = 1;",
    "structure_set": "struct { int x, y; } s; s.x = T; s.y = s.x; a[s.y] = 1;",
    "array_set": "int t[2]; t[0] = T; t[1] = T; a[t[1]] = 1;",
}
LANGUAGES = {
    "cl": "#define T ((int)get_local_id(0) + 10)\n#define KERNEL(N) __kernel void N(__global int *a)\n",
    "cu": "#define T ((int)threadIdx.x + 10)\n#define KERNEL(N) __global__ void N(int *a)\n",
}


@pytest.mark.full
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unset_value_may_be_anything(synth, kernels, language):
    text = "\n".join(f"KERNEL({name}_) {{ {body} }}" for name, body in {**RACES, **SET}.items())
    path = kernels(LANGUAGES[language] + text, name=f"k.{language}")
    said = synth("verify", path, "--local-size", "2", "--num-groups", "1", "--json").out
    verdicts = {answer["kernel"].rstrip("_"): answer["verdict"] for answer in map(json.loads, said.splitlines())}
    assert verdicts == {**dict.fromkeys(RACES, "race"), **dict.fromkeys(SET, "verified")}


@pytest.mark.full
def test_a_hang_names_the_unset_value_that_causes_it(synth, kernels, tmp_path):
    text = "__kernel void k(__global int *f) {\n    int i;\n    while (atomic_add(f, 0) == 0 && i == 7) ;\n}\n"
    said = synth("kernel", "need", kernels(text, name="k.cl"), "--arg", "f=0:1", "--workgroups", "1")
    assert said.code == 0
    assert said.out.startswith("k may hang under every model")
    assert f"i ({tmp_path / 'k.cl'}:2) is not set, and holds 7 for group 0, thread 0." in said.out


@pytest.mark.full
@pytest.mark.parametrize("words", [(), ("--optimise",)])
def test_lanes_that_a_longer_vector_gets_from_nowhere_are_arbitrary(synth, kernels, words):
    texts = (
        "__kernel void k(__global int *a, __global int3 *v) { if (as_int4(v[0]).w) a[0] = get_local_id(0); }",
        "__kernel void l(__global int *a) { int4 v = as_int4((int3)(0)); a[0] = v.w & 1; }",
        "int f(int x) { if (x > 3) return 2; }",
        "__kernel void r(__global int *a) { if (f(get_local_id(0))) a[0] = get_local_id(0); }",
    )
    said = synth("verify", kernels(*texts, name="k.cl"), "--local-size", "2", "--num-groups", "1", *words)
    assert [line for line in said.out.splitlines() if line.endswith(": race")] == ["k: race", "l: race", "r: race"]


@pytest.mark.full
@pytest.mark.parametrize("words", [(), ("--optimise",)])
def test_a_function_that_ends_without_its_value_is_a_fault_in_cuda(synth, kernels, words):
    function = "__device__ int f(int x) { if (x > 0) return 2; }"
    path = kernels(function, "__global__ void k(int *a) { a[threadIdx.x] = f(threadIdx.x); }", name="k.cu")
    said = synth("verify", path, "--local-size", "2", "--num-groups", "1", *words)
    assert (said.out.startswith("k: assertion"), "the end of a function without its value" in said.out) == (True, True)
    refused = synth("kernel", "need", path, "--arg", "a=0:4")
    assert "comes to the end of a function without its value" in refused.err


@pytest.mark.full
def test_a_variable_past_whose_declaration_a_jump_leads_is_named(synth, kernels):
    body = "switch (n) { case 0:; int y = 1; break; case 1: a[y] = get_local_id(0); }"
    path = kernels(f"__kernel void k(__global int *a, int n) {{ {body} }}", name="k.cl")
    said = synth("verify", path, "--local-size", "2", "--num-groups", "1")
    assert (said.out.startswith("k: race"), "Note: y (" in said.out) == (True, True)


@pytest.mark.full
def test_notes_name_unset_values_as_the_source_does(synth, kernels):
    lines = (
        "int f(int x) { if (x > 3) return 2; }",
        "__kernel void r(__global int *a) { a[f(get_local_id(0))] = get_local_id(0); }",
        "__kernel void d(__global int *a) { if (((-2147483647 - 1) / -1) == 5) a[0] = get_local_id(0); }",
        "__kernel void p(__global int *a) { int t[4]; a[t[0]] = get_local_id(0); }",
    )
    said = synth("verify", kernels(*lines, name="k.cl"), "--local-size", "2", "--num-groups", "1").out
    notes = [line.partition("Note: ")[2].partition(" (")[0] for line in said.splitlines() if "Note: " in line]
    assert (notes, said.count(": race\n")) == (["result", "t"], 3)
