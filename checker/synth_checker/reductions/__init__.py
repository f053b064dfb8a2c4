"""Smaller programs within a program: its sub-programs, the minimal tests among them, and how to find these."""
