"""Devices: what runs the workgroups of a test, and says which of them have ended.

`sim` is a simulated device, whose scheduler is known. Knows no corpus and no terminal.
"""
