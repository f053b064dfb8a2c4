"""Run emitted shaders one step or one workgroup at a time: GLSL, SPIR-V and WGSL on SwiftShader, through wgpu.

wgpu takes WGSL and the binary of SPIR-V. For steps, a shader gets an entry point that takes the step of each case, on
memory of its own. The buffer `cases` says how many words of memory and flags a case has, and then the thread and the
location of each. Afterwards the next location stands in the place of the thread.
"""

import functools

from shaders import assembled, compiled_glsl, compiled_wgsl, webgpu_device
from steps import cases_of, places_by_counting, steps_in_a_row

EXPLORE_GLSL = """
layout(set = 0, binding = 2) buffer Cases { uint cases[]; };

void main() {
    const uint k = gl_WorkGroupID.x, at = 2u + 2u * k;
    cases[at] = take_step(cases[at], cases[at + 1u], k * cases[0], k * cases[1]);
}
"""
EXPLORE_WGSL = """
@group(0) @binding(2) var<storage, read_write> cases: array<u32>;

@compute @workgroup_size(1)
fn explore(@builtin(workgroup_id) id: vec3u) {
    let at = 2u + 2u * id.x;
    cases[at] = take_step(cases[at], cases[at + 1u], id.x * cases[0], id.x * cases[1]);
}
"""
CASES_SPIRV = """
%cases = OpVariable %pointer_to_buffer StorageBuffer
%case_0 = OpConstant %uint 0
%case_1 = OpConstant %uint 1
%case_2 = OpConstant %uint 2
"""
EXPLORE_SPIRV = """%main = OpFunction %void None %action
%main_start = OpLabel
%id = OpLoad %uint3 %workgroup_id
%k = OpCompositeExtract %uint %id 0
%pairs = OpIMul %uint %k %case_2
%at = OpIAdd %uint %pairs %case_2
%at_pc = OpIAdd %uint %at %case_1
%pointer = OpAccessChain %pointer_to_word %cases %case_0 %at
%pointer_to_pc = OpAccessChain %pointer_to_word %cases %case_0 %at_pc
%pointer_to_words = OpAccessChain %pointer_to_word %cases %case_0 %case_0
%pointer_to_flags = OpAccessChain %pointer_to_word %cases %case_0 %case_1
%tid = OpLoad %uint %pointer
%pc = OpLoad %uint %pointer_to_pc
%words_of_case = OpLoad %uint %pointer_to_words
%flags_of_case = OpLoad %uint %pointer_to_flags
%region = OpIMul %uint %k %words_of_case
%first_flag = OpIMul %uint %k %flags_of_case
%next = OpFunctionCall %uint %take_step %tid %pc %region %first_flag
OpStore %pointer %next
OpReturn
OpFunctionEnd
"""


def _cut(text, mark):
    """Return what stands before and after a mark that occurs once."""
    before, after = text.split(mark)
    return before, after


def _exploring_glsl(source):
    return _cut(source, "void main() {")[0] + EXPLORE_GLSL


def _exploring_wgsl(source):
    return source + EXPLORE_WGSL


def _exploring_spirv(source):
    binding = "OpDecorate %flags Binding 1\n"
    variable = "%flags = OpVariable %pointer_to_buffer StorageBuffer\n"
    before, after = _cut(_cut(source, "%main = OpFunction ")[0], binding)
    between, rest = _cut(after, variable)
    binding += "OpDecorate %cases DescriptorSet 0\nOpDecorate %cases Binding 2\n"
    return before + binding + between + variable + CASES_SPIRV + rest + EXPLORE_SPIRV


def _glsl(source, folder):
    return webgpu_device().create_shader_module(code=compiled_glsl(source, folder))


def _spirv(source, folder):
    return webgpu_device().create_shader_module(code=assembled(source, folder))


def _wgsl(source, _folder):
    return compiled_wgsl(source)


#: For each target: the source with the entry point for steps, the module of a source, and both entry points.
LANGUAGES = {
    "glsl": (_exploring_glsl, _glsl, "main", "main"),
    "spirv": (_exploring_spirv, _spirv, "main", "main"),
    "wgsl": (_exploring_wgsl, _wgsl, "explore", "run"),
}


def pipeline_of(module, entry_point, buffers):
    """Return a pipeline with all bindings, including those that a faulty shader does not use."""
    import wgpu

    device = webgpu_device()
    storage = {"visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": "storage"}}
    group = device.create_bind_group_layout(entries=[{"binding": k, **storage} for k in range(buffers)])
    layout = device.create_pipeline_layout(bind_group_layouts=[group])
    return device.create_compute_pipeline(layout=layout, compute={"module": module, "entry_point": entry_point})


def launched(pipeline, workgroups, *arrays):
    """Run a pipeline over arrays of 32-bit words, and return the arrays after it."""
    import numpy as np
    import wgpu

    device = webgpu_device()
    usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
    buffers = [device.create_buffer_with_data(data=np.array(array, np.uint32), usage=usage) for array in arrays]
    entries = [{"binding": k, "resource": {"buffer": buffer}} for k, buffer in enumerate(buffers)]
    group = device.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=entries)
    encoder = device.create_command_encoder()
    compute = encoder.begin_compute_pass()
    compute.set_pipeline(pipeline)
    compute.set_bind_group(0, group)
    compute.dispatch_workgroups(workgroups)
    compute.end()
    device.queue.submit([encoder.finish()])
    return [device.queue.read_buffer(buffer).cast("I").tolist() for buffer in buffers]


def _steps(programs, sources, folder, target):
    exploring, module_of, entry_point, _ = LANGUAGES[target]
    found = []
    for threads, source in zip(programs, sources, strict=True):
        cases = cases_of(threads)
        before = [value for _, _, memory in cases for value in memory]
        empty = [0] * (len(cases) * len(threads))
        asked = [threads.locations(), len(threads), *(each for tid, pc, _ in cases for each in (tid, pc))]
        pipeline = pipeline_of(module_of(exploring(source), folder), entry_point, 3)
        memory, flags, told = launched(pipeline, len(cases), before, empty, asked)
        found.append(steps_in_a_row(threads, told[2::2], memory, flags))
    return found


def _places(launches, sources, folder, number, target):
    _, module_of, _, entry_point = LANGUAGES[target]
    found = []
    for (launch, words), source in zip(launches, sources, strict=True):
        pipeline = pipeline_of(module_of(source, folder), entry_point, 2)
        empty = [0] * words, [0] * (launch.threads * launch.instances) + [number]

        def ran(workgroups, pipeline=pipeline, empty=empty):
            memory, flags = launched(pipeline, workgroups, *empty)
            return memory + flags[:-1]

        found.append(places_by_counting(launch, words, ran))
    return found


def _memory_of_stress(launch, words, source, folder, target):
    _, module_of, _, entry_point = LANGUAGES[target]
    pipeline = pipeline_of(module_of(source, folder), entry_point, 2)
    return launched(pipeline, launch.stress, [0] * words, [0] * (launch.threads * launch.instances))[0]


STEPS = {target: functools.partial(_steps, target=target) for target in LANGUAGES}
PLACES = {target: functools.partial(_places, target=target) for target in LANGUAGES}
MEMORY = {target: functools.partial(_memory_of_stress, target=target) for target in LANGUAGES}
