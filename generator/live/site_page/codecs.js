// Pixels for Python, where Pillow has no compiled part: PNG's row filters, turning, and the decoders of WebP and JPEG.
// generator/live/pillow_stand_in.py asks for all of it, and gets the bytes that Pillow has.

const WORDS = new Proxy({}, { get: (_, name) => (name === "environ_sizes_get" || name === "setjmp" ? () => 0 : () => { throw new Error(`decoder: ${String(name)}`); }) });
const GREY = 6, RGBA = 7, CMYK = 11;   // of libjpeg-turbo
const decoders = {};

/** Take in the compiled decoders: names of formats with the bytes of their modules. */
export async function prepareDecoders(files) {
  for (const [form, bytes] of Object.entries(files)) decoders[form] = await WebAssembly.compile(bytes);
}

/** A decoder of its own for each picture: its memory goes with it. */
function start(form, data) {
  const exports = /** @type {any} */ (new WebAssembly.Instance(decoders[form], { wasi_snapshot_preview1: WORDS, env: WORDS }).exports);
  const at = exports.malloc(data.length);
  new Uint8Array(exports.memory.buffer, at, data.length).set(data);
  const head = exports.malloc(16);
  return { exports, at, head, take: (from, length) => new Uint8Array(exports.memory.buffer, from, length).slice(), size: () => new Uint32Array(exports.memory.buffer, head, 2) };
}

/** The pixels of a WebP, four bytes each. */
function decodeWebp(data) {
  const { exports, at, head, take, size } = start("WEBP", data);
  const made = exports.WebPDecodeRGBA(at, data.length, head, head + 4);
  if (!made) throw new Error("undecodable");
  const [width, height] = size();
  return take(made, width * height * 4);
}

/** The pixels of a JPEG: one byte each for grey, else four. */
function decodeJpeg(data, mode) {
  const { exports, at, head, take, size } = start("JPEG", data);
  const decoder = exports.tjInitDecompress();
  if (exports.tjDecompressHeader3(decoder, at, data.length, head, head + 4, head + 8, head + 12)) throw new Error("undecodable");
  const [width, height] = size();
  const form = { L: GREY, CMYK }[mode] ?? RGBA;
  const bytes = form === GREY ? 1 : 4;
  const made = exports.malloc(width * height * bytes);
  if (!made || exports.tjDecompress2(decoder, at, data.length, made, width, width * bytes, height, form, 0)) throw new Error("undecodable");
  const pixels = take(made, width * height * bytes);
  return form === CMYK ? pixels.map((ink) => 255 - ink) : pixels;   // Pillow takes all to be inverted, as Adobe's are
}

const predictPaeth = (left, up, corner) => {
  const [byLeft, byUp, byCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
};

/** Rows of a PNG without their filters: `length` bytes each behind the filter's number, `step` from pixel to pixel. */
function unfilter(rows, length, step) {
  const out = new Uint8Array(rows.length / (length + 1) * length);
  for (let from = 0, to = 0; from < rows.length; from += length + 1, to += length) {
    const kind = rows[from];
    for (let at = 0; at < length; at += 1) {
      const left = at >= step ? out[to + at - step] : 0;
      const up = to ? out[to + at - length] : 0;
      const corner = to && at >= step ? out[to + at - length - step] : 0;
      const near = [0, left, up, (left + up) >> 1][kind] ?? predictPaeth(left, up, corner);
      out[to + at] = rows[from + 1 + at] + near;
    }
  }
  return out;
}

const CHOSEN = [0, 2, 1, 4];   // in this order the filters are tried, so that ties end alike

/** Rows of pixels, each with the filter that gives the smallest numbers, as Pillow chooses it. */
function filter(pixels, length, step) {
  const count = pixels.length / length;
  const out = new Uint8Array(count * (length + 1));
  const tried = new Uint8Array(length);
  for (let row = 0; row < count; row += 1) {
    const [from, to] = [row * length, row * (length + 1)];
    let least = Infinity;
    for (const kind of CHOSEN) {
      if (!least) break;
      let sum = 0;
      for (let at = 0; at < length; at += 1) {
        const left = at >= step ? pixels[from + at - step] : 0;
        const up = row ? pixels[from + at - length] : 0;
        const near = kind === 0 ? 0 : kind === 1 ? left : kind === 2 ? up
          : predictPaeth(left, up, row && at >= step ? pixels[from + at - length - step] : 0);
        const value = (pixels[from + at] - near) & 255;
        tried[at] = value;
        sum += Math.min(value, 256 - value);
      }
      if (sum >= least) continue;
      least = sum;
      out[to] = kind;
      out.set(tried, to + 1);
    }
  }
  return out;
}

/** Pixels turned upright: `mark` is the number of Exif. From 5 on, width and height change places. */
function turn(pixels, width, height, step, mark) {
  const out = new Uint8Array(pixels.length);
  const [across, down] = mark > 4 ? [height, width] : [width, height];
  for (let y = 0; y < down; y += 1) {
    for (let x = 0; x < across; x += 1) {
      const [a, b] = mark > 4 ? [y, x] : [x, y];
      const column = [2, 3, 7, 8].includes(mark) ? width - 1 - a : a;
      const line = [3, 4, 6, 7].includes(mark) ? height - 1 - b : b;
      const from = (line * width + column) * step;
      for (let at = 0; at < step; at += 1) out[(y * across + x) * step + at] = pixels[from + at];
    }
  }
  return out;
}

const multiplyShares = (one, other) => { const product = one * other + 128; return ((product >> 8) + product) >> 8; };

/** Pixels of four inks in red, green and blue, as Pillow mixes them. */
function mixInks(inks) {
  const out = new Uint8Array(inks.length / 4 * 3);
  for (let from = 0, to = 0; from < inks.length; from += 4, to += 3) {
    const light = 255 - inks[from + 3];
    for (let at = 0; at < 3; at += 1) out[to + at] = light - multiplyShares(inks[from + at], light);
  }
  return out;
}

globalThis.codecs = { decodeWebp, decodeJpeg, unfilter, filter, turn, mix: mixInks };
