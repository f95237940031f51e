// Bytes as letters of an address, and through a stream that packs or unpacks them.

/** Bytes as letters that an address may hold. */
export function encodeBytes(bytes) {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 4096) letters += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of such letters; an Error if they are none. */
export const decodeLetters = (letters) => Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** Bytes through a stream, counted as they come: an Error of the stream, or a RangeError where there are too many. */
export async function pipeBytes(bytes, stream, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError(`more than ${most} bytes`);
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
