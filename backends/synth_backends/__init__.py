"""Code generators: they turn litmus tests into programs that run on real devices.

The module `target` has the interface and the functions to call. Each target is a module in `targets` and a folder of
`templates`.
"""
