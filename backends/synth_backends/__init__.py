"""Code generators: litmus tests become programs that run on real devices.

`target` is the interface and the way in; each target is one module of `targets` and a folder of `templates`.
"""
