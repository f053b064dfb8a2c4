"""Devices as commands and Python callers ask for them: which are there, what they are, and whether they work.

`synth_devices` does the work. `device_list` asks all kinds of devices, and `answer` has what is said of devices.
"""
