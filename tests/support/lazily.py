"""Modules that are imported where a test first uses them: each process of pytest reads all files, and runs some."""

import importlib.util
import sys


def lazily(name):
    """The module of this name, which is executed when something of it is asked for."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.find_spec(name)
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
