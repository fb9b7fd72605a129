"""The checks of the guard: one check = one file = one function of that name."""
