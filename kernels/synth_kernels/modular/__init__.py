"""Verify kernels and the functions that they call one by one, each by the contracts of the others.

A function that is not inlined is a kernel of its own: two threads come to it with arbitrary parameters, each of them
makes the call or not, and accesses of what ran before may be pending. What is known of that are its preconditions,
which each call guarantees. Behind a call, what the function may have changed is arbitrary, but for its postconditions.
"""
