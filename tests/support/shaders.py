"""Compile emitted shaders and kernels: GLSL, SPIR-V, AmberScript, WGSL, TypeScript, web pages and Metal.

naga compiles WGSL, through `wgpu`, on SwiftShader, a device made of the processor. A C++ compiler reads Metal against
small stand-ins for Apple's headers (`stubs/`), which say what of them is used. `stubs/device.cpp` makes a device of
them, so that the host can run.
"""

import functools
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

import amber_script
from making import make

STUBS = Path(__file__).parents[1] / "backends" / "stubs"
SWIFTSHADER = Path("/usr/lib/chromium/vk_swiftshader_icd.json")
FOR_VULKAN = ["--target-env", "vulkan1.1"]


def run_quietly(*words, folder):
    """Run a compiler that prints nothing if there is no fault."""
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert (run.returncode, run.stdout + run.stderr) == (0, ""), run.stdout + run.stderr


def read_sources(folder, ending):
    return {path: path.read_text("utf-8") for path in sorted(folder.glob(f"*.{ending}"))}


# GLSL


def compiled_glsl(text, folder):
    """Return the SPIR-V of a shader, after the validator has accepted it."""
    (folder / "shader.comp").write_text(text, "utf-8")
    run_quietly("glslangValidator", "-V", "--quiet", *FOR_VULKAN, "-o", "shader.spv", "shader.comp", folder=folder)
    run_quietly("spirv-val", *FOR_VULKAN, "shader.spv", folder=folder)
    return (folder / "shader.spv").read_bytes()


def in_one_shader(sources):
    """Return shaders as one shader with the functions of all, because a compiler takes most of its time to start."""
    names = ["exchange", "add", "start", "finish", "stopped", "run_stress", "take_step", "main"]
    head, declared = [], "layout(set = 0, binding = 1) buffer Flags { uint flags[]; };\n"
    text = ""
    for number, source in enumerate(sources):
        before, found, after = source.partition(declared)
        assert found
        head = head or [line for line in before.splitlines() if not line.startswith("//")]
        comment = "".join(f"{line}\n" for line in before.splitlines() if line.startswith("//"))
        text += comment + "".join(f"#define {name} {name}_{number}\n" for name in names) + after
        text += "".join(f"#undef {name}\n" for name in names)
    calls = "".join(f"    main_{number}();\n" for number in range(len(sources)))
    return "\n".join([*head, declared, text, f"void main() {{\n{calls}}}\n"])


def check_shaders(sources, folder):
    """Compile shaders twenty at a time: the compiler takes a while to start, and long for a large shader."""
    for first in range(0, len(sources), 20):
        compiled_glsl(in_one_shader(sources[first : first + 20]), folder)


def check_glsl(folder):
    check_shaders(list(read_sources(folder, "comp").values()), folder)


def compile_glsl(folder):
    make(folder, "CFLAGS=-O2 -Wall -Wextra -Werror -Wconversion -Wshadow")
    for shader in sorted(folder.glob("build/*.spv")):
        run_quietly("spirv-val", *FOR_VULKAN, shader, folder=folder)


# SPIR-V


def assembled(text, folder):
    """Return the binary of an assembly text, after the validator has accepted it."""
    (folder / "shader.spvasm").write_text(text, "utf-8")
    run_quietly("spirv-as", *FOR_VULKAN, "-o", "shader.spv", "shader.spvasm", folder=folder)
    run_quietly("spirv-val", *FOR_VULKAN, "shader.spv", folder=folder)
    return (folder / "shader.spv").read_bytes()


def check_spirv(folder):
    for text in read_sources(folder, "spvasm").values():
        assembled(text, folder)


# AmberScript


def check_amber(folder):
    """Check each script by itself, and the shaders of all together."""
    scripts = [amber_script.read(text) for text in read_sources(folder, "amber").values()]
    check_shaders([text for script in scripts for text in script.shaders.values()], folder)


def compile_amber(folder):
    make(folder)
    for text in read_sources(folder, "amber").values():
        for shader in amber_script.read(text).shaders.values():
            compiled_glsl(shader, folder)


# WGSL


@functools.cache
def webgpu_device():
    """Return SwiftShader through wgpu; no test is skipped for lack of another device."""
    wgpu = pytest.importorskip("wgpu")
    if not SWIFTSHADER.exists():
        pytest.skip("SwiftShader, which Debian has in chromium-common, is not installed")
    os.environ["VK_ICD_FILENAMES"] = str(SWIFTSHADER)
    found = [
        adapter for adapter in wgpu.gpu.enumerate_adapters_sync() if adapter.info["device"].startswith("SwiftShader")
    ]
    return found[0].request_device_sync()


def chromium():
    """Return the path of the browser that has SwiftShader beside it."""
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("chromium is not installed")
    return found


def compiled_wgsl(text):
    """Return a shader module; a wrong shader raises an error."""
    return webgpu_device().create_shader_module(code=text)


def check_wgsl(folder):
    for text in read_sources(folder, "wgsl").values():
        compiled_wgsl(text)


def compile_wgsl(folder):
    """Compile all shaders and their pipelines, as the emitted host makes them."""
    make(folder)
    for text in read_sources(folder, "wgsl").values():
        module = compiled_wgsl(text)
        for entry_point in re.findall(r"^fn (run\w*)\(@builtin", text, re.MULTILINE):
            compute = {"module": module, "entry_point": entry_point}
            webgpu_device().create_compute_pipeline(layout="auto", compute=compute)


# JavaScript and TypeScript


def parsed_script(text):
    """Return the syntax tree of TypeScript, which includes JavaScript, and check that it has no errors."""
    import tree_sitter
    import tree_sitter_typescript

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_typescript.language_typescript()))
    root = parser.parse(text.encode("utf-8", "surrogatepass")).root_node
    assert not root.has_error, text
    return root


def nodes_of(tree):
    """Yield the nodes of a syntax tree in the order of the text."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        waiting += reversed(node.children)
        yield node


def shaders_of_script(text):
    """Return the values of the template literals that are shaders."""
    found = []
    for node in nodes_of(parsed_script(text)):
        if node.type == "template_string" and b"@compute" in node.text:
            assert not any(child.type == "template_substitution" for child in node.children)
            found.append(re.sub(r"\\(.)", r"\1", node.text.decode()[1:-1], flags=re.DOTALL))
    return found


class _Scripts(HTMLParser):
    """A parser that collects the scripts of a page, and finds their ends as a browser does."""

    def __init__(self):
        super().__init__()
        self.scripts = []
        self.is_inside = False

    def handle_starttag(self, tag, _attributes):
        self.is_inside = tag == "script"
        if self.is_inside:
            self.scripts.append("")

    def handle_endtag(self, _tag):
        self.is_inside = False

    def handle_data(self, data):
        if self.is_inside:
            self.scripts[-1] += data


def script_of_page(text):
    """Return the only script of a page."""
    page = _Scripts()
    page.feed(text)
    page.close()
    (script,) = page.scripts
    assert "<!--" not in script
    return script


def check_scripts(scripts):
    for script in scripts:
        for shader in shaders_of_script(script):
            compiled_wgsl(shader)


def check_cts(folder):
    check_scripts(read_sources(folder, "spec.ts").values())


def check_web(folder):
    check_scripts(script_of_page(text) for text in read_sources(folder, "html").values())


# Metal

METAL = ["g++", "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-attributes", f"-I{STUBS}"]


def check_metal(folder):
    for version in ("300", "320"):
        for source in sorted(folder.glob("*.metal")):
            run_quietly(*METAL, f"-D__METAL_VERSION__={version}", "-x", "c++", source, folder=folder)


def compile_metal(folder):
    check_metal(folder)
    run_quietly(*METAL, "-Wno-unused-function", "litmus.cpp", folder=folder)
