"""Long jobs: a question in parts (shards), in a folder with which work can stop, move and resume anywhere.

The modules:

    shards      the list of the shards              estimate     estimates of the work
    job         the folder of a job                 committed    the result of a shard
    shard_run   doing one shard, in any process     executors/   ways to start processes
    driver      doing all shards                    finish       merging the results into a corpus
    worker      a worker that needs no executor     presence     the processes that work on a job now
    logs, progress, metrics, plan, plot             reports about a job
"""
