"""Import scripts that are no modules of a package, such as those beside the documents."""

import importlib.util


def imported(path):
    """Return a script as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
