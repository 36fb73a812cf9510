"""The demo's documents. Pure: a variant and a state in, HTML out."""

from __future__ import annotations

from html import escape

_STYLE = """
*{box-sizing:border-box}
body{margin:0;font:16px/1.5 system-ui,"DejaVu Sans",sans-serif;background:#f3f4f8;color:#1c2033}
header{background:#20243a;color:#fff;padding:14px 32px;font-weight:700;letter-spacing:.02em}
header span{color:#ffb454}
main{max-width:720px;margin:32px auto;padding:0 20px}
section,form.card{background:#fff;border:1px solid #dfe2ec;border-radius:12px;padding:18px 24px;
margin:0 0 18px}
h1{font-size:26px;margin:0 0 18px}h2{font-size:18px;margin:0 0 8px}
dl{display:grid;grid-template-columns:170px 1fr;margin:0}dt{color:#687089}dd{margin:0}
button,a.button{display:inline-block;font:inherit;font-weight:600;border:1px solid #c9cee0;
border-radius:8px;background:#fff;color:#1c2033;padding:8px 16px;margin:6px 8px 0 0;cursor:pointer;
text-decoration:none}
button.main{background:#3b5bdb;border-color:#3b5bdb;color:#fff}
button.risk{background:#c92a2a;border-color:#c92a2a;color:#fff}button:disabled{opacity:.45}
label{display:block;margin:8px 0}input[type=email],input[type=password]{display:block;width:100%;
font:inherit;padding:8px;border:1px solid #c9cee0;border-radius:8px}
iframe{width:100%;height:230px;border:0;display:block}.note{color:#687089;margin:6px 0 0}
.error{color:#c92a2a}
"""


def _document(title: str, body: str, *, bare: bool = False) -> str:
    head = (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title>"
        '<meta name=viewport content="width=device-width,initial-scale=1">'
        f"<style>{_STYLE}</style>"
    )
    if bare:
        return f"{head}<body style='background:#fff'>{body}</html>"
    return f"{head}<header>Lumen<span>+</span></header><main>{body}</main></html>"


def _arranged(variant: str, parts: list[str]) -> str:
    """The parts of a page; after the redesign in reverse order, in wrappers."""
    if variant != "shuffled":
        return "".join(parts)
    return "".join(f"<div class=x{n}><div>{part}</div></div>" for n, part in enumerate(parts[::-1]))


def _id(variant: str, name: str) -> str:
    return f"id=r-{name[::-1]} class='v2 {name}-x'" if variant == "shuffled" else f"id={name}"


def message(title: str, text: str) -> str:
    return _document(title, f"<h1>{escape(title)}</h1><p>{escape(text)}</p>")


def login(variant: str, error: str) -> str:
    said = f"<p class=error role=alert>{escape(error)}</p>" if error else ""
    fields = [
        f"<label>E-mail address<input type=email name=email {_id(variant, 'email')} required>"
        "</label>",
        f"<label>Password<input type=password name=password {_id(variant, 'password')} required>"
        "</label>",
        f"<button class=main {_id(variant, 'sign-in')}>Sign in</button>",
    ]
    return _document(
        "Sign in - Lumen+",
        f"<h1>Sign in</h1>{said}<form class=card method=post action=/login>"
        f"{_arranged(variant, fields)}</form>",
    )


_PLANS = {
    "active": ("Active", "Next payment", "1 December 2026, 15.99 EUR"),
    "paused": ("Paused for one month", "Next payment", "1 January 2027, 15.99 EUR"),
    "cancelled": ("Cancelled", "You can watch until", "30 November 2026"),
}


def account(variant: str, status: str, email: str) -> str:
    state, date_label, date = _PLANS[status]
    cancel = f"<a class=button {_id(variant, 'cancel')} href=/cancel/offers>Cancel membership</a>"
    restart = "<form method=post action=/offer/half><button>Restart membership</button></form>"
    parts = [
        "<section><h2>Membership</h2><dl>"
        f"<dt>Status</dt><dd>{state}</dd><dt>Plan</dt><dd>Premium, 4 screens</dd>"
        f"<dt>{date_label}</dt><dd>{date}</dd></dl>"
        f"{restart if status == 'cancelled' else cancel}"
        f"<a class=button {_id(variant, 'plan')} href=/account>Change plan</a></section>",
        f"<section><h2>Profile</h2><dl><dt>Name</dt><dd>Ada L.</dd><dt>E-mail</dt>"
        f"<dd>{escape(email)}</dd></dl></section>",
        "<section><h2>Payment</h2><dl><dt>Card</dt><dd>ending in 4242</dd></dl>"
        f"<a class=button {_id(variant, 'card')} href=/account>Update card</a></section>",
    ]
    return _document("Your account - Lumen+", f"<h1>Your account</h1>{_arranged(variant, parts)}")


def offers(variant: str) -> str:
    go_on = f"<a class=button {_id(variant, 'go-on')} href=/cancel/confirm>Continue to cancel</a>"
    parts = [
        "<section><h2>Stay for half the price</h2><p class=note>7.99 EUR a month for three months, "
        "then 15.99 EUR again.</p><form method=post action=/offer/half>"
        f"<button class=main {_id(variant, 'half')}>Keep Premium at half price</button>"
        "</form></section>",
        "<section><h2>Take a break</h2><p class=note>We stop charging for a month and keep your "
        "lists.</p><form method=post action=/offer/pause>"
        f"<button {_id(variant, 'pause')}>Pause for one month</button></form></section>",
        "<section><h2>Still want to leave?</h2>"
        f"{'<p class=note>Please call us.</p>' if variant == 'no-cancel' else go_on}"
        f"<a class=button {_id(variant, 'back')} href=/account>Back to account</a></section>",
    ]
    return _document(
        "Before you go - Lumen+",
        f"<h1>Before you go, Ada</h1>{_arranged(variant, parts)}",
    )


def confirm(variant: str, frame_url: str, frame_origin: str) -> str:
    script = (
        "<script>addEventListener('message', event => {"
        f"if (event.origin === '{frame_origin}' && event.data === 'cancelled')"
        " location.href = '/cancelled'; });</script>"
    )
    parts = [
        f"<section><iframe title='Billing confirmation' src='{escape(frame_url)}'></iframe>"
        "</section>",
        "<section><p class=note>Our billing partner confirms the cancellation. "
        f"<a {_id(variant, 'stay')} href=/account>Keep my membership</a></p></section>",
    ]
    return _document(
        "Confirm cancellation - Lumen+",
        f"<h1>Confirm cancellation</h1>{_arranged(variant, parts)}{script}",
    )


def billing(variant: str, ticket: str) -> str:
    parts = [
        f"<label><input type=checkbox {_id(variant, 'agree')}> I understand that I lose access on "
        "30 November 2026</label>",
        f"<button class=risk {_id(variant, 'finish')} disabled>Finish cancellation</button>",
    ]
    script = """<script>
const box = document.querySelector('input'), button = document.querySelector('button');
const said = document.querySelector('[role=status]');
box.onchange = () => { button.disabled = !box.checked; };
button.onclick = async () => {
  button.disabled = true;
  const answer = await fetch('/billing/cancel', {method: 'POST',
    body: new URLSearchParams({ticket: TICKET})});
  said.textContent = answer.ok ? 'Cancelled.' : 'Not cancelled: ' + await answer.text();
  if (answer.ok) parent.postMessage('cancelled', '*');
};</script>"""
    safe = "".join(letter for letter in ticket if letter.isalnum() or letter in "-_")
    return _document(
        "Billing - PayFrame",
        f"<h2>PayFrame billing</h2><p class=note>Premium, Lumen+, ada@lumen.test</p>"
        f"{_arranged(variant, parts)}<p role=status></p>{script.replace('TICKET', repr(safe))}",
        bare=True,
    )


def cancelled(variant: str) -> str:
    parts = [
        "<section role=status><h2>Your membership has been cancelled</h2>"
        "<p class=note>You can watch until 30 November 2026. No further payment is taken.</p>"
        "</section>",
        f"<section><a class=button {_id(variant, 'to-account')} href=/account>Back to account</a>"
        "</section>",
    ]
    return _document("Cancelled - Lumen+", f"<h1>Goodbye, Ada</h1>{_arranged(variant, parts)}")
