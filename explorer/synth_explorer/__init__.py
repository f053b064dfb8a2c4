"""The explorer: one HTML page on which to look at the tests of corpora and campaigns.

The page works without a network and without a server. Its program is written in TypeScript (`explorer/page`), and lies
here as `page.html`, built. `make explorer` builds it. docs/do/explorer.md explains what the page shows. These are the
modules:

- `page_data`: the tests of corpora and campaigns as the data of a page.
- `results`: what campaigns found, in the form in which a page takes it.
- `page`: the page with its data.
"""
