"""Checks of SQL drafts."""
