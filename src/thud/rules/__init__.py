"""The rules of Thud: pure, the standard library only.

Begin at `thud.rules.variants.VARIANTS`; play with `thud.rules.match.Match`.

>>> from thud.rules.notation import parse_move
>>> from thud.rules.variants import VARIANTS
>>> classic = VARIANTS["classic"]
>>> len(classic.legal_moves(classic.start))
656
>>> classic.start.after(parse_move(classic, classic.start, "dF1-F5")).to_move.plural
'trolls'
"""
