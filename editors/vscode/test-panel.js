// The whole extension with a stand-in for the editor, and the real program: PNP_COMMAND is started in the folder PNP_FOLDER.
'use strict';

const assert = require('node:assert');
const Module = require('node:module');
const path = require('node:path');
const { after, before, test } = require('node:test');

const folder = process.env.PNP_FOLDER;
const commands = new Map();
const errors = [];
const clients = [];
const panels = [];
let settings = { command: process.env.PNP_COMMAND, pictures: true };
let changed;

class Uri {
  constructor(text) { this.fsPath = this.text = text; this.scheme = text.startsWith('http') ? 'http' : 'file'; }
  static file(name) { return new Uri(name); }
  static parse(text) { return new Uri(text); }
  static joinPath(base, ...parts) { return new Uri(path.join(base.fsPath, ...parts)); }
  toString() { return this.text; }
}

class LanguageClient {
  constructor(id, name, server, options) { Object.assign(this, { server, options, running: false }); clients.push(this); }
  async start() { this.running = true; }
  async stop() { this.running = false; }
}

function panel() {
  const made = { webview: { html: '' }, revealed: 0, reveal() { this.revealed += 1; }, onDidDispose(told) { this.told = told; }, dispose() { this.told(); } };
  panels.push(made);
  return made;
}

const vscode = {
  Uri,
  ViewColumn: { Beside: 2 },
  FileType: { Directory: 2 },
  env: { asExternalUri: async (uri) => uri },
  window: { activeTextEditor: undefined, showErrorMessage: (text) => errors.push(text), createWebviewPanel: panel },
  workspace: {
    fs: { stat: async () => { throw new Error('not asked for'); } },
    workspaceFolders: [{ uri: Uri.file(folder) }],
    getWorkspaceFolder: () => undefined,
    getConfiguration: () => ({ get: (name) => settings[name] }),
    onDidChangeConfiguration: (told) => { changed = told; return { dispose() {} }; },
  },
  commands: { registerCommand: (name, run) => { commands.set(name, run); return { dispose() {} }; } },
};

const asked = Module._load;
Module._load = (name, ...rest) => ({ vscode, 'vscode-languageclient/node': { LanguageClient } })[name] ?? asked(name, ...rest);
const extension = require('./extension');
Module._load = asked;

async function until(what) {
  const end = Date.now() + 120_000;
  while (!what()) {
    assert.ok(Date.now() < end && errors.length === 0, `waited in vain; ${errors}`);
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
}

before(() => extension.activate({ subscriptions: [] }));
after(() => {
  for (const one of panels) one.dispose();   // a program that goes on would keep this one
  return extension.deactivate();
});

test('the language server of the folder is started, for the files of projects', () => {
  const [client] = clients;
  assert.ok(client.running);
  assert.deepStrictEqual([client.server.command, client.server.args, client.server.options.cwd], [settings.command, ['language-server'], folder]);
  assert.deepStrictEqual(client.options.initializationOptions, { pictures: 'data' });
});

test('another setting starts it anew', async () => {
  settings = { ...settings, pictures: false };
  await changed({ affectsConfiguration: (name) => name === 'pnp' });
  await until(() => clients.length === 2 && clients[1].running);
  assert.ok(!clients[0].running);
  assert.deepStrictEqual(clients[1].options.initializationOptions, { pictures: 'none' });
});

test('the live page stands in a panel, once, and its program ends with it', async () => {
  await commands.get('pnp.showPage')();
  await until(() => panels.length === 1 && panels[0].webview.html);
  const [, url] = /<iframe src="([^"]+)"/.exec(panels[0].webview.html);
  const answer = await fetch(url);
  assert.strictEqual(answer.status, 200);
  assert.match(answer.headers.get('content-security-policy'), /frame-ancestors (?!'none')/);
  await commands.get('pnp.showPage')();
  assert.deepStrictEqual([panels.length, panels[0].revealed], [1, 1]);

  panels[0].dispose();
  const answers = () => fetch(url, { headers: { connection: 'close' } }).then(() => true, () => false);
  const end = Date.now() + 60_000;
  while (await answers()) assert.ok(Date.now() < end, 'the program goes on');
  assert.deepStrictEqual(errors, []);
});

test('a program that is not there is told with its name', async () => {
  settings = { ...settings, command: path.join(folder, 'no-such-pnp') };
  await commands.get('pnp.showPage')();
  const end = Date.now() + 60_000;
  while (errors.length === 0 && Date.now() < end) await new Promise((resolve) => { setTimeout(resolve, 20); });
  assert.match(errors[0], /no-such-pnp serve" did not start/);
});
