"""What was measured of the games: written by `tools/measure.py`."""

from typing import Final

from thud.rules.measured import Following, Measured, Par

MEASURED: Final = {
    "": Measured(),
    "classic": Measured(
        following=(
            Following(dwarfs=1, factor=0.962, shift=-27, lead=2, spread=(22, 28)),
            Following(dwarfs=4, factor=1.008, shift=69, lead=4, spread=(87, 83)),
            Following(dwarfs=8, factor=0.987, shift=-91, lead=8, spread=(123, 103)),
            Following(dwarfs=14, factor=1.04, shift=16, lead=15, spread=(136, 98)),
            Following(dwarfs=20, factor=1.061, shift=-51, lead=11, spread=(350, 303)),
            Following(dwarfs=26, factor=1.137, shift=28, lead=35, spread=(766, 669)),
            Following(dwarfs=32, factor=1.097, shift=-173, lead=43, spread=(929, 869)),
        ),
        par=(
            Par(players="levels 1 and 2", battles=58, dwarfs=-14.9, error=2.1, drawn=0.02),
            Par(players="levels 3 and 4", battles=62, dwarfs=-18.3, error=1.8, drawn=0.02),
            Par(players="levels 5 and 6", battles=44, dwarfs=-14.2, error=1.5, drawn=0.02),
            Par(players="levels 7 and 8", battles=26, dwarfs=-18.2, error=1.8, drawn=0.0),
            Par(players="levels 9 to 11", battles=73, dwarfs=-15.9, error=1.1, drawn=0.01),
            Par(players="1,000 positions a move", battles=115, dwarfs=-22.3, error=0.8, drawn=0.0),
            Par(players="8,000 positions a move", battles=128, dwarfs=-19.0, error=0.8, drawn=0.01),
        ),
        calm=(0.12, 0.1),
    ),
    "single": Measured(
        following=(
            Following(dwarfs=1, factor=1.011, shift=108, lead=1, spread=(22, 28)),
            Following(dwarfs=4, factor=0.965, shift=67, lead=3, spread=(86, 99)),
            Following(dwarfs=8, factor=1.012, shift=-40, lead=2, spread=(66, 50)),
            Following(dwarfs=14, factor=0.931, shift=-9, lead=8, spread=(66, 57)),
            Following(dwarfs=20, factor=0.985, shift=-67, lead=13, spread=(111, 102)),
            Following(dwarfs=26, factor=0.727, shift=12, lead=6, spread=(287, 238)),
            Following(dwarfs=32, factor=0.864, shift=139, lead=12, spread=(420, 396)),
        ),
        par=(
            Par(players="levels 1 and 2", battles=63, dwarfs=-4.4, error=2.0, drawn=0.02),
            Par(players="levels 3 and 4", battles=57, dwarfs=-3.5, error=1.5, drawn=0.04),
            Par(players="levels 9 to 11", battles=29, dwarfs=-1.9, error=1.5, drawn=0.14),
            Par(players="1,000 positions a move", battles=41, dwarfs=-6.9, error=0.8, drawn=0.0),
            Par(players="8,000 positions a move", battles=40, dwarfs=-2.1, error=0.5, drawn=0.12),
        ),
        calm=(0.09, 0.03),
    ),
    "koom": Measured(
        odds=(-2.329, 1.03, 0.893, 0.638, 0.508, -0.388, 1.565, -0.637),
        drawn=(-2.387, -0.77, 2.534, 0.661, -1.949, 0.324, 1.373, 1.314),
        par=(
            Par(players="levels 1 and 2", battles=62, dwarfs=0.59, error=0.06, drawn=0.05),
            Par(players="levels 3 and 4", battles=58, dwarfs=0.55, error=0.06, drawn=0.03),
            Par(players="levels 5 and 6", battles=26, dwarfs=0.65, error=0.09, drawn=0.08),
            Par(players="levels 9 to 11", battles=53, dwarfs=0.83, error=0.05, drawn=0.04),
            Par(players="1,000 positions a move", battles=96, dwarfs=0.4, error=0.04, drawn=0.31),
            Par(players="8,000 positions a move", battles=79, dwarfs=0.96, error=0.02, drawn=0.05),
        ),
    ),
    "football": Measured(
        open=(0.867, 0.133, 0.0),
        par=(
            Par(players="1,000 positions a move", battles=26, dwarfs=0.81, error=0.05, drawn=0.38),
            Par(players="8,000 positions a move", battles=43, dwarfs=1.0, error=0.0, drawn=0.0),
        ),
    ),
}
