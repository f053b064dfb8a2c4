"""Long jobs: a question cut into shards, in a folder that can be stopped, moved and resumed anywhere.

shards     what a job consists of          estimating   how much work that is
job        the folder                      committed    the result of a shard, the only truth there is
running    one shard, by whatever process  executors/   which processes
driving    all shards, until none is left  finishing    their results as a corpus
working    a worker that needs nobody      leases       claims on shards
presence   who is at work just now
logs, progress, metrics, planning, plotting             what is said of a job
"""
