"""The tools of the table, grouped by what they do."""
