"""Records: matches as values, texts and files.

A `Record` is the frozen value between a match and its texts.  `tgn` reads and writes this
program's own text format, `thudboard` the files of the ThudBoard program, `as_json` writes JSON
and `pictured` pictures; `formats` is the registry of them all, and opens and writes files.  `store`
saves every match as it is played and finds it again, `summary` is what lists show of them.  The
lines of a battle are a `tree`, in which a `Cursor` is a place; `editing` changes its variations,
and keeps them when the match goes on.  The formats are described in docs/notation.md.

Nothing here is loaded that a command does not need.

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
