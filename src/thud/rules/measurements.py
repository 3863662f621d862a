"""What was measured of the games: written by `tools/measure.py`."""

from typing import Final

from thud.rules.measured import Following, Measured, Par, Unseen

MEASURED: Final = {
    "": Measured(),
    "classic": Measured(
        following=(
            Following(dwarfs=1, factor=0.961, shift=-29, lead=2, lone=48, spread=(23, 30)),
            Following(dwarfs=4, factor=1.029, shift=98, lead=3, lone=-78, spread=(80, 78)),
            Following(dwarfs=8, factor=1.002, shift=-41, lead=6, lone=-143, spread=(118, 101)),
            Following(dwarfs=14, factor=1.024, shift=-16, lead=13, lone=-48, spread=(150, 102)),
            Following(dwarfs=20, factor=1.062, shift=-57, lead=15, lone=0, spread=(334, 290)),
            Following(dwarfs=26, factor=1.311, shift=370, lead=28, lone=0, spread=(804, 699)),
            Following(dwarfs=32, factor=1.108, shift=-165, lead=36, lone=0, spread=(973, 875)),
        ),
        par=(
            Par(players="levels 1 and 2", battles=58, dwarfs=-14.4, error=2.1, drawn=0.02),
            Par(players="levels 3 and 4", battles=62, dwarfs=-15.5, error=2.0, drawn=0.03),
            Par(players="levels 5 and 6", battles=44, dwarfs=-15.0, error=1.4, drawn=0.05),
            Par(players="levels 7 and 8", battles=26, dwarfs=-16.6, error=1.9, drawn=0.0),
            Par(players="levels 9 to 11", battles=73, dwarfs=-16.3, error=1.1, drawn=0.0),
            Par(players="1,000 positions a move", battles=115, dwarfs=-22.3, error=0.8, drawn=0.0),
            Par(players="8,000 positions a move", battles=128, dwarfs=-19.0, error=0.8, drawn=0.01),
        ),
        calm=(0.11, 0.07),
    ),
    "single": Measured(
        following=(
            Following(dwarfs=1, factor=1.064, shift=245, lead=0, lone=-102, spread=(44, 52)),
            Following(dwarfs=4, factor=0.981, shift=49, lead=3, lone=-11, spread=(95, 88)),
            Following(dwarfs=8, factor=0.948, shift=-35, lead=3, lone=4, spread=(45, 43)),
            Following(dwarfs=14, factor=0.995, shift=-19, lead=5, lone=-34, spread=(53, 51)),
            Following(dwarfs=20, factor=0.947, shift=-60, lead=10, lone=-17, spread=(105, 101)),
            Following(dwarfs=26, factor=1.108, shift=192, lead=14, lone=0, spread=(312, 287)),
            Following(dwarfs=32, factor=1.035, shift=181, lead=14, lone=0, spread=(401, 410)),
        ),
        par=(
            Par(players="levels 1 and 2", battles=63, dwarfs=-3.1, error=2.3, drawn=0.02),
            Par(players="levels 3 and 4", battles=57, dwarfs=-3.1, error=2.0, drawn=0.02),
            Par(players="levels 5 and 6", battles=27, dwarfs=-3.1, error=0.8, drawn=0.07),
            Par(players="levels 9 to 11", battles=57, dwarfs=-2.6, error=0.6, drawn=0.04),
            Par(players="1,000 positions a move", battles=90, dwarfs=-7.1, error=0.7, drawn=0.01),
            Par(players="8,000 positions a move", battles=78, dwarfs=-1.8, error=0.6, drawn=0.06),
        ),
        calm=(0.18, 0.08),
    ),
    "koom": Measured(
        odds=(-1.9, 0.986, 0.671, 0.737, 0.217, -0.105, 1.269, -0.658),
        drawn=(-2.116, -0.653, 2.45, 0.967, -2.27, 0.023, 0.913, 1.575),
        par=(
            Par(players="levels 1 and 2", battles=62, dwarfs=0.59, error=0.06, drawn=0.05),
            Par(players="levels 3 and 4", battles=58, dwarfs=0.55, error=0.06, drawn=0.03),
            Par(players="levels 5 and 6", battles=26, dwarfs=0.65, error=0.09, drawn=0.08),
            Par(players="levels 9 to 11", battles=53, dwarfs=0.84, error=0.05, drawn=0.02),
            Par(players="1,000 positions a move", battles=96, dwarfs=0.4, error=0.04, drawn=0.3),
            Par(players="8,000 positions a move", battles=79, dwarfs=0.96, error=0.02, drawn=0.05),
        ),
    ),
    "football": Measured(
        unseen=(
            Unseen(turn=0, won=0.753, drawn=0.122, lost=0.125),
            Unseen(turn=40, won=0.619, drawn=0.211, lost=0.17),
            Unseen(turn=100, won=0.429, drawn=0.492, lost=0.079),
        ),
        par=(
            Par(players="1,000 positions a move", battles=75, dwarfs=0.78, error=0.03, drawn=0.44),
            Par(players="8,000 positions a move", battles=107, dwarfs=1.0, error=0.0, drawn=0.01),
        ),
    ),
}
