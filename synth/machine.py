"""The commands below `synth machine` as functions (`synth.calls`)."""

from __future__ import annotations

from synth.calls import functions_of

__all__, __getattr__ = functions_of("machine")
