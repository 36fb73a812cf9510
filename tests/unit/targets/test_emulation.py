"""The commands that a page's emulation keeps, without a browser."""

from __future__ import annotations

from cdp_agent.api.devtools.emulate import locale_commands, user_agent_commands
from cdp_agent.targets.emulation import USER_AGENT, Emulation


def kept(emulation: Emulation) -> object:
    return dict(emulation.commands(is_page=False))[USER_AGENT]


def test_a_user_agent_and_a_language_share_one_command() -> None:
    emulation = Emulation()
    for command in (*user_agent_commands("Tester/1.0", "Toaster"), *locale_commands("de_DE")):
        emulation.add(*command)
    both = {"userAgent": "Tester/1.0", "platform": "Toaster", "acceptLanguage": "de-DE"}
    assert kept(emulation) == both

    for command in user_agent_commands(None, None):
        emulation.add(*command)
    assert kept(emulation) == {"userAgent": "", "acceptLanguage": "de-DE"}
    for command in locale_commands(None):
        emulation.add(*command)
    assert kept(emulation) == {"userAgent": ""}


def test_a_copy_does_not_change_with_its_original() -> None:
    emulation = Emulation()
    emulation.add(USER_AGENT, {"userAgent": "one"})
    copy = emulation.copy()
    emulation.add(USER_AGENT, {"userAgent": "two"})
    assert kept(copy) == {"userAgent": "one"}
