"""`cdp-agent services [NAME]`: what the agent knows about which service."""

from __future__ import annotations

import argparse
import json

from cdp_agent.agent.service import SERVICES, ServiceConfig


def run(args: argparse.Namespace) -> int:
    names = [args.name] if args.name else SERVICES.names()
    services = [SERVICES.get(name) for name in names]
    if args.json:
        print(json.dumps([_facts(service) for service in services], ensure_ascii=False))
        return 0
    for service in services:
        where = f"  {service.url}" if service.url else ""
        print(f"{service.name}  {service.title}{where}")
        if args.name:
            print(_details(service))
    return 0


def _facts(service: ServiceConfig) -> dict[str, object]:
    return {
        "name": service.name,
        "title": service.title,
        "url": service.url,
        "origins": list(service.origins),
        "checkpoints": [{"name": c.name, "reason": c.reason} for c in service.checkpoints],
        "success": [one.meaning for one in service.success],
        "failure": [one.meaning for one in service.failure],
    }


def _details(service: ServiceConfig) -> str:
    lines = [f"  believed at  {origin}" for origin in service.origins]
    lines.extend(f"  asks before  {c.name}: {c.reason}" for c in service.checkpoints)
    lines.extend(f"  done when    {one.meaning}" for one in service.success)
    lines.extend(f"  fails when   {one.meaning}" for one in service.failure)
    return "\n".join(lines)
