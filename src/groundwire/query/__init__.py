"""The two query languages as text with structure: parse, walk, spans, edits. No I/O."""
