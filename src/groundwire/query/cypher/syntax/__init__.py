"""From text to tree: a recursive-descent parser, one class a layer."""
