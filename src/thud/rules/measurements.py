"""What was measured of the games: written by `tools/measure.py`."""

from typing import Final

from thud.rules.measured import Following, Measured, Par

MEASURED: Final = {
    "": Measured(),
    "classic": Measured(
        following=(
            Following(dwarfs=1, factor=0.97, shift=-30, lead=4, spread=(29, 34)),
            Following(dwarfs=4, factor=1.009, shift=37, lead=17, spread=(100, 106)),
            Following(dwarfs=8, factor=0.974, shift=-43, lead=-20, spread=(245, 174)),
            Following(dwarfs=14, factor=0.894, shift=-43, lead=41, spread=(355, 285)),
            Following(dwarfs=20, factor=1.026, shift=-19, lead=56, spread=(471, 482)),
            Following(dwarfs=26, factor=1.177, shift=636, lead=7, spread=(1038, 922)),
            Following(dwarfs=32, factor=1.373, shift=566, lead=334, spread=(1031, 1041)),
        ),
        par=(
            Par(players="levels 1 and 2", battles=58, dwarfs=-8.4, error=1.7, drawn=0.0),
            Par(players="levels 3 and 4", battles=62, dwarfs=-12.2, error=1.9, drawn=0.05),
        ),
        quiet=75,
    ),
    "single": Measured(
        following=(
            Following(dwarfs=1, factor=0.934, shift=60, lead=-12, spread=(14, 104)),
            Following(dwarfs=4, factor=1.1, shift=180, lead=27, spread=(138, 157)),
            Following(dwarfs=8, factor=1.162, shift=69, lead=2, spread=(74, 72)),
            Following(dwarfs=14, factor=0.893, shift=-21, lead=21, spread=(65, 77)),
            Following(dwarfs=20, factor=1.02, shift=-53, lead=24, spread=(135, 122)),
            Following(dwarfs=26, factor=0.719, shift=20, lead=14, spread=(271, 265)),
            Following(dwarfs=32, factor=0.946, shift=126, lead=210, spread=(412, 428)),
        ),
        par=(
            Par(players="levels 1 and 2", battles=63, dwarfs=-4.7, error=1.5, drawn=0.02),
            Par(players="levels 3 and 4", battles=57, dwarfs=-3.7, error=1.6, drawn=0.04),
        ),
        quiet=30,
    ),
    "koom": Measured(
        odds=(-1.522, 1.021, 1.006, 0.283, 0.073, 0.062),
        drawn=(-0.92, -0.971, -0.259, -0.8, 0.48, 2.711),
        par=(
            Par(players="levels 1 and 2", battles=62, dwarfs=0.69, error=0.06, drawn=0.02),
            Par(players="levels 3 and 4", battles=58, dwarfs=0.59, error=0.07, drawn=0.0),
            Par(players="levels 9 to 11", battles=23, dwarfs=0.8, error=0.08, drawn=0.04),
            Par(players="1,000 positions a move", battles=32, dwarfs=0.33, error=0.07, drawn=0.22),
            Par(players="8,000 positions a move", battles=30, dwarfs=0.97, error=0.02, drawn=0.07),
        ),
    ),
    "football": Measured(
        open=(0.85, 0.15, 0.0),
        par=(
            Par(players="levels 1 and 2", battles=59, dwarfs=0.41, error=0.06, drawn=0.1),
            Par(players="levels 3 and 4", battles=61, dwarfs=0.68, error=0.06, drawn=0.02),
        ),
    ),
}
