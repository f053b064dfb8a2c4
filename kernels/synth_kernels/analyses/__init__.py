"""What else a kernel can be asked, beside whether it is verified: banks of memory, barriers, equivalence, assumptions.

The ideas are those of symbolic verifiers for CUDA kernels (Li and Gopalakrishnan 2010). The definitions are ours.
"""
