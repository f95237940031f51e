// What the answers in JSON of `pnp serve` and of a site's worker hold. The page's scripts are compiled with these types, and
// tests/site/test_script_types.py compares the types with answers of a running server.

declare namespace Answer {
  type Texts = Record<string, string>;       // language -> text
  type Sizes = Record<string, number>;       // path -> bytes
  type Side = "front" | "back" | "left" | "right" | "top" | "bottom";
  /** An answer, or the problems for which there is none. */
  type Or<T> = (T & { problems?: undefined }) | ({ problems: string[] } & { [Key in keyof T]?: undefined });

  /** Answers to GET by the first step of the address. */
  interface Routes {
    "games.json": { games: Listed[]; edits: boolean };
    "papers.json": { papers: Record<string, [number, number]>; usual: string; pages: string[] };
    "edit.json": { parts: { editor: Sizes }; takes: { bytes: number } };
    game: Game;
    boxes: Or<Boxes>;
    faces: { faces: Face[] };
    words: { words: Record<string, Texts> };
    sheets: Or<{ pages: SheetPage[] }>;
    findings: Or<Findings>;
  }
  /** Answers to GET at table/<game>/<name>, besides `setup`, if there are no problems. */
  interface Tables {
    at: Table;
    hint: { move: number; short: string; text: string; bot: string; edits: boolean };
    save: { name: string; text: string; edits: boolean };
    resume: { players: number; people: number[]; bots: string; seed: string; options: string[]; moves: number[]; edits: boolean };
  }
  /** Answers to POST by address. */
  interface Orders {
    edit: Or<{ digest: string; undo: Record<string, [string, string]> }>;
    order: Or<{ key?: string; stale?: true }>;
    note: string | { problems: string[] };
  }
  /** Answers to the workbench's questions: by POST at ask, and of the worker. */
  interface Questions {
    files: string[];
    table: { rows: string[][]; header: number; columns: { field: string; names: { name: string; about: string }[] }[] };
    use: [path: string, text: string];
    offers: { names: { name: string; sort: string; about: string }[]; start: number; end: number };
    hint: { said: string; face: string };
  }
  /** What the events of the server hold. */
  interface Events {
    hello: { games: Listed[] };
    games: Record<string, never>;
    game: { id: string; generation: number };
    faces: { id: string; generation: number; faces: Face[] };
    room: Record<string, never>;
  }
  type To<Steps extends readonly string[]> = Steps extends readonly ["table", string, "setup"] ? Setup
    : Steps extends readonly ["table", string, infer What extends keyof Tables] ? Or<Tables[What]>
    : Steps extends readonly [infer What extends keyof Routes, ...string[]] ? Routes[What] : unknown;

  interface Listed { id: string; title: Texts; draft: string; languages: string[]; count: number; generation: number; problems: number }
  interface Game extends Omit<Listed, "problems"> {
    stale: boolean; kinds: Kind[]; book: boolean; editable: boolean;
    filters: { field: string; values: { value: string; label: Texts; designs: number }[] }[];
    problems: { place: string; what: string; hint: string; designs: string[] }[];
  }
  interface Kind {
    id: string; name: Texts; width: number; height: number; form: string; corner: number; outlined: boolean;
    count: number; stated: number | null; option: string; designs: Design[];
  }
  interface Design { id: string; name: Texts; count: number; faces: Side[]; place: string; fields: Record<string, string> }
  interface Face { design: string; face: Side; lang: string; version: string; well: boolean }
  interface SheetPage { number: number; sheet: number; side: string; width: number; height: number; holds: string[]; version: string }
  interface Findings {
    id: string; title: string; draft: string; lang: string; checks: Check[]; marks: Record<string, string>;
    summary: Record<"fail" | "finding" | "undecided" | "pass", number>;
    readings: { id: string; passage: string; problem: string; reading: string; switch: string; value: unknown; choices: unknown[] }[];
  }
  interface Check {
    id: string; kind: string; status: "fail" | "finding" | "undecided" | "pass"; sentence: string; figures: string;
    place: { file: string; line: number; column: number } | null; reading: string; values?: Record<string, unknown>;
  }
  interface Boxes {
    width: number; height: number; safe: number;
    files: Record<string, { digest: string; path: string; drawn: boolean }>;
    boxes: Box[];
  }
  interface Box {
    tag: string; name: string; source: string; anchor: [number, number]; where: string; file: string; line: number; column: number;
    x: number; y: number; width: number; height: number; scale: [number, number] | null; times: number;
    values: Record<string, { text: string; unit: string; per: number }>;
  }

  interface Setup {
    id: string; title: string; draft: string; lang: string; languages: string[]; players: [number, number]; bots: string[];
    playable: boolean; settings: Record<string, string[]>; problems: string[]; accent: string; words: Record<string, string>; books: string[];
    kinds: Record<string, { name: string; w: number; h: number; corner: number; outlined: boolean; form: string }>;
    edits?: boolean; room?: number;
  }
  interface Table {
    areas: Area[]; places: Places; aside: string[];
    players: number; people: number[]; names: string[]; made: number; eyes: number; seat: number; waits: boolean; more: boolean;
    over: boolean; call: number; call_text: string; undo: number; status: string[]; facts: string[]; points: (number | null)[];
    places_at_end: number[]; result: string[]; reasons: string[]; choices: Choice[]; dealt: string[];
    log: { at: number; seat: number; text: string; then: string[] }[];
    moves?: number[]; edits?: boolean; room?: Room;
  }
  /** The key of a place; a row in a row is a column. */
  type Row = string | Row[];
  interface Area { seat: number; name: string; rows: Row[]; near: boolean }
  type Places = Record<string, Place>;
  interface Place {
    name: string; lies: string; lines: number[]; gap: number; turned: number; seat: number; room: string; aid: boolean;
    cells: { zone: string; name: string; pieces: Piece[] }[];
    on: (Piece & { zone: string; space: string; under: string; matrix: [number, number, number, number, number, number] })[];
    spaces: { zone: string; name: string; under: string; box: [number, number, number, number] }[];
  }
  interface Piece { key: string; design: string; side: Side | null; n: number; name: string; hidden: boolean; turned: boolean; stands: boolean }
  interface Choice { move: number; short: string; text: string; pieces: string[]; zones: string[] }
  interface Room {
    eyes: number; number: number; bot: string; trouble: string[]; link: string;
    seats: { name: string; taken: boolean }[]; undo: { seat: number; agreed: number[] } | null;
  }

  /** The description of a site, site.json. */
  interface Site {
    program: string; docs: string; lacks: string[]; takes: { folders: string[]; files: number; bytes: number };
    games: { id: string; title: Texts; players: [number, number]; pictures: Record<string, string[]> }[];
    from: { id: string; pictures: Record<string, string[]> }[];
    later: Record<string, number | Sizes>; parts: Record<string, Sizes>; sums: Texts; packed: string[];
  }
  type Files = [path: string, data: Uint8Array<ArrayBuffer>][];
  /** Answers of the steps of a site's worker; the questions and `read`, `write`, `admit`, `cells` are those of a server, too. */
  interface Steps extends Questions {
    begin: Site & { again: boolean; files: Files };
    answer: { status: number; body: Uint8Array<ArrayBuffer>; headers: Record<string, string> };
    open_room: void;
    seat_guest: void;
    draw_code: string;
    hello: Uint8Array<ArrayBuffer>;
    read: Uint8Array<ArrayBuffer>;
    write: void;
    admit: string;
    cells: [before: Uint8Array<ArrayBuffer>, after: Uint8Array<ArrayBuffer>];
    begun: Files;
    order: any;   // as Orders has it
    pack: Uint8Array<ArrayBuffer>;
    archive: Uint8Array<ArrayBuffer>;
    unpack: Files;
    command: { code: number; made: string[] };
  }
}
