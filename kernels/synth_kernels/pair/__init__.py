"""Two arbitrary threads of a launch, run at once: `state` has what they share, and `walk` goes through the kernel."""
