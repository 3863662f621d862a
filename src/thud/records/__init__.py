"""Records: matches as values, texts and files.

A `Record` is the frozen value between a match and its texts.  `tgn` reads and writes this
program's own text format, `thudboard` the files of the ThudBoard program, `as_json` writes JSON
and `pictured` pictures; `formats` is their registry, and opens and writes files.  `store` saves
matches as they are played and finds them again; `summary` has their details for lists.  A battle
is a tree of nodes: a `Cursor` of `tree` goes through it, and `editing` changes its variations.  The
formats are described in docs/notation.md.

>>> from thud.records.record import Record
>>> from thud.records.tgn.reader import read_tgn
>>> from thud.records.tgn.writer import tgn_text
>>> from thud.rules.match import Match
>>> from thud.rules.variants import VARIANTS
>>> match = Match(VARIANTS["koom"], ("Ann", "Bob"))
>>> text = tgn_text(Record.of(match))
>>> read_tgn(text)[0].match().players
('Ann', 'Bob')
"""
