"""Accesses through pointers stand where they are made: in hangs, and in SARIF, in a loop and through a function."""

import json

import pytest

SOURCE = """
void put(__global int *q, int x) {
    *q = x;
}
__kernel void k(__global int *a) {
    __global int *p = a;
    p = p + 1;
    put(p, get_local_id(0));
}
__kernel void waits(volatile __global int *a) {
    volatile __global int *p = a + 1;
    p--;
    while (
        *p == 0)
        ;
}
"""


@pytest.mark.full
def test_an_access_of_a_hang_stands_where_it_is_made(synth, kernels):
    path = kernels(SOURCE, name="k.cl")
    said = synth("kernel", "need", path, "--kernel", "waits", "--arg", "a=0:2", "--workgroups", "1")
    assert "k.cl:14" in said.out
    assert "k.cl:11" not in said.out
    assert "k.cl:12" not in said.out


@pytest.mark.full
def test_sarif_has_an_access_through_a_function_at_the_line_of_the_function(synth, kernels, tmp_path):
    path = kernels(SOURCE, name="k.cl")
    synth("verify", path, "--kernel", "k", "--local-size", "2", "--num-groups", "1", "--sarif", tmp_path / "s.sarif")
    (result,) = json.loads((tmp_path / "s.sarif").read_text())["runs"][0]["results"]
    assert {location["physicalLocation"]["region"]["startLine"] for location in result["locations"]} == {3}
