"""What Neo4j asks of a query beyond its grammar: one rule, one file, one function.

Each function looks at one part of a query and reports what is wrong with it to the checker that
walks the tree. Source: the Neo4j Cypher manual, and the behaviour of Neo4j 5.26 itself.
"""
