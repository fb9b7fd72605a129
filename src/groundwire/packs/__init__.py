"""Packs: what is known of one database beyond its catalog."""
