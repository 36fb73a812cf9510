"""Makes two flows, the first with twelve pairs of nodes."""

import json
import os
from pathlib import Path

flows = [{"id": f"tab{tab}", "type": "tab", "label": f"Flow {tab}"} for tab in (1, 2)]
for number in range(1, 13):
    place = {"z": "tab1", "y": 40 + 45 * number}
    wires = [[f"debug{number}"]]
    flows.append(
        {"id": f"inject{number}", "type": "inject", "name": f"Tick {number}", "x": 200, **place}
        | {"props": [{"p": "payload"}], "payloadType": "date", "wires": wires}
    )
    flows.append(
        {"id": f"debug{number}", "type": "debug", "name": f"Log {number}", "x": 460, **place}
        | {"active": True, "complete": "payload", "wires": []}
    )
(Path(os.environ["BENCH_DATA"]) / "flows.json").write_text(json.dumps(flows))
