"""One module a target; `synth_backends.target.TARGETS` names them."""
