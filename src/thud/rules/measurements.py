"""What was measured of the games: written by `tools/measure.py`."""

from typing import Final

from thud.rules.measured import Following, Measured, Par

MEASURED: Final = {
    "": Measured(),
    "classic": Measured(
        following=(
            Following(dwarfs=1, factor=0.973, shift=-18, lead=2, spread=(31, 34)),
            Following(dwarfs=4, factor=1.015, shift=46, lead=18, spread=(89, 100)),
            Following(dwarfs=8, factor=0.989, shift=-44, lead=-5, spread=(182, 162)),
            Following(dwarfs=14, factor=0.971, shift=-14, lead=38, spread=(247, 239)),
            Following(dwarfs=20, factor=0.984, shift=-53, lead=47, spread=(468, 459)),
            Following(dwarfs=26, factor=1.163, shift=496, lead=-10, spread=(899, 860)),
            Following(dwarfs=32, factor=1.453, shift=543, lead=328, spread=(905, 995)),
        ),
        par=(
            Par(players="levels 1 and 2", battles=58, dwarfs=-8.4, error=1.7, drawn=0.0),
            Par(players="levels 3 and 4", battles=62, dwarfs=-12.2, error=1.9, drawn=0.05),
            Par(players="1,000 positions a move", battles=30, dwarfs=-16.4, error=2.0, drawn=0.0),
            Par(players="8,000 positions a move", battles=29, dwarfs=-17.9, error=1.6, drawn=0.0),
        ),
        calm=(0.22, 0.07),
    ),
    "single": Measured(
        following=(
            Following(dwarfs=1, factor=0.984, shift=86, lead=-2, spread=(40, 30)),
            Following(dwarfs=4, factor=0.964, shift=70, lead=33, spread=(144, 131)),
            Following(dwarfs=8, factor=1.193, shift=91, lead=24, spread=(137, 72)),
            Following(dwarfs=14, factor=0.915, shift=-27, lead=18, spread=(72, 58)),
            Following(dwarfs=20, factor=1.003, shift=-55, lead=31, spread=(113, 104)),
            Following(dwarfs=26, factor=0.688, shift=-17, lead=10, spread=(241, 227)),
            Following(dwarfs=32, factor=0.942, shift=152, lead=168, spread=(453, 375)),
        ),
        par=(
            Par(players="levels 1 and 2", battles=63, dwarfs=-4.7, error=1.5, drawn=0.02),
            Par(players="levels 3 and 4", battles=57, dwarfs=-3.7, error=1.6, drawn=0.04),
            Par(players="1,000 positions a move", battles=21, dwarfs=-8.6, error=1.1, drawn=0.0),
        ),
        calm=(0.1, 0.03),
    ),
    "koom": Measured(
        odds=(-2.164, 0.916, 0.674, 0.696, 0.609, 0.073),
        drawn=(-0.498, -1.066, -0.193, -0.355, -0.062, 3.009),
        par=(
            Par(players="levels 1 and 2", battles=62, dwarfs=0.69, error=0.06, drawn=0.02),
            Par(players="levels 3 and 4", battles=58, dwarfs=0.59, error=0.07, drawn=0.0),
            Par(players="levels 5 and 6", battles=24, dwarfs=0.67, error=0.09, drawn=0.08),
            Par(players="levels 9 to 11", battles=51, dwarfs=0.82, error=0.05, drawn=0.04),
            Par(players="1,000 positions a move", battles=92, dwarfs=0.4, error=0.04, drawn=0.3),
            Par(players="8,000 positions a move", battles=75, dwarfs=0.96, error=0.02, drawn=0.05),
        ),
    ),
    "football": Measured(
        open=(0.851, 0.149, 0.0),
        par=(
            Par(players="1,000 positions a move", battles=22, dwarfs=0.8, error=0.05, drawn=0.41),
            Par(players="8,000 positions a move", battles=32, dwarfs=1.0, error=0.0, drawn=0.0),
        ),
    ),
}
