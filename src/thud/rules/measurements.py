"""What was measured of the games: written by `tools/measure.py`."""

from typing import Final

from thud.rules.measured import Following, Measured, Par

MEASURED: Final = {
    "": Measured(),
    "classic": Measured(
        following=(
            Following(dwarfs=1, factor=0.978, shift=-7, lead=3, spread=(30, 36)),
            Following(dwarfs=4, factor=1.014, shift=30, lead=19, spread=(86, 93)),
            Following(dwarfs=8, factor=0.98, shift=-35, lead=-11, spread=(207, 182)),
            Following(dwarfs=14, factor=0.937, shift=-29, lead=37, spread=(324, 297)),
            Following(dwarfs=20, factor=0.963, shift=-45, lead=38, spread=(522, 531)),
            Following(dwarfs=26, factor=1.095, shift=465, lead=37, spread=(972, 982)),
            Following(dwarfs=32, factor=1.321, shift=458, lead=240, spread=(1041, 1089)),
        ),
        par=(
            Par(players="levels 1 and 2", battles=58, dwarfs=-8.4, error=1.7, drawn=0.0),
            Par(players="levels 3 and 4", battles=62, dwarfs=-12.2, error=1.9, drawn=0.05),
            Par(players="1,000 positions a move", battles=22, dwarfs=-14.7, error=2.2, drawn=0.0),
            Par(players="8,000 positions a move", battles=22, dwarfs=-19.3, error=1.8, drawn=0.0),
        ),
        calm=(0.23, 0.06),
    ),
    "single": Measured(
        following=(
            Following(dwarfs=1, factor=0.927, shift=68, lead=-3, spread=(16, 19)),
            Following(dwarfs=4, factor=0.989, shift=80, lead=24, spread=(130, 119)),
            Following(dwarfs=8, factor=1.179, shift=93, lead=13, spread=(146, 67)),
            Following(dwarfs=14, factor=0.906, shift=-27, lead=20, spread=(72, 71)),
            Following(dwarfs=20, factor=1.015, shift=-54, lead=26, spread=(119, 115)),
            Following(dwarfs=26, factor=0.71, shift=11, lead=8, spread=(263, 235)),
            Following(dwarfs=32, factor=0.947, shift=141, lead=209, spread=(383, 388)),
        ),
        par=(
            Par(players="levels 1 and 2", battles=63, dwarfs=-4.7, error=1.5, drawn=0.02),
            Par(players="levels 3 and 4", battles=57, dwarfs=-3.7, error=1.6, drawn=0.04),
        ),
        calm=(0.09, 0.04),
    ),
    "koom": Measured(
        odds=(-2.039, 0.891, 1.202, 0.204, 0.402, 0.062),
        drawn=(-0.338, -1.117, -0.527, -0.665, 0.222, 3.018),
        par=(
            Par(players="levels 1 and 2", battles=62, dwarfs=0.69, error=0.06, drawn=0.02),
            Par(players="levels 3 and 4", battles=58, dwarfs=0.59, error=0.07, drawn=0.0),
            Par(players="levels 9 to 11", battles=32, dwarfs=0.8, error=0.07, drawn=0.03),
            Par(players="1,000 positions a move", battles=56, dwarfs=0.34, error=0.05, drawn=0.25),
            Par(players="8,000 positions a move", battles=47, dwarfs=0.95, error=0.03, drawn=0.06),
        ),
    ),
    "football": Measured(
        open=(0.912, 0.088, 0.0),
        par=(Par(players="8,000 positions a move", battles=24, dwarfs=1.0, error=0.0, drawn=0.0),),
    ),
}
