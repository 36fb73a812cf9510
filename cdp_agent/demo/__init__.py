"""A subscription service to practise on, served on two loopback sites.

Shipped with the package, so that `cdp-agent demo` works from an install without a network.
"""

from cdp_agent.demo.site import DemoSite, Variant

__all__ = ["DemoSite", "Variant"]
