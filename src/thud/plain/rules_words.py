"""The rules by topics, with diagrams in letters."""

from __future__ import annotations

from typing import Final

from thud.rulebook.chapters import chapter_on, chapters, topics_of
from thud.rulebook.printed import printed
from thud.rules.variant import Variant
from thud.wording.text import quoted

_WIDTH: Final = 80


def topics_in_words(variant: Variant) -> list[str]:
    """Say of which topics there is more to tell, if there is more."""
    topics = topics_of(variant.name)
    return [f"For more, say rules and one of: {', '.join(topics)}."] if topics else []


def rules_on(variant: Variant, topic: str) -> list[str]:
    """Tell all there is on a topic.

    Raises:
        ValueError: there is no such topic.
    """
    place = chapter_on(variant.name, topic)
    if place is None:
        known = ", ".join(topics_of(variant.name)) or "nothing but the nutshell"
        raise ValueError(f"the rules have no topic {quoted(topic)}: there is {known}")
    return printed(chapters()[place], _WIDTH)
