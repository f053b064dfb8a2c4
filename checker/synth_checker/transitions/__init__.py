"""Transition systems: what they are, those of programs, their components, their behaviour and their size."""
