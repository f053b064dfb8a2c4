"""Transition systems: their types, those of programs, their strongly connected sets, their behaviour and their size."""
