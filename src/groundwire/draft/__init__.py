"""Question in, draft out: rules, knowledge, prompts, the model edge, the offline drafter."""
