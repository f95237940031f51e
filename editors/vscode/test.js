// `npm run check`: what can be tried without an editor.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { program, address, framed } = require('./program');

test('the program is that of the setting, of the folder, or the one on the path', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pnp-'));
  try {
    assert.strictEqual(program('/opt/pnp', folder, 'linux'), '/opt/pnp');
    assert.strictEqual(program('', folder, 'linux'), 'pnp');
    assert.strictEqual(program('', undefined, 'linux'), 'pnp');
    for (const [platform, parts] of [['linux', ['.venv', 'bin', 'pnp']], ['win32', ['.venv', 'Scripts', 'pnp.exe']]]) {
      const own = path.join(folder, ...parts);
      fs.mkdirSync(path.dirname(own), { recursive: true });
      fs.writeFileSync(own, '');
      assert.strictEqual(program('', folder, platform), own);
    }
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

test('the address is taken from what serve says, and from this computer alone', () => {
  assert.strictEqual(address('http://127.0.0.1:8013/  (Ctrl+C ends it)\n'), 'http://127.0.0.1:8013/');
  assert.strictEqual(address('a note\nhttp://localhost:1/  x'), 'http://localhost:1/');
  assert.strictEqual(address('http://127.0.0.1:80'), undefined);
  assert.strictEqual(address('http://example.org:80/ x'), undefined);
});

test('the panel shows that page and nothing else', () => {
  const html = framed('http://127.0.0.1:8013/');
  assert.match(html, /<iframe src="http:\/\/127\.0\.0\.1:8013\/"/);
  assert.match(html, /default-src 'none'; frame-src http:\/\/127\.0\.0\.1:8013;/);
});
