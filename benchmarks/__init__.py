"""Measurements of speed and memory. `python -m benchmarks [name …]` runs them."""
