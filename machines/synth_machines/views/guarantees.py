"""The text of `synth machine guarantees`: a line for each model, and for a refutation the run that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count, listed, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_machines.answers.guarantees import (
        FairRun,
        Guarantees,
        ModelGuarantee,
        SettingAnswer,
        SettingTests,
    )


def guarantees_lines(answer: Guarantees) -> Iterator[str]:
    """Yield what is said of each model."""
    yield f"{answer.machine}, {answer.fairness}"
    if answer.left_out:
        yield f"Time passes until these guards hold: {', '.join(answer.left_out)}."
    explored = answer.models[0].settings
    if len(explored) > 1:
        yield f"Explored in {_settings(explored)}."
    for model in answer.models:
        yield from _model_lines(model)
    for tests in answer.tests:
        yield from _tests_lines(tests)


def _tests_lines(ended: SettingTests) -> Iterator[str]:
    tests = count(ended.tests, "test")
    yield f"{written_setting(ended.setting)}: {ended.ended} of {tests} end in every fair run"
    for model, passing in ended.passing.items():
        more = ended.beyond[model]
        if not passing:
            yield f"  {shown(model)}: no test passes the weak form; {count(more, 'test')} end"
            continue
        endless = ended.endless[model]
        which = f"{len(endless)} of them do not end, such as {endless[0]}" if endless else "all of them end"
        others = f"{more} others end, too" if more else "no other ends"
        yield f"  {shown(model)}: {count(passing, 'test')} pass the weak form; {which}; {others}"


def _model_lines(model: ModelGuarantee) -> Iterator[str]:
    yield from _proof_lines(model)
    name, several = shown(model.model), len(model.settings) > 1
    kept = [setting for setting in model.settings if setting.guaranteed]
    refuted = [setting for setting in model.settings if not setting.guaranteed]
    if kept and several:
        yield f"{name}: guaranteed in {_setting_words(kept, refuted)}"
    elif kept:
        yield f"{name}: guaranteed, explored in {_settings(kept)}"
    if refuted:
        where = _setting_words(refuted, kept) if several else _settings(refuted)
        yield f"{name}: not guaranteed, refuted by a run in {where}"
        yield from _refutation_lines(refuted[0])


def _setting_words(answers: list[SettingAnswer], others: list[SettingAnswer]) -> str:
    """Return in which of several settings something is so, and not in the others."""
    return listed([written_setting(setting.setting) for setting in answers]) if others else "all of them"


def _proof_lines(model: ModelGuarantee) -> Iterator[str]:
    proof = model.proof
    if proof is None:
        return
    name = shown(model.model)
    if proof.proved:
        where = f"with {listed(proof.assumed)}" if proof.assumed else "whatever the sizes"
        counts = f"{count(proof.premises, 'premise')} and {count(proof.invariants, 'obligation')} of invariants"
        yield f"{name}: guaranteed, proved for every setting {where}: {counts}"
    elif proof.because:
        yield f"{name}: not proved for every setting: {proof.because}"
    else:
        several = f" and {len(proof.open) - 1} more" if len(proof.open) > 1 else ""
        yield f"{name}: not proved for every setting: open is {proof.open[0]}{several}"


def _settings(answers: list[SettingAnswer]) -> str:
    return listed([f"{written_setting(setting.setting)} ({count(setting.states, 'state')})" for setting in answers])


def written_setting(setting: Mapping[str, str]) -> str:
    """Return a setting as `--setting` takes it."""
    return ",".join(f"{shown(name)}={shown(value)}" for name, value in setting.items())


def _refutation_lines(answered: SettingAnswer) -> Iterator[str]:
    if answered.run is None:
        return
    setting = written_setting(answered.setting)
    yield f"  {setting}: thread {answered.thread} is promised steps again and again, and takes none:"
    yield from _run_lines(answered.run)
    witness = answered.witness
    if witness is None:
        yield "  No test that ships passes the weak form and fails to end here."
    else:
        yield f"  The test {witness.test} passes the weak form, and does not end here:"
        yield from _run_lines(witness.run)


def _run_lines(run: FairRun) -> Iterator[str]:
    yield from (f"    {event}" for event in run.stem)
    yield "    and then again and again:" if run.cycle else "    and then nothing more"
    yield from (f"      {event}" for event in run.cycle)
