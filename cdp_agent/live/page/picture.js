// The picture, and the mouse and keyboard of a person who has taken over.

const MODIFIERS = { altKey: 1, ctrlKey: 2, metaKey: 4, shiftKey: 8 };
const BUTTONS = ["left", "middle", "right"];
const MOVE_MS = 40;

function modifiersOf(event) {
  return Object.entries(MODIFIERS).reduce((bits, [name, bit]) => bits | (event[name] ? bit : 0), 0);
}

function forwardInput(screen, picture, isDriven, send) {
  let lastMove = 0,
    clicks = 0,
    lastClick = { time: 0, x: 0, y: 0 },
    touch = null;

  const place = (event) => {
    const box = picture.getBoundingClientRect();
    const part = (value, from, size) => Math.min(Math.max((value - from) / (size || 1), 0), 1);
    return { x: part(event.clientX, box.left, box.width), y: part(event.clientY, box.top, box.height) };
  };
  const mouse = (event, kind, more) =>
    send({ type: "mouse", kind, ...place(event), modifiers: modifiersOf(event), ...more });
  const press = (event, button) => {
    const near = Math.hypot(event.clientX - lastClick.x, event.clientY - lastClick.y) < 5;
    clicks = near && event.timeStamp - lastClick.time < 400 ? Math.min(clicks + 1, 3) : 1;
    lastClick = { time: event.timeStamp, x: event.clientX, y: event.clientY };
    mouse(event, "mousePressed", { button, buttons: event.buttons & 7, clicks });
  };

  screen.addEventListener("pointerdown", (event) => {
    if (!isDriven()) return;
    event.preventDefault();
    screen.focus();
    screen.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch") {
      touch = { x: event.clientX, y: event.clientY, moved: false };
      return;
    }
    press(event, BUTTONS[event.button] || "left");
  });
  screen.addEventListener("pointermove", (event) => {
    if (!isDriven()) return;
    if (touch) {
      const dx = touch.x - event.clientX,
        dy = touch.y - event.clientY;
      if (!touch.moved && Math.hypot(dx, dy) < 8) return;
      mouse(event, "mouseWheel", { dx, dy });
      touch = { x: event.clientX, y: event.clientY, moved: true };
    } else if (event.timeStamp - lastMove > MOVE_MS) {
      lastMove = event.timeStamp;
      mouse(event, "mouseMoved", { buttons: event.buttons & 7, button: event.buttons & 1 ? "left" : "none" });
    }
  });
  screen.addEventListener("pointerup", (event) => {
    if (!isDriven()) return;
    if (touch) {
      const wasTap = !touch.moved;
      touch = null;
      if (!wasTap) return;
      mouse(event, "mouseMoved", {});
      press(event, "left");
    }
    mouse(event, "mouseReleased", { button: BUTTONS[event.button] || "left", clicks });
  });
  screen.addEventListener("pointercancel", () => {
    touch = null;
  });
  screen.addEventListener("contextmenu", (event) => {
    if (isDriven()) event.preventDefault();
  });
  screen.addEventListener(
    "wheel",
    (event) => {
      if (!isDriven()) return;
      event.preventDefault();
      const unit = event.deltaMode === 1 ? 16 : 1;
      const bounded = (delta) => Math.min(Math.max(delta * unit, -10000), 10000);
      mouse(event, "mouseWheel", { dx: bounded(event.deltaX), dy: bounded(event.deltaY) });
    },
    { passive: false },
  );

  const key = (event, kind) => {
    if (!isDriven() || event.isComposing || event.key === "Dead") return;
    // What is pasted comes by an event of its own.
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v") return;
    event.preventDefault();
    event.stopPropagation();
    send({ type: "key", kind, key: event.key, code: event.code, modifiers: modifiersOf(event) });
  };
  screen.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.shiftKey) return; // gives the browser back
    key(event, "down");
  });
  screen.addEventListener("keyup", (event) => key(event, "up"));
  document.addEventListener("paste", (event) => {
    if (!isDriven() || document.activeElement !== screen) return;
    const text = event.clipboardData.getData("text/plain").slice(0, 10000);
    if (text) send({ type: "text", text });
  });
}
