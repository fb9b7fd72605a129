"""The Chicago pack: knowledge of the city's crime data, a generator and a loader of its exports."""
