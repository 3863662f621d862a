"""What the documents say of measurements is what the program knows."""

from fill_documents import WHAT, documents, filled


def test_measured_paragraphs_are_as_measured() -> None:
    texts = {path: path.read_text("utf-8") for path in documents()}
    assert [path for path, text in texts.items() if filled(text) != text] == []
    everything = "".join(texts.values())
    assert [what for what in WHAT if f"<!-- measured: {what} -->" not in everything] == []
