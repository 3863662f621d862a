"""All key bindings; those with an id can be changed in the settings file."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_letters, digits
from types import MappingProxyType
from typing import Final

from textual.binding import Binding

MEANINGS: Final = MappingProxyType(
    {
        "battle.hint": "Ask the computer for the best move",
        "battle.threats": "Show what could be captured next move",
        "battle.end": "Propose to end the battle here",
        "battle.resign": "Resign the battle",
        "battle.reconnect": "Let ssh ask for a passphrase or password, to restore the connection",
        "battle.give_seat": "Give the seat of an absent player to somebody who asks for it",
        "battle.claim": "Claim the battle when the other player is away too long",
        "replay.into": "Go into the variation that begins here",
        "replay.across": "See another move instead of the last one",
        "replay.think": "Show the computer's three best moves here",
        "replay.comment": "Write a comment on this move",
        "replay.mark": "Mark this move: ! !! !? ?! ? ??, then none",
        "replay.draw": "Draw arrows and circles on the board",
        "replay.battle": "Go to the other battle",
        "replay.run": "Play the moves one after another",
        "replay.explore": "See what others played from here",
        "battle.explore": "See what others played from here",
        "explore.material": "Find matches with so many dwarfs and trolls",
        "explore.source": "Count all battles, yours, or the computer's",
        "replay.play": "Begin a match from this position",
        "drill.play": "Begin a match from this position",
        "explore.play": "Begin a match from this position",
        "review.review": "Judge every move",
        "review.next": "Go to the next mistake",
        "review.before": "Go to the previous mistake",
        "review.better": "Play the better move",
        "review.learn": "Learn from a side's mistakes, one by one",
        "drill.skip": "Go on to the next puzzle or mistake",
        "drill.solution": "Show the solution; it counts as missed",
        "drill.choose": "Choose puzzles by game, difficulty and theme",
        "app.keys": "Show what each key does here and now",
        "front.play": "Begin a match like your last one",
        "front.learn": "Lessons: small tasks on the board",
        "front.resume": "Resume an unfinished match",
        "front.replay": "Replay a finished match",
        "front.puzzles": "Find the move that is much better than the others",
        "front.explore": "See what you and the computer played, move by move",
        "front.models": "Well played battles, with comments and questions",
        "front.practise": "Your mistakes and missed puzzles, until you know them",
        "front.rules": "How the games are played",
    }
)
"""Explanations of bindings, by id."""


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

BOARD_KEYS: Final = (
    *(
        Binding(keys, f"step('{name}')", name.replace("_", " "), show=False, id=f"board.{name}")
        for name, keys in DIRECTION_KEYS.items()
    ),
    *(
        Binding(
            f"ctrl+{arrow},shift+{arrow}",
            f"jump('{name}')",
            f"next piece {name}",
            show=False,
            id=f"board.jump_{name}",
        )
        for arrow, name in zip(
            ("up", "left", "right", "down"), ("north", "west", "east", "south"), strict=True
        )
    ),
    Binding("enter,space,5,kp_begin", "screen.choose", "Choose", id="board.choose"),
    Binding("tab", "cycle(1)", "Next", id="board.next"),
    Binding("shift+tab", "cycle(-1)", "Previous", show=False, id="board.previous"),
    Binding("x", "cycle_captures", "Next capture", show=False, id="board.next_capture"),
)
"""The keys of the board."""

LOOK_KEYS: Final = (
    Binding("left_square_bracket", "look(-1)", "Look back", key_display="[", id="battle.earlier"),
    Binding("right_square_bracket", "look(1)", "Look forward", show=False, id="battle.later"),
)
"""The keys that look back at earlier moves of a match."""

TO_MATCH_KEY: Final = Binding(
    "f4", "app.to_match", "Back to the match", show=False, id="app.to_match"
)
"""The key back to the match below; modal screens, which app bindings do not reach, repeat it."""

PICTURE_KEY: Final = Binding("S", "app.picture", "Save a picture", show=False, id="battle.picture")
"""The key that saves a picture of the position shown, also while looking back."""

BATTLE_KEYS: Final = (
    Binding("colon,slash", "type_move", "Type", key_display=":", id="battle.type"),
    Binding("a", "take_all", "Take all", show=False, id="battle.take_all"),
    Binding("A", "reconnect", "Reconnect by ssh", id="battle.reconnect"),
    Binding("G", "give_seat", "Give the seat away", id="battle.give_seat"),
    Binding("C", "claim", "Claim battle", id="battle.claim"),
    Binding("i", "hint", "Hint", id="battle.hint"),
    Binding("e", "end_battle", "Propose end", id="battle.end"),
    Binding("quotation_mark", "talk", "Say", key_display='"', id="battle.talk"),
    Binding("u", "undo", "Undo", id="battle.undo"),
    Binding("t", "threats", "Threats", id="battle.threats"),
    *LOOK_KEYS,
    Binding("escape,backspace", "back", "Let go", key_display="Esc", id="battle.back"),
    Binding("r", "redo", "Redo", id="battle.redo"),
    Binding("v", "evaluate", "Evaluation bar", show=False, id="battle.evaluate"),
    Binding("plus", "speed(1)", "Watch faster", show=False, id="battle.faster"),
    Binding("minus", "speed(-1)", "Watch slower", show=False, id="battle.slower"),
    Binding("R", "resign", "Resign", show=False, id="battle.resign"),
    Binding("apostrophe", "said", "Messages", show=False, id="battle.said"),
    Binding("W", "who", "Who is here", show=False, id="battle.who"),
    Binding("m", "review", "Review", show=False, id="battle.review"),
    Binding("s", "app.save_as", "Save as", show=False, id="battle.save_as"),
    PICTURE_KEY,
    Binding("o", "app.open", "Open a file", show=False, id="battle.open"),
    Binding("X", "app.explore", "Explore", show=False, id="battle.explore"),
    Binding("c", "copy", "Copy", show=False, id="battle.copy"),
    Binding("p", "app.next_pieces", "Other pieces", show=False, id="battle.pieces"),
    Binding("f", "flip", "Flip the board", show=False, id="battle.flip"),
    Binding("E", "app.edit", "Edit the position", show=False, id="battle.edit"),
    Binding("q", "app.quit", "Quit", id="battle.quit"),
    Binding("d", "explain", "What a piece can do", show=False, id="battle.explain"),
    Binding("f1", "help", "Help", key_display="F1", id="battle.help"),
)
"""The keys of a match, besides those of the board."""

WATCH_KEYS: Final = (
    ("board.choose", "Pause"),
    ("battle.faster", "Faster"),
    ("battle.slower", "Slower"),
    ("battle.undo", "Undo"),
    ("battle.earlier", "Look back"),
    ("battle.quit", "Quit"),
    ("battle.help", "Help"),
)
"""The keys for watching computers play, with their labels then."""

ONLOOK_KEYS: Final = (
    ("battle.earlier", "Look back"),
    ("battle.threats", "Threats"),
    ("battle.flip", "Flip"),
    ("battle.pieces", "Pieces"),
    ("battle.talk", "Talk"),
    ("battle.who", "Who is here"),
    ("battle.quit", "Quit"),
    ("battle.help", "Help"),
)
"""The keys for spectators, with their labels then."""

WHILE_ASKED: Final = ("back", "flip", "help", "said", "talk", "who")
"""The actions enabled while a question is open."""

DRILL_KEYS: Final = (
    Binding("i", "hint", "Hint", id="drill.hint"),
    Binding("n", "skip", "Skip", id="drill.skip"),
    Binding("s", "solution", "Solution", id="drill.solution"),
    Binding("c", "choose_puzzles", "Other puzzles", id="drill.choose"),
    Binding("t", "threats", "Threats", id="drill.threats"),
    Binding("colon,slash", "type_move", "Type", key_display=":", id="drill.type"),
    Binding("a", "take_all", "Take all", show=False, id="drill.take_all"),
    Binding("e", "end_battle", "Propose end", show=False, id="drill.end"),
    Binding("f", "flip", "Flip the board", show=False, id="drill.flip"),
    Binding("p", "app.next_pieces", "Other pieces", show=False, id="drill.pieces"),
    Binding("P", "app.play_from", "Play from here", show=False, id="drill.play"),
    Binding("E", "app.edit", "Edit the position", show=False, id="drill.edit"),
    Binding("d", "explain", "What a piece can do", show=False, id="drill.explain"),
    Binding("q", "leave", "Leave", show=False, id="drill.leave"),
    Binding("escape,backspace", "back", "Leave", key_display="Esc", id="drill.back"),
    Binding("f1", "help", "Help", key_display="F1", id="drill.help"),
)
"""The keys of a task, besides those of the board."""

REPLAY_KEYS: Final = (
    Binding("right,l,right_square_bracket", "walk('next')", "Next", id="replay.next"),
    Binding("left,h,left_square_bracket", "walk('back')", "Back", id="replay.back"),
    Binding("down,j", "walk('into')", "Variation", key_display="↓", id="replay.into"),
    Binding("up,k", "walk('out')", "Leave the variation", show=False, id="replay.out"),
    Binding("tab", "walk('across')", "Another move", show=False, id="replay.across"),
    Binding("enter", "jump_or_try", "Try a move", key_display="Enter", id="replay.jump"),
    Binding("v", "think", "Thoughts", id="replay.think"),
    Binding("c", "comment", "Comment", id="replay.comment"),
    Binding("exclamation_mark", "mark", "Mark", key_display="!", show=False, id="replay.mark"),
    Binding("A", "draw", "Arrows, circles", show=False, id="replay.draw"),
    Binding("colon,slash", "type_move", "Type", key_display=":", id="replay.type"),
    *(
        Binding(key, f"play_line({rank})", words, show=False, id=f"replay.line_{rank}")
        for rank, key, words in (
            (1, "X", "Play the computer's line"),
            (2, "Y", "Play its second line"),
            (3, "Z", "Play its third line"),
        )
    ),
    Binding("D,delete", "delete", "Delete a variation", show=False, id="replay.delete"),
    Binding("P", "promote", "Variation first", show=False, id="replay.promote"),
    Binding("b", "walk('battle')", "Battle", id="replay.battle"),
    Binding("home,g", "walk('first')", "First", show=False, id="replay.first"),
    Binding("end,G", "walk('last')", "Last", show=False, id="replay.last"),
    Binding("space", "run", "Run", id="replay.run"),
    Binding("plus", "speed(1)", "Faster", show=False, id="replay.faster"),
    Binding("minus", "speed(-1)", "Slower", show=False, id="replay.slower"),
    *(Binding(digit, f"digit({digit})", show=False) for digit in "0123456789"),
    Binding("a", "take_all", "Take all", show=False, id="replay.take_all"),
    Binding("t", "threats", "Threats", show=False, id="replay.threats"),
    Binding("s", "app.save_as", "Save as", show=False, id="replay.save_as"),
    Binding("S", "app.picture", "Save a picture", show=False, id="replay.picture"),
    Binding("f", "flip", "Flip the board", show=False, id="replay.flip"),
    Binding("backspace", "back", "Let go", show=False, id="replay.let_go"),
    Binding("escape", "step_out", "Let go, or leave", show=False, id="replay.step_out"),
    Binding("x", "app.explore", "Explore", id="replay.explore"),
    Binding("p", "play_from", "Play on", id="replay.play"),
    Binding("E", "app.edit", "Edit the position", show=False, id="replay.edit"),
    Binding("d", "explain", "What a piece can do", show=False, id="replay.explain"),
    Binding("q", "app.quit", "Quit", id="replay.quit"),
    Binding("f1", "help", "Help", key_display="F1", id="replay.help"),
)
"""The keys of a replay."""

EXPLORE_KEYS: Final = (
    Binding("m", "matches", "Matches", id="explore.matches"),
    Binding("u", "step_back", "Step back", show=False, id="explore.back"),
    Binding("r", "step_on", "Step forward", show=False, id="explore.on"),
    Binding("M", "material", "By pieces", show=False, id="explore.material"),
    Binding("g", "to_start", "Start", id="explore.start"),
    Binding("c", "next_source", "Whose", id="explore.source"),
    Binding("t", "threats", "Threats", show=False, id="explore.threats"),
    Binding("colon,slash", "type_move", "Type", key_display=":", id="explore.type"),
    Binding("a", "take_all", "Take all", show=False, id="explore.take_all"),
    Binding("f", "flip", "Flip", show=False, id="explore.flip"),
    Binding("p", "app.next_pieces", "Other pieces", show=False, id="explore.pieces"),
    Binding("P", "app.play_from", "Play from here", show=False, id="explore.play"),
    Binding("E", "app.edit", "Edit the position", show=False, id="explore.edit"),
    Binding("d", "explain", "What a piece can do", show=False, id="explore.explain"),
    Binding("escape,backspace", "back", "Back", key_display="Esc", id="explore.let_go"),
    Binding("f1", "help", "Help", key_display="F1", show=False, id="explore.help"),
    Binding("q", "leave", "Leave", id="explore.leave"),
)
"""The keys of the explorer, besides those of the board or of the list."""

PLAYED_KEYS: Final = (
    Binding("down,j", "cursor_down", "Next move", show=False, id="explore.next"),
    Binding("up,k", "cursor_up", "Previous move", show=False, id="explore.previous"),
    Binding("pagedown", "page_down", "Screen down", show=False, id="explore.screen_down"),
    Binding("pageup", "page_up", "Screen up", show=False, id="explore.screen_up"),
    Binding("home", "first", "First move", show=False, id="explore.first"),
    Binding("end,G", "last", "Last move", show=False, id="explore.last"),
    Binding("enter,space,right,l", "screen.step_in", "Step in", id="explore.step_in"),
    Binding("left,h", "screen.step_back", "Step back", key_display="←", id="explore.step_back"),
    Binding("tab,shift+tab", "screen.to_board", "Board", key_display="Tab", id="explore.to_board"),
)
"""The keys of the list of moves that others played."""

EDIT_KEYS: Final = (
    Binding("d,D", "put('d')", "Dwarf", id="edit.dwarf"),
    Binding("t,T", "put('T')", "Troll", id="edit.troll"),
    Binding("R", "put('R')", "Stone", show=False, id="edit.stone"),
    Binding("delete,backspace,0", "remove", "Remove", key_display="Del", id="edit.remove"),
    Binding("b", "brush", "Change what Enter does", show=False, id="edit.brush"),
    Binding("m", "alter('side')", "Side", id="edit.side"),
    Binding("v", "alter('game')", "Another game", show=False, id="edit.game"),
    Binding("u,ctrl+z", "undo", "Undo", id="edit.undo"),
    Binding("r,ctrl+y", "redo", "Redo", id="edit.redo"),
    Binding("n", "alter('start')", "Usual start", show=False, id="edit.start"),
    Binding("e", "alter('clear')", "Clear", show=False, id="edit.clear"),
    Binding("a", "alter('mirror')", "Mirror", show=False, id="edit.mirror"),
    Binding("o", "alter('turn')", "Turn a quarter", show=False, id="edit.turn"),
    Binding("colon,slash", "type", "Type a position", show=False, id="edit.type"),
    Binding("c", "copy", "Copy the position", show=False, id="edit.copy"),
    Binding("f", "flip", "Flip the board", show=False, id="edit.flip"),
    Binding("p", "play", "Play", id="edit.play"),
    Binding("i", "judge", "Judge", id="edit.judge"),
    Binding("z", "puzzle", "Make it a puzzle", show=False, id="edit.puzzle"),
    Binding("s", "save", "Save", show=False, id="edit.save"),
    Binding("q", "leave", "Leave", show=False, id="edit.leave"),
    Binding("escape", "back", "Leave", key_display="Esc", id="edit.back"),
    Binding("f1", "help", "Help", key_display="F1", id="edit.help"),
)
"""The keys of the editor of positions, besides those of the board."""

REVIEW_KEYS: Final = (
    Binding("m", "review", "Review", id="review.review"),
    Binding("n", "mistake(1)", "Mistake", id="review.next"),
    Binding("N", "mistake(-1)", "Previous mistake", show=False, id="review.before"),
    Binding("w", "better", "Better", id="review.better"),
    Binding("L", "learn", "Learn", id="review.learn"),
)
"""The keys of the review, besides those of the replay."""

SUMMARY_KEYS: Final = (
    Binding("L", "learn_own", "Your mistakes", id="summary.learn"),
    Binding("d", "learn('dwarfs')", "Dwarfs' mistakes", id="summary.dwarfs"),
    Binding("t", "learn('trolls')", "Trolls' mistakes", id="summary.trolls"),
    Binding("b", "battle", "Other battle", id="summary.battle"),
    Binding("s", "save", "Save", id="summary.save"),
    Binding("escape,q,m,enter", "close", "Back", key_display="Esc", id="summary.close"),
    Binding("f1", "help", "Help", key_display="F1", id="summary.help"),
)
"""The keys of the summary of a review."""

NAME_KEYS: Final = (
    Binding("down", "app.focus_next", show=False),
    Binding("up", "app.focus_previous", show=False),
    Binding("enter", "submit", "Take this name", key_display="Enter"),
    Binding("escape", "restore", "Undo", key_display="Esc"),
)
"""The keys of a name input; otherwise a scrolling menu would take them."""

PAIR_KEYS: Final = (Binding("escape", "dismiss(None)", "Cancel", priority=True),)
"""The keys of the dialog that asks for both players, besides those of its rows."""

FRONT_KEYS: Final = (
    Binding("c", "go('computer')", "Play the computer", show=False, id="front.computer"),
    Binding("t", "go('here')", "Two players here", show=False, id="front.here"),
    Binding("n", "go('play')", "New match", id="front.play"),
    Binding("L", "go('learn')", "Learn", id="front.learn"),
    Binding("H", "go('host')", "Host a remote match", show=False, id="front.host"),
    Binding("J", "go('join')", "Join a remote match", show=False, id="front.join"),
    Binding("r", "go('resume')", "Resume", id="front.resume"),
    Binding("p", "go('replay')", "Replay", id="front.replay"),
    Binding("z", "go('puzzles')", "Puzzles", id="front.puzzles"),
    Binding("x", "go('explore')", "Explore", show=False, id="front.explore"),
    Binding("m", "go('models')", "Model battles", show=False, id="front.models"),
    Binding("P", "go('practise')", "Practise", show=False, id="front.practise"),
    Binding("E", "go('edit')", "Set up any position", show=False, id="front.edit"),
    Binding("f1", "go('rules')", "Rules", key_display="F1", id="front.rules"),
    Binding("q", "app.quit", "Quit", id="front.quit"),
)
"""The keys of the front page, besides those of its menu."""

LOBBY_KEYS: Final = (Binding("tab,shift+tab", "turn_to_tables", "Tables", key_display="Tab"),)
"""The keys of a club's lobby, besides those of the front page."""

MATCH_LIST_KEYS: Final = (
    Binding("D,delete", "delete", "Delete"),
    Binding("y", "confirm", "Yes, delete it"),
    Binding("n", "keep", "No"),
    Binding("u", "undo", "Undo"),
)
"""The keys of the list of matches, besides those of every list."""

CHOOSE_KEYS: Final = (Binding("enter", "select", "Choose", key_display="Enter"),)
"""The key of a list that chooses the highlighted option."""

LIST_KEYS: Final = (
    Binding("escape,q", "dismiss(None)", "Back", key_display="Esc"),
    Binding("j", "app.simulate_key('down')", show=False),
    Binding("k", "app.simulate_key('up')", show=False),
)
"""The keys of a list."""

TEXT_KEYS: Final = (
    Binding("c", "copy", "Copy"),
    Binding("escape,q,enter", "dismiss(None)", "Back", key_display="Esc"),
    TO_MATCH_KEY,
)
"""The keys of a text screen."""

PARTICIPANTS_KEYS: Final = (
    Binding("c", "copy", "Copy the line"),
    Binding("p", "link('seat')", "Link to play"),
    Binding("a", "link('any')", "Link to any free seat"),
    Binding("w", "link('watch')", "Link to watch"),
    Binding("x", "revoke", "Revoke the link"),
    Binding("down,j", "select(1)", "Next line", key_display="↓", priority=True),
    Binding("up,k", "select(-1)", "Previous line", show=False, priority=True),
    Binding("escape,q,W,enter,space", "close", "Back", key_display="Esc"),
)
"""The keys of the dialog that shows who is connected."""

ROW_KEYS: Final = (
    Binding("down,j", "app.focus_next", "Next row", show=False, id="menu.down"),
    Binding("up,k", "app.focus_previous", "Previous row", show=False, id="menu.up"),
)
"""The keys of every menu row."""

CHOICE_KEYS: Final = (
    Binding("right,l,enter,space", "turn(1)", "Change", key_display="← →", id="menu.change"),
    Binding("left,h", "turn(-1)", "Change back", show=False, id="menu.change_back"),
)
"""The keys of a menu row with several values."""

COMMAND_KEYS: Final = (Binding("enter,space", "do", "Go", key_display="Enter", id="menu.go"),)
"""The keys of a menu row that runs a command."""

SETTINGS_KEYS: Final = (
    Binding("escape,q,comma", "dismiss", "Done", key_display="Esc", id="settings.close"),
    Binding("K", "keys", "Keys", id="settings.keys"),
)
"""The keys of the settings, besides those of their rows."""

HELP_KEYS: Final = (
    Binding("left,h,p", "turn(-1)", "Back", key_display="←", id="help.back"),
    Binding("right,l,n", "turn(1)", "Next", key_display="→", id="help.next"),
    Binding("c", "contents", "Contents", id="help.contents"),
    Binding("space", "read_on", "Read on", id="help.read_on"),
    Binding("down,j", "scroll(1)", "Down", show=False, id="help.down"),
    Binding("up,k", "scroll(-1)", "Up", show=False, id="help.up"),
    Binding("pagedown", "leaf(1)", "Screen down", show=False, id="help.screen_down"),
    Binding("pageup", "leaf(-1)", "Screen up", show=False, id="help.screen_up"),
    Binding("home,g", "top", "Top", show=False, id="help.top"),
    Binding("end,G", "bottom", "Bottom", show=False, id="help.bottom"),
    *(Binding(digit, f"section({digit})", show=False) for digit in "123456789"),
    Binding("0", "section(0)", "Keys", id="help.keys"),
    Binding("escape,q,f1", "dismiss", "Close", key_display="Esc", id="help.close"),
    Binding("ctrl+c", "dismiss", show=False),
    TO_MATCH_KEY,
)
"""The keys of the help."""

CARD_KEYS: Final = (
    Binding("f1", "dismiss(True)", "All keys, and the rules", key_display="F1"),
    Binding("down,j", "scroll(1)", "Down", show=False),
    Binding("up,k", "scroll(-1)", "Up", show=False),
    Binding("escape,q,question_mark,enter,space", "dismiss(False)", "Close", key_display="Esc"),
    Binding("ctrl+c", "dismiss(False)", show=False),
    TO_MATCH_KEY,
)
"""The keys of the card of keys."""

CARD: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "Move": {
            "step": "Move the cursor",
            "jump": "Jump to a piece",
            "choose": "Pick up, put down",
            "cycle": "Next, previous",
            "cycle_captures": "",
            "type_move": "Type a move",
            "take_all": "",
            "back": "Let go, go back",
            "explain": "",
        },
        "Battle": {
            "hint": "",
            "undo": "",
            "redo": "",
            "end_battle": "",
            "resign": "",
            "claim": "",
            "talk": "Say something",
            "said": "",
            "who": "",
            "give_seat": "",
            "reconnect": "",
        },
        "Look": {
            "look": "Look back, forward",
            "threats": "",
            "evaluate": "",
            "speed": "Faster, slower",
            "flip": "",
            "next_pieces": "",
        },
        "Match": {
            "review": "",
            "save_as": "",
            "open": "",
            "copy": "",
            "picture": "",
            "edit": "",
            "explore": "",
            "play_line": "The computer's lines",
        },
        "Thud": {
            "settings": "",
            "command_palette": "",
            "to_match": "",
            "keys": "Close this card",
            "help": "",
            "leave": "",
            "quit": "",
        },
    }
)
"""What the card of keys says by section and action; without words, the binding's description.

Actions with words are on one line, whatever their parameters.  All others come first.
"""

APP_KEYS: Final = (
    Binding("comma", "settings", "Settings", show=False, id="app.settings"),
    Binding("question_mark", "app.keys", "Keys here", show=False, id="app.keys"),
    TO_MATCH_KEY,
    Binding("ctrl+p", "command_palette", "Commands", show=False, priority=True, id="app.palette"),
)
"""The keys that work everywhere."""

_ANSWERS: Final = (
    *("enter", "space", "5", "kp_begin", "escape", "backspace"),
    *"acdmnpqrstuyS",
    *(key for keys in DIRECTION_KEYS.values() for key in keys.split(",")),
)
"""Every key that may answer a question."""

PROMPT_KEYS: Final = (
    *(Binding(key, f"press('{key}')", show=False) for key in _ANSWERS),
    Binding("tab,shift+tab", "stay", show=False),
)
"""The keys of a question."""

_SIGNS: Final = {
    "space": " ",
    "comma": ",",
    "minus": "-",
    "semicolon": ";",
    "greater_than_sign": ">",
}
_WRITTEN: Final = {each: each for each in ascii_letters + digits} | _SIGNS
"""The keys that insert a character, each with its character."""

ENTRY_KEYS: Final = (
    Binding("escape", "close", "Close", show=False),
    Binding("tab", "complete", "Complete", show=False),
    *(Binding(key, f"write({text!r})", show=False) for key, text in _WRITTEN.items()),
)
"""The keys of the move entry; most insert their character."""

ASK_KEYS: Final = (Binding("escape", "dismiss(None)", "Cancel"),)
"""The keys of a dialog that asks for a line."""

PICTURE_KEYS: Final = (
    Binding("f2", "look", "Look of the picture", id="picture.look"),
    Binding("f3", "arrows", "Arrows", id="picture.arrows"),
)
"""The keys of the picture dialog, besides those of asking for a line."""

CONTEXTS: Final = (
    *(
        (*own, *APP_KEYS)
        for own in (
            (*BOARD_KEYS, *BATTLE_KEYS),
            (*BOARD_KEYS, *DRILL_KEYS),
            (*BOARD_KEYS, *EDIT_KEYS),
            (*REVIEW_KEYS, *REPLAY_KEYS),
            SUMMARY_KEYS,
            (*BOARD_KEYS, *EXPLORE_KEYS),
            (*PLAYED_KEYS, *EXPLORE_KEYS),
            HELP_KEYS,
            (*ROW_KEYS, *CHOICE_KEYS, *COMMAND_KEYS, *FRONT_KEYS),
            (*ROW_KEYS, *CHOICE_KEYS, *COMMAND_KEYS, *SETTINGS_KEYS),
        )
    ),
    (*ENTRY_KEYS, *PICTURE_KEYS),
)
"""The keys active together, for each screen whose keys can be changed."""
