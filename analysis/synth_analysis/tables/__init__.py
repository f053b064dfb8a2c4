"""Tables, figures and comparisons of folders: corpora, campaigns and jobs."""
