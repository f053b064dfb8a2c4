"""Ask SMT solvers, which run in processes of their own with limits of time and memory.

A query is a script in SMT-LIB. `peers` knows how to give a script to each solver, `server` is the program of the
process in which a solver runs, and `client` starts such processes and gives them queries.
"""
