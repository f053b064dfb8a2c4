"""Test the executor `slurm-array` with a real Slurm: requeued, pre-empted and ended tasks lose nothing."""

import random
import subprocess
import sys
import time

import pytest

from processes import PATIENCE_S, wait_for
from quick import mostly_full
from slurm_cluster import is_installed
from synth_checker.errors import InputError, ResourceError
from synth_jobs.executors import slurm_array
from synth_jobs.executors.slurm_array import batch_script

needs_slurm = pytest.mark.skipif(not is_installed(), reason="Slurm is not installed, or this is not root")
SYNTH = [sys.executable, "-P", "-m", "synth"]
ARRAY = ("--executor", "slurm-array")


def slurm_says(slurm, *words):
    return subprocess.run(words, env=slurm, capture_output=True, text=True, check=True).stdout


def slurm_asked(slurm, *words):
    """What a task that is just ending can't do is not done."""
    subprocess.run(words, env=slurm, capture_output=True)


def tasks(slurm, number):
    """The states of the tasks of an array that have not ended."""
    ran = subprocess.run(
        ["squeue", "--noheader", "--array", "--format=%K %T", f"--jobs={number}"],
        env=slurm,
        capture_output=True,
        text=True,
    )
    return dict(line.split() for line in ran.stdout.splitlines())


def detached(job, slurm, *words):
    """Start an array that nobody waits for; its number."""
    code, out, err = job.ran("resume", *ARRAY, "--detach", *words, env=slurm)
    assert (code, err) == (0, "")
    return out.split()[1]


def start_now(slurm, number):
    """Slurm lets tasks that were queued again wait for two minutes, unless it is told otherwise."""
    assert wait_for(lambda: set(tasks(slurm, number).values()) == {"PENDING"})
    time.sleep(2)  # what begins within a second of being queued again, it may take for what it has ended
    for task in tasks(slurm, number):
        slurm_says(slurm, "scontrol", "update", f"JobId={number}_{task}", "StartTime=now")


def has_ended(slurm, number):
    return wait_for(lambda: not tasks(slurm, number), 2 * PATIENCE_S)


@needs_slurm
@pytest.mark.full
def test_a_job_started_here_goes_on_under_slurm_and_a_requeued_task_loses_nothing(job, slurm):
    with job.started("resume", *ARRAY, "--jobs", "2", env=slurm) as process:
        assert job.wait_for_shards(2)
        slurm_says(slurm, "scontrol", "requeue", f"{only_array(slurm)}_1")
        out, err = process.communicate(timeout=2 * PATIENCE_S)
    assert (process.returncode, err) == (0, "")
    assert "complete" in out
    assert not slurm_says(slurm, "squeue", "--noheader")
    job.check_finished()


def only_array(slurm):
    (number,) = set(slurm_says(slurm, "squeue", "--noheader", "--format=%F").split())
    return number


@needs_slurm
@pytest.mark.full
def test_a_task_that_is_ended_for_its_time_has_itself_queued_again(job, slurm):
    number = detached(job, slurm, "--jobs", "1", "--slurm-option", "time=10")
    assert job.wait_for_shards(1)
    slurm_says(slurm, "scancel", "--batch", "--signal=TERM", f"{number}_1")  # as --signal=B:TERM@20 has it done
    start_now(slurm, number)
    assert job.done < len(job.shards)
    assert has_ended(slurm, number)
    said = (job.folder / "slurm" / f"{number}_1.out").read_text()
    assert "terminated" in said
    assert "queued again" in said
    job.check_done()


@needs_slurm
@pytest.mark.full
def test_tasks_that_others_pre_empt_go_on_when_these_have_ended(slow_job, slurm):
    number = detached(slow_job, slurm, "--jobs", "2", "--slurm-option", "partition=main")
    assert slow_job.wait_for_shards(2)
    words = ["sbatch", "--parsable", "--partition=urgent", "--ntasks=2", "--output=/dev/null", "--wrap=sleep 0.5"]
    slurm_says(slurm, *words)
    start_now(slurm, number)
    assert slow_job.done < len(slow_job.shards)
    assert has_ended(slurm, number)
    slow_job.check_done()


@needs_slurm
@pytest.mark.full
def test_tasks_that_are_cancelled_are_not_queued_again_and_give_back_what_they_hold(job, slurm):
    number = detached(job, slurm, "--jobs", "2")
    assert job.wait_for_shards(2)
    slurm_says(slurm, "scancel", number)
    assert has_ended(slurm, number)
    assert job.done < len(job.shards)
    assert job.ran("work", "--lease", "1h")[0] == 0  # which would wait for an hour
    job.check_done()


@needs_slurm
@pytest.mark.exhaustive
def test_who_waits_and_is_interrupted_leaves_no_task_at_work(job, slurm):
    with job.started("resume", *ARRAY, "--jobs", "2", env=slurm) as process:
        assert job.wait_for_shards(1)
        process.terminate()
        _, err = process.communicate(timeout=2 * PATIENCE_S)
    assert process.returncode == 143
    assert "synth: terminated; " in err
    assert not slurm_says(slurm, "squeue", "--noheader")


@needs_slurm
@pytest.mark.exhaustive
def test_a_task_that_reaches_its_time_limit_has_itself_queued_again(slurm, tmp_path):
    """Slurm has a minute as its shortest limit, and looks twice a minute who has reached it."""
    folder = tmp_path / "long.job"
    words = ["--jobs", "1", "--slurm-option", "time=1", "--detach", "--shard-seconds", "1"]
    started = subprocess.run(
        [*SYNTH, "job", "start", "--bounds", "2x6", "--minimal", *ARRAY, *words, folder],
        env=slurm,
        capture_output=True,
        text=True,
    )
    assert started.returncode == 0, started.stderr
    number = started.stdout.split()[1]
    said = folder / "slurm" / f"{number}_1.out"
    assert wait_for(lambda: said.exists() and "queued again" in said.read_text(), 180)
    assert "; this task is queued again" in said.read_text()
    assert wait_for(lambda: tasks(slurm, number) == {"1": "PENDING"})
    slurm_says(slurm, "scancel", number)


@needs_slurm
@pytest.mark.exhaustive
def test_tasks_requeued_at_twenty_random_moments_lose_nothing_and_keep_nothing(slow_job, slurm):
    """Each array is cancelled once its task is queued again: what begins within a second of that, Slurm may lose."""
    rng = random.Random(1)
    for _ in range(20):
        number = detached(slow_job, slurm, "--jobs", "1")
        if number == "is":  # nothing is left to do
            break
        assert wait_for(lambda number=number: "RUNNING" in tasks(slurm, number).values())
        time.sleep(rng.uniform(0.5, 1.5))
        slurm_asked(slurm, "scontrol", "requeue", f"{number}_1")
        assert wait_for(lambda number=number: set(tasks(slurm, number).values()) <= {"PENDING"})
        slurm_asked(slurm, "scancel", number)
    assert slow_job.ran("work", "--lease", "1h")[0] == 0  # which would wait for an hour
    slow_job.check_finished()


@needs_slurm
@pytest.mark.full
def test_what_slurm_refuses_is_told_in_one_line(job, slurm):
    code, out, err = job.ran("resume", *ARRAY, "--slurm-option", "partition=nowhere", env=slurm)
    assert (code, out) == (3, "")
    refused = "sbatch: error: invalid partition specified: nowhere"
    assert err.startswith(f"synth: slurm-array: the command sbatch failed: {refused}")
    assert err.count("\n") == 1


@needs_slurm
@pytest.mark.full
def test_a_job_started_here_resumed_under_dask_and_finished_under_slurm_is_the_same(job, slurm):
    for words in (["--jobs", "1"], ["--executor", "dask", "--jobs", "1"]):
        before = job.done
        with job.started("resume", *words) as process:
            assert job.wait_for_shards(before + 2)
            process.terminate()
            process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 143
    assert job.done < len(job.shards)
    assert job.ran("resume", *ARRAY, "--jobs", "2", env=slurm)[0] == 0
    job.check_finished()


@needs_slurm
@pytest.mark.parametrize(
    "cancelled", [pytest.param(0, marks=pytest.mark.full), pytest.param(2, marks=pytest.mark.exhaustive)]
)
def test_dask_asks_slurm_for_its_workers_and_for_others_where_these_end(cancelled, job, slurm, tmp_path):
    own = {
        **slurm,
        "DASK_JOBQUEUE__SLURM__INTERFACE": "lo",
        "DASK_JOBQUEUE__SLURM__MEMORY": "500MB",
        "DASK_JOBQUEUE__SLURM__LOG_DIRECTORY": str(tmp_path / "logs"),
    }
    with job.started("resume", "--executor", "dask", "--dask-cluster", "slurm", "--jobs", "2", env=own) as process:
        assert job.wait_for_shards(1)
        for number in slurm_says(slurm, "squeue", "--noheader", "--format=%A").split()[:cancelled]:
            slurm_says(slurm, "scancel", number)
        out, err = process.communicate(timeout=2 * PATIENCE_S)
    assert process.returncode == 0, err  # which has a line of progress, too, if this takes more than half a minute
    assert "complete" in out
    assert wait_for(lambda: not slurm_says(slurm, "squeue", "--noheader"))
    job.check_done()


@pytest.mark.full
def test_a_machine_without_slurm_is_told_of_in_one_line(small_job, tmp_path):
    code, out, err = small_job.ran("resume", *ARRAY, env={"PATH": str(tmp_path)})
    assert (code, out) == (3, "")
    assert err == (
        "synth: slurm-array: cannot run the command sbatch: No such file or directory; "
        "use a machine that has Slurm's commands\n"
    )


@mostly_full(
    ("words", "said"),
    [
        ((*ARRAY, "--jobs", "0"), "jobs: found 0, expected at least 1"),
        (
            (*ARRAY, "--slurm-option", "--time=1"),
            "slurm option: found '--time=1', expected one of sbatch's without the dashes, such as time=8:00:00",
        ),
        (("--slurm-option", "time=1"), "--slurm-option is no option of the executor local, only of slurm-array"),
        (
            ("--executor", "dask", "--detach"),
            "--detach cannot be combined with the executor dask; use local or slurm-array",
        ),
    ],
)
def test_wrong_options_are_told_of(words, said, small_job, synth):
    assert synth("job", "resume", small_job.folder, *words) == (2, "", f"synth: {said}\n")


@pytest.mark.parametrize(("states", "asked"), [(["PENDING"], True), ([], False), (None, True)])
def test_tasks_that_wait_in_the_queue_are_stopped_too(states, asked, small_job, synth, monkeypatch):
    """Nobody is at work yet. Where Slurm can't be asked, there may be tasks."""

    def found(number):
        assert number == "4711"
        if states is None:
            raise ResourceError("slurm-array: squeue: No such file or directory")
        return states

    monkeypatch.setattr(slurm_array, "_states", found)
    (small_job.folder / "slurm").mkdir()
    (small_job.folder / "slurm" / "array").write_text("4711\n")
    assert synth("job", "stop", small_job.folder).code == 0
    assert (small_job.folder / "stop").exists() == asked


def test_an_array_whose_number_cannot_be_kept_is_cancelled(tmp_path, monkeypatch):
    asked = []

    def ran(*words):
        asked.append(words[0])
        left = "" if "scancel" in asked else "PENDING\n"
        return subprocess.CompletedProcess(words, 0, "4711\n" if words[0] == "sbatch" else left, "")

    monkeypatch.setattr(slurm_array, "_run", ran)
    (tmp_path / "slurm" / "array").mkdir(parents=True)
    with pytest.raises(InputError, match="slurm/array: found a folder, expected a name for a new file"):
        slurm_array.SlurmArrayExecutor(2).submit(tmp_path, ["000000"])
    assert asked == ["sbatch", "squeue", "scancel", "squeue"]


def test_the_script_of_an_array_names_its_folder_whatever_that_is_called(tmp_path):
    script = batch_script(tmp_path / 'a 100% "big" job', 3, ["time=8:00:00", "exclusive"])
    assert f'#SBATCH --output="{tmp_path}/a 100%% \\"big\\" job/slurm/%A_%a.out"\n' in script
    assert "#SBATCH --array=1-3\n" in script
    assert script.index("#SBATCH --requeue\n") < script.index("#SBATCH --time=8:00:00\n#SBATCH --exclusive\nexec ")
    assert script.endswith(f"""synth job work --requeue '{tmp_path}/a 100% "big" job'\n""")
    with pytest.raises(InputError, match=r"slurm-array: the folder .* has backslashes"):
        batch_script(tmp_path / "back\\slash", 1)
