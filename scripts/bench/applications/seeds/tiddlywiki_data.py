"""Makes 60 tiddlers and says which ones are open at the start."""

import json
import os
from pathlib import Path

titles = [f"Plant {number}" for number in range(1, 61)]
tiddlers = [
    {
        "title": title,
        "tags": "plants",
        "text": f"!! Care\n\nWater {title} every {number % 9 + 1} days. See [[{titles[-number]}]].",
    }
    for number, title in enumerate(titles, 1)
]
tiddlers.append({"title": "$:/SiteTitle", "text": "Garden"})
tiddlers.append({"title": "$:/DefaultTiddlers", "text": "[[Plant 1]] [[Plant 2]] [[Plant 3]]"})
folder = Path(os.environ["BENCH_DATA"]) / "tiddlers"
folder.mkdir(exist_ok=True)
(folder / "garden.json").write_text(json.dumps(tiddlers))
