"""Runs: a set asked of a drafter, or its recorded drafts put through the guard, and kept.

configuration.py   what decides a run
record.py          what is kept of one case
folder.py          the folder of a run: it can be killed at any moment and goes on where it was
journal.py         every reply that was paid for
recording.py       the model behind the journal, at a bounded rate
asking.py          ask every case of a drafter
replay.py          put recorded drafts through the guard, no model
batch.py           pending prompts out, replies in, in the form of the providers' batches
compare.py         two runs, case by case
ablation.py        one component off at a time
"""
