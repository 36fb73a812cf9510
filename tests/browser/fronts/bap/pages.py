"""Pages that the tests of the protocol share."""

from __future__ import annotations

from tests.support.site import Site

#: Each control writes what it did into `log`.
CONTROLS = """<title>Controls</title>
<label>Name <input id=name></label> <input placeholder="Search here" data-testid=search>
<button onclick="say('sent ' + document.getElementById('name').value)"
  ondblclick="say('double')" oncontextmenu="say('menu')">Send</button>
<button disabled>Never</button> <button hidden>Ghost</button>
<button onmouseover="say('hovered')">Hover</button>
<label><input type=checkbox onchange="say('check ' + this.checked)"> Agree</label>
<select aria-label=Size onchange="say('size ' + this.value)">
  <option value=s>Small<option value=l>Large</select>
<input type=file aria-label=File onchange="this.files[0].text().then(t =>
  say('file ' + this.files[0].name + ' ' + t))">
<textarea aria-label=Note onkeydown="say('key ' + event.key)"></textarea>
<div id=drag draggable=true style="width:60px;height:30px;background:#ccc"
  ondragstart="event.dataTransfer.setData('text/plain', 'x')">Drag me</div>
<div id=drop style="width:80px;height:40px;background:#eee" ondragover="event.preventDefault()"
  ondrop="event.preventDefault(); say('dropped')">Drop here</div>
<p id=log role=status></p><a href="?second">Second</a>
<div style="height:3000px"></div><button>Below</button>
<script>
function say(text) { const line = document.createElement('span'); line.textContent = text + ';';
  document.getElementById('log').append(line); }
</script>"""


def frame_page(site: Site) -> str:
    """A page with a form in a frame of another site, which lives in another process."""
    inner = site.page(
        "<label>Card <input></label><button onclick=\"p.textContent = 'paid ' +"
        "document.querySelector('input').value\">Pay</button><p id=p></p>",
        host="b.test",
    )
    return site.page(f'<h1>Shop</h1><iframe name=card src="{inner}" width=400 height=200></iframe>')
