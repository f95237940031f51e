// A table as cells: one row a card with its picture beside it, lists where the program knows the names, and what is
// pasted from a spreadsheet. Every change goes into the file's text at its cell: all other bytes stay.

import * as machine from "./machine.js";
import { makeFace, forget } from "./faces.js";
import { makeButton, tell, tryWork, makeWordButton } from "./notes.js";
import { listLanguages, make, state } from "./state.js";
import { pageLanguage, w } from "./words.js";

const AT_ONCE = 200;   // rows that are shown before "more" is pressed
const WIDEST = 28;     // characters of a column

/** Texts of a spreadsheet's clipboard: tabs between cells, quotes around those with line ends. */
export function parsePasted(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.replaceAll("\r\n", "\n").matchAll(/(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))([\t\n]|$)/g)) {
    rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (!end) break;
    if (end === "\n") rows.push([]);
  }
  while (rows.length > 1 && rows.at(-1).join("") === "") rows.pop();
  return rows;
}

/** The cells. `keep` stores a file, `told` shows what there is to say of it, `look` hears of the design at the cursor. */
export function makeGrid({ keep, told, look }) {
  const body = make("tbody");
  const lists = make("div", { ".hidden": true });
  const more = makeWordButton("more_rows", () => { shown += AT_ONCE; draw(); });
  const undo = makeWordButton("undo", () => runStill(undoChange));
  const bar = make("p", { class: "buttons" }, makeWordButton("add_row", addRow), makeWordButton("delete_row", () => at && runStill(() => change([{ row: at.row, gone: true }]))), undo);
  const sheet = make("div", { class: "cells", tabindex: "-1" }, make("table", {}, body), more);
  const box = make("div", { class: "grid", ".hidden": true }, bar, sheet, lists);
  let path = "";
  let table = { rows: [], header: 1, columns: [] };
  let shown = AT_ONCE;
  let at = null;         // the cell that had the focus last
  let marks = [];
  let before = [];       // the file's bytes before each change
  let typed = null;      // the cell whose text is not on its way into the file yet
  let stale = false;     // whether the cells must be read again
  let waiting = 0;       // pieces of work that have not ended
  let turn = Promise.resolve();

  const read = (one) => machine.ask("table", one, [pageLanguage()]);
  const rowOf = (row) => body.querySelector(`tr[data-row="${row}"]`);

  /** The designs of this table by their rows. */
  const mapDesigns = () => new Map((state.game?.kinds ?? []).flatMap((kind) => kind.designs.map((design) => [design.place.split(":").slice(0, 2).join(":"), { kind, design }])));

  /** Draw the rows, with the cell that has the focus and what is typed in it. `last`: a row below them that is drawn too. */
  function draw(last = 0) {
    const old = typed ?? (body.contains(document.activeElement) ? document.activeElement.closest("[data-column]") : null);
    const held = old && { ...placeOf(old), text: old.value, range: [old.selectionStart, old.selectionEnd], open: old === typed };
    typed = null;   // a browser may tell of a change when it takes a cell away
    shown = Math.max(shown, held?.row ?? 0, last);
    body.querySelectorAll(".face").forEach(forget);
    const known = mapDesigns();
    const width = Math.max(1, held?.column ?? 0, ...table.rows.slice(0, shown).map((row) => row.length));
    lists.replaceChildren(...table.columns.flatMap(({ names }, column) => (names.length
      ? [make("datalist", { id: `names-${column + 1}` }, ...names.map(({ name, about }) => make("option", { value: name }, about)))] : [])));
    const wide = Array.from({ length: width }, (_, column) => Math.min(WIDEST, Math.max(5, ...table.rows.slice(0, shown).map((row) => findLongest(row[column] ?? "")))));
    const height = Math.max(1, Math.min(shown, table.rows.length), held?.row ?? 0, last);
    body.replaceChildren(...Array.from({ length: height }, (_, index) => makeRow(index + 1, table.rows[index] ?? [], wide, known)));
    more.hidden = table.rows.length <= shown;
    undo.disabled = !before.length;
    mark(marks);
    if (!held) return;
    const field = fieldOf(held.row, held.column);
    if (held.open) [field.value, typed] = [held.text, field];
    field.focus({ preventScroll: true });
    field.setSelectionRange(...held.range);
  }

  const findLongest = (text) => Math.max(...text.split("\n").map((one) => one.length));

  function makeRow(row, cells, wide, known) {
    const head = make("th", { scope: "row" });
    fillHead(head, row, known);
    return make("tr", { "data-row": row, class: row === table.header ? "heading" : row < table.header ? "above" : null }, head,
      ...wide.map((width, column) => make("td", {}, makeCell(row, column + 1, cells[column] ?? "", width))));
  }

  /** The row's card, or its number alone. */
  function fillHead(head, row, known) {
    const found = known.get(`${path}:${row}`);
    const id = found?.design.id ?? "";
    if (head.dataset.shows === id && head.children.length) return;
    head.querySelectorAll(".face").forEach(forget);
    head.dataset.shows = id;
    head.replaceChildren(make("small", {}, String(row)));
    if (!found) return;
    const picture = makeFace(found.design, found.design.faces[0], listLanguages()[0]);
    head.style.cssText = "";
    for (const [name, value] of [["--w", found.kind.width], ["--h", found.kind.height], ["--corner", found.kind.corner], ["--mm", `${44 / found.kind.width}px`]]) head.style.setProperty(name, value);
    const open = makeButton("", () => look(id, true));
    open.append(picture);
    open.setAttribute("aria-label", w("show_card", { id }));
    head.append(open);
  }

  function makeCell(row, column, text, width) {
    const field = table.columns[column - 1]?.field ?? "";
    const named = table.columns[column - 1]?.names.length && row > table.header && !text.includes("\n");
    const found = named ? make("input", { list: `names-${column}`, ".value": text }) : make("textarea", { rows: "1", ".value": text });
    found.style.width = `${width + (named ? 6 : 3)}ch`;
    found.setAttribute("aria-label", w("cell", { column: field || w("column", { n: column }), row }));
    found.spellcheck = false;
    found.dataset.column = column;
    return found;
  }

  /** One piece of work after another, so that each begins with what the last has made. */
  function runInTurn(work) {
    waiting += 1;
    const done = turn.then(work).finally(() => { waiting -= 1; });
    turn = done.catch(() => {});
    return done;
  }

  /** Nothing can be typed while rows get other numbers. */
  async function runStill(work) {
    sheet.inert = true;
    await work();
    sheet.inert = false;
  }

  /** Change cells of the file that is shown now, whatever is shown when their turn comes; a promise of whether it is done. */
  function change(changes, again = true) {
    const mine = path;
    for (const { row, column, text, gone } of changes) if (!gone) (table.rows[row - 1] ??= [])[column - 1] = text;
    stale ||= again;
    return tryWork(() => runInTurn(async () => {
      const [was, data] = await machine.ask("cells", mine, JSON.stringify(changes)).catch(async (error) => {
        if (mine === path) table = await read(path);   // the cells still show what the file lacks
        throw error;
      });
      told(await keep(mine, data).catch((error) => error.message));
      if (mine === path) undo.disabled = !before.push(was);
      await renew();
      return true;
    }));
  }

  /** Read the cells again where they must be, once no change of them waits. */
  async function renew() {
    if (!stale || waiting > 1) return;
    const now = await read(path);
    if (waiting > 1) return;   // it was changed meanwhile
    [table, stale] = [now, false];
    draw();
  }

  /** What is typed goes into the file. */
  function store() {
    if (!typed) return;
    const { row, column } = placeOf(typed);
    const text = typed.value;
    typed = null;
    if (text !== (table.rows[row - 1]?.[column - 1] ?? "")) change([{ row, column, text }], row > table.rows.length + 1);
  }

  const undoChange = () => tryWork(() => runInTurn(async () => {
    if (!before.length) return;
    const data = before.pop();
    await machine.ask("write", path, data);
    told(await keep(path, data).catch((error) => error.message));
    stale = true;
    await renew();
  }));

  function addRow() {   // it is none until something is written in it
    const row = table.rows.length + 1;
    draw(row);
    focus(row, 1);
  }

  const fieldOf = (row, column) => rowOf(row)?.querySelector(`[data-column="${column}"]`);

  function focus(row, column) {
    const field = fieldOf(row, column);
    field?.focus();
    field?.scrollIntoView({ block: "nearest", inline: "nearest" });
    return Boolean(field);
  }

  const placeOf = (field) => ({ row: Number(field.closest("tr").dataset.row), column: Number(field.dataset.column) });

  body.addEventListener("focusin", ({ target }) => {
    if (!target.dataset.column) return;
    at = placeOf(target);
    look(rowOf(at.row).firstElementChild.dataset.shows, false);
  });
  body.addEventListener("input", ({ target }) => { typed = target; });
  body.addEventListener("change", store);
  body.addEventListener("focusout", store);
  document.addEventListener("visibilitychange", store);
  body.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (!target.dataset.column) return;
    const { row, column } = placeOf(target);
    const to = { Enter: event.shiftKey ? 0 : 1, ArrowDown: event.altKey ? 1 : 0, ArrowUp: event.altKey ? -1 : 0 }[key] ?? 0;
    if (key === "s" && (event.ctrlKey || event.metaKey)) store();
    else if (!to) return;
    else if (!focus(row + to, column) && to > 0) target.blur();
    event.preventDefault();
  });
  body.addEventListener("paste", (event) => {
    const { target } = event;
    const rows = parsePasted(event.clipboardData.getData("text/plain"));
    if (!target.dataset.column || (rows.length === 1 && rows[0].length === 1)) return;
    event.preventDefault();
    const { row, column } = placeOf(target);
    const changes = rows.flatMap((cells, down) => cells.map((text, across) => ({ row: row + down, column: column + across, text })));
    change(changes).then((done) => {
      if (!done) return;
      shown = Math.max(shown, Math.min(table.rows.length, AT_ONCE));
      tell(w("pasted", { n: rows.length }));
    });
  });

  /** Cells that something is wrong with. */
  function mark(problems) {
    marks = problems;
    for (const one of body.querySelectorAll(".wrong-cell")) {
      one.classList.remove("wrong-cell");
      one.removeAttribute("title");
    }
    for (const { line: row, column, what, hint } of problems) {
      const found = rowOf(row)?.children[column];
      found?.classList.add("wrong-cell");
      found?.setAttribute("title", hint ? `${what}; ${hint}` : what);
    }
  }

  return {
    box,
    mark,
    /** Whether something that was typed is not stored yet. */
    busy: () => Boolean(typed) || waiting > 0,
    settled: () => { store(); return turn; },
    /** Show a file's cells; what is typed where it is open already stays in its cell. */
    open(one) {
      if (one !== path) store();
      return runInTurn(async () => {
        const now = await read(one);
        if (one !== path) {
          store();   // what was typed meanwhile
          if (body.contains(document.activeElement)) document.activeElement.blur();
          [shown, at] = [AT_ONCE, null];
        }
        [path, table, stale, before] = [one, now, waiting > 1, []];   // a change that waits is not in it
        draw();
      });
    },
    go(row) {
      if (row <= 1) return;
      shown = Math.max(shown, row);
      if (!rowOf(row)) draw();
      focus(row, 1);
    },
    /** The cards of the rows, once the game has been read again. */
    refresh() {
      const known = mapDesigns();
      for (const line of body.children) fillHead(line.firstElementChild, Number(line.dataset.row), known);
    },
  };
}
