"""The templates of prompts, the rules and shapes, and what turns a catalog into text."""
