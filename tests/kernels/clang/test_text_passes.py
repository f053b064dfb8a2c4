"""What the passes over the text of LLVM IR change, and what they leave as it is."""

import pytest

from synth_kernels.clang.inline_attributes import inline_all, inline_library
from synth_kernels.clang.overflow_marks import check_declarations, mark_arithmetic
from synth_kernels.clang.toolchain import STUBS

FUNCTIONS = f"""\
define spir_kernel void @kernel() #0 !dbg !3 {{
  call void @own() #3
}}
define void @own() #1 !dbg !4 {{
}}
define void @library() #1 !dbg !5 {{
}}
declare void @far() #2
attributes #0 = {{ convergent noinline "a"="b" }}
attributes #1 = {{ noinline optnone nounwind }}
attributes #2 = {{ noinline nounwind }}
attributes #3 = {{ convergent }}
!1 = !DIFile(filename: "own.cl", directory: "/")
!2 = !DIFile(filename: "{STUBS}/synth-collectives.h", directory: "/")
!3 = distinct !DISubprogram(name: "kernel", file: !1)
!4 = distinct !DISubprogram(name: "own", file: !1)
!5 = distinct !DISubprogram(name: "library", file: !2)
"""


def changes(text, changed):
    """Return the lines that are no longer there, and those that were not there, in their order."""
    before, after = (list(filter(None, lines.splitlines())) for lines in (text, changed))
    return [line for line in before if line not in after], [line for line in after if line not in before]


def test_all_groups_of_definitions_are_to_be_inlined():
    assert changes(FUNCTIONS, inline_all(FUNCTIONS)) == (
        ['attributes #0 = { convergent noinline "a"="b" }', "attributes #1 = { noinline optnone nounwind }"],
        ['attributes #0 = { alwaysinline convergent "a"="b" }', "attributes #1 = { alwaysinline nounwind }"],
    )


@pytest.mark.full  # needs clang, whose headers are of a library
def test_functions_of_libraries_have_groups_of_their_own_to_be_inlined():
    assert changes(FUNCTIONS, inline_library(FUNCTIONS)) == (
        ["define void @library() #1 !dbg !5 {"],
        [
            "define void @library() #110000 !dbg !5 {",
            'attributes #100000 = { alwaysinline convergent "a"="b" }',
            "attributes #110000 = { alwaysinline nounwind }",
            "attributes #120000 = { alwaysinline nounwind }",
            "attributes #130000 = { alwaysinline convergent }",
        ],
    )


def test_to_inline_all_twice_changes_nothing_more():
    once = inline_all(FUNCTIONS)
    assert inline_all(once) == once


@pytest.mark.parametrize(
    ("line", "wraps", "faults"),
    [
        (
            "add nsw i32 %a, 1, !dbg !7",
            "add i32 %a, 1, !dbg !7, !synth.signed !{}",
            'call i32 @"__synth_checked.add.i32"(i32 %a, i32 1), !dbg !7',
        ),
        (
            "mul nuw nsw i64 %a, %b",
            "mul i64 %a, %b, !synth.signed !{}",
            'call i64 @"__synth_checked.mul.i64"(i64 %a, i64 %b)',
        ),
        ("sdiv i32 %a, %b", "sdiv i32 %a, %b", 'call i32 @"__synth_checked.sdiv.i32"(i32 %a, i32 %b)'),
        ("add nuw i32 %a, 1", "add i32 %a, 1", "add i32 %a, 1"),
        ("udiv exact i32 %a, %b", "udiv i32 %a, %b", "udiv i32 %a, %b"),
        ("shl nsw i32 %a, 2", "shl i32 %a, 2", "shl i32 %a, 2"),
        (
            "sub <2 x i32> %a, %b, !dbg !7",
            "sub <2 x i32> %a, %b, !synth.signed !{}, !dbg !7",
            "sub <2 x i32> %a, %b, !dbg !7",
        ),
        (
            "load i32, ptr %p, align 4, !range !5, !noundef !6, !dbg !7",
            "load i32, ptr %p, align 4, !dbg !7",
            "load i32, ptr %p, align 4, !dbg !7",
        ),
        ("getelementptr inbounds i32, ptr %p, i64 1", *["getelementptr i32, ptr %p, i64 1"] * 2),
        ("add i32 %a, 1", "add i32 %a, 1", "add i32 %a, 1"),
        ("fadd nnan float %a, %b", "fadd nnan float %a, %b", "fadd nnan float %a, %b"),
        ("xor i32 %a, -1", "xor i32 %a, -1", "xor i32 %a, -1"),
    ],
)
def test_the_marks_of_an_operation(line, wraps, faults):
    assert [mark_arithmetic(f"  %r = {line}", overflow) for overflow in ("wrap", "fault")] == [
        f"  %r = {wraps}",
        f"  %r = {faults}",
    ]


def test_each_check_is_declared_once():
    checked = mark_arithmetic("  %r = add nsw i32 %a, 1\n  %s = add nsw i32 %r, 1\n  %t = sdiv i64 %b, 2", "fault")
    assert check_declarations(checked) == [
        'declare i32 @"__synth_checked.add.i32"(i32, i32)',
        'declare i64 @"__synth_checked.sdiv.i64"(i64, i64)',
    ]
