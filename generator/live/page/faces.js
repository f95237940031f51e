// Pictures of faces: asked for when they come near the screen, swapped without a flicker when they change.

import { $, ask, make, joinPath, prefs, say, state } from "./state.js";
import { w } from "./words.js";

const near = new Set();
const wanted = new Set();
let asking = 0;
let most = 8;   // asked for at once: the first ones are there soon

const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) {
      near.add(target);
      want(target);
    } else {
      near.delete(target);
    }
  }
}, { rootMargin: "700px 0px" });

/** What is far from the screen is let go: a thousand pictures would take a gigabyte. */
const distant = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting || !target.dataset.version) continue;
    delete target.dataset.version;
    target.classList.remove("drawn", "fresh");
    target.querySelectorAll("img").forEach((image) => image.remove());
  }
}, { rootMargin: "2500px 0px" });

/**
 * A place for one face: `data-key` is language, side and design.
 * @param {Answer.Design} design
 * @param {string} side
 * @param {string} lang
 */
export function makeFace(design, side, lang) {
  const place = make("span", { class: "face", "data-key": `${lang}:${side}:${design.id}` });
  place.described = { design: design.id, side, lang };
  watcher.observe(place);
  distant.observe(place);
  return place;
}

export function forget(place) {
  watcher.unobserve(place);
  distant.unobserve(place);
  near.delete(place);
  wanted.delete(place);
}

/** Ask anew for all that is near the screen. */
export function refresh() {
  near.forEach(want);
}

/**
 * What the server told about faces that it drew.
 * @param {Answer.Face[]} faces
 */
export function takeNews(faces) {
  const changed = [];
  for (const news of faces) {
    const key = `${news.lang}:${news.face}:${news.design}`;
    for (const place of document.querySelectorAll(`.face[data-key="${CSS.escape(key)}"]`)) {
      if (near.has(place) || place.closest("dialog[open]")) {
        if (show(place, news)) changed.push(news.design);
      }
    }
  }
  announce(changed);
}

/** Tell those who don't see it which designs have new pictures, whichever way the page learned of them. */
function announce(changed) {
  const designs = [...new Set(changed)];
  if (designs.length) say(w(designs.length > 3 ? "drawn_again_more" : "drawn_again", { designs: designs.slice(0, 3).join(", ") }));
}

function want(place) {
  wanted.add(place);
  if (!asking) asking = setTimeout(askNow, 0);
}

async function askNow() {
  const places = [...wanted].slice(0, most);
  places.forEach((place) => wanted.delete(place));
  const game = state.game?.id;
  const query = places.map((place) => ["face", place.dataset.key]);
  const answer = game && places.length ? await ask(["faces", game], query).catch(() => null) : null;
  if (answer?.faces) most = 120;
  if (answer?.faces && state.game?.id === game) {
    const found = new Map(answer.faces.map((one) => [`${one.lang}:${one.face}:${one.design}`, one]));
    const changed = places.filter((place) => {
      const one = found.get(place.dataset.key);
      return one && show(place, one);
    });
    announce(changed.map((place) => place.described.design));
  }
  asking = wanted.size ? setTimeout(askNow, 0) : 0;
}

/** Bring a place to a version; whether its picture changed. */
function show(place, { version }) {
  place.classList.toggle("none", !version);
  const before = place.dataset.version ?? "";
  if (version === before) {
    updateOverlay(place);
    return false;
  }
  place.dataset.version = version;
  load(place, version, Boolean(before));
  return Boolean(before);
}

export function getAddress(place, what = "face") {
  const { design, side, lang } = place.described;
  return `${joinPath(what, state.game.id, lang, design, `${side}.svg`)}?v=${place.dataset.version}`;
}

async function load(place, version, fresh) {
  if (!version) {
    place.querySelectorAll("img").forEach((image) => image.remove());
    return;
  }
  const picture = make("img", { class: "picture", alt: place.alt ?? "", decoding: "async", draggable: "false" });
  picture.src = getAddress(place);
  try {
    await picture.decode();
  } catch { /* the next news brings another */ }
  if (place.dataset.version !== version) return;
  const old = place.querySelector("img.picture");
  if (old) old.replaceWith(picture);
  else place.prepend(picture);
  place.classList.add("drawn");
  if (fresh) {
    place.classList.remove("fresh");
    void place.offsetWidth;
    place.classList.add("fresh");
  }
  updateOverlay(place);
}

/** Guides over a picture, or none. */
export function updateOverlay(place) {
  const old = place.querySelector("img.over");
  if (!prefs.guides || !place.dataset.version) {
    old?.remove();
    return;
  }
  const source = getAddress(place, "guides");
  if (old) {
    if (old.getAttribute("src") !== source) old.src = source;
  } else {
    place.append(make("img", { class: "over", alt: "", src: source }));
  }
}

export function updateOverlays() {
  document.querySelectorAll(".face[data-version]").forEach(updateOverlay);
}

/** Everything on the page at `zoom` times its size on paper. */
export function scaleFaces() {
  document.documentElement.style.setProperty("--mm", `${(96 / 25.4) * prefs.scale * prefs.zoom}px`);
  $("zoom").textContent = `${Math.round(prefs.zoom * 100)} %`;
}
