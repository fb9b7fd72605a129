"""What a tree means: variables, types, and the rules of Neo4j beyond the grammar."""
