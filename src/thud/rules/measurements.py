"""What was measured of the games: written by `tools/measure.py`."""

from typing import Final

from thud.rules.measured import Following, Measured, NoGoalInSight, Par

MEASURED: Final = {
    "": Measured(),
    "classic": Measured(
        following=(
            Following(dwarfs=1, factor=0.96, shift=-48, lead=2, lone=76, spread=(11, 12)),
            Following(dwarfs=4, factor=1.03, shift=98, lead=7, lone=-38, spread=(90, 89)),
            Following(dwarfs=8, factor=1.016, shift=27, lead=10, lone=-81, spread=(92, 80)),
            Following(dwarfs=14, factor=1.013, shift=1, lead=21, lone=-139, spread=(91, 84)),
            Following(dwarfs=20, factor=1.001, shift=12, lead=29, lone=0, spread=(361, 323)),
            Following(dwarfs=26, factor=1.26, shift=562, lead=55, lone=0, spread=(735, 706)),
            Following(dwarfs=32, factor=1.359, shift=840, lead=87, lone=0, spread=(1057, 1013)),
        ),
        par=(
            Par(players="levels 1 to 3", battles=58, dwarfs=-15.0, error=2.3, drawn=0.0),
            Par(players="levels 4 to 6", battles=62, dwarfs=-11.7, error=2.0, drawn=0.0),
            Par(players="levels 7 and 8", battles=102, dwarfs=-13.2, error=0.9, drawn=0.05),
            Par(players="levels 9 and 10", battles=51, dwarfs=-16.4, error=1.4, drawn=0.02),
            Par(players="levels 11 to 14", battles=279, dwarfs=-16.6, error=0.5, drawn=0.04),
            Par(players="1,000 positions a move", battles=391, dwarfs=-21.6, error=0.4, drawn=0.0),
            Par(players="8,000 positions a move", battles=365, dwarfs=-16.5, error=0.5, drawn=0.03),
        ),
        calm=(0.13, 0.08),
    ),
    "single": Measured(
        following=(
            Following(dwarfs=1, factor=0.955, shift=-32, lead=3, lone=-67, spread=(23, 25)),
            Following(dwarfs=4, factor=1.026, shift=39, lead=4, lone=-73, spread=(84, 86)),
            Following(dwarfs=8, factor=0.999, shift=-26, lead=3, lone=40, spread=(113, 118)),
            Following(dwarfs=14, factor=1.007, shift=-27, lead=13, lone=-22, spread=(47, 41)),
            Following(dwarfs=20, factor=0.99, shift=-32, lead=8, lone=0, spread=(43, 45)),
            Following(dwarfs=26, factor=0.89, shift=47, lead=13, lone=0, spread=(310, 273)),
            Following(dwarfs=32, factor=1.064, shift=215, lead=24, lone=0, spread=(372, 417)),
        ),
        par=(
            Par(players="levels 1 to 3", battles=61, dwarfs=-1.8, error=2.2, drawn=0.02),
            Par(players="levels 4 to 6", battles=59, dwarfs=-3.4, error=1.6, drawn=0.1),
            Par(players="levels 7 and 8", battles=43, dwarfs=-4.2, error=0.7, drawn=0.0),
            Par(players="levels 11 to 14", battles=92, dwarfs=-1.1, error=0.4, drawn=0.09),
            Par(players="1,000 positions a move", battles=132, dwarfs=-7.6, error=0.5, drawn=0.03),
            Par(players="8,000 positions a move", battles=116, dwarfs=-1.6, error=0.3, drawn=0.1),
        ),
        calm=(0.23, 0.09),
    ),
    "koom": Measured(
        odds=(-1.522, 0.886, 0.97, 0.294, 0.205, -0.236, 1.153, -0.57),
        drawn=(-3.488, -0.419, 2.521, 1.323, -2.327, 0.981, 0.472, 2.245),
        par=(
            Par(players="levels 1 to 3", battles=58, dwarfs=0.63, error=0.06, drawn=0.09),
            Par(players="levels 4 to 6", battles=62, dwarfs=0.54, error=0.06, drawn=0.02),
            Par(players="levels 7 and 8", battles=78, dwarfs=0.71, error=0.05, drawn=0.18),
            Par(players="levels 9 and 10", battles=35, dwarfs=0.59, error=0.07, drawn=0.31),
            Par(players="levels 11 to 14", battles=159, dwarfs=0.8, error=0.03, drawn=0.04),
            Par(players="1,000 positions a move", battles=267, dwarfs=0.42, error=0.02, drawn=0.32),
            Par(players="8,000 positions a move", battles=252, dwarfs=0.96, error=0.01, drawn=0.03),
        ),
    ),
    "football": Measured(
        no_goal_in_sight=(
            NoGoalInSight(moves=0, won=0.759, drawn=0.146, lost=0.096),
            NoGoalInSight(moves=40, won=0.626, drawn=0.259, lost=0.116),
            NoGoalInSight(moves=100, won=0.348, drawn=0.551, lost=0.101),
        ),
        par=(
            Par(players="1,000 positions a move", battles=75, dwarfs=0.78, error=0.03, drawn=0.44),
            Par(players="8,000 positions a move", battles=107, dwarfs=1.0, error=0.0, drawn=0.01),
        ),
    ),
}
