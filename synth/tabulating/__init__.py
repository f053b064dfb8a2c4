"""Tables and figures of folders: corpora and campaigns."""
