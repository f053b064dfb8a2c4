"""Tables, figures and comparisons of folders: corpora and campaigns."""
