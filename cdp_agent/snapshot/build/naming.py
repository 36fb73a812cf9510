"""The role that a snapshot shows for an accessibility node. Pure.

One place decides, so that what is looked up later by role and name compares equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cdp_agent.snapshot.ax import roles
from cdp_agent.snapshot.ax.tree import AxNode


def properties_of(node: AxNode) -> dict[str, Any]:
    return {prop.name: prop.value.value for prop in node.properties}


def shown_role(ax_role: str, properties: Mapping[str, Any]) -> str:
    """The role in words that a model knows; an editable region is a textbox."""
    role = roles.plain(ax_role)
    edited = properties.get("focusable") and properties.get("editable")
    if edited == "richtext" or (edited == "plaintext" and role not in roles.INTERACTIVE):
        return "textbox"
    return role
