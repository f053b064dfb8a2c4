"""The commands below `synth model` as functions. Written by `make reference`; edit the options and not this file."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike

from synth_litmus.facts.model_facts import KnownModels
from synth_litmus.facts.model_facts import ModelDescription
from synth_litmus.facts.model_facts import ModelDifference
from synth_litmus.facts.model_facts import SameModels

def list(
) -> KnownModels:
    """List the models of the library, those that ship beside it, and those that packages have registered."""

def show(
    model: str,
    *,
    threads: int = 2,
) -> ModelDescription:
    """Show what a model says: its definition, its states, and how it compares with the six models of the library."""

def equal(
    first: str,
    second: str,
    *,
    threads: int = 5,
) -> SameModels | ModelDifference:
    """Say whether two models guarantee the same, and if not, after which shortest history they differ."""
