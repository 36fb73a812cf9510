"""Mouse, keyboard, and the verbs that use them."""

from cdp_agent.act.receipt import Receipt
from cdp_agent.act.stage import Performed, Stage

__all__ = ["Performed", "Receipt", "Stage"]
