"""Records: matches as texts and files.

A `Record` is the frozen value between a match and its texts.  `tgn_reader` and `tgn_writer` know
the text format of this program, `thudboard` the files of the ThudBoard program, `as_json` writes
JSON and `pictured` pictures; `formats` is the registry of them all, by which `files` opens and
saves.  `store` saves every match as it is played, `history` tells what became of them.  The formats
are described in docs/notation.md.

Nothing here is loaded that a command does not need.

>>> from thud.records.record import Record
>>> from thud.records.tgn_reader import read_tgn
>>> from thud.records.tgn_writer import tgn_text
>>> from thud.rules.match import Match
>>> from thud.rules.variants import VARIANTS
>>> match = Match(VARIANTS["koom"], ("Ann", "Bob"))
>>> text = tgn_text(Record.of(match))
>>> read_tgn(text)[0].match().players
('Ann', 'Bob')
"""
