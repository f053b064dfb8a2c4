"""Smaller programs within a program: its sub-programs, minimal tests, and how to shrink to one."""
