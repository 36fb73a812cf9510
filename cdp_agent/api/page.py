"""One tab, as users of the library see it."""

from __future__ import annotations

from cdp_agent.api.access import Access
from cdp_agent.api.answering import Answering
from cdp_agent.api.choosing import Choosing
from cdp_agent.api.composing import Composing
from cdp_agent.api.dragging import Dragging
from cdp_agent.api.extraction import Extracting
from cdp_agent.api.files import Files
from cdp_agent.api.going import Going
from cdp_agent.api.observation import Observing
from cdp_agent.api.pointing import Pointing
from cdp_agent.api.reading import Reading
from cdp_agent.api.recovery import Recovering
from cdp_agent.api.scrolling import Scrolling
from cdp_agent.api.selectors import Finding
from cdp_agent.api.storage import Storage
from cdp_agent.api.tabs import Tabs
from cdp_agent.api.waiting import Waiting
from cdp_agent.api.writing import Writing


class Page(
    Observing,
    Access,
    Answering,
    Choosing,
    Composing,
    Dragging,
    Extracting,
    Files,
    Going,
    Pointing,
    Reading,
    Recovering,
    Scrolling,
    Finding,
    Storage,
    Tabs,
    Waiting,
    Writing,
):
    """Observe it with `snapshot`, act on what that shows by id. Made by `Browser.new_page`."""
