"""What a person gets: a true sentence, a table, a chart, the query and the evidence behind it."""
