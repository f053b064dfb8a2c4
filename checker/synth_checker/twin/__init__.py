"""The slow and obvious Python version of everything the C++ core decides.

One module for each, written from the definitions and sharing no code with the core: for tests, and for whoever must
not trust the fast one.
"""
