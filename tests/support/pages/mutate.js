// Put into each document that is to change; see mutations.py.
globalThis.mutate = (() => {
  let state = 1;
  const random = () => {
    state |= 0; state = state + 0x6D2B79F5 | 0;
    let t = Math.imul(state ^ state >>> 15, 1 | state);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
  const pick = (list) => list[Math.floor(random() * list.length)];
  let made = 0;
  const word = () => `w${Math.floor(random() * 1000)}`;
  const roots = () => {
    const found = [document.body];
    for (let i = 0; i < found.length; i += 1) {
      for (const e of found[i].querySelectorAll("*")) {
        if (e.shadowRoot) found.push(e.shadowRoot);
        if (e.closedRoot) found.push(e.closedRoot);
      }
    }
    return found;
  };
  const all = (selector = "*") => roots().flatMap((root) => [...root.querySelectorAll(selector)])
    .filter((e) => e.localName !== "script" && e.localName !== "style" && e.localName !== "iframe");
  const ids = () => all("[id]").map((e) => e.id);
  const fresh = () => {
    made += 1;
    const html = pick([
      `<p>para ${word()}</p>`, `<button>new ${word()}</button>`, `<a href="#x">link ${word()}</a>`,
      `<div><span>${word()}</span><b>${word()}</b></div>`, `<label>lab <input type=checkbox> ${word()}</label>`,
      `<label for="made${made}">for ${word()}</label><input id="made${made}">`, `<h2>head ${word()}</h2>`,
      `<ul><li>${word()}</li><li><a href="#y">${word()}</a></li></ul>`, `<div role=button tabindex=0>${word()}</div>`,
      `<select><option>${word()}<option selected>${word()}</select>`, `<textarea>${word()}</textarea>`,
      `<img alt="${word()}" src="data:,">`, `text ${word()}`, `<div class=after>${word()}</div>`,
      `<div style="cursor:pointer">hand ${word()}</div>`, `<span hidden>hid ${word()}</span>`,
      `<details><summary>sum ${word()}</summary>${word()}</details>`, `<li>item ${word()}</li>`,
      `<section aria-label="${word()}"><p>${word()}</p></section>`, `<input type=range>`, `<progress value=3 max=9></progress>`,
    ]);
    const box = document.createElement("template");
    box.innerHTML = html;
    return box.content;
  };
  const attribute = () => pick([
    ["hidden", ""], ["hidden", "until-found"], ["disabled", ""], ["aria-label", word()], ["aria-hidden", "true"], ["role", pick(["button", "presentation", "heading", "list", "alert", "tab", "option"])],
    ["title", word()], ["tabindex", pick(["0", "-1"])], ["aria-expanded", pick(["true", "false"])], ["aria-checked", "true"],
    ["aria-labelledby", pick(ids().concat("none"))], ["aria-describedby", pick(ids().concat("none"))], ["id", pick(["i1", "i2", word()])], ["for", pick(ids().concat("none"))],
    ["inert", ""], ["open", ""], ["draggable", "true"], ["contenteditable", "true"], ["required", ""], ["readonly", ""],
    ["class", pick(["off", "caps", "before", "hand", "ghost", "open", "grid", "contents", ""])], ["style", pick(["display:none", "visibility:hidden", "opacity:0", "cursor:pointer", "display:contents", "height:500px;overflow:auto", "text-transform:uppercase", "content-visibility:hidden", ""])],
    ["placeholder", word()], ["alt", word()], ["value", word()], ["href", "#z"], ["type", pick(["text", "checkbox", "password", "button"])], ["aria-pressed", "mixed"],
    ["aria-selected", "true"], ["aria-owns", pick(ids().concat("none"))], ["data-x", word()], ["data-browser-agent-ui", ""], ["popover", ""], ["onclick", "1"], ["aria-modal", "true"], ["slot", "s"],
  ]);
  const kinds = {
    text() { const t = all().flatMap((e) => [...e.childNodes]).filter((n) => n.nodeType === 3 && n.data.trim()); if (t.length) pick(t).data = `${word()} ${word()}`; },
    append() { pick(all("div,ul,form,main,body,p,td,label,fieldset,section").concat(document.body)).append(fresh()); },
    prepend() { pick(all("div,ul,form,main,body,p,td,label,fieldset,section").concat(document.body)).prepend(fresh()); },
    remove() { const e = all(); if (e.length > 12) pick(e).remove(); },
    replace() { const e = all(); if (e.length > 12) pick(e).replaceWith(fresh()); },
    clone() { const e = pick(all()); e.replaceWith(e.cloneNode(true)); },
    move() { const e = pick(all()), to = pick(all("div,ul,form,main,section").concat(document.body)); if (!e.contains(to)) to.insertBefore(e, pick([...to.childNodes]) || null); },
    set() { const [name, value] = attribute(); pick(all()).setAttribute(name, value); return name; },
    unset() { const e = pick(all()); if (e.attributes.length) { const { name } = pick([...e.attributes]); e.removeAttribute(name); return name; } },
    toggle() { const [name] = attribute(); if (name === "id" || name === "for") return; pick(all()).toggleAttribute(name); return name; },
    check() { const e = pick(all("input[type=checkbox],input[type=radio]")); if (e) e.checked = !e.checked; },
    half() { const e = pick(all("input[type=checkbox]")); if (e) e.indeterminate = !e.indeterminate; },
    value() { const e = pick(all("input,textarea,select")); if (!e || e.type === "file") return; if (e.localName === "select") e.selectedIndex = Math.floor(random() * e.options.length); else e.value = e.type === "range" ? 7 : word(); },
    invalid() { const e = pick(all("input,textarea,select")); if (e) e.setCustomValidity(random() < 0.5 ? "bad" : ""); },
    focus() { const e = pick(all("input,button,a,textarea,select,[tabindex]")); if (e) e.focus(); },
    blur() { if (document.activeElement) document.activeElement.blur(); },
    rule() { const s = document.styleSheets[0]; s.insertRule(pick(["li:nth-child(3){display:none}", "b{text-transform:uppercase}", "label::after{content:'*'}", "p{cursor:pointer}", "h2{visibility:hidden}", "a{display:none}", "main:has(input:checked) p{display:none}", "@media (min-width: 500px){b{display:none}}", "label:has(:focus){text-transform:uppercase}"]), s.cssRules.length); },
    unrule() { const s = document.styleSheets[0]; if (s.cssRules.length) s.deleteRule(s.cssRules.length - 1); },
    edit() { const s = document.styleSheets[0]; const r = pick([...s.cssRules].filter((r) => r.style)); if (r) r.style.display = r.style.display === "none" ? "" : "none"; },
    sheet() { const s = document.styleSheets[0]; s.disabled = !s.disabled; },
    adopt() { const s = new CSSStyleSheet(); s.replaceSync(pick(["b{display:none}", "h1::before{content:'> '}", ""])); document.adoptedStyleSheets = [s]; },
    details() { const e = pick(all("details")); if (e) e.open = !e.open; },
    popover() { const e = pick(all("[popover]")); if (e && e.isConnected) e.togglePopover(); },
    modal() { const e = pick(all("dialog")); if (e) { if (e.open) e.close(); else if (e.isConnected) e.showModal(); } },
    // A label is a click target anyway: that it listens itself shows only in the tree, and nothing there hangs on it.
    listen() { pick(all(":not(label)")).addEventListener("click", () => 1); },
    scroll() { const e = pick(all("div,ul").concat(document.scrollingElement)); e.scrollTop = Math.floor(random() * 200); },
    title() { document.title = word(); },
    body() { document.body.classList.toggle(pick(["dark", "caps", "wide"])); },
    width() { document.body.style.width = pick(["", "300px", "900px"]); },
    shadow() { const e = pick(all("div,span,section")); if (e && !e.shadowRoot && !e.closedRoot && random() < 0.3) { const open = random() < 0.5; const root = e.attachShadow({ mode: open ? "open" : "closed" }); root.innerHTML = "<b>shade</b><slot></slot><slot name=s></slot>"; if (!open) e.closedRoot = root; } },
    assign() { const s = pick(all("slot")); if (s) s.assign(...all("#manual > *").filter(() => random() < 0.5)); },
    slot() { const e = pick(all("[slot]")); if (e) e.slot = pick(["s", "t", ""]); },
    hydrate() { for (const e of all("button,li,span,p,b").slice(0, 8)) e.addEventListener(pick(["click", "mousedown"]), () => 1); },
    dehydrate() { for (const e of all("[onclick]")) e.onclick = null; },
    closed() { const e = pick(all("div,span,section").filter((e) => !e.shadowRoot && !e.closedRoot)); if (e) { const root = e.attachShadow({ mode: "closed" }); root.innerHTML = pick(["", "<button>shut</button>", "<slot></slot><a href=#q>shut</a>"]); if (random() < 0.5) e.closedRoot = root; } },
    constructed() { const root = pick([document, ...roots().slice(1)]); const s = root.adoptedStyleSheets[0]; if (s) s.replaceSync(pick(["b{display:none}", "button{text-transform:uppercase}", "a::after{content:'!'}"])); else { root.adoptedStyleSheets = [new CSSStyleSheet()]; root.adoptedStyleSheets[0].insertRule("button{visibility:hidden}"); } },
    inert() { const e = pick(all("div,ul,form,main,section,p")); if (e) e.inert = !e.inert; },
    options() { const e = pick(all("select")); if (!e) return; pick([() => e.add(new Option(word(), word(), false, random() < 0.5)), () => e.remove(0), () => { e.options[0].text = word(); }, () => { e.options[0].disabled = true; }, () => { e.multiple = !e.multiple; }, () => { e.length = 0; }])(); },
    editable() { const e = pick(all("[contenteditable]")) || pick(all("p,div")); e.contentEditable = "true"; e.focus(); getSelection().selectAllChildren(e); document.execCommand(pick(["insertText", "bold", "insertUnorderedList"]), false, word()); },
    owns() { const e = pick(all("div,ul,section")), kept = pick(all("button,li,a,p")); if (!e || !kept || kept.contains(e)) return; kept.id ||= word(); if (random() < 0.5) e.setAttribute("aria-owns", kept.id); else e.ariaOwnsElements = [kept]; },
    reflect() { const e = pick(all("button,a,input,p")), by = pick(all("span,b,p,label")); if (e && by) e[pick(["ariaLabelledByElements", "ariaDescribedByElements"])] = [by]; },
    many() { for (let i = 0; i < 3; i += 1) kinds[pick(["text", "append", "set", "remove", "check"])](); },
    // As pages say what they did: the words of an element that holds nothing else.
    words() { const e = pick(all("p,li,div,h1,h2,span,td,label,button").filter((one) => !one.firstElementChild)); if (e) e.textContent = pick([word(), `${word()} ${word()}`, "", `${word()} `.repeat(60)]); },
    same() { const e = pick(all("p,li,h1,span").filter((one) => !one.firstElementChild)); if (e) e.textContent = e.textContent.replace(/\d/g, (n) => (+n + 1) % 10); },
    unseen() { const e = pick(all("p,li,h1,span,div,ul")); if (e) e.classList.toggle(pick(["pale", "clear", "away", "cut", "nil"])); },
    cover() { const e = pick(all("p,li,h1,div")); if (!e) return; const box = e.getBoundingClientRect(); const lid = document.createElement("div"); lid.style.cssText = `position:absolute;background:#345;left:${box.left + scrollX}px;top:${box.top + scrollY}px;width:${box.width}px;height:${box.height}px`; document.body.append(lid); },
    slide() { const e = pick(all("[style*=absolute]")); if (e) e.style.left = pick(["0", "700px"]); },
    aria() { const e = pick(all()); e.ariaLabel = word(); },
    tint() { const s = document.styleSheets[0]; s.insertRule(pick(["p{opacity:0}", "li{color:#fff}", "b,span{color:#fff}", "h1,h2{opacity:0}", "span{clip-path:inset(50%)}", "p{opacity:1}"]), s.cssRules.length); },
    fade() { const r = pick([...document.styleSheets[0].cssRules].filter((r) => r.style)); if (r) r.style.opacity = r.style.opacity === "0" ? "" : "0"; },
    transition() { const e = pick(all("div,p,li")); if (e) { e.style.transition = "opacity 10ms, height 10ms"; e.style.height = pick(["30px", "60px"]); e.style.opacity = pick(["1", "0.5"]); } },
  };
  return (seed) => {
    state = seed;
    const kind = pick(Object.keys(kinds));
    try {
      return `${kind} ${kinds[kind]() || ""}`;
    } catch (error) {
      return `${kind}: ${error.message}`; // nothing of that kind is left on the page
    }
  };
})();
