// @ts-check
// Sliders that a page draws itself.

let sliderThumb = null; // takes the keys of the last slider, where the slider itself does not

// The range and the value of a slider; null for anything else. ARIA's range is 0 to 100 unless the
// page says otherwise. Some sliders have the focus on a thumb inside them.
function sliderFacts(element) {
  if (element.getAttribute("role") !== "slider" || !element.hasAttribute("aria-valuenow")) return null;
  const number = (name, otherwise) => {
    const value = parseFloat(element.getAttribute(name));
    return Number.isFinite(value) ? value : otherwise;
  };
  sliderThumb =
    element.tabIndex < 0 ? [...element.querySelectorAll("[tabindex]")].find((e) => e.tabIndex >= 0) || null : null;
  return {
    thumb: sliderThumb !== null,
    now: number("aria-valuenow", 0),
    min: number("aria-valuemin", 0),
    max: number("aria-valuemax", 100),
  };
}

// The value, once it is another than `before` or `waitMs` have passed.
async function awaitSliderValue(element, { before, waitMs }) {
  const deadline = now() + waitMs;
  for (;;) {
    const value = parseFloat(element.getAttribute("aria-valuenow"));
    if (value !== before || now() >= deadline) return value;
    await nextFrame();
  }
}
