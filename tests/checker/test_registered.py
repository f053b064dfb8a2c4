"""Test models that are Python objects: found by entry point, run in every way, and refused if they know ids or fail."""

import pytest

from quick import mostly_full
from registered_models import installed
from synth_checker.errors import InputError, LimitError
from synth_checker.models import library, model_of, models_named, read_model, registered_model
from synth_checker.models.order import dependence_on_ids
from synth_checker.relations.model_difference import difference

NAMES = {"unfair": "Unfair", "HSA": "Hsa", "OBE": "Obe", "LOBE": "Lobe", "HSA+OBE": "HsaObe", "fair": "Fair"}


@pytest.fixture
def register(tmp_path, monkeypatch):
    """A function that installs a package with some classes; each is then registered under the prefix that it gives."""
    monkeypatch.syspath_prepend(tmp_path)
    return lambda *classes: installed(tmp_path, *classes)


@pytest.mark.parametrize("model", library(), ids=lambda model: model.name)
def test_the_six_models_written_as_objects_have_the_tables_of_the_library(register, model):
    prefix = register(NAMES[model.name])
    assert difference(registered_model(prefix + NAMES[model.name]), model, 4) is None


def test_a_model_is_registered_by_an_object_or_by_its_class(register):
    prefix = register("object_of_obe", "Obe")
    first, other = (registered_model(prefix + name) for name in ("object_of_obe", "Obe"))
    assert first.automaton(3) == other.automaton(3)
    assert first.definition == other.definition


def test_a_model_that_counts_who_has_not_ended_keeps_to_the_order(register):
    prefix = register("Queue")
    model = registered_model(f"{prefix}Queue")
    assert model.automaton(3).fair[0][0b111] == 0b011
    assert model_of(model.verdicts[0]) == f"{prefix}Queue"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "Even",
            (
                "if thread 0 of 2 takes no part, the model promises to run [], but without that thread it promises to "
                "run [1]"
            ),
        ),
        (
            "First",
            (
                "if thread 0 of 2 takes no part, the model promises to run [], but without that thread it promises to "
                "run [1]"
            ),
        ),
        (
            "Many",
            (
                "if thread 0 of 3 takes no part, the model promises to run [1, 2], but without that thread it promises "
                "to run []"
            ),
        ),
        (
            "AfterOne",
            (
                "if thread 0 of 2 takes no part, the model promises to run [1], but without that thread it promises to "
                "run []"
            ),
        ),
    ],
)
def test_a_model_that_knows_ids_or_how_many_there_are_is_refused(register, name, message):
    prefix = register(name)
    with pytest.raises(InputError) as raised:
        registered_model(prefix + name)
    problem = "the model may depend only on the order of thread ids, but it depends on their values: "
    assert str(raised.value) == f"model {prefix}{name}: {problem}{message}"


@pytest.mark.full
def test_an_id_that_only_more_threads_have_is_found_out_when_they_are_there(register):
    prefix = register("Fifth")
    model = registered_model(f"{prefix}Fifth")
    assert model.automaton(4).fair[0] == (0,) * 16
    for threads in (5, 6):
        with pytest.raises(InputError, match=r"if thread 0 of 5 takes no part, the model promises to run \[4\], but "):
            model.automaton(threads)


@pytest.mark.parametrize("name", ["a.b", "x/y", "two words", "9lives"])
def test_a_registered_name_that_no_model_can_have_is_refused(register, tmp_path, name):
    prefix = register("Fair")
    (entries,) = tmp_path.glob("*.dist-info/entry_points.txt")
    entries.write_text(entries.read_text().replace(f"{prefix}Fair =", f"{name} ="))
    with pytest.raises(InputError) as raised:
        registered_model(name)
    assert str(raised.value).startswith(f"model: a package registers a model named {name!r}, expected a name")


@pytest.mark.parametrize("text", ["live", "live & stepped", "live & upto(stepped)", "lowest(live - stepped)"])
def test_expressions_without_all_keep_to_the_order(text):
    model = read_model(f"m = {text}", "own")
    assert dependence_on_ids([model.automaton(threads) for threads in (1, 2, 3, 4)]) is None


@pytest.mark.full
@mostly_full(
    ("name", "kind", "message"),
    [
        ("Counting", LimitError, "has more than 4096 states for 1 threads; make it simpler"),
        ("Raises", InputError, "raised IndexError: tuple index out of range, expected a result"),
        ("Unhashable", InputError, "hash or == of the state from initial(1) raised TypeError: unhashable type: 'list'"),
        (
            "Incomparable",
            InputError,
            "hash or == of the state from step(State(1), 0) raised ValueError: not comparable",
        ),
        ("Unshown", InputError, "_State object at 0x"),
        ("Exits", InputError, "initial(1) raised SystemExit: 0, expected a result"),
        ("Outside", InputError, "returned [1], expected numbers of threads from 0 to 0"),
        ("Words", InputError, "returned ['0'], expected numbers of threads from 0 to 0"),
        ("Partial", InputError, "lacks fair, step, terminate; it needs"),
        ("Needs", InputError, "raised TypeError: Needs.__init__() missing 1 required positional argument: 'places'"),
        ("NotThere", InputError, "raised AttributeError: module"),
    ],
    quick=2,
)
def test_an_object_that_fails_is_refused_in_one_line(register, name, kind, message):
    prefix = register(name)
    with pytest.raises(kind) as raised:
        registered_model(prefix + name)
    assert str(raised.value).startswith(f"model {prefix}{name}: ")
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_two_packages_with_one_name_are_refused(register, tmp_path):
    prefix = register("Obe")
    info = next(tmp_path.glob("*.dist-info"))
    other = info.with_name("another-1.0.dist-info")
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: another\nVersion: 1.0\n")
    (other / "entry_points.txt").write_text((info / "entry_points.txt").read_text())
    with pytest.raises(InputError, match=r"found 2 entry points of this name in the group synth\.models, expected one"):
        registered_model(f"{prefix}Obe")


def test_a_definition_that_a_corpus_recorded_is_held_against_the_object(register):
    """Reading it loads no package; judging with it does."""
    prefix = register("Obe", "Hsa")
    obe, hsa = (registered_model(prefix + name) for name in ("Obe", "Hsa"))
    assert models_named([obe.text]) == (obe,)
    (changed,) = models_named([f"{obe.name} = {hsa.definition}"])
    with pytest.raises(
        InputError,
        match=f"model {obe.name}: the installed model has changed: found tables with the sha256 {obe.fair.sha256}, ",
    ):
        changed.automaton(2)
    (gone,) = models_named([f"gone = {obe.definition}"])
    with pytest.raises(InputError, match=r"model gone: found 0 entry points of this name in the group"):
        gone.automaton(2)
