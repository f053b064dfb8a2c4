"""A simulated device: whole launches of a test on a scheduler that a small file describes.

    scheduler = read_scheduler("linear")
    simulator = Simulator(scheduler, program, read_mapping("round-robin"), instances=100)
    simulator.launch(0).is_hung

`scheduler` reads the file of a scheduler. `presets` has the schedulers that ship and the verdicts that they imply.
`simulation` has the C++ core run launches, and `twin` is a slow and obvious version of the same in Python. `adversary`
searches for the worst schedule that a model allows. docs/understand/sim.md defines the device.
"""
