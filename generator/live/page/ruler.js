// How large a millimetre is on this screen: held against a bank card once, kept by the browser.

import { scaleFaces } from "./faces.js";
import { $, prefer, prefs } from "./state.js";

const WIDTH = 85.6;
const PIXELS = 96 / 25.4;

function apply(scale) {
  const kept = Math.min(2.5, Math.max(0.5, scale || 1));
  prefer({ scale: kept });
  $("scale").value = kept;
  $("ruler").style.setProperty("--card-mm", `${PIXELS * kept}px`);
  scaleFaces();
}

export function makeRuler() {
  $("open-ruler").addEventListener("click", () => {
    apply(prefs.scale);
    $("ruler").showModal();
  });
  $("scale").addEventListener("input", () => apply(Number($("scale").value)));
  $("scale-reset").addEventListener("click", () => apply(1));
  const corner = $("corner");
  corner.addEventListener("pointerdown", (event) => {
    corner.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  corner.addEventListener("pointermove", (event) => {
    if (!corner.hasPointerCapture(event.pointerId)) return;
    const { left } = $("bankcard").getBoundingClientRect();
    apply((event.clientX - left) / WIDTH / PIXELS);
  });
}
