"""The keys of a match, besides those of the board."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding

BATTLE_KEYS: Final = (
    Binding("colon,slash", "type_move", "Type a move", key_display=":", id="battle.type"),
    Binding("a", "take_all", "Take all", show=False, id="battle.take_all"),
    Binding("escape,backspace", "back", "Let go", key_display="Esc", id="battle.back"),
    Binding("u", "undo", "Undo", id="battle.undo"),
    Binding("r", "redo", "Redo", id="battle.redo"),
    Binding("i", "hint", "Hint", id="battle.hint"),
    Binding("t", "threats", "Threats", show=False, id="battle.threats"),
    Binding(
        "v",
        "app.switch('evaluation_bar')",
        "Evaluation bar",
        show=False,
        id="battle.evaluate",
    ),
    Binding("plus", "speed(1)", "Watch faster", show=False, id="battle.faster"),
    Binding("minus", "speed(-1)", "Watch slower", show=False, id="battle.slower"),
    Binding("s", "app.save_as", "Save as", show=False, id="battle.save_as"),
    Binding("o", "app.open", "Open a file", show=False, id="battle.open"),
    Binding("c", "copy", "Copy", show=False, id="battle.copy"),
    Binding("p", "app.next_pieces", "Other pieces", show=False, id="battle.pieces"),
    Binding("f", "flip", "Flip the board", show=False, id="battle.flip"),
    Binding("e", "end_battle", "End battle", id="battle.end"),
    Binding("q", "app.quit", "Quit", id="battle.quit"),
    Binding("question_mark", "explain", "What a piece may do", show=False, id="battle.explain"),
    Binding("f1", "help", "Help", key_display="F1", id="battle.help"),
)
"""What the keys do; whatever has an id can be given other keys in the settings file."""

WHILE_ASKED: Final = ("back", "flip", "help")
"""The actions that are possible while a question waits for its answer."""
