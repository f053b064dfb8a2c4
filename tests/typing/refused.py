"""Wrong uses of `import synth`, which a type checker must refuse: strict mypy reports each ignore without an error."""

import synth

synth.enumerates("2x2")  # type: ignore[attr-defined]
synth.enumerate("2x2", jobs="many")  # type: ignore[arg-type]
synth.kernel.need("k.cl", model=3)  # type: ignore[arg-type]
synth.kernel.need("k.cl").need  # type: ignore[attr-defined]
synth.corpus.info()  # type: ignore[call-arg]
synth.question(22)  # type: ignore[arg-type]
synth.enumerate_tests("2x2", 4)  # type: ignore[call-arg]
synth.enumerate_tests("2x2", jobs="4")  # type: ignore[arg-type]
synth.check("mutex").verdict  # type: ignore[attr-defined]
synth.check("mutex").verdicts["OBE.weak"] == "passes"  # type: ignore[comparison-overlap]
synth.save("2x2", "some.corpus")  # type: ignore[arg-type]
synth.smallest_suite("OBE.weak", ["00_0-0011"], cover=["mutant"])  # type: ignore[list-item]
synth.find_first(synth.Wanted("OBE.weak"))  # type: ignore[arg-type]
synth.Instruction(0, 0)  # type: ignore[call-arg]
synth.Program(()).threads = ()  # type: ignore[misc]
