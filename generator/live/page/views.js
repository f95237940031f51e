// The other views: print sheets page by page, the rulebook in a frame, what the checks find.

import { addNoteButtons } from "./note.js";
import { w } from "./words.js";
import { $, ask, languageName, listLanguages, make, joinPath, prefer, prefs, saveFile, state } from "./state.js";

const STATES = ["fail", "finding", "undecided", "pass"];

const lookout = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) loadPicture(target);
}, { rootMargin: "900px 0px" });

export async function show(view) {
  const { game } = state;
  if (!game || view === "components") return;
  await ({ sheets: showSheets, rulebook: showRulebook, figures: showFigures, findings: showFindings })[view](game);
}

export function showFailure(view, error) {
  $(view).replaceChildren(make("p", { class: "empty" }, w("no_answer", { why: error.message })));
}

/** Whether an answer is still for what is open. */
const isLate = (game, view) => state.game?.id !== game.id || state.view !== view;

function makeProblemList(problems) {
  return [make("p", { class: "unmade" }, w("unmade")),
    make("ol", { class: "checks" }, ...problems.map((problem) => make("li", {}, make("p", { class: "fail" }, problem))))];
}

function showWaiting(root, game, what) {
  if (root.dataset.game === game.id) return;
  root.dataset.game = game.id;
  root.replaceChildren(make("p", { class: "empty", role: "status" }, what));
}

/** Links to what the command writes: the same bytes, by the paper and the language that are chosen. */
function offerPdf(game, what, lang, paper, options) {
  const address = `${joinPath("pdf", game.id, what, `${lang}.pdf`)}?${new URLSearchParams(options)}`;
  for (const id of ["open-pdf", "save-pdf"]) $(id).href = address;
  $("save-pdf").download = `${game.id}-${what}-${paper}.${lang}.pdf`;
  $("save-pdf").onclick = savePdf;
}

/** Save what the link leads to: a browser's own download would pass by the Python of a site. What is wrong opens instead. */
async function savePdf(event) {
  event.preventDefault();
  const { href, download } = event.currentTarget;
  const answer = await fetch(href);
  if (answer.ok && answer.headers.get("Content-Type") === "application/pdf") saveFile(download, await answer.blob());
  else $("open-pdf").click();
}

async function showSheets(game) {
  const root = $("sheets");
  $("pdf").hidden = root.dataset.game !== game.id;   // until there is one
  await offerPapers();
  offerPairs(game);
  const readOptions = () => [$("pair").value || listLanguages()[0], $("paper").value];
  const [lang, paper] = readOptions();
  showWaiting(root, game, w("laying"));
  const answer = await ask(["sheets", game.id, lang], { paper });
  if (isLate(game, "sheets") || `${readOptions()}` !== `${lang},${paper}`) return;
  if (!answer?.pages) {
    root.replaceChildren(...makeProblemList(answer?.problems ?? [w("nothing_to_print")]));
    return;
  }
  offerPdf(game, "sheets", lang, paper, { paper });
  $("pdf").hidden = false;
  let leaves = root.querySelector(".leaves");
  const of = `${game.id} ${lang} ${paper}`;
  if (!leaves || leaves.dataset.of !== of) {
    leaves = make("div", { class: "leaves", "data-of": of, tabindex: "0", role: "group", "aria-label": w("sheets") });
    root.replaceChildren(leaves);
  }
  answer.pages.forEach((page, index) => {
    const leaf = leaves.children[index] ?? leaves.appendChild(newLeaf());
    updateLeaf(leaf, game, lang, paper, page);
  });
  while (leaves.children.length > answer.pages.length) leaves.lastElementChild.remove();
}

/** The papers that sheets can be laid on, asked for once. */
async function offerPapers() {
  const select = $("paper");
  if (select.options.length) return;
  const { papers, usual, pages } = await ask(["papers.json"]);
  $("page-size").replaceChildren(...pages.map((page) => make("option", { value: page }, page)));
  $("page-size").value = pages.includes(prefs.page) ? prefs.page : pages[0];
  $("page-size").addEventListener("change", () => {
    prefer({ page: $("page-size").value });
    show("rulebook").catch((error) => showFailure("rulebook", error));
  });
  select.replaceChildren(...Object.entries(papers).map(([name, [width, height]]) =>
    make("option", { value: name }, `${name} · ${width} × ${height} mm`)));
  select.value = prefs.paper in papers ? prefs.paper : usual;
  select.addEventListener("change", () => {
    prefer({ paper: select.value });
    show("sheets").catch((error) => showFailure("sheets", error));
  });
  $("pair").addEventListener("change", () => {
    prefer({ pair: $("pair").value });
    show("sheets").catch((error) => showFailure("sheets", error));
  });
}

/**
 * One language on each card, the one that is read, or a first with a second beside it.
 * @param {Answer.Game} game
 */
function offerPairs(game) {
  const pairs = game.languages.flatMap((first) =>
    game.languages.filter((second) => second !== first).map((second) => `${first}+${second}`));
  $("pair").closest("label").hidden = !pairs.length;
  $("pair").replaceChildren(make("option", { value: "" }, w("one_language")),
    ...pairs.map((pair) => make("option", { value: pair }, languageName(pair))));
  $("pair").value = pairs.includes(prefs.pair) ? prefs.pair : "";
}

function newLeaf() {
  return make("figure", { class: "leaf" }, make("span", { class: "face" }), make("figcaption"));
}

/**
 * @param {Element} leaf
 * @param {Answer.Game} game
 * @param {string} lang
 * @param {string} paper
 * @param {Answer.SheetPage} page
 */
function updateLeaf(leaf, game, lang, paper, page) {
  leaf.style.setProperty("--w", page.width);
  leaf.style.setProperty("--h", page.height);
  const name = w("sheet", { n: page.sheet, side: w(page.side) });
  leaf.lastElementChild.textContent = `${name} · ${w("designs", { n: page.holds.length })}`;
  leaf.about = `${name}: ${page.holds.slice(0, 12).join(", ")}`;
  const source = `${joinPath("sheet", game.id, lang, `${page.number}.png`)}?paper=${encodeURIComponent(paper)}&v=${page.version}`;
  if (leaf.source !== source) {
    leaf.source = source;
    lookout.unobserve(leaf);
    lookout.observe(leaf);
  }
}

async function loadPicture(leaf) {
  const { source } = leaf;
  if (leaf.shown === source) return;
  leaf.shown = source;
  const image = make("img", { class: "picture", alt: leaf.about, src: source });
  await image.decode().catch(() => {});
  if (leaf.source !== source) return;
  const old = leaf.querySelector("img");
  if (old) old.replaceWith(image);
  else leaf.firstElementChild.append(image);
}

async function showRulebook(game) {
  const root = $("rulebook");
  const [lang] = listLanguages();
  $("pdf").hidden = root.dataset.game !== game.id;
  await offerPapers();
  if (!game.book) {
    root.dataset.game = "";
    root.replaceChildren(make("p", { class: "empty" }, w("no_book")));
    return;
  }
  if (!await showFrame(game, "rulebook", w("setting"))) return;
  offerPdf(game, "rulebook", lang, $("page-size").value, { page: $("page-size").value });
  $("pdf").hidden = false;
}

const showFigures = (game) => showFrame(game, "figures", w("measuring"));

/** Show a page of the game in a frame; whether it is there. */
async function showFrame(game, view, meanwhile) {
  const root = $(view);
  showWaiting(root, game, meanwhile);
  const address = joinPath(view, game.id, `${listLanguages()[0]}.html`);
  const answer = await fetch(address, { cache: "no-store" });
  const text = await answer.text();
  if (isLate(game, view)) return false;
  if (!answer.ok) throw new Error(String(answer.status));
  const wrong = answer.headers.get("Content-Type").startsWith("application/json");
  if (!wrong && (root.text !== text || !root.querySelector("iframe"))) swapBook(root, address);
  tidy(root);
  if (wrong) root.prepend(...makeProblemList(JSON.parse(text).problems));   // the last good one stays below: a frame that is moved would load anew
  else root.text = text;
  return !wrong;
}

function tidy(root) {
  root.querySelectorAll(":scope > :not(.book)").forEach((old) => old.remove());
}

/** A new frame takes the old one's place, scrolled alike, once it is there. */
function swapBook(root, address) {
  const box = root.querySelector(".book") ?? make("div", { class: "book" });
  if (!box.parentNode) root.replaceChildren(box);
  box.querySelectorAll(".coming").forEach((frame) => frame.remove());
  const old = box.querySelector("iframe");
  const frame = make("iframe", { title: w("rulebook"), sandbox: "allow-same-origin", class: old ? "coming" : "" });
  frame.addEventListener("load", () => {
    if (root.id === "rulebook") addNoteButtons(frame);
    if (!frame.classList.contains("coming")) return;
    const same = old.src === frame.src;
    frame.classList.remove("coming");
    if (same) frame.contentWindow.scrollTo(0, old.contentWindow.scrollY);
    old.remove();
  });
  frame.src = address;
  box.append(frame);
}

async function showFindings(game, play = false) {
  const root = $("findings");
  showWaiting(root, game, w("checking"));
  const answer = await ask(["findings", game.id], { lang: listLanguages()[0], ...(play && { play: "few" }) });
  if (isLate(game, "findings")) return;
  if (!answer?.checks) {
    root.replaceChildren(...makeProblemList(answer?.problems ?? [w("unreadable")]));
    return;
  }
  const open = root.querySelector("details")?.open;
  const button = make("button", { type: "button" }, w("play_few"));
  button.addEventListener("click", async () => {
    button.disabled = true;
    button.textContent = w("playing");
    await showFindings(game, true);
  });
  const sums = Object.entries(answer.summary).filter(([, number]) => number).map(([status, number]) =>
    make("span", { class: `sum ${status}` }, make("b", {}, String(number)), w(status)));
  root.replaceChildren(make("div", { class: "sums" }, ...sums, button), ...STATES.map((status) =>
    makeGroup(status, answer.checks.filter((check) => check.status === status), open)).filter(Boolean));
}

/**
 * @param {string} status
 * @param {Answer.Check[]} checks
 * @param {boolean} open
 */
function makeGroup(status, checks, open) {
  if (!checks.length) return null;
  const list = make("ol", {}, ...checks.map((check) => make("li", {},
    make("p", {}, check.place ? make("code", {}, formatPlace(check.place)) : "", check.place ? " " : "",
      [check.sentence, check.figures].filter(Boolean).join(" — ")),
    make("small", {}, [check.id, check.reading].filter(Boolean).join(" · ")))));
  if (status === "pass") {
    return make("details", { class: "checks", ".open": Boolean(open) },
      make("summary", {}, `${checks.length} ${w("pass")}`), list);
  }
  return make("section", { class: "checks" }, make("h2", { class: status }, `${checks.length} ${w(status)}`), list);
}

const formatPlace = ({ file, line, column }) => [file, line, column].filter(Boolean).join(":");
