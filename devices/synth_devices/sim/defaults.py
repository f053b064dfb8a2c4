"""How `synth sim` and `synth.simulate` launch a test unless the caller says something else."""

from __future__ import annotations

#: How many workgroups a launch has at most, unless instances are asked for. It is `synth_backends.target.PAPER`, but to
#: import that would make the help slow.
WORKGROUPS = 65_535
MAPPING = "round-robin"
SCHEDULER = "linear"
LAUNCHES = 20
