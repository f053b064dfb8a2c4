"""Long jobs: a question in parts (shards), in a folder with which work can stop, move and resume anywhere.

The modules:

    shards     the list of the shards              estimating   estimates of the work
    job        the folder of a job                 committed    the result of a shard
    running    doing one shard, in any process     executors/   ways to start processes
    driving    doing all shards                    finishing    merging the results into a corpus
    working    a worker that needs no executor     leases       claims on shards
    presence   the processes that work on a job now
    logs, progress, metrics, planning, plotting    reports about a job
"""
