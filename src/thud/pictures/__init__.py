"""Pictures of positions and battles, for sharing.

`svg.board_svg` draws a position as an SVG document, using only the standard library; `pixels`
writes it as a PNG, and a battle as a GIF, with Pillow, an optional extra.  Both draw the same
design: `palette` has the colours, `drawings` the pieces and marks, `layout` their places, `shapes`
the paths they are made of.

>>> from thud.pictures.svg import board_svg
>>> from thud.rules.variants import VARIANTS
>>> board_svg(VARIANTS["classic"].start, caption="The dwarfs begin").count('"#thud-troll"')
8
"""
