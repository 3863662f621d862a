"""All settings: their names, values and descriptions."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

Value: TypeAlias = str | bool
"""Value of a setting other than the keys."""

Pieces: TypeAlias = Literal["auto", "sprites", "unicode", "letters", "blocks"]
CellSize: TypeAlias = Literal["auto", "3x1", "5x2", "7x3", "9x4", "11x5", "13x6"]
Captures: TypeAlias = Literal["ask", "all"]
SecondTap: TypeAlias = Literal["touch", "always", "never"]

AUTO: Final = "auto"
"""The program decides."""

CARVED: Final = "carved"
"""The pieces available only in exported pictures."""

PICTURED: Final = (CARVED, *(pieces for pieces in get_args(Pieces) if pieces != AUTO))
"""All pieces available in exported pictures."""

LONGEST: Final = 64
"""Most characters of the name of a theme, a binding or a key."""


class Settings(NamedTuple):
    """Every setting, with its default."""

    theme: str = AUTO
    """A theme's name; `auto` is the game's own, or TEXTUAL_THEME's."""

    pieces: Pieces = "auto"
    """The set of pieces: sprites, symbols, letters, or block characters; `auto` is sprites, symbols
    with few colours, and letters if the terminal may support neither."""

    ascii: bool = False
    """Draw with ASCII characters only."""

    cell: CellSize = "auto"
    """The largest size of a square, columns by rows; `auto` is the largest that fits."""

    animation: bool = True
    """Show moves and captures step by step."""

    turn_board: bool = False
    """Turn the board to whoever moves, if two people play here."""

    evaluation_bar: bool = False
    """Show the computer's evaluation of the position beside the board."""

    coach: bool = False
    """Against a computer, ask before a blunder is played, and explain it."""

    voices: bool = True
    """Let the computer say something now and then."""

    captures: Captures = "ask"
    """Whether to ask what to capture, or to capture everything."""

    second_tap: SecondTap = "touch"
    """Whether a second tap or click on its square plays a move; `touch` is on touch screens."""

    confirm: bool = True
    """Ask before leaving an unfinished match."""

    bell: bool = False
    """Ring the terminal's bell when something is captured."""

    sound: bool = False
    """Play a sound when something is captured, by a program that is there."""

    notify: bool = True
    """Notify through the terminal when it is the user's turn after a long think."""

    practise_dubious: bool = False
    """Practise dubious moves, too, not only mistakes."""

    keys: Mapping[str, tuple[str, ...]] = {}
    """Keys by binding id, replacing the defaults."""


class SettingInfo(NamedTuple):
    """How a setting is shown, and its possible values."""

    name: str
    label: str
    explanation: str
    choices: tuple[Value, ...]
    """All allowed values; empty if only the interface knows them."""
    notes: Mapping[Value, str] = {}
    """Explanations of some values."""

    @property
    def allowed(self) -> str:
        """The allowed values, as written in the file."""
        if not self.choices:
            return "a name"
        *others, last = (written(choice) for choice in self.choices)
        return f"{', '.join(others)} or {last}"

    def allows(self, value: object) -> bool:
        """Whether a value is allowed: 1 is not true."""
        if not self.choices:
            return isinstance(value, str) and 0 < len(value) <= LONGEST and value.isprintable()
        return any(value == choice and type(value) is type(choice) for choice in self.choices)


def written(value: object) -> str:
    """Return a value as written in the file, roughly."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


_YES_OR_NO: Final = (True, False)

SETTINGS_INFO: Final[Mapping[str, SettingInfo]] = {
    about.name: about
    for about in (
        SettingInfo(
            "theme",
            "Theme",
            "All colours, including the board's.",
            (),
            {
                AUTO: "The game's own theme: koom-valley.",
                "koom-valley": "Dark: wet slate, lichen and torchlight.",
                "ankh-morpork": "Light: old paper, brick and the river.",
                "okabe-ito": "Dark, in colours that the colour-blind can tell apart.",
            },
        ),
        SettingInfo(
            "pieces",
            "Pieces",
            "How dwarfs, trolls and the rock are drawn.",
            get_args(Pieces),
            {
                AUTO: "Pictures, or letters where a terminal might not draw them.",
                "sprites": "Pictures in several colours; symbols on the smallest squares.",
                "unicode": "Pictures of quarter blocks; symbols on the smallest squares.",
                "letters": "d, T, and S, R or B for the stone, whatever the size.",
                "blocks": "Pictures of half blocks, which every terminal has.",
            },
        ),
        SettingInfo("ascii", "ASCII only", "Draw with plain ASCII only.", _YES_OR_NO),
        SettingInfo(
            "cell",
            "Squares",
            "The largest size, in columns and rows; auto fills the screen.",
            get_args(CellSize),
            {
                AUTO: "As large as fits.",
                "3x1": "The board takes 48 columns and 17 rows.",
                "5x2": "The board takes 79 columns and 32 rows.",
                "7x3": "The board takes 109 columns and 47 rows.",
                "9x4": "The board takes 139 columns and 62 rows.",
                "11x5": "The board takes 169 columns and 77 rows.",
                "13x6": "The board takes 199 columns and 92 rows.",
            },
        ),
        SettingInfo(
            "animation",
            "Animation",
            "Show moves and captures step by step.",
            _YES_OR_NO,
        ),
        SettingInfo(
            "turn_board",
            "Turn board",
            "Turn the board to whoever moves, if two people play here.",
            _YES_OR_NO,
        ),
        SettingInfo(
            "evaluation_bar",
            "Evaluation",
            "Show who is ahead: a bar beside the board, a stroke each ten points, and the margin.",
            _YES_OR_NO,
        ),
        SettingInfo(
            "coach",
            "Coach",
            "Against a computer, warn you before a blunder, and say why.",
            _YES_OR_NO,
        ),
        SettingInfo(
            "voices",
            "Voices",
            "Let the computer say something now and then.",
            _YES_OR_NO,
        ),
        SettingInfo(
            "captures",
            "Captures",
            "Ask what to capture if there is a choice, or take all.",
            get_args(Captures),
            {
                "ask": "You are asked what to capture.",
                "all": "All are captured without asking.",
            },
        ),
        SettingInfo(
            "second_tap",
            "Tap twice",
            "Whether a move is played by a second tap or click on its square.",
            get_args(SecondTap),
            {
                "touch": "Tap twice to move: only on touch screens, in a club.",
                "always": "Here and everywhere; keys play at once.",
                "never": "The first tap or click plays it.",
            },
        ),
        SettingInfo("confirm", "Confirm", "Ask before leaving an unfinished match.", _YES_OR_NO),
        SettingInfo("bell", "Bell", "Ring the terminal's bell for captures.", _YES_OR_NO),
        SettingInfo("sound", "Sound", "Play a thud for captures, on this machine.", _YES_OR_NO),
        SettingInfo(
            "notify",
            "Notify",
            "Let the terminal notify you of your turn after a long wait.",
            _YES_OR_NO,
        ),
        SettingInfo(
            "practise_dubious",
            "Dubious ?!",
            "Practise your dubious moves (?!), too, not only mistakes.",
            _YES_OR_NO,
        ),
    )
}
"""All settings but the keys, by name, in display order."""
