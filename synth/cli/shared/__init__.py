"""What several commands share: options, the ways to print an answer, progress, and exit statuses."""
