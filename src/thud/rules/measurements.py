"""What was measured of the games: written by `tools/measure.py`."""

from typing import Final

from thud.rules.measured import Following, Measured, NoGoalInSight, Par

MEASURED: Final = {
    "": Measured(),
    "classic": Measured(
        following=(
            Following(dwarfs=1, factor=0.959, shift=-50, lead=2, lone=78, spread=(11, 13)),
            Following(dwarfs=4, factor=1.021, shift=81, lead=5, lone=-25, spread=(93, 99)),
            Following(dwarfs=8, factor=1.02, shift=44, lead=11, lone=-85, spread=(98, 90)),
            Following(dwarfs=14, factor=0.979, shift=-2, lead=12, lone=95, spread=(126, 110)),
            Following(dwarfs=20, factor=0.983, shift=-29, lead=40, lone=0, spread=(339, 317)),
            Following(dwarfs=26, factor=1.187, shift=431, lead=75, lone=0, spread=(766, 707)),
            Following(dwarfs=32, factor=1.081, shift=300, lead=77, lone=0, spread=(1006, 1047)),
        ),
        par=(
            Par(players="levels 1 to 3", battles=58, dwarfs=-11.9, error=2.3, drawn=0.0),
            Par(players="levels 4 to 6", battles=62, dwarfs=-14.5, error=1.9, drawn=0.0),
            Par(players="levels 7 and 8", battles=117, dwarfs=-14.5, error=0.9, drawn=0.03),
            Par(players="levels 9 and 10", battles=87, dwarfs=-17.0, error=0.8, drawn=0.0),
            Par(players="levels 11 to 14", battles=202, dwarfs=-15.7, error=0.6, drawn=0.01),
            Par(players="1,000 positions a move", battles=391, dwarfs=-21.6, error=0.4, drawn=0.0),
            Par(players="8,000 positions a move", battles=365, dwarfs=-16.5, error=0.5, drawn=0.03),
        ),
        calm=(0.14, 0.1),
    ),
    "single": Measured(
        following=(
            Following(dwarfs=1, factor=0.95, shift=-36, lead=3, lone=-64, spread=(27, 28)),
            Following(dwarfs=4, factor=1.027, shift=43, lead=4, lone=-76, spread=(74, 83)),
            Following(dwarfs=8, factor=1.029, shift=-38, lead=5, lone=40, spread=(145, 127)),
            Following(dwarfs=14, factor=1.032, shift=-5, lead=11, lone=-31, spread=(46, 51)),
            Following(dwarfs=20, factor=0.98, shift=-29, lead=12, lone=0, spread=(57, 70)),
            Following(dwarfs=26, factor=1.08, shift=123, lead=26, lone=0, spread=(318, 325)),
            Following(dwarfs=32, factor=1.318, shift=287, lead=29, lone=0, spread=(452, 439)),
        ),
        par=(
            Par(players="levels 1 to 3", battles=63, dwarfs=-3.9, error=2.2, drawn=0.03),
            Par(players="levels 4 to 6", battles=57, dwarfs=-3.5, error=2.1, drawn=0.04),
            Par(players="levels 7 and 8", battles=43, dwarfs=-5.0, error=1.2, drawn=0.07),
            Par(players="levels 9 and 10", battles=21, dwarfs=-4.3, error=0.9, drawn=0.0),
            Par(players="levels 11 to 14", battles=78, dwarfs=-1.3, error=0.4, drawn=0.09),
            Par(players="1,000 positions a move", battles=132, dwarfs=-7.6, error=0.5, drawn=0.03),
            Par(players="8,000 positions a move", battles=116, dwarfs=-1.6, error=0.3, drawn=0.1),
        ),
        calm=(0.25, 0.09),
    ),
    "koom": Measured(
        odds=(-1.762, 0.965, 0.863, 0.743, -0.031, 0.161, 1.262, -0.682),
        drawn=(-2.091, -0.572, 2.31, 1.511, -2.893, -0.022, 0.656, 1.624),
        par=(
            Par(players="levels 1 to 3", battles=62, dwarfs=0.63, error=0.06, drawn=0.06),
            Par(players="levels 4 to 6", battles=58, dwarfs=0.53, error=0.06, drawn=0.03),
            Par(players="levels 7 and 8", battles=26, dwarfs=0.65, error=0.09, drawn=0.08),
            Par(players="levels 11 to 14", battles=53, dwarfs=0.84, error=0.05, drawn=0.02),
            Par(players="1,000 positions a move", battles=96, dwarfs=0.4, error=0.04, drawn=0.3),
            Par(players="8,000 positions a move", battles=79, dwarfs=0.96, error=0.02, drawn=0.05),
        ),
    ),
    "football": Measured(
        no_goal_in_sight=(
            NoGoalInSight(moves=0, won=0.753, drawn=0.122, lost=0.125),
            NoGoalInSight(moves=40, won=0.619, drawn=0.211, lost=0.17),
            NoGoalInSight(moves=100, won=0.429, drawn=0.492, lost=0.079),
        ),
        par=(
            Par(players="1,000 positions a move", battles=75, dwarfs=0.78, error=0.03, drawn=0.44),
            Par(players="8,000 positions a move", battles=107, dwarfs=1.0, error=0.0, drawn=0.01),
        ),
    ),
}
