"""Pictures of positions and battles, for sharing.

`svg.board_svg` draws a position as an SVG document with nothing but the standard library;
`pixels` writes it as a PNG, and a battle as a GIF, for which it loads Pillow, an optional extra.
Both draw the same design: `palette` has the colours, `drawings` what can lie on a square,
`layout` where everything is, `shapes` the paths that it is made of.

>>> from thud.pictures.svg import board_svg
>>> from thud.rules.variants import VARIANTS
>>> board_svg(VARIANTS["classic"].start, caption="The dwarfs begin").count('"#thud-troll"')
8
"""
