// CodeMirror as the field for a text: coloured, with undo for each file, search, what may be written, what a thing is.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "./codemirror/codemirror-autocomplete.js";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "./codemirror/codemirror-commands.js";
import { xml } from "./codemirror/codemirror-lang-xml.js";
import { yaml } from "./codemirror/codemirror-lang-yaml.js";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "./codemirror/codemirror-language.js";
import { lintGutter, lintKeymap, setDiagnostics } from "./codemirror/codemirror-lint.js";
import { highlightSelectionMatches, search, searchKeymap } from "./codemirror/codemirror-search.js";
import { EditorState } from "./codemirror/codemirror-state.js";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap,
  lineNumbers } from "./codemirror/codemirror-view.js";
import { tags } from "./codemirror/lezer-highlight.js";
import { make } from "./state.js";
import { EDITOR_WORDS, pick, w } from "./words.js";

const LANGUAGES = { yaml, yml: yaml, svg: () => xml({ autoCloseTags: false }) };

const BEGUN = /(\S|[:{,-] |\|)$/;   // what a line ends with where something may follow

/** Colours are those of the page, by its variables: they reach into the shadow, and follow dark and light. */
const LOOK = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--sheet)", fontSize: "13px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--fixed)", lineHeight: "1.45" },
  ".cm-content": { caretColor: "var(--text)", paddingBottom: "3rem" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--table)", color: "var(--soft)", border: "0" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--accent-soft)", color: "var(--text)" },
  ".cm-selectionLayer .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent)" },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 16%, transparent)" },
  ".cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--note) 15%, transparent)", outline: "1px solid var(--note)" },
  ".cm-searchMatch-selected": { backgroundColor: "transparent", outlineWidth: "2px" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--bad-soft)" },
  ".cm-panels, .cm-panels.cm-panels-top, .cm-panels.cm-panels-bottom": { backgroundColor: "var(--ground)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-panel.cm-search": { paddingRight: "1.6rem" },
  ".cm-panel.cm-search label": { whiteSpace: "nowrap", fontSize: "12px" },
  ".cm-panel .cm-textfield, .cm-panel .cm-button": { fontSize: "12px" },
  ".cm-textfield, .cm-button": { backgroundColor: "var(--sheet)", backgroundImage: "none", color: "var(--text)", border: "1px solid var(--line)", borderRadius: "5px" },
  ".cm-panel button[name=close], .cm-panel.cm-panel-lint button[name=close]": { color: "var(--text)" },
  ".cm-tooltip": { backgroundColor: "var(--sheet)", color: "var(--text)", border: "1px solid var(--line)", borderRadius: "6px", boxShadow: "var(--lift)",
    maxWidth: "min(26rem, 90vw)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--fixed)", maxWidth: "min(26rem, 86vw)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-tooltip-autocomplete[aria-disabled=true] > ul > li[aria-selected]": { backgroundColor: "var(--soft)" },
  ".cm-completionDetail": { fontFamily: "var(--type)", fontStyle: "normal", opacity: ".8" },
  ".cm-completionInfo": { padding: ".4rem .6rem" },
  ".cm-diagnostic": { whiteSpace: "normal" },
  ".told": { padding: ".5rem .7rem", fontFamily: "var(--type)", display: "grid", gap: ".4rem" },
  ".told img": { height: "11rem", maxWidth: "100%", justifySelf: "start" },
  ".told p": { margin: "0" },
  ".swatch": { display: "inline-block", width: ".8em", height: ".8em", marginRight: ".5em", border: "1px solid var(--line)", borderRadius: "2px" },
});

const INK = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.tagName], color: "var(--code-name)" },
  { tag: [tags.string, tags.content, tags.attributeValue], color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.attributeName], color: "var(--code-value)" },
  { tag: [tags.comment, tags.meta], color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.labelName, tags.typeName], color: "var(--code-value)", fontWeight: "600" },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.angleBracket], color: "var(--soft)" },
]);

/** How many units of a text its first characters are: Python counts characters, a browser units. */
const countUnits = (text, characters) => [...text].slice(0, characters).join("").length;
const countCharacters = (text, unitsBefore) => [...text.slice(0, unitsBefore)].length;

/** The field; the same as plain.js has. `offers` and `hint` ask the program what may be written, and what stands there. */
export function makeField({ changed, store, moved, offers, hint, picture }) {
  const box = make("div", { class: "edit coded", id: "text" });
  const root = box.attachShadow({ mode: "open" });   // styles come as sheets of the shadow: the page's policy has no others
  const states = new Map();   // path -> the file with what can be undone
  let open = "";

  async function complete({ state, pos, explicit }) {
    const line = state.doc.lineAt(pos);
    if (!explicit && !BEGUN.test(state.sliceDoc(line.from, pos))) return null;
    const [path, text] = [open, state.doc.toString()];
    const { names, start, end } = await offers(path, text, countCharacters(text, pos));
    const [from, to] = [countUnits(text, start), countUnits(text, end)];
    if (!names.length || from > pos || to < pos || path !== open) return null;
    return { from, to, options: names.map(makeOption), validFor: /^[\w./-]*$/ };
  }

  async function findHint(view, pos) {
    const text = view.state.doc.toString();
    const { said, face } = await hint(open, text, countCharacters(text, pos));
    const source = face && picture(face);
    if (!said && !source) return null;
    const shown = source ? [make("img", { src: source, alt: face })] : [];
    const lines = said.split("\n").filter(Boolean).map((line) => make("p", {}, ...formatMarkdown(line)));
    return { pos, above: true, create: () => ({ dom: make("div", { class: "told" }, ...lines, ...shown) }) };
  }

  const always = [
    lineNumbers(), lintGutter(), highlightSpecialChars(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
    highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(), search({ top: true }), indentUnit.of("  "),
    autocompletion({ override: [complete], icons: false, addToOptions: [{ render: makeSwatch, position: 20 }] }), hoverTooltip(findHint),
    syntaxHighlighting(INK), LOOK,
    EditorView.contentAttributes.of({ "aria-label": w("file_text_keys"), autocapitalize: "off", spellcheck: "false", tabindex: "0" }),
    EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
      if (docChanged) changed();
      if (docChanged || selectionSet) moved(state.doc.lineAt(state.selection.main.head).number);
    }),
    keymap.of([{ key: "Mod-s", run: () => { store(); return true; } }, ...completionKeymap, ...closeBracketsKeymap, ...searchKeymap,
      ...historyKeymap, ...lintKeymap, ...defaultKeymap, indentWithTab]),
  ];

  box.addEventListener("keydown", (event) => event.stopPropagation());   // the page has keys of its own

  const view = new EditorView({ parent: root, root });
  // Problems that are told below take room: the line that is typed stays in sight.
  new ResizeObserver(() => view.hasFocus && view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) })).observe(box);

  function makeState(path, text) {
    const language = LANGUAGES[path.split(".").pop()];
    const breaks = text.includes("\r\n") ? [EditorState.lineSeparator.of("\r\n")] : [];
    return EditorState.create({ doc: text, extensions: [...always, EditorState.phrases.of(pick({}, EDITOR_WORDS)), ...breaks, ...(language ? [language()] : [])] });
  }

  return {
    box,
    text: () => view.state.sliceDoc(),
    open(path, text) {
      if (open) states.set(open, view.state);
      open = path;
      const known = states.get(path);
      view.setState(known?.sliceDoc() === text ? known : makeState(path, text));
    },
    forget() {
      states.clear();
      open = "";
    },
    mark(problems) {
      const { doc } = view.state;
      view.dispatch(setDiagnostics(view.state, problems.map(({ line, column, what, hint: todo }) => {
        const row = doc.line(Math.min(Math.max(line, 1), doc.lines));
        const from = Math.min(row.from + countUnits(row.text, Math.max(column - 1, 0)), row.to);
        const word = /^(?:"[^"]*"|'[^']*'|[^\s,[\]{}:]+)/.exec(row.text.slice(from - row.from));
        const to = column ? from + (word?.[0].length ?? 1) : row.to;
        return { from, to: Math.min(Math.max(to, from), row.to), severity: "error", message: todo ? `${what}; ${todo}` : what };
      })));
    },
    go(line) {
      const row = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      const there = line > 1 ? { anchor: row.from, head: row.to } : { anchor: 0 };
      view.dispatch({ selection: there, effects: EditorView.scrollIntoView(row.from, { y: line > 1 ? "center" : "start" }) });
      if (line > 1) view.focus();
    },
  };
}

const makeOption = ({ name, sort, about }) => ({ label: name, type: sort, detail: sort === "key" ? "" : about, info: sort === "key" && about ? about : undefined });

/** A spot of the colour that is offered. */
function makeSwatch({ type, detail }) {
  if (type !== "colour") return null;
  const spot = make("span", { class: "swatch" });
  spot.style.backgroundColor = detail;
  return spot;
}

/** A line of Markdown as the program's hints have it: bold words and names. */
const formatMarkdown = (line) => line.split(/(\*\*[^*]+\*\*|`[^`]+`)/).filter(Boolean).map((part) => (
  part.startsWith("**") ? make("strong", {}, part.slice(2, -2)) : part.startsWith("`") ? make("code", {}, part.slice(1, -1)) : part));
