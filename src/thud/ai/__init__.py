"""Computer players: their interface, the searches behind it, and the levels.

`core` runs the search, WebAssembly compiled from Rust; `by_rules` plays any variant by its rules.
Start with the two interfaces, `player` and `searcher`.
"""
