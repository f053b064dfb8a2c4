"""Start a real Slurm of one node for tests: munged, slurmctld and slurmd from Debian's packages, without systemd.

All their files are in one folder, they listen only on the loopback interface, and nothing of them is left at the end.
They run as root, which Slurm needs to start jobs as their users.
"""

import contextlib
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

from processes import wait_for

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo")
SBIN = "/usr/sbin"
CPUS = 2
CONF = """\
ClusterName=tests
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,bf_interval=1,sched_interval=1,requeue_delay=0
ReturnToService=2
KillWait=5
MinJobAge=300
JobRequeue=1
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=localhost NodeAddr=127.0.0.1 CPUs={cpus} Boards=1 SocketsPerBoard=1 CoresPerSocket={cpus} ThreadsPerCore=1 \
RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=localhost Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=urgent Nodes=localhost Default=NO MaxTime=INFINITE State=UP PriorityTier=9
"""


def is_installed():
    """Return whether all programs of Slurm are installed and this process is root, which they need here."""
    return os.geteuid() == 0 and all(shutil.which(name, path=_path()) for name in PROGRAMS)


@contextlib.contextmanager
def slurm_cluster():
    """Start Slurm, and return the environment in which its commands find it."""
    with tempfile.TemporaryDirectory(prefix="slurm-") as name:  # short: a socket's path must be
        folder = Path(name)
        folder.chmod(0o755)
        for kept in ("state", "spool"):
            (folder / kept).mkdir()
        ports = _free_ports(2)
        conf = folder / "slurm.conf"
        conf.write_text(CONF.format(folder=folder, controller=ports[0], node=ports[1], cpus=CPUS))
        environment = {**os.environ, "PATH": _path(), "SLURM_CONF": str(conf)}
        with contextlib.ExitStack() as daemons:
            daemons.enter_context(_munged(folder))
            for command in (["slurmctld", "-D", "-c"], ["slurmd", "-D", "-N", "localhost"]):
                daemons.enter_context(_daemon(command, folder, environment))
            daemons.callback(_cancel_all, environment)
            assert wait_for(lambda: _idle(environment)), _logs(folder)
            yield environment


@contextlib.contextmanager
def _munged(folder):
    key = folder / "munge.key"
    key.write_bytes(secrets.token_bytes(128))
    key.chmod(0o600)
    words = [f"--{kind}-file={folder}/munge.{kind}" for kind in ("key", "log", "pid", "seed")]
    words.append(f"--socket={folder}/munge.socket")
    with _daemon(["munged", "--foreground", "--force", *words], folder, {**os.environ, "PATH": _path()}):
        assert wait_for((folder / "munge.socket").exists), _logs(folder)
        yield


@contextlib.contextmanager
def _daemon(command, folder, environment):
    """Run a daemon in the foreground; its usual signal ends it, and the kernel does if the tests are killed."""
    words = ["setpriv", "--pdeathsig", "TERM", *command]
    with (folder / f"{command[0]}.out").open("wb") as out:
        process = subprocess.Popen(words, env=environment, stdout=out, stderr=out, start_new_session=True)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _cancel_all(environment):
    """Cancel all jobs, because they would outlive their daemons."""
    for words in (["scancel", "--user=root"], ["scancel", "--user=root", "--signal=KILL"]):
        subprocess.run(words, env=environment, capture_output=True)
        if wait_for(lambda: not _queue(environment), 8):
            return


def _queue(environment):
    return subprocess.run(["squeue", "--noheader"], env=environment, capture_output=True, text=True).stdout


def _idle(environment):
    words = ["sinfo", "--noheader", "--format=%T"]
    return "idle" in subprocess.run(words, env=environment, capture_output=True, text=True).stdout.split()


def _logs(folder):
    return "\n".join(
        path.read_text(errors="replace")[-2000:] for path in folder.glob("*.*") if path.suffix in {".log", ".out"}
    )


def _free_ports(number):
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(number)]
        for socket_ in sockets:
            socket_.bind(("127.0.0.1", 0))
        return [bound.getsockname()[1] for bound in sockets]


def _path():
    return f"{os.environ['PATH']}{os.pathsep}{SBIN}"
