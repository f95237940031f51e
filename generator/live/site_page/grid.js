// A table as cells: one row a card with its picture beside it, lists where the program knows the names, and what is
// pasted from a spreadsheet. Every change goes into the file's text at its cell: all other bytes stay.

import * as machine from "./machine.js";
import { face, forget } from "./faces.js";
import { button, tell, trying } from "./notes.js";
import { languages, make, state } from "./state.js";

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
export function grid({ keep, told, look }) {
  const body = make("tbody");
  const lists = make("div", { ".hidden": true });
  const more = button("Show more rows", () => { shown += AT_ONCE; draw(); });
  const undo = button("Undo", () => trying(back));
  const bar = make("p", { class: "buttons" }, button("Add a row", addRow), button("Delete the row", () => at && change([{ row: at.row, gone: true }])), undo);
  const box = make("div", { class: "grid", ".hidden": true }, bar, make("div", { class: "cells", tabindex: "-1" }, make("table", {}, body), more), lists);
  let path = "";
  let table = { rows: [], header: 1, columns: [] };
  let shown = AT_ONCE;
  let at = null;         // the cell that had the focus last
  let marks = [];
  let before = [];       // the file's bytes before each change
  let turn = Promise.resolve();

  const read = async () => { table = await machine.ask("table", path, navigator.languages); };
  const rowOf = (row) => body.querySelector(`tr[data-row="${row}"]`);

  /** The designs of this table by their rows. */
  const designs = () => new Map((state.game?.kinds ?? []).flatMap((kind) => kind.designs.map((design) => [design.place.split(":").slice(0, 2).join(":"), { kind, design }])));

  function draw() {
    body.querySelectorAll(".face").forEach(forget);
    const known = designs();
    const width = Math.max(1, ...table.rows.slice(0, shown).map((row) => row.length));
    lists.replaceChildren(...table.columns.flatMap(({ names }, column) => (names.length
      ? [make("datalist", { id: `names-${column + 1}` }, ...names.map(({ name, about }) => make("option", { value: name }, about)))] : [])));
    const wide = Array.from({ length: width }, (_, column) => Math.min(WIDEST, Math.max(5, ...table.rows.slice(0, shown).map((row) => longest(row[column] ?? "")))));
    const rows = table.rows.length ? table.rows.slice(0, shown) : [[""]];
    body.replaceChildren(...rows.map((cells, index) => line(index + 1, cells, wide, known)));
    more.hidden = table.rows.length <= shown;
    undo.disabled = !before.length;
    mark(marks);
  }

  const longest = (text) => Math.max(...text.split("\n").map((one) => one.length));

  function line(row, cells, wide, known) {
    const head = make("th", { scope: "row" });
    fillHead(head, row, known);
    return make("tr", { "data-row": row, class: row === table.header ? "heading" : row < table.header ? "above" : null }, head,
      ...wide.map((width, column) => make("td", {}, cell(row, column + 1, cells[column] ?? "", width))));
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
    const picture = face(found.design, found.design.faces[0], languages()[0]);
    head.style.cssText = "";
    for (const [name, value] of [["--w", found.kind.width], ["--h", found.kind.height], ["--corner", found.kind.corner], ["--mm", `${44 / found.kind.width}px`]]) head.style.setProperty(name, value);
    const open = button("", () => look(id, true));
    open.append(picture);
    open.setAttribute("aria-label", `Show the card ${id}`);
    head.append(open);
  }

  function cell(row, column, text, width) {
    const field = table.columns[column - 1]?.field ?? "";
    const named = table.columns[column - 1]?.names.length && row > table.header && !text.includes("\n");
    const found = named ? make("input", { list: `names-${column}`, ".value": text }) : make("textarea", { rows: "1", ".value": text });
    found.style.width = `${width + (named ? 6 : 3)}ch`;
    found.setAttribute("aria-label", `${field || `column ${column}`}, row ${row}`);
    found.spellcheck = false;
    found.dataset.column = column;
    return found;
  }

  /** One change after another, so that each begins with what the last has made. */
  function change(changes, again = true) {
    const mine = path;
    turn = turn.then(() => trying(async () => {
      if (mine !== path) return;
      before.push(await machine.ask("read", mine));
      await store(mine, await machine.ask("cells", mine, JSON.stringify(changes)));
      for (const one of changes) if (!one.gone && table.rows[one.row - 1]) table.rows[one.row - 1][one.column - 1] = one.text;
      if (!again) return void (undo.disabled = false);
      await read();
      draw();
    }));
    return turn;
  }

  async function store(mine, data) {
    await machine.ask("write", mine, data);
    told(await keep(mine, data).catch((error) => error.message));
  }

  async function back() {
    if (!before.length) return;
    await store(path, before.pop());
    await read();
    draw();
  }

  function addRow() {
    const row = table.rows.length + 1;
    table.rows.push(Array(table.rows[table.header - 1]?.length ?? 1).fill(""));
    shown = Math.max(shown, table.rows.length);
    draw();
    table.rows.pop();   // it is none until something is written in it
    focus(row, 1);
  }

  function focus(row, column) {
    const field = rowOf(row)?.querySelector(`[data-column="${column}"]`);
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
  body.addEventListener("change", ({ target }) => {
    if (!target.dataset.column) return;
    const { row, column } = placeOf(target);
    change([{ row, column, text: target.value }], row > table.rows.length);
  });
  body.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (!target.dataset.column) return;
    const { row, column } = placeOf(target);
    const to = { Enter: event.shiftKey ? 0 : 1, ArrowDown: event.altKey ? 1 : 0, ArrowUp: event.altKey ? -1 : 0 }[key] ?? 0;
    if (key === "s" && (event.ctrlKey || event.metaKey)) target.blur();
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
    change(changes).then(() => { shown = Math.max(shown, Math.min(table.rows.length, AT_ONCE)); tell(`${rows.length} rows pasted`); });
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
    settled: () => { document.activeElement?.closest?.(".grid") && document.activeElement.blur(); return turn; },
    async open(one) {
      if (one !== path) [before, shown, at] = [[], AT_ONCE, null];
      path = one;
      await read();
      draw();
    },
    go(row) {
      if (row <= 1) return;
      shown = Math.max(shown, row);
      if (!rowOf(row)) draw();
      focus(row, 1);
    },
    /** The cards of the rows, once the game has been read again. */
    refresh() {
      const known = designs();
      for (const line of body.children) fillHead(line.firstElementChild, Number(line.dataset.row), known);
    },
  };
}
