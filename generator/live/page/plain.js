// A plain field for a text, with numbered lines: where a site was made without CodeMirror.

import { make } from "./state.js";
import { w } from "./words.js";

/** The field: what it shows, a text to open, a line to go to, what is wrong to be marked. `changed` hears of each key, `moved` of the line. */
export function makeField({ changed, store, moved }) {
  const text = make("textarea", { id: "text", wrap: "off", spellcheck: "false", autocapitalize: "off", "aria-label": w("file_text"), "data-label": "file_text" });
  const lines = make("div", { class: "lines", "aria-hidden": "true" });
  let marks = [];

  text.addEventListener("input", () => { changed(); numberLines(); });
  text.addEventListener("selectionchange", () => moved(text.value.slice(0, text.selectionStart).split("\n").length));
  text.addEventListener("scroll", () => { lines.scrollTop = text.scrollTop; });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    store();
  });

  /** Numbers beside the lines, marked where something is wrong. */
  function numberLines() {
    const here = new Map(marks.map(({ line, what }) => [line, what]));
    const count = text.value.split("\n").length;
    lines.replaceChildren(...Array.from({ length: count }, (_, at) => {
      const what = here.get(at + 1);
      return make("span", what ? { class: "marked", title: what } : {}, what ? `● ${at + 1}` : String(at + 1));
    }));
    text.setAttribute("aria-invalid", String(here.size > 0));
    lines.scrollTop = text.scrollTop;
  }

  return {
    box: make("div", { class: "edit" }, lines, text),
    text: () => text.value,
    open(_path, said) { text.value = said; numberLines(); },
    forget() {},
    mark(problems) { marks = problems; numberLines(); },
    go(line) {
      const start = text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      const end = text.value.indexOf("\n", start);
      if (line > 1) {
        text.focus();
        text.setSelectionRange(start, end < 0 ? text.value.length : end);
      }
      const height = parseFloat(getComputedStyle(text).lineHeight) || 18;
      text.scrollTop = Math.max(0, (line - 6) * height);
    },
  };
}
