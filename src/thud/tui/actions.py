"""The table of actions: the keys and the words of each one on each screen.

Bindings, key bar, palette, help, card of keys and settings file are made of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_letters, digits
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace
from textual.binding import Binding, BindingType

Section: TypeAlias = Literal["Move", "Battle", "Look", "Write", "Match", "Thud"]
SECTIONS: Final[tuple[Section, ...]] = get_args(Section)
"""The sections of the card of keys."""

Door: TypeAlias = Literal["ssh", "web", "page"]
"""A door of a club, or the page that runs the program itself."""

Elsewhere: TypeAlias = Mapping[Door, str | None]


class Action(Struct, frozen=True):
    """An action on a screen."""

    id: str
    """Its name in the settings file; without one its keys are fixed."""
    keys: str
    """Its keys at first, separated by commas."""
    runs: str
    """What Textual runs, such as `look(-1)` or `app.edit`."""
    label: str = ""
    """What it is called; the key bar may have less room."""
    sign: str = ""
    """How the key bar writes its keys, if not by the name of the first one."""
    short: str = ""
    """What the key bar calls it, if not by its label."""
    show: bool = True
    """Whether the key bar shows it."""
    priority: bool = False
    """Whether its keys are looked up before those of the focused widget."""
    meaning: str = ""
    """What the palette explains."""
    section: Section | None = None
    """Its section on the card of keys; without one, that of its screen."""
    card: str = ""
    """What the card says, if not its label."""
    together: str = ""
    """What the card says of it and of the others with the same words, all of which do something."""
    watching: tuple[int, str] | None = None
    """Its place in the key bar while computers play each other, and its label if another."""
    spectating: tuple[int, str] | None = None
    """Its place in the key bar of spectators, and its label if another."""
    elsewhere: Elsewhere = MappingProxyType({})
    """What it is called away from home, by the door; None where it is not possible."""
    while_asked: bool = False
    """Whether it is possible while a question is open."""
    in_past: bool = False
    """Whether its keys do not end looking back at earlier moves."""

    @property
    def name(self) -> str:
        """The name of its method, less `action_`."""
        return self.runs.partition("(")[0].rpartition(".")[2]

    @property
    def binding(self) -> Binding:
        """It as a binding of Textual."""
        return Binding(
            self.keys,
            self.runs,
            self.short or self.label,
            show=self.show,
            key_display=self.sign or None,
            priority=self.priority,
            tooltip=self.label,
            id=self.id or None,
        )

    def at(self, id: str, **changes: Any) -> Action:  # noqa: A002 -- as the field is called
        """Return it on another screen."""
        return replace(self, id=id, **changes)


# What several screens have

_AT_HOME: Final[Elsewhere] = {"ssh": None, "web": None, "page": None}
_DOWNLOADED: Final[Elsewhere] = {
    "ssh": None,
    "web": "Download a picture",
    "page": "Download a picture",
}
_EXPLORING: Final = "See what others played from here"
_FROM_HERE: Final = "Begin a match from this position"

_TYPE: Final = Action(
    "", "colon,slash", "type_move", "Type", sign=":", section="Move", card="Type a move"
)
_TAKE_ALL: Final = Action(
    "", "a", "take_all", "Take all", show=False, section="Move", card="Capture all there"
)
_EXPLAIN: Final = Action(
    "",
    "d",
    "explain",
    "What a piece can do",
    show=False,
    section="Move",
    card="Where a piece can go",
)
_BACK: Final = Action(
    "",
    "escape,backspace",
    "back",
    "Back",
    sign="Esc",
    section="Move",
    card="Go back",
    while_asked=True,
)
_HINT: Final = Action("", "i", "hint", "Hint", section="Battle", card="Get a hint")
_END: Final = Action(
    "",
    "e",
    "end_battle",
    "Propose end",
    short="End",
    section="Battle",
    card="Propose to end the battle",
)
_UNDO: Final = Action("", "u", "undo", "Undo", section="Battle")
_REDO: Final = Action("", "r", "redo", "Redo", section="Battle")
_THREATS: Final = Action("", "t", "threats", "Threats", section="Look", card="What can be captured")
_FASTER: Final = Action(
    "", "plus", "speed(1)", "Faster", show=False, section="Look", together="Faster, slower"
)
_SLOWER: Final = replace(_FASTER, keys="minus", runs="speed(-1)", label="Slower")
_FLIP: Final = Action(
    "", "f", "flip", "Flip the board", show=False, section="Look", while_asked=True
)
_PIECES: Final = Action(
    "", "p", "app.next_pieces", "Other pieces", show=False, section="Look", card="Change the pieces"
)
_REVIEW: Final = Action("", "m", "review", "Review", section="Match", card="Review every move")
_SAVE_AS: Final = Action(
    "",
    "s",
    "app.save_as",
    "Save as",
    show=False,
    section="Match",
    elsewhere={"ssh": "Read as text", "web": "Download", "page": "Download"},
)
_PICTURE: Final = Action(
    "", "S", "app.picture", "Save a picture", show=False, section="Match", elsewhere=_DOWNLOADED
)
_COPY: Final = Action(
    "", "c", "copy", "Copy", show=False, section="Match", card="Copy to the clipboard"
)
_LINK: Final = Action("", "C", "link", "Copy a link", show=False, section="Match")
_EDIT: Final = Action("", "E", "app.edit", "Edit the position", show=False, section="Match")
_EXPLORE: Final = Action(
    "", "x", "app.explore", "Explore", meaning=_EXPLORING, section="Match",
    card="What others played",
)  # fmt: skip
_PLAY_FROM: Final = Action(
    "", "P", "app.play_from", "Play from here", show=False, meaning=_FROM_HERE
)
_HELP: Final = Action("", "f1", "help", "Help", sign="F1", section="Thud", while_asked=True)
_LEAVE: Final = Action("", "q", "leave", "Leave", section="Thud")
_QUIT: Final = Action(
    "",
    "q",
    "app.quit",
    "Quit",
    section="Thud",
    elsewhere={"ssh": "Leave", "web": "Leave", "page": "Leave"},
)
_TO_MATCH: Final = Action(
    "app.to_match", "f4", "app.to_match", "Back to the match", show=False, section="Thud"
)
"""The key back to the match below; modal screens, which app bindings do not reach, repeat it."""

_KEYS: Final = Action(
    "app.keys", "question_mark", "app.keys", "Keys here", show=False,
    meaning="Show what each key does here", section="Thud", card="Close this card",
)  # fmt: skip
"""The key of the card of keys, which dialogs repeat as well."""

DIRECTION_KEYS: Final = {
    "north_west": "7,home",
    "north": "8,up,k",
    "north_east": "9,pageup",
    "west": "4,left,h",
    "east": "6,right,l",
    "south_west": "1,end",
    "south": "2,down,j",
    "south_east": "3,pagedown",
}
"""The keys that point in the eight directions, the numpad's digit first."""

_JUMPS: Final = {"up": "north", "left": "west", "right": "east", "down": "south"}
"""Directions of jumps by their arrows."""

_ANSWERS: Final = (
    *("enter", "space", "5", "kp_begin", "escape", "backspace"),
    *"acdemnpqrstuyNS",
    *(key for keys in DIRECTION_KEYS.values() for key in keys.split(",")),
)
"""Every key that may answer a question."""

_SIGNS: Final = {
    "space": " ",
    "comma": ",",
    "minus": "-",
    "semicolon": ";",
    "greater_than_sign": ">",
}
_WRITTEN: Final = {each: each for each in ascii_letters + digits} | _SIGNS
"""The keys that insert a character, each with its character."""

ACTIONS: Final[Mapping[str, tuple[Action, ...]]] = {
    "board": (
        *(
            Action(f"board.{name}", keys, f"step('{name}')",
                f"move the cursor {name.replace('_', ' ')}",
                show=False, section="Move", together="Move the cursor")
            for name, keys in DIRECTION_KEYS.items()
        ),
        *(
            Action(f"board.jump_{name}", f"ctrl+{arrow},shift+{arrow}", f"jump('{name}')",
                f"jump to a piece {name}", show=False, section="Move",
                together="Jump to a piece")
            for arrow, name in _JUMPS.items()
        ),
        Action("board.choose", "enter,space,5,kp_begin", "screen.choose", "Choose", section="Move",
            card="Pick up, put down", watching=(1, "")),
        Action("board.next", "tab", "cycle(1)", "Next", section="Move",
            card="Next piece", together="Next, previous piece"),
        Action("board.previous", "shift+tab", "cycle(-1)", "Previous", show=False, section="Move",
            card="Previous piece", together="Next, previous piece"),
        Action("board.next_capture", "x", "cycle_captures", "Next capture", show=False,
            section="Move"),
    ),
    "battle": (
        _TYPE.at("battle.type"),
        _TAKE_ALL.at("battle.take_all"),
        Action("battle.reconnect", "A", "reconnect", "Reconnect by ssh",
            meaning="Let ssh ask for a passphrase or password, to restore the connection",
            section="Battle"),
        Action("battle.give_seat", "G", "give_seat", "Give the seat away",
            meaning="Give the seat of an absent player to somebody who asks for it",
            section="Battle", card="Give an absent player's seat"),
        Action("battle.claim", "C", "claim", "Claim battle", card="Claim an abandoned battle",
            meaning="Claim the battle when the other player is away too long", section="Battle"),
        _HINT.at("battle.hint", meaning="Ask the computer for the best move"),
        _END.at("battle.end", meaning="Propose to end the battle here"),
        Action("battle.talk", "quotation_mark", "talk", "Say", sign='"', section="Battle",
            card="Say something", spectating=(5, "Talk"), while_asked=True),
        _UNDO.at("battle.undo", watching=(4, "")),
        _THREATS.at("battle.threats", meaning="Show what could be captured next move",
            spectating=(2, "")),
        Action("battle.earlier", "left_square_bracket", "look(-1)", "Look back", sign="[",
            section="Look", together="Look back, forward", watching=(5, ""), spectating=(1, ""),
            in_past=True),
        Action("battle.later", "right_square_bracket", "look(1)", "Look forward", show=False,
            section="Look", together="Look back, forward", in_past=True),
        _REDO.at("battle.redo"),
        Action("battle.evaluate", "v", "evaluate", "Evaluation bar", show=False, section="Look",
            card="Bar of who is ahead"),
        _FASTER.at("battle.faster", label="Watch faster", watching=(2, "Faster")),
        _SLOWER.at("battle.slower", label="Watch slower", watching=(3, "Slower")),
        Action("battle.resign", "R", "resign", "Resign", show=False, meaning="Resign the battle",
            section="Battle", card="Resign the battle"),
        Action("battle.said", "apostrophe", "said", "Messages", show=False, section="Battle",
            card="What was said", while_asked=True),
        Action("battle.who", "W", "who", "Who is here", show=False, section="Battle",
            card="Who is connected", spectating=(6, ""), while_asked=True),
        _REVIEW.at("battle.review", show=False),
        _SAVE_AS.at("battle.save_as"),
        _PICTURE.at("battle.picture", in_past=True),
        Action("battle.open", "o", "app.open", "Open a file", show=False, section="Match",
            elsewhere=_AT_HOME),
        _EXPLORE.at("battle.explore", keys="X", show=False),
        _COPY.at("battle.copy"),
        _PIECES.at("battle.pieces", spectating=(4, "Pieces")),
        _FLIP.at("battle.flip", spectating=(3, "Flip")),
        Action("battle.turn_board", "T", "turn_board", "Turn the board to who moves", show=False,
            section="Look", card="Turn board to who moves"),
        _EDIT.at("battle.edit"),
        _EXPLAIN.at("battle.explain"),
        _HELP.at("battle.help", watching=(6, ""), spectating=(7, "")),
        _BACK.at("battle.back", label="Let go"),
        _QUIT.at("battle.quit", watching=(7, ""), spectating=(8, "")),
    ),
    "app": (
        Action("app.settings", "comma", "app.settings", "Settings", show=False, section="Thud"),
        _KEYS,
        _TO_MATCH,
        Action("app.palette", "ctrl+p", "app.command_palette", "Commands", show=False,
            priority=True, section="Thud", card="Commands by name"),
    ),
    "drill": (
        _HINT.at("drill.hint"),
        Action("drill.skip", "n", "skip", "Skip", card="Skip this one",
            meaning="Go on to the next puzzle or mistake"),
        Action("drill.solution", "s", "solution", "Solution", card="Show the solution",
            meaning="Show the solution; it counts as missed"),
        Action("drill.theme", "T", "theme", "Theme", show=False, card="What it is about",
            meaning="Say what the puzzle is about; it counts as a hint"),
        Action("drill.choose", "c", "choose_puzzles", "Other puzzles", short="Others",
            meaning="Choose puzzles by game, difficulty and theme"),
        _THREATS.at("drill.threats"),
        _TYPE.at("drill.type"),
        _TAKE_ALL.at("drill.take_all"),
        _END.at("drill.end", show=False),
        _FLIP.at("drill.flip"),
        _PIECES.at("drill.pieces"),
        _PLAY_FROM.at("drill.play"),
        _EDIT.at("drill.edit"),
        _LINK.at("drill.link", label="Copy a link to the puzzle"),
        _EXPLAIN.at("drill.explain"),
        _LEAVE.at("drill.leave", show=False),
        _HELP.at("drill.help"),
        _BACK.at("drill.back"),
    ),
    "edit": (
        Action("edit.dwarf", "d,D", "put('d')", "Dwarf", card="Put a dwarf"),
        Action("edit.troll", "t,T", "put('T')", "Troll", card="Put a troll"),
        Action("edit.stone", "R", "put('R')", "Stone", show=False, card="Put a stone"),
        Action("edit.remove", "delete,backspace,0", "remove", "Remove", sign="Del",
            card="Remove a piece"),
        Action("edit.brush", "b", "brush", "Change what Enter does", show=False,
            card="What Enter puts"),
        Action("edit.side", "m", "alter('side')", "Side", card="Whose turn it is"),
        Action("edit.game", "v", "alter('game')", "Another game", show=False),
        _UNDO.at("edit.undo", keys="u,ctrl+z"),
        _REDO.at("edit.redo", keys="r,ctrl+y"),
        Action("edit.start", "n", "alter('start')", "Usual start", show=False,
            card="The usual start"),
        Action("edit.clear", "e", "alter('clear')", "Clear", card="Clear the board", show=False),
        Action("edit.mirror", "a", "alter('mirror')", "Mirror", show=False,
            card="Mirror the board"),
        Action("edit.turn", "o", "alter('turn')", "Turn a quarter", show=False),
        Action("edit.type", "colon,slash", "type", "Type a position", show=False),
        _COPY.at("edit.copy", label="Copy the position", card=""),
        _LINK.at("edit.link"),
        _FLIP.at("edit.flip"),
        Action("edit.play", "p", "play", "Play", card="Play from here"),
        Action("edit.judge", "i", "judge", "Judge", card="Who is ahead"),
        Action("edit.puzzle", "z", "puzzle", "Make it a puzzle", show=False,
            elsewhere=_AT_HOME),
        Action("edit.save", "s", "save", "Save", show=False, card="Save the position",
            elsewhere=_AT_HOME),
        _LEAVE.at("edit.leave", show=False),
        _HELP.at("edit.help"),
        _BACK.at("edit.back", keys="escape"),
    ),
    "walk": (
        Action("replay.jump", "enter", "jump_or_try", "Try a move", sign="Enter"),
        Action("replay.next", "right,l,right_square_bracket", "walk('next')", "Next",
            card="Next move"),
        Action("replay.back", "left,h,left_square_bracket", "walk('back')", "Previous",
            card="Previous move"),
    ),
    "review": (
        Action("review.next", "n", "mistake(1)", "Next mistake",
            meaning="Go to the next mistake, or before a review to the next comment or mark"),
        Action("review.before", "N", "mistake(-1)", "Previous mistake", show=False,
            meaning="Go to the previous mistake, comment or mark"),
        _REVIEW.at("review.review", meaning="Judge every move"),
        Action("review.better", "w", "better", "Better move", card="Play the better move"),
        Action("review.learn", "M", "learn", "Your mistakes", card="Solve your mistakes",
            meaning="Learn from a side's mistakes, one by one"),
    ),
    "replay": (
        Action("replay.into", "down,j", "walk('into')", "Variation", sign="↓",
            card="Into the variation",
            meaning="Go into the variation that begins here"),
        Action("replay.out", "up,k,left_curly_bracket", "walk('out')", "Leave the variation",
            show=False),
        Action("replay.across", "tab", "walk('across')", "Another move", show=False,
            card="See another move",
            meaning="See another move instead of the last one, or the next variation"),
        Action("replay.think", "v", "think", "Best moves", card="The best moves here",
            meaning="Show the computer's three best moves here"),
        _HINT.at("replay.hint", section="Look",
            meaning="Get a hint to the question of a model battle"),
        Action("replay.comment", "c", "comment", "Comment", section="Write",
            card="Write a comment", meaning="Write a comment on this move"),
        Action("replay.mark", "exclamation_mark", "mark", "Mark", sign="!", show=False,
            section="Write", card="Mark the move",
            meaning="Mark this move: ! !! !? ?! ? ??, then none"),
        Action("replay.draw", "A", "draw", "Arrows, circles", show=False,
            section="Write", card="Draw arrows, circles",
            meaning="Draw arrows and circles on the board"),
        _TYPE.at("replay.type"),
        *(
            Action(f"replay.line_{rank}", key, f"play_line({rank})", label, show=False,
                section="Write", together="Take over a line")
            for rank, key, label in (
                (1, "X", "Play the computer's line"),
                (2, "Y", "Play its second line"),
                (3, "Z", "Play its third line"),
            )
        ),
        Action("replay.delete", "D,delete", "delete", "Delete a variation", show=False,
            section="Write"),
        Action("replay.promote", "P", "promote", "Variation first", show=False, section="Write",
            card="Make it the main line"),
        Action("replay.battle", "b", "walk('battle')", "Other battle",
            card="Go to the other battle"),
        Action("replay.first", "home,g", "walk('first')", "First", show=False,
            card="First move", together="First, last move"),
        Action("replay.last", "end,G", "walk('last')", "Last", show=False,
            card="Last move", together="First, last move"),
        Action("replay.run", "space", "run", "Run", card="Go through by itself",
            meaning="Play the moves one after another"),
        _FASTER.at("replay.faster"),
        _SLOWER.at("replay.slower"),
        *(Action("", digit, f"digit({digit})", show=False) for digit in digits),
        _TAKE_ALL.at("replay.take_all"),
        _THREATS.at("replay.threats", show=False),
        _SAVE_AS.at("replay.save_as"),
        _PICTURE.at("replay.picture"),
        _FLIP.at("replay.flip"),
        _BACK.at("replay.let_go", keys="backspace", label="Let go", sign="", show=False),
        _EXPLORE.at("replay.explore"),
        Action("replay.play", "p", "play_from", "Play on", meaning=_FROM_HERE,
            card="Play on from here"),
        _EDIT.at("replay.edit"),
        _EXPLAIN.at("replay.explain"),
        _HELP.at("replay.help"),
        Action("replay.step_out", "escape", "step_out", "Back", sign="Esc", card="Go back"),
        _QUIT.at("replay.quit", show=False),
    ),
    "summary": (
        Action("summary.next", "n", "mark(1)", "Next mark", card="Next marked move",
            meaning="Show the next marked move"),
        Action("summary.previous", "N,p", "mark(-1)", "Previous mark", show=False,
            card="Previous marked move",
            meaning="Show the marked move before"),
        Action("summary.battle", "b", "battle", "Other battle", card="Show the other battle"),
        Action("summary.go", "enter", "go", "Go there", sign="Enter", card="Go to it in the replay",
            meaning="Go to the move shown, in the replay"),
        Action("summary.learn", "M", "learn_own", "Your mistakes", card="Solve your mistakes"),
        Action("summary.dwarfs", "d", "learn('dwarfs')", "Dwarfs' mistakes",
            card="Solve the dwarfs' mistakes"),
        Action("summary.trolls", "t", "learn('trolls')", "Trolls' mistakes",
            card="Solve the trolls' mistakes"),
        Action("summary.save", "s", "save", "Save", card="Save the review"),
        Action("summary.onward", "o", "onward", "Go on", show=False, card="Go on to what is next",
            meaning="Go on with what is to be done next"),
        _HELP.at("summary.help"),
        Action("summary.close", "escape,q,m", "close", "Back", sign="Esc",
            card="Back to the replay"),
    ),
    "explore": (
        Action("explore.matches", "m", "matches", "Matches", card="List the matches"),
        Action("explore.judge", "i", "judge", "Judge", card="Judge the move",
            meaning="Have the computer judge the chosen move"),
        Action("explore.back", "u", "step_back", "Step back", show=False),
        Action("explore.on", "r", "step_on", "Step forward", show=False),
        Action("explore.material", "M", "material", "By pieces", show=False,
            card="Find matches by pieces",
            meaning="Find matches with so many dwarfs and trolls"),
        Action("explore.start", "g", "to_start", "Start", card="Go to the start"),
        Action("explore.source", "c", "next_source", "Whose", card="Change whose battles count",
            meaning="Count all battles, yours, or the computer's"),
        _THREATS.at("explore.threats", show=False),
        _TYPE.at("explore.type"),
        _TAKE_ALL.at("explore.take_all"),
        _FLIP.at("explore.flip", label="Flip", card="Flip the board"),
        _PIECES.at("explore.pieces"),
        _PLAY_FROM.at("explore.play"),
        _EDIT.at("explore.edit"),
        _EXPLAIN.at("explore.explain"),
        _BACK.at("explore.let_go"),
        _HELP.at("explore.help", show=False),
        _LEAVE.at("explore.leave"),
    ),
    "played": (
        Action("explore.next", "down,j", "cursor_down", "Next move", show=False),
        Action("explore.previous", "up,k", "cursor_up", "Previous move", show=False),
        Action("explore.screen_down", "pagedown", "page_down", "Screen down", show=False),
        Action("explore.screen_up", "pageup", "page_up", "Screen up", show=False),
        Action("explore.first", "home", "first", "First move", show=False),
        Action("explore.last", "end,G", "last", "Last move", show=False),
        Action("explore.step_in", "enter,space,right,l", "screen.step_in", "Step in",
            card="Step into the move"),
        Action("explore.step_back", "left,h", "screen.step_back", "Step back", sign="←",
            card="Step back a move"),
        Action("explore.to_board", "tab,shift+tab", "screen.to_board", "Board", sign="Tab",
            card="Go to the board"),
    ),
    "help": (
        Action("help.back", "left,h,p", "turn(-1)", "Previous", sign="←", card="Previous page"),
        Action("help.next", "right,l,n", "turn(1)", "Next", sign="→", card="Next page"),
        Action("help.contents", "c", "contents", "Contents", card="Show the contents"),
        Action("help.read_on", "space", "read_on", "Read on"),
        Action("help.down", "down,j", "scroll(1)", "Scroll down", show=False),
        Action("help.up", "up,k", "scroll(-1)", "Scroll up", show=False),
        Action("help.screen_down", "pagedown", "leaf(1)", "Screen down", show=False),
        Action("help.screen_up", "pageup", "leaf(-1)", "Screen up", show=False),
        Action("help.top", "home,g", "top", "Go to the top", show=False),
        Action("help.bottom", "end,G", "bottom", "Go to the bottom", show=False),
        *(Action("", digit, f"section({digit})", show=False) for digit in digits[1:]),
        Action("help.keys", "0", "app.all_keys", "All keys", card="Show all keys"),
        Action("help.close", "escape,q,f1", "dismiss", "Back", sign="Esc", card="Close the help"),
        Action("", "ctrl+c", "dismiss", show=False),
        _TO_MATCH,
    ),
    "row": (
        Action("menu.down", "down,j", "app.focus_next", "Next row", show=False,
            together="Next, previous row"),
        Action("menu.up", "up,k", "app.focus_previous", "Previous row", show=False,
            together="Next, previous row"),
    ),
    "choice": (
        Action("menu.change", "right,l,enter,space", "turn(1)", "Change", sign="← →",
            card="Change the value"),
        Action("menu.change_back", "left,h", "turn(-1)", "Change back", show=False,
            card="Change it back"),
    ),
    "command": (Action("menu.go", "enter,space", "do", "Go", sign="Enter",
        card="Go where the row says"),),
    "front": (
        Action("front.computer", "c", "go('computer')", "Play the computer", show=False),
        Action("front.here", "t", "go('here')", "Two players here", show=False),
        Action("front.play", "n", "go('play')", "New match",
            meaning="Begin the match of this row; on other rows, one like your last"),
        Action("front.next", "N", "go('next')", "Next", card="Go on to what is next",
            meaning="Go on with what is to be done next"),
        Action("front.learn", "L", "go('learn')", "Learn", show=False, card="Lessons",
            meaning="Lessons: small tasks on the board"),
        Action("front.host", "H", "go('host')", "Host a remote match", show=False,
            elsewhere={"ssh": "Open a table", "web": "Open a table", "page": None}),
        Action("front.join", "J", "go('join')", "Join a remote match", show=False,
            elsewhere={"ssh": "Go to a table", "web": "Go to a table", "page": None}),
        Action("front.resume", "r", "go('resume')", "Resume", show=False,
            card="Go on with a match",
            meaning="Resume an unfinished match"),
        Action("front.delete", "D,delete", "go('delete')", "Delete",
            card="Delete an unfinished match", meaning="List unfinished matches, to delete them"),
        Action("front.replay", "p", "go('replay')", "Replay", show=False,
            card="See a finished match",
            meaning="Replay a finished match"),
        Action("front.puzzles", "z", "go('puzzles')", "Puzzles", show=False,
            meaning="Find the move that is much better than the others"),
        Action("front.today", "Z", "go('today')", "Today's puzzle", show=False,
            meaning="Solve the puzzle of the day"),
        Action("front.explore", "x", "go('explore')", "Explore", show=False, card="What was played",
            meaning="See what you and the computer played, move by move"),
        Action("front.models", "m", "go('models')", "Model battles", show=False,
            meaning="Well played battles, with comments and questions"),
        Action("front.practise", "P", "go('practise')", "Practise", show=False,
            card="Practise your mistakes",
            meaning="Your mistakes and missed puzzles, until you know them"),
        Action("front.edit", "E", "go('edit')", "Set up any position", show=False),
        _HELP.at("front.rules", meaning="How the games are played"),
        _QUIT.at("front.quit"),
    ),
    "settings": (
        Action("settings.close", "escape,q,comma", "dismiss", "Back", sign="Esc",
            card="Close the settings"),
        Action("settings.keys", "K", "app.all_keys", "Keys", card="See and change all keys"),
        _KEYS,
    ),
    "key": (Action("", "enter,space", "screen.change", "Change", sign="Enter"),),
    "keys": (
        Action("", "plus", "add", "Add a key", short="Add"),
        Action("", "delete,backspace", "reset", "Reset this key", sign="Del", short="Reset"),
        Action("", "D", "reset_all", "Reset all keys", short="Reset all"),
        Action("", "slash", "find", "Find"),
        Action("", "down", "to_list", show=False),
        Action("", "tab", "turn(1)", "Next section", short="Section"),
        Action("", "shift+tab", "turn(-1)", "Previous section", show=False),
        Action("", "j", "app.simulate_key('down')", show=False),
        Action("", "k", "app.simulate_key('up')", show=False),
        Action("", "escape,q", "back", "Back", sign="Esc"),
        _KEYS,
        _TO_MATCH,
    ),
    "entry": (
        Action("", "escape", "close", "Close", show=False),
        Action("", "tab", "complete", "Complete", show=False),
        *(Action("", key, f"write({text!r})", show=False) for key, text in _WRITTEN.items()),
    ),
    "picture": (
        Action("picture.look", "f2", "look", "Look of the picture"),
        Action("picture.arrows", "f3", "arrows", "Arrows", card="Arrows in the picture"),
    ),
    "prompt": (
        *(Action("", key, f"press('{key}')", show=False) for key in _ANSWERS),
        Action("", "tab,shift+tab", "stay", show=False),
    ),
    "name": (
        # Otherwise a scrolling menu would take them.
        Action("", "down", "app.focus_next", show=False),
        Action("", "up", "app.focus_previous", show=False),
        # At once, or what is typed next would still go to this one.
        Action("", "enter", "submit", "Take this name", sign="Enter", priority=True),
        Action("", "escape", "restore", "Back", sign="Esc"),
    ),
    "rows": (Action("", "escape", "close", "Back", sign="Esc", priority=True),),
    "ask": (Action("", "escape", "dismiss(None)", "Back", sign="Esc"),),
    "lobby": (Action("", "tab,shift+tab", "turn_to_tables", "Tables", sign="Tab"),),
    "matches": (
        Action("", "D,delete", "delete", "Delete"),
        Action("", "y", "confirm", "Yes, delete it"),
        Action("", "n", "keep", "No"),
        Action("", "u", "undo", "Undo"),
        Action("", "m", "review", "Review"),
        Action("", "h", "results", "Results"),
    ),
    "choose": (Action("", "enter", "select", "Choose", sign="Enter"),),
    "list": (
        Action("", "escape,q", "dismiss(None)", "Back", sign="Esc"),
        Action("", "j", "app.simulate_key('down')", show=False),
        Action("", "k", "app.simulate_key('up')", show=False),
        _KEYS,
    ),
    "text": (
        Action("", "c", "copy", "Copy"),
        Action("", "escape,q,enter", "dismiss(None)", "Back", sign="Esc"),
        _KEYS,
        _TO_MATCH,
    ),
    "results": (
        Action("", "m", "review", "Review"),
        Action("", "P", "practise", "Practise"),
        Action("", "tab,shift+tab", "app.focus_next", "Scroll", sign="Tab"),
        Action("", "c", "copy", "Copy"),
        Action("", "escape,q", "dismiss(None)", "Back", sign="Esc"),
        _KEYS,
        _TO_MATCH,
    ),
    "participants": (
        Action("", "c", "copy", "Copy the line"),
        Action("", "p", "link('seat')", "Link to play"),
        Action("", "a", "link('any')", "Link to any free seat"),
        Action("", "w", "link('watch')", "Link to watch"),
        Action("", "s", "show", "Link to watch without coming in", short="Show it"),
        Action("", "x", "revoke", "Revoke the link"),
        Action("", "down,j", "select(1)", "Next line", sign="↓", priority=True),
        Action("", "up,k", "select(-1)", "Previous line", show=False, priority=True),
        Action("", "escape,q,W,enter,space", "close", "Back", sign="Esc"),
        _KEYS,
    ),
    "card": (
        Action("", "0", "dismiss('app.all_keys')", "All keys"),
        Action("", "f1", "help", "Help", sign="F1"),
        Action("", "down,j", "scroll(1)", "Down", show=False),
        Action("", "up,k", "scroll(-1)", "Up", show=False),
        Action("", "escape,q,question_mark,enter,space", "dismiss('')", "Back", sign="Esc"),
        Action("", "ctrl+c", "dismiss('')", show=False),
        _TO_MATCH,
    ),
}  # fmt: skip
"""The actions of each screen, or of each widget with keys of its own."""

GROUPS: Final = {
    "battle": "in a match",
    "board": "on the board",
    "app": "everywhere",
    "front": "on the front page",
    "menu": "in menus",
    "replay": "in a replay",
    "review": "in a review",
    "summary": "in the summary of a review",
    "drill": "in an exercise",
    "explore": "in the explorer",
    "edit": "in the position editor",
    "picture": "when you save a picture",
    "settings": "in the settings",
    "help": "in the help",
}
"""The headings of groups of actions, by the first part of their ids, in order of use."""

TOGETHER: Final = [
    [each for part in parts.split() for each in ACTIONS[part]]
    for parts in (
        "board battle app",
        "board drill app",
        "board edit app",
        "walk review replay app",
        "summary app",
        "board explore app",
        "played explore app",
        "help app",
        "row choice command front app",
        "row choice command settings app",
        "entry picture",
    )
]
"""The actions whose keys hold together, for each screen whose keys can be changed."""

BY_ID: Final[Mapping[str, Action]] = {
    each.id: each for actions in ACTIONS.values() for each in actions if each.id
}
"""Every action whose keys can be changed."""

WHILE_ASKED: Final = frozenset(each.name for each in BY_ID.values() if each.while_asked)
"""The names of the actions that are possible while a question is open."""

WATCHING: Final = sorted((*each.watching, each.id) for each in BY_ID.values() if each.watching)
"""The key bar while computers play each other: place, label, and id of each action."""

SPECTATING: Final = sorted(
    (*each.spectating, each.id) for each in BY_ID.values() if each.spectating
)
"""The key bar of spectators."""


def bindings(*parts: str) -> list[BindingType]:
    """Return parts of the table as bindings."""
    return [each.binding for part in parts for each in ACTIONS[part]]
