"""Random small kernels as source text in OpenCL C and CUDA, and an interpreter of the source language.

A kernel is a tree (`tree`) that is made at random (`making`), written as text (`writing`) and run as it stands
(`interpreting`), byte by byte, and without any compiler.
"""
