"""What was measured of the games: written by `tools/measure.py`."""

from typing import Final

from thud.rules.measured import Following, Measured, Par

MEASURED: Final = {
    "": Measured(),
    "classic": Measured(
        following=(
            Following(dwarfs=1, factor=0.969, shift=-27, lead=2, spread=(30, 33)),
            Following(dwarfs=4, factor=1.026, shift=62, lead=15, spread=(89, 95)),
            Following(dwarfs=8, factor=1.004, shift=-11, lead=-3, spread=(185, 175)),
            Following(dwarfs=14, factor=0.979, shift=-19, lead=40, spread=(205, 193)),
            Following(dwarfs=20, factor=1.022, shift=-63, lead=28, spread=(429, 408)),
            Following(dwarfs=26, factor=1.132, shift=516, lead=20, spread=(1011, 956)),
            Following(dwarfs=32, factor=1.525, shift=646, lead=273, spread=(981, 983)),
        ),
        par=(
            Par(players="levels 1 and 2", battles=58, dwarfs=-8.4, error=1.7, drawn=0.0),
            Par(players="levels 3 and 4", battles=62, dwarfs=-12.2, error=1.9, drawn=0.05),
            Par(players="levels 9 to 11", battles=22, dwarfs=-15.1, error=1.9, drawn=0.05),
            Par(players="1,000 positions a move", battles=37, dwarfs=-17.1, error=1.8, drawn=0.03),
            Par(players="8,000 positions a move", battles=39, dwarfs=-18.9, error=1.4, drawn=0.0),
        ),
        calm=(0.21, 0.06),
    ),
    "single": Measured(
        following=(
            Following(dwarfs=1, factor=0.983, shift=86, lead=-2, spread=(41, 30)),
            Following(dwarfs=4, factor=0.964, shift=70, lead=33, spread=(144, 131)),
            Following(dwarfs=8, factor=1.192, shift=95, lead=26, spread=(139, 77)),
            Following(dwarfs=14, factor=0.919, shift=-30, lead=16, spread=(65, 56)),
            Following(dwarfs=20, factor=0.994, shift=-52, lead=31, spread=(109, 107)),
            Following(dwarfs=26, factor=0.649, shift=-29, lead=0, spread=(243, 219)),
            Following(dwarfs=32, factor=0.954, shift=159, lead=160, spread=(455, 344)),
        ),
        par=(
            Par(players="levels 1 and 2", battles=63, dwarfs=-4.7, error=1.5, drawn=0.02),
            Par(players="levels 3 and 4", battles=57, dwarfs=-3.7, error=1.6, drawn=0.04),
            Par(players="1,000 positions a move", battles=25, dwarfs=-8.2, error=1.0, drawn=0.0),
            Par(players="8,000 positions a move", battles=23, dwarfs=-2.2, error=0.7, drawn=0.17),
        ),
        calm=(0.08, 0.03),
    ),
    "koom": Measured(
        odds=(-2.327, 1.03, 0.904, 0.642, 0.531, -0.477, 1.634, -0.631),
        drawn=(-2.365, -0.749, 2.504, 0.609, -1.892, 0.33, 1.342, 1.305),
        par=(
            Par(players="levels 1 and 2", battles=62, dwarfs=0.69, error=0.06, drawn=0.02),
            Par(players="levels 3 and 4", battles=58, dwarfs=0.59, error=0.07, drawn=0.0),
            Par(players="levels 5 and 6", battles=25, dwarfs=0.68, error=0.09, drawn=0.08),
            Par(players="levels 9 to 11", battles=52, dwarfs=0.83, error=0.05, drawn=0.04),
            Par(players="1,000 positions a move", battles=93, dwarfs=0.4, error=0.04, drawn=0.31),
            Par(players="8,000 positions a move", battles=76, dwarfs=0.96, error=0.02, drawn=0.05),
        ),
    ),
    "football": Measured(
        open=(0.854, 0.146, 0.0),
        par=(
            Par(players="1,000 positions a move", battles=22, dwarfs=0.8, error=0.05, drawn=0.41),
            Par(players="8,000 positions a move", battles=33, dwarfs=1.0, error=0.0, drawn=0.0),
        ),
    ),
}
