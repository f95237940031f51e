// Answers what pillow_stand_in.py asks of codecs.js, one line of JSON each: node codecs_server.mjs CODECS WEBP JPEG

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , codecs, webp, jpeg] = process.argv;
const { prepareDecoders } = await import(pathToFileURL(codecs));
await prepareDecoders({ WEBP: readFileSync(webp), JPEG: readFileSync(jpeg) });
for await (const line of createInterface({ input: process.stdin })) {
  const { name, data, values } = JSON.parse(line);
  try {
    const made = globalThis.codecs[name](new Uint8Array(Buffer.from(data, "base64")), ...values);
    console.log(JSON.stringify({ made: Buffer.from(made).toString("base64") }));
  } catch (error) {
    console.log(JSON.stringify({ wrong: error.message }));
  }
}
