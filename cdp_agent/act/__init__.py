"""Mouse, keyboard, and the verbs that use them."""

from cdp_agent.act.outcome import DialogInfo, Outcome, Receipt
from cdp_agent.act.stage import Performed, Stage

__all__ = ["DialogInfo", "Outcome", "Performed", "Receipt", "Stage"]
