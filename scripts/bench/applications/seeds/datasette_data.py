"""Makes a library of 3,000 books; the table's page shows 100 of them."""

import os
import sqlite3
from pathlib import Path

KINDS = ["Atlas", "Biography", "Cookbook", "Diary", "Essay", "Fable", "Grammar", "Herbal"]
PLACES = ["Basel", "Cork", "Delft", "Evora", "Faro", "Graz", "Hobart", "Ithaca"]

with sqlite3.connect(Path(os.environ["BENCH_DATA"]) / "library.db") as db:
    db.execute("create table places (id integer primary key, name text)")
    db.execute(
        "create table books (id integer primary key, title text, year integer, pages integer,"
        " lent integer, place integer references places(id))"
    )
    db.executemany("insert into places values (?, ?)", list(enumerate(PLACES, 1)))
    db.executemany(
        "insert into books values (?, ?, ?, ?, ?, ?)",
        [
            (n, f"{KINDS[n % 8]} of {PLACES[n * 3 % 8]}", 1800 + n % 200, n % 700, n % 3, n % 8 + 1)
            for n in range(1, 3001)
        ],
    )
