"""Checks of Cypher drafts."""
