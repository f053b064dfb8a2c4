"""Slow and simple Python versions of everything that the C++ core decides.

Each module follows the definitions directly and shares no code with the core. Tests compare the two, and a user who
does not want to trust the core can run these modules instead.
"""
