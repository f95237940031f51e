"use strict";
// What a rulebook's page does besides being read: search, larger figures, a word where something goes on sideways.
// Without it nothing is lost: what only it can do is hidden until it runs.
(() => {
  const words = document.body.dataset;
  const main = document.querySelector("main");
  document.documentElement.classList.add("scripted");

  // Tables and pictures that are wider than the screen: a word above them, faded where they go on.
  const wide = (box) => {
    const over = box.scrollWidth - box.clientWidth, gone = Math.abs(box.scrollLeft);
    box.classList.toggle("wide", over > 1);
    box.classList.toggle("before", over > 1 && gone > 1);
    box.classList.toggle("after", over > 1 && gone < over - 1);
  };
  const boxes = new ResizeObserver((seen) => seen.forEach((one) => wide(one.target)));
  for (const box of document.querySelectorAll(".scroll")) {
    box.dataset.hint = words.sideways;
    box.addEventListener("scroll", () => wide(box), { passive: true });
    boxes.observe(box);
  }

  // Figures that enlarge.
  const made = (name, content) => Object.assign(document.createElement(name), content);
  const button = (kind, label, sign) => {
    const one = made("button", { type: "button", className: kind, textContent: sign, title: label });
    one.setAttribute("aria-label", label);
    return one;
  };
  const dialog = made("dialog", { className: "larger" });
  const close = button("close", words.close, "×");
  const shown = made("div", { className: "shown", tabIndex: 0 });
  dialog.append(close, shown);
  document.body.append(dialog);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target === close || event.target.closest("a")) dialog.close();
  });
  const enlarge = (figure) => {
    const picture = figure.querySelector("svg").cloneNode(true);
    const { width, height } = picture.viewBox.baseVal;
    const own = picture.style.width;
    picture.removeAttribute("style");
    picture.style.width = `max(${own}, min(92vw, ${Math.floor((78 * width) / height)}vh))`;
    const key = figure.querySelector(".key"), caption = figure.querySelector("figcaption");
    const below = [...(key ? [key.cloneNode(true)] : []), ...(caption ? [made("p", { textContent: caption.textContent })] : [])];
    shown.replaceChildren(picture, ...below);
    dialog.setAttribute("aria-label", picture.getAttribute("aria-label"));
    dialog.showModal();
    shown.scrollTo(0, 0);
  };
  for (const figure of main.querySelectorAll("figure")) {
    const picture = figure.querySelector("svg");
    const open = button("enlarge", `${words.enlarge}: ${picture.getAttribute("aria-label")}`, "+");
    figure.prepend(open);
    open.addEventListener("click", () => enlarge(figure));
    picture.addEventListener("click", () => enlarge(figure));
  }

  // Search: every hit is marked, as it is written or as it is read.
  const search = document.querySelector(".search");
  const field = search.querySelector("input"), count = search.querySelector("output");
  const blocks = "p, li, th, td, dt, dd, h2, h3, h4, figcaption, caption";
  const plain = (text) =>
    text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC").toLowerCase()
      .replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
      .replace(/[\u2018\u2019]/g, "'").replace(/\s/g, " ");
  let hits = [], at = 0;

  // The characters of each block, in two ways where it has readings: as written, and as read.
  const texts = () => {
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT, (node) =>
      node.parentElement.closest("svg, rp, button") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    const found = new Map();
    let order = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const block = node.parentElement.closest(blocks) || main;
      if (!found.has(block)) found.set(block, { written: [], read: [], ruby: false });
      const kept = found.get(block);
      const reading = node.parentElement.closest("rt"), ruby = node.parentElement.closest("ruby");
      for (let from = 0; from < node.length; from += 1) {
        const character = { node, from, order, sign: node.data[from] };
        if (!reading) kept.written.push(character);
        if (reading || !ruby) kept.read.push(character);
        kept.ruby ||= Boolean(reading);
        order += 1;
      }
    }
    return [...found.values()].flatMap((kept) => (kept.ruby ? [kept.written, kept.read] : [kept.written]));
  };
  const find = (wanted) => {
    const taken = new Set(), found = [];
    for (const characters of texts()) {
      let folded = "";
      const origin = [];
      for (const character of characters) {
        const signs = plain(character.sign);
        folded += signs;
        for (let more = 0; more < signs.length; more += 1) origin.push(character);
      }
      for (let start = folded.indexOf(wanted); start >= 0; start = folded.indexOf(wanted, start + wanted.length)) {
        const hit = [...new Set(origin.slice(start, start + wanted.length))];
        if (hit.some((character) => taken.has(character.order))) continue;
        hit.forEach((character) => taken.add(character.order));
        found.push(hit);
      }
    }
    return found.sort((one, other) => one[0].order - other[0].order);
  };
  const clear = () => {
    for (const mark of main.querySelectorAll("mark")) {
      const parent = mark.parentNode;
      mark.replaceWith(...mark.childNodes);
      parent.normalize();
    }
    hits = [];
  };
  // From the last character of the page to the first, so that what is before keeps its place.
  const mark = (found) => {
    const pieces = [];
    found.forEach((hit, number) => {
      for (const character of hit) {
        const last = pieces.at(-1);
        if (last && last.number === number && last.node === character.node && last.to === character.from) last.to += 1;
        else pieces.push({ number, node: character.node, from: character.from, to: character.from + 1, order: character.order });
      }
    });
    hits = found.map(() => []);
    for (const piece of pieces.sort((one, other) => other.order - one.order)) {
      const range = document.createRange(), around = document.createElement("mark");
      range.setStart(piece.node, piece.from);
      range.setEnd(piece.node, piece.to);
      range.surroundContents(around);
      hits[piece.number].unshift(around);
    }
  };
  const show = (next) => {
    hits[at]?.forEach((piece) => piece.classList.remove("here"));
    at = hits.length ? (next + hits.length) % hits.length : 0;
    hits[at]?.forEach((piece) => piece.classList.add("here"));
    hits[at]?.[0].scrollIntoView({ block: "center" });
    count.value = hits.length ? `${at + 1} / ${hits.length}` : field.value.trim() ? words.none : "";
  };
  const look = () => {
    clear();
    const wanted = plain(field.value.trim());
    if (wanted.length > 1 || /[^\x00-\x7f]/.test(wanted)) mark(find(wanted));
    show(0);
  };
  field.addEventListener("input", (event) => event.isComposing || look());
  field.addEventListener("compositionend", look);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      show(at + (event.shiftKey ? -1 : 1));
    } else if (event.key === "Escape") {
      field.value = "";
      look();
      field.blur();
    }
  });
  search.querySelector(".back").addEventListener("click", () => show(at - 1));
  search.querySelector(".on").addEventListener("click", () => show(at + 1));
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, dialog");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  search.hidden = false;
})();
