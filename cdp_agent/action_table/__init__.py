"""Every action of a page with its parameters and limits, declared once.

Steps, tools, shell commands and servers are made from this table, the verbs themselves take their
limits from it, and a test holds `Page`'s signatures against it. Only the standard library is
imported: a shell command reads the table before anything else.
"""
