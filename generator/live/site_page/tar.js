// A tar, as the site's builder writes it: its files one after another.

const BLOCK = 512;
const text = new TextDecoder();

/**
 * The files of a tar: paths and contents.
 * @returns {Generator<[string, Uint8Array]>}
 */
export function* iterateFiles(archive) {
  const readField = (at, length) => text.decode(archive.subarray(at, at + length)).split("\0")[0];
  for (let at = 0; archive[at]; ) {
    const [name, folder, size] = [readField(at, 100), readField(at + 345, 155), parseInt(readField(at + 124, 12), 8)];
    at += BLOCK;
    yield [folder ? `${folder}/${name}` : name, archive.subarray(at, at + size)];
    at += Math.ceil(size / BLOCK) * BLOCK;
  }
}
