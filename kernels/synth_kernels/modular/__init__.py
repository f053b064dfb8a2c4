"""Verify kernels and the functions that they call one by one, each by the contracts of the others.

A function that is not inlined is a kernel of its own. Two threads come to it with arbitrary parameters, and each of
them makes the call or not. Accesses of what ran before may be pending. Only its preconditions say more, which each call
guarantees. Behind a call, what the function may have changed is arbitrary, but for its postconditions.
"""
