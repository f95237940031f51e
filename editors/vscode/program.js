// Which program is started, and what `pnp serve` says of its page. Nothing here needs an editor.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

/** The program: the one that a setting names, that of the folder's environment, or the one on the path. */
function program(setting, folder, platform = process.platform) {
  if (setting) return setting;
  const own = platform === 'win32' ? ['.venv', 'Scripts', 'pnp.exe'] : ['.venv', 'bin', 'pnp'];
  const there = folder ? path.join(folder, ...own) : '';
  return there && fs.existsSync(there) ? there : 'pnp';
}

/** The address in what `pnp serve` has said so far; undefined while there is none, or one of another computer. */
function address(said) {
  const found = /^(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+\/)\s/m.exec(said);
  return found ? found[1] : undefined;
}

/** The page of a panel: a frame that shows the live page, and may show nothing else. */
function framed(url) {
  const origin = new URL(url).origin;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; frame-src ${origin}; style-src 'unsafe-inline'">
<title>pnp</title>
<style>html, body, iframe { margin: 0; padding: 0; border: 0; width: 100%; height: 100%; display: block; background: #fff; }</style>
</head>
<body><iframe src="${url}" title="pnp: the live page"></iframe></body>
</html>`;
}

module.exports = { program, address, framed };
