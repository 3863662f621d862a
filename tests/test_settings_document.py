"""docs/settings.md covers exactly the existing settings, values and keys."""

import re
from itertools import groupby
from pathlib import Path
from typing import Final

from thud.settings.file import parse
from thud.settings.values import SETTINGS_INFO, Settings, written
from thud.text import capitalised
from thud.tui.actions import BY_ID, GROUPS
from thud.tui.keys.keymap import keymap
from thud.tui.looks.themes import KOOM_VALLEY, THEMES

DOCUMENT: Final = (Path(__file__).parents[1] / "docs" / "settings.md").read_text(encoding="utf-8")
EXAMPLES: Final = re.findall(r"```toml\n(.*?)```", DOCUMENT, re.DOTALL)


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def rows(heading: str) -> list[list[str]]:
    """Return the rows of the first table below a line with this beginning."""
    lines = DOCUMENT[DOCUMENT.index(heading) :].splitlines()
    tables = [list(group) for table, group in groupby(lines, lambda x: x.startswith("|")) if table]

    return [cells(line) for line in tables[0][2:]]


def test_every_setting_is_told_with_all_its_values() -> None:
    told = {name.strip("`"): values for name, values, _ in rows("| Setting |")}
    assert list(told) == list(SETTINGS_INFO)
    for name, about in SETTINGS_INFO.items():
        if about.choices:
            assert told[name] == ", ".join(f"`{written(choice)}`" for choice in about.choices)


def test_the_example_is_what_holds_by_itself_but_for_the_keys() -> None:
    example = EXAMPLES[0]
    settings, faults = parse(example)
    assert faults == []
    assert settings == Settings(theme=KOOM_VALLEY.name, keys=settings.keys)
    assert all(f"\n{name} = " in example for name in SETTINGS_INFO)
    assert len(settings.keys) == 3
    assert keymap(settings.keys)[1] == {}


def test_our_themes_are_told() -> None:
    assert all(f"`{theme.name}`" in DOCUMENT for theme in THEMES)


def test_every_key_is_listed_where_it_belongs_and_the_list_can_be_used_as_it_is() -> None:
    lines = ["[keys]"]
    for group, title in GROUPS.items():
        lines.append(f"# {capitalised(title)}")
        for name, action in BY_ID.items():
            if name.startswith(f"{group}."):
                keys = ", ".join(f'"{key}"' for key in action.keys.split(","))
                lines.append(f"{name} = [{keys}]" if "," in keys else f"{name} = {keys}")
    assert "\n".join(lines) == EXAMPLES[1].rstrip()
    settings, faults = parse(EXAMPLES[1])
    assert faults == []
    assert settings.keys.keys() == BY_ID.keys()
    assert keymap(settings.keys)[1] == {}
