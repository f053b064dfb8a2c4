"""Make small jobs with many shards, which are the same each time because their work is given and not measured."""

import json
import os
from dataclasses import asdict

from synth_corpus.store import RECORDS
from synth_jobs.estimate import Estimate, Probe
from synth_jobs.job import Job
from synth_jobs.layout import WORKERS
from synth_jobs.shards import shards_of
from synth_search.engines.choice import engine_for


def made(folder, question, engine="auto", parts=3):
    """Make a job, and cut each of its units into about `parts` shards."""
    engine = engine_for(question, engine)
    estimates = [Estimate(unit, [Probe(1.0, 1.0, 1.0, 1.0)]) for unit in engine.units(1)]
    return Job.create(folder, question, engine, shards_of(engine, estimates, 1 / parts), 1 / parts)


#: When `write_present` writes, by the clock of whatever holds the folder.
THEN = 1_000_000.0


def write_present(job, record):
    """Write the file of a process of another machine that works on a job, as of the time `THEN`."""
    place = job.folder / WORKERS / f"{record.worker}.json"
    place.write_text(json.dumps(asdict(record)))
    os.utime(place, (THEN, THEN))


def records(corpus):
    """Return the path of the records of a corpus."""
    return (corpus / RECORDS).read_bytes()
