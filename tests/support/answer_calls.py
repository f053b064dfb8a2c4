"""Calls of commands that print JSON, by the name of its schema, and what these calls are about."""

import json

import rodin_projects
from others import DESCRIPTION, KERNEL, TABLE, lay
from others import LINES as LINES_FILE

#: A program with no-ops, which some of the models below see.
NO_OPS = "no-ops.txt"
#: The same program again, and one that is no test.
GIVEN = "given.txt"
#: A verdict that is not the core's.
WRONG = "wrong.csv"
#: A corpus that says it has fewer tests than it has.
FAULTY = "faulty.corpus"
NEVER = ["--name", "never-sometimes-always"]
#: A setting of the machines of a GPU, in which nothing is unbounded.
GUARANTEES = ("machine", "guarantees", "@gpu", "--setting", "SM=1,nb_kernel_threads=2")
SMALL_GPU = [f"--set={word}" for word in ("SM=1", "nb_kernel_threads=1", "warp=1", "c=0", "duration=1")]
SMALL_GPU += ["--limit=WAIT: t = T_ev", "--limit=tick: t = T_ev", "--limit=bloc_stop: t = T_ev", "--steps=4"]
#: What is called, by the name of the schema; each prints JSON on standard output.
CALLS = [
    ("audit", ["audit", "2x2.certificate", "--json"]),
    ("audit", ["audit", "2x2.certificate", "--checker", "false", "--json"]),
    ("campaign-analyse", ["campaign", "analyse", "sim.campaign", "--json"]),
    ("campaign-analyse", ["campaign", "analyse", "table.campaign", "--json"]),
    ("campaign-bundle", ["campaign", "bundle", "--device", "bundle:cpp", "mutex", "--out", "new", "--zip", "--json"]),
    ("campaign-bundle", ["campaign", "bundle", "--device", "bundle:cpp", "mutex", "--out", "new", "--json"]),
    ("campaign-collect", ["campaign", "collect", LINES_FILE, "--out", "new.campaign", "--json"]),
    ("campaign-compare", ["campaign", "compare", "sim.campaign", "sim.campaign", "--json"]),
    ("campaign-explain", ["campaign", "explain", "sim.campaign", "--slots", "1,2", "--order", "linear", "--json"]),
    ("campaign-export", ["campaign", "export", "sim.campaign"]),
    ("campaign-export", ["campaign", "export", "table.campaign"]),
    ("campaign-import", ["campaign", "import", TABLE, "--describe", DESCRIPTION, "--out", "new.campaign", "--json"]),
    ("campaign-next", ["campaign", "next", "sim.campaign", "--from", "@minimal/2x2", "--json"]),
    ("campaign-run", ["campaign", "run", "sim.campaign", "--json"]),
    ("campaign-status", ["campaign", "status", "sim.campaign", "--json"]),
    ("campaign-table", ["campaign", "table", "sim.campaign", *NEVER, "--format", "json"]),
    ("certify", ["certify", "@complete/2x2", "--out", "new.certificate", "--json"]),
    ("check", ["check", "mutex", "--json"]),
    ("check", ["check", "mutex", "--json", "--certify", "--model", "OBE.weak"]),
    ("check", ["check", NO_OPS, "--json", "--model", "mine = stepped"]),
    ("corpus-diff", ["corpus", "diff", "@minimal/2x2", "@complete/2x3", "--json"]),
    ("corpus-diff", ["corpus", "diff", "stepped.corpus", "live.corpus", "--json"]),
    ("corpus-import", ["corpus", "import", NO_OPS, GIVEN, "--format", "text", "--out", "new.corpus", "--json"]),
    ("corpus-import", ["corpus", "import", WRONG, "--format", "csv", "--out", "new.corpus", "--json"]),
    ("corpus-validate", ["corpus", "validate", "live.corpus", "--json"]),
    ("corpus-validate", ["corpus", "validate", FAULTY, "--json"]),
    ("crosscheck", ["crosscheck", "--bounds", "2x2", "--engine", "explicit,sat", "--json"]),
    ("device-health", ["device", "health", "sim", "--json"]),
    ("device-health", ["device", "health", "sim", "--expected", "Radeon", "--json"]),
    ("device-list", ["device", "list", "sim", "--json"]),
    ("device-show", ["device", "show", "sim", "--json"]),
    ("emit", ["emit", "mutex", "--target", "cpp,opencl", "--out", "new", "--json"]),
    ("enumerate-count-only", ["enumerate", "--bounds", "2x2", "--count-only", "--json"]),
    ("enumerate-count-only", ["enumerate", "--bounds", "2x3", "--minimal", "--count-only", "--json"]),
    ("explain", ["explain", "mutex", "--model", "HSA.weak", "--json"]),
    ("explain", ["explain", NO_OPS, "--model", "OBE.strong", "--json"]),
    ("find", ["find", "--pass", "OBE.weak", "--fail", "HSA.weak", "--bounds", "2x2,2x3", "--json"]),
    ("find", ["find", "--pass", "OBE.weak", "--fail", "HSA.weak", "--bounds", "2x3", "--all", "--json"]),
    ("find", ["find", "--pass", "OBE.weak", "--fail", "LOBE.weak", "--bounds", "2x2", "--json"]),
    ("job-gc", ["job", "gc", "it.job", "--json"]),
    ("job-list", ["job", "list", "it.job", "--json"]),
    ("job-plan", ["job", "plan", "--bounds", "2x2", "--minimal", "--sample-seconds", "0.1", "--json"]),
    ("job-resume", ["job", "resume", "it.job", "--json"]),
    ("job-start", ["job", "start", "--bounds", "2x2", "new.job", "--json"]),
    ("job-status", ["job", "status", "it.job", "--json"]),
    ("job-stop", ["job", "stop", "it.job", "--json"]),
    ("job-work", ["job", "work", "it.job", "--json"]),
    ("kernel-check", ["kernel", "check", KERNEL, "--arg", "T=0:4", "--workgroups", "1", "--json"]),
    ("kernel-explain", ["kernel", "explain", KERNEL, "--arg", "T=0:4", "--model", "OBE.weak", "--json"]),
    ("kernel-need", ["kernel", "need", KERNEL, "--arg", "T=0:4", "--local-size", "2", "--json"]),
    ("lattice", ["lattice", "2x2", "--model", "HSA,OBE", "--json"]),
    ("machine-animate", ["machine", "animate", "@gpu", *SMALL_GPU, "--component", "kernel", "--seed", "1", "--json"]),
    ("machine-validate", ["machine", "validate", "@gpu", "--json"]),
    ("machine-compare", ["machine", "compare", "rodin", "--json"]),
    ("machine-guarantees", [*GUARANTEES, "--tests", "@complete/2x2", "--json"]),
    ("machine-obligations", ["machine", "obligations", "@gpu", "--component", "GPU", "--json"]),
    ("machine-replay", ["machine", "replay", "@gpu", "trace.json", "--json"]),
    ("machine-run-test", ["machine", "run", "--test", "0011-00_0", "--json"]),
    ("machine-run", ["machine", "run", "--threads", "3", "--warp", "2", "--json"]),
    ("machine-replay", ["machine", "replay", "@gpu", "rejected.json", "--json"]),
    ("machine-prove", ["machine", "prove", "@gpu", "--component", "GPU", "--json"]),
    ("machine-prove", ["machine", "prove", "@gpu-printed", "--obligation", "EXECUTION/say1", "--json"]),
    ("model-equal", ["model", "equal", "HSA", "OBE", "--json"]),
    ("model-equal", ["model", "equal", "LOBE", "live & upto(stepped)", "--json"]),
    ("model-list", ["model", "list", "--json"]),
    ("model-show", ["model", "show", "HSA", "--json"]),
    ("sim-attack", ["sim", "attack", "0011-00_0", "--verdict", "OBE.strong", "--json"]),
    ("sim-attack", ["sim", "attack", "0011", "--verdict", "OBE.strong", "--json"]),
    ("sim-replay", ["sim", "replay", "0011-00_0", "attack.txt", "--verdict", "OBE.strong", "--json"]),
    ("sim-replay", ["sim", "replay", "0011-00_0", "attack.txt", "--json"]),
    ("sim-list", ["sim", "list", "--json"]),
    ("sim-power", ["sim", "power", "@minimal/2x2", "--json"]),
    ("sim-run", ["sim", "run", "mutex", "--instances", "20", "--launches", "2", "--json"]),
    ("sim-show", ["sim", "show", "linear", "--json"]),
    ("separate", ["separate", "LOBE.weak", "OBE.weak", "--json"]),
    ("show", ["show", "mutex", "--json"]),
    ("show", ["show", NO_OPS, "--json"]),
    ("shrink", ["shrink", "mutex", "--keep", "OBE.weak=pass,HSA=fail", "--json"]),
    ("shrink", ["shrink", "mutex", "--json"]),
    ("suite", ["suite", "--model", "HSA.weak", "--from", "@complete/2x2", "--json"]),
    ("suite", ["suite", "--from", "@complete/2x2", "--cover", "idioms,signatures", "--redundancy", "2", "--json"]),
    ("verify", ["verify", KERNEL, "--json"]),
    ("verify-intervals", ["verify", KERNEL, "--intervals", "--json"]),
    ("verify-assert", ["verify", KERNEL, "--assert", "--local-size", "4", "--num-groups", "1", "--json"]),
    (
        "verify-equals",
        ["verify", KERNEL, "--equals", f"{KERNEL}:k", "--local-size", "4", "--num-groups", "1", "--json"],
    ),
    ("verify-assume-least", ["verify", KERNEL, "--assume-least", "--json"]),
    ("verify-banks", ["verify", KERNEL, "--banks", "today", "--json"]),
]


#: Corpora and jobs that calls name, and what makes them.
MADE = {
    "sim.campaign": [
        *("campaign", "run", "--device", "sim", "--mapping", "chunked", "--instances", "20"),
        *("--launches", "2", "00_0-0011"),
    ],
    "table.campaign": ["campaign", "import", TABLE, "--describe", DESCRIPTION, "--out", "table.campaign"],
    "stepped.corpus": ["enumerate", "--bounds", "2x2", "--model", "mine = stepped", "--out", "stepped.corpus"],
    "live.corpus": ["enumerate", "--bounds", "2x2", "--model", "mine = live", "--out", "live.corpus"],
    FAULTY: ["enumerate", "--bounds", "2x2", "--out", FAULTY],
    "attack.txt": ["sim", "attack", "0011-00_0", "--verdict", "OBE.strong", "--out", "attack.txt"],
    "2x2.certificate": ["certify", "@complete/2x2", "--out", "2x2.certificate"],
    "it.job": ["job", "start", "it.job", "--bounds", "2x2"],
}


def lay_for_calls(folder, unusual):
    """Write what the calls name into a folder. `unusual` is a program with no-ops."""
    (folder / NO_OPS).write_text(unusual)
    (folder / WRONG).write_text("id,fair.weak\n00_0-0011,fail\n")
    lay(folder)
    with (folder / LINES_FILE).open("a") as file:
        file.write("nothing\n")  # a line that does not count
    (folder / GIVEN).write_text(f"{unusual}\n// no test\nTHREAD 0\n0: Mem[0] = 1;\n")
    rodin_projects.lay(folder / "rodin")
    setting = {"SM": "1", "nb_kernel_threads": "1", "warp": "1", "c": "0", "duration": "1"}
    start = {"event": "INITIALISATION", "parameters": {}, "chosen": {"GPU_OCC": "TRUE"}}
    for name, steps in (("trace.json", [start]), ("rejected.json", [start, start])):
        (folder / name).write_text(json.dumps({"machine": "kernel", "setting": setting, "steps": steps}))
