"""Safe files: a file or folder is either complete or absent, and an error of the system becomes a one-line message.

This package knows nothing about corpora or jobs.
"""
