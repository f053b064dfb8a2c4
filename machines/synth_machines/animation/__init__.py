"""Animate machines: their states and steps for one setting, and traces that are replayed.

    setting = setting_of(machine, {"SM": "2", "nb_kernel_threads": "3"})
    animation = Animation(machine, setting)
    step = animation.starts()[0]
    steps, findings = animation.steps(step.state)

`machine_steps` enumerates the steps of a state. `replay` looks at one given step, and says what forbids it.
"""
