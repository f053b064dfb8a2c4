"""Ways to prove kernels with loops that need no invariants to be found: closed forms, and rounds that stand for all."""
