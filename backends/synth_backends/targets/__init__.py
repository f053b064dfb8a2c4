"""The targets, one module for each; `synth_backends.target.TARGETS` lists them."""
