"""A simulated device: whole launches of a test on a scheduler that a small file describes.

    scheduler = read_scheduler("linear")
    simulator = Simulator(scheduler, program, read_mapping("round-robin"), instances=100)
    simulator.launch(0).is_hung

`scheduler` reads the file, `presets` has those that ship and what their rules imply, `simulation` runs launches in the
core, and `twin` is the slow and obvious version of the same. docs/sim.md defines all of it.
"""
