"""Devices run the workgroups of a test and say which of them have ended.

`sim` is a simulated device with a known scheduler. This package uses no corpus and no terminal.
"""
