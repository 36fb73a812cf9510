"""A page that never holds still: it moves, swaps, redraws, covers and replaces its controls.

Each control has a key, which stays with it however often it is drawn anew. The page itself writes
down at which key each trusted press arrived; frames tell it of theirs. All chance comes from a
seed, so that a run can be repeated as far as time allows.
"""

from __future__ import annotations

_PRESSES = "['pointerdown', 'mousedown', 'click', 'auxclick', 'contextmenu', 'dblclick']"

THIEF = f"""<!doctype html><body style="margin:0"><button style="width:100vw;height:100vh">Frame
</button><script>for (const type of {_PRESSES}) addEventListener(type, (event) => {{
  if (event.isTrusted) top.postMessage('stolen ' + type, '*');
}}, true);</script>"""

_PAGE = """<!doctype html><meta charset=utf-8><title>Restless</title><style>
body { margin: 0; height: 1500px } #area { position: relative; width: 780px; height: 580px }
.item { position: absolute; width: 90px; height: 26px }
.cover { position: fixed; background: #fdd; width: 200px; height: 120px }
iframe { position: fixed; width: 220px; height: 140px; border: 0; left: -900px; top: 0 }
</style><div id=area></div>@FRAMES@
<input id=greedy aria-label=Greedy style="position:fixed;top:-90px">
<script>
let state = @SEED@;
const random = () => { // mulberry32
  state = (state + 0x6D2B79F5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const below = (n) => Math.floor(random() * n);
window.seen = [];
const keyOf = (node) => node.closest && node.closest('[data-key]')?.dataset.key || 'none';
for (const type of @PRESSES@) addEventListener(type, (event) => {
  if (event.isTrusted) seen.push(`${keyOf(event.composedPath()[0])} ${type}`);
}, true);
addEventListener('message', (event) => {
  if (typeof event.data === 'string' && event.data.startsWith('stolen')) seen.push(event.data);
});
const area = document.getElementById('area');
const KINDS = ['<button class=item data-key=K>Item K</button>',
  '<a class=item data-key=K href="#K">Item K</a>',
  '<div class=item data-key=K role=tab tabindex=0><a href="#K" role=presentation tabindex=-1>'
    + 'Item K</a></div>',
  '<div class=item data-key=K role=button tabindex=0><span>Item K</span></div>'];
const place = (node) => {
  node.style.left = below(680) + 'px'; node.style.top = below(540) + 'px';
};
for (let key = 1; key <= 12; key += 1) {
  area.insertAdjacentHTML('beforeend', KINDS[key % KINDS.length].replaceAll('K', key));
  place(area.lastElementChild);
}
const some = () => area.children[below(area.children.length)];
const at = (node, target) => {
  const box = target.getBoundingClientRect();
  node.style.left = box.x - below(40) + 'px'; node.style.top = box.y - below(40) + 'px';
};
const STIRS = [
  () => place(some()),
  () => { const one = some(), other = some(); const { left, top } = one.style;
    one.style.left = other.style.left; one.style.top = other.style.top;
    other.style.left = left; other.style.top = top; },
  () => { const one = some(), other = some(); if (one !== other) one.before(other); },
  () => { const one = some(); one.replaceWith(one.cloneNode(true)); },
  () => { area.innerHTML = area.innerHTML; },
  () => { const cover = document.createElement('div'); cover.className = 'cover';
    at(cover, some()); document.body.append(cover);
    setTimeout(() => cover.remove(), 5 + below(40)); },
  () => { const frames = document.querySelectorAll('body > iframe');
    if (frames.length) at(frames[below(frames.length)], some()); },
  () => { for (const one of document.querySelectorAll('body > iframe'))
    one.style.left = '-900px'; },
  () => document.getElementById('greedy').focus(),
  () => { const one = some(); one.style.width = 40 + below(90) + 'px'; },
  () => scrollTo(0, below(200)),
  () => { const one = some(); one.style.visibility = 'hidden';
    setTimeout(() => { one.style.visibility = ''; }, below(30)); },
];
const stir = () => STIRS[below(STIRS.length)]();
const beat = () => { stir(); setTimeout(beat, @PAUSE@ + below(@PAUSE@)); };
for (const type of ['pointermove', 'mouseover', 'mousemove', 'pointerdown', 'focusin'])
  area.addEventListener(type, () => { if (random() < @REACTS@) stir(); });
setTimeout(beat, 20);
</script>"""


def restless_page(seed: int, frame_urls: list[str], *, pause_ms: int, reacts: float) -> str:
    frames = "".join(f'<iframe src="{url}"></iframe>' for url in frame_urls)
    values = {
        "FRAMES": frames,
        "SEED": str(seed),
        "PRESSES": _PRESSES,
        "PAUSE": str(pause_ms),
        "REACTS": str(reacts),
    }
    html = _PAGE
    for name, value in values.items():
        html = html.replace(f"@{name}@", value)
    return html
