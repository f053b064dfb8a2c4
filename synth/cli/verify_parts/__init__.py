"""The options of `synth verify`, in groups, and how the command tells its answers."""
