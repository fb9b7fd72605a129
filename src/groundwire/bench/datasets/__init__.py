"""Public data sets as cases. One loader a set: it says what it needs and where to get it."""
