"""Test the executor `dask` with real schedulers and workers: if one is killed, nothing is lost or left behind."""

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import time

import cloudpickle
import psutil
import pytest

from processes import PATIENCE_S, in_session, processes_of, wait_for
from synth_checker.errors import InputError, ResourceError
from synth_checker.extras import how_to_install
from synth_jobs.executors import dask_, executor_for
from synth_jobs.failures import MAX_TRIES
from synth_jobs.shard_run import Failure, Receipt, run_shard
from synth_workers.stop import Stop

DASK = ("--executor", "dask")
LOOPBACK = {"127.0.0.1", "::1"}


def workers_of(process):
    """The processes of a synth that do shards."""
    found = []
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(process.pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                if any("spawn_main" in word for word in child.cmdline()):
                    found.append(child)
    return found


def listening(session):
    """The addresses at which the processes of a session listen."""
    found = set()
    for pid in processes_of(session):
        with contextlib.suppress(psutil.NoSuchProcess):
            connections = psutil.Process(pid).net_connections("inet")
            found |= {connection.laddr.ip for connection in connections if connection.status == psutil.CONN_LISTEN}
    return found


@contextlib.contextmanager
def scheduler(folder, workers=2):
    """A Dask scheduler and its workers, as others would start them; its process and address."""
    program = [sys.executable, "-P", "-m", "distributed.cli.dask_{}"]
    place = folder / "scheduler.json"
    words = ["--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
    out = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    with contextlib.ExitStack() as started:

        def start(what, *more):
            command = [word.format(what) for word in program]
            return started.enter_context(in_session([*command, *more], **out))

        process = start("scheduler", *words, "--port", "0", "--scheduler-file", place)
        assert wait_for(lambda: place.exists() and "workers" in place.read_text())  # it is there before it is written
        address = re.search(r"tcp://[\d.:]+", place.read_text())[0]
        for _ in range(workers):
            start("worker", address, "--nthreads", "1", *words)
        yield process, address


@pytest.mark.full
def test_killed_workers_change_nothing_and_nothing_listens_but_on_the_loopback(job):
    with job.started("resume", *DASK, "--jobs", "2") as process:
        assert job.wait_for_shards(2)
        heard = listening(process.pid)
        random.choice(workers_of(process)).kill()
        out, err = process.communicate(timeout=2 * PATIENCE_S)
        assert wait_for(lambda: not processes_of(process.pid))
    assert (process.returncode, err) == (0, "")
    assert "complete" in out
    assert heard == {"127.0.0.1"}
    job.check_finished()


@pytest.mark.exhaustive
def test_workers_killed_at_twenty_random_moments_change_nothing(job):
    """Two in each of some runs, so that no shard is given up."""
    rng = random.Random(1)
    for _ in range(10):
        with job.started("resume", *DASK, "--jobs", "2") as process:
            assert wait_for(lambda process=process: len(workers_of(process)) == 2)
            for _ in range(2):
                time.sleep(rng.uniform(0, 1.5))
                with contextlib.suppress(IndexError, psutil.NoSuchProcess):
                    rng.choice(workers_of(process)).kill()
            process.terminate()
            _, err = process.communicate(timeout=PATIENCE_S)
        assert process.returncode in {0, 143} or "cannot start 2 workers" in err, err
        if process.returncode == 0:
            break
    assert job.ran("resume", *DASK, "--jobs", "2")[0] == 0
    job.check_finished()


@pytest.mark.parametrize(
    ("number", "code"),
    [
        pytest.param(signal.SIGINT, 130, marks=pytest.mark.full),
        pytest.param(signal.SIGTERM, 143, marks=pytest.mark.exhaustive),
    ],
)
def test_an_interrupt_from_the_terminal_ends_all_processes(number, code, job):
    with job.started("resume", *DASK, "--jobs", "2") as process:
        assert job.wait_for_shards(1)
        os.killpg(process.pid, number)
        _, err = process.communicate(timeout=PATIENCE_S)
        assert wait_for(lambda: not processes_of(process.pid))
    assert process.returncode == code
    assert err.count("\n") == 1
    assert f"; {job.done} of {len(job.shards)} shards done; " in err


@pytest.mark.exhaustive
def test_the_workers_end_with_the_process_that_started_them(job):
    with job.started("resume", *DASK, "--jobs", "2") as process:
        assert job.wait_for_shards(1)
        process.kill()
        process.communicate(timeout=PATIENCE_S)
        assert wait_for(lambda: not processes_of(process.pid))
    assert job.ran("work")[0] == 0
    job.check_done()


@pytest.mark.full
def test_a_job_whose_scheduler_is_killed_says_so_and_goes_on_when_it_is_resumed(job, tmp_path):
    with scheduler(tmp_path) as (process, address), job.started("resume", *DASK, "--dask-address", address) as ours:
        assert job.wait_for_shards(2)
        process.kill()
        out, err = ours.communicate(timeout=2 * PATIENCE_S)
    assert (ours.returncode, out) == (3, "")
    lost = f"lost the connection to the scheduler at {address}"
    assert err == f"synth: dask: {lost}; continue with synth job resume\n"
    assert job.done < len(job.shards)
    assert job.ran("resume", "--jobs", "1")[0] == 0
    job.check_finished()


@pytest.mark.full
def test_an_address_without_a_scheduler_is_told_of_in_one_line(job):
    code, out, err = job.ran(
        "resume", *DASK, "--dask-address", "tcp://127.0.0.1:9", env={"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s"}
    )
    assert (code, out) == (3, "")
    assert err.startswith("synth: dask: cannot connect to a scheduler at tcp://127.0.0.1:9: ")
    assert err.count("\n") == 1


def dies_three_times(folder, name):
    """The first shard is done at once, and the other by the fourth worker that tries."""
    tried = folder / "tried"
    if name == "000001":
        tried.write_bytes(tried.read_bytes() + b"." if tried.exists() else b".")
        if len(tried.read_bytes()) <= MAX_TRIES:
            os._exit(9)
    return name, 7


def results_of(monkeypatch, job, run_shard, names=("000000",)):
    """What becomes of shards that a worker does in another way."""
    monkeypatch.setattr(dask_, "run_shard", run_shard)
    with Stop() as stop:
        return list(executor_for("dask", 1).run(job.folder, names, stop))


@pytest.fixture
def by_value():
    """Workers can't import a test; they are given its functions themselves."""
    here = sys.modules[__name__]
    cloudpickle.register_pickle_by_value(here)
    yield
    cloudpickle.unregister_pickle_by_value(here)


@pytest.mark.full
@pytest.mark.usefixtures("by_value")
def test_a_shard_that_ends_every_worker_is_set_aside_with_what_is_known_and_its_neighbour_is_done(monkeypatch, job):
    def ends_or_counts(_folder, name):
        return (name, 7) if name == "000001" else os._exit(9)

    results = results_of(monkeypatch, job, ends_or_counts, ("000000", "000001"))
    assert Receipt("000001", 7) in results
    (failure,) = (result for result in results if isinstance(result, Failure))
    assert (failure.name, failure.tries) == ("000000", MAX_TRIES)
    assert "000000" in failure.error


@pytest.mark.full
@pytest.mark.usefixtures("by_value")
def test_a_shard_whose_workers_ended_while_others_waited_there_is_tried_once_more(monkeypatch, job):
    results = results_of(monkeypatch, job, dies_three_times, ("000000", "000001"))
    assert sorted(results) == [Receipt("000000", 7), Receipt("000001", 7)]


@pytest.mark.exhaustive
def test_workers_that_have_another_synth_are_told_of(monkeypatch, job):
    monkeypatch.setattr(dask_, "_version", lambda: "0.0")
    with pytest.raises(
        ResourceError,
        match=r"dask: the workers of its own scheduler have version .* of progress-synth; install version",
    ):
        results_of(monkeypatch, job, run_shard)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"dask_cluster": "pbx"},
            r"--dask-cluster: found 'pbx' \(did you mean pbs\?\), expected one of slurm, pbs, lsf",
        ),
        ({"dask_cluster": "pbs"}, r"--dask-cluster needs --jobs N, the number of workers to ask pbs for"),
        ({"dask_address": "tcp://127.0.0.1:9", "jobs": 2}, r"--dask-address cannot be combined with --jobs"),
        (
            {"dask_address": "tcp://127.0.0.1:9", "dask_cluster": "pbs"},
            r"--dask-address cannot be combined with --dask-cluster",
        ),
        ({"jobs": 0}, r"jobs: found 0, expected at least 1"),
    ],
)
def test_wrong_options_are_told_of(options, said):
    with pytest.raises(InputError, match=said):
        executor_for("dask", **options)


WITHOUT = """
import sys
class Nothing:
    def find_spec(self, name, *_):
        if name in ("dask", "distributed"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing())
sys.argv = ["synth", *sys.argv[1:]]
from synth.__main__ import main
main()
"""


@pytest.mark.full
def test_where_dask_is_not_installed_one_line_says_how_to_get_it(small_job):
    ran = subprocess.run(
        [sys.executable, "-P", "-c", WITHOUT, "job", "resume", small_job.folder, *DASK], capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr == (
        f"synth: dask: the package dask is missing, which this executor needs; "
        f"to install it: {how_to_install('dask')}\n"
    )
