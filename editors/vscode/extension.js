// Starts `pnp language-server` for the files of print-and-play projects, and shows the page of `pnp serve` in a panel.
'use strict';

const { spawn } = require('node:child_process');
const path = require('node:path');
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { program, address, framed } = require('./program');

let client;
let page;

function folder() {
  const here = vscode.window.activeTextEditor?.document.uri;
  const found = (here && vscode.workspace.getWorkspaceFolder(here)) || vscode.workspace.workspaceFolders?.[0];
  return found?.uri.fsPath;
}

function command() {
  return program(vscode.workspace.getConfiguration('pnp').get('command'), folder());
}

async function start() {
  const pictures = vscode.workspace.getConfiguration('pnp').get('pictures') ? 'data' : 'none';
  const files = '**/{data,templates}/**/*.{yaml,yml,csv,tsv,txt,svg,md}';
  client = new LanguageClient(
    'pnp',
    'pnp',
    { command: command(), args: ['language-server'], options: { cwd: folder() } },
    { documentSelector: [{ scheme: 'file', pattern: files }], initializationOptions: { pictures } },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `pnp: "${command()} language-server" did not start (${error.message}). The setting pnp.command names the program; it needs the extra "editor".`,
    );
  }
}

async function restart() {
  await client?.stop();
  await start();
}

/** The folder of a project: the nearest above a file that has data/, else the one that is open. */
async function project() {
  let here = vscode.window.activeTextEditor?.document.uri;
  while (here?.scheme === 'file' && path.dirname(here.fsPath) !== here.fsPath) {
    here = vscode.Uri.file(path.dirname(here.fsPath));
    try {
      const found = await vscode.workspace.fs.stat(vscode.Uri.joinPath(here, 'data'));
      if (found.type & vscode.FileType.Directory) return here.fsPath;
    } catch {
      // none here: look further up
    }
  }
  return folder();
}

async function showPage() {
  if (page) {
    page.reveal();
    return;
  }
  const root = await project();
  if (!root) {
    vscode.window.showErrorMessage('pnp: open the folder of a project first, one that has data/.');
    return;
  }
  const served = spawn(command(), ['serve', '--in-panel', '--port', '0', '--project', root], { cwd: root });
  const panel = vscode.window.createWebviewPanel('pnp.page', 'pnp', vscode.ViewColumn.Beside, {
    enableScripts: true,
    retainContextWhenHidden: true,
  });
  let said = '';
  let shown = false;
  page = panel;
  panel.onDidDispose(() => {
    page = undefined;
    served.kill('SIGINT');
  });
  const hear = async (data) => {
    said += data;
    const url = address(said);
    if (url && !shown) {
      shown = true;
      const outside = await vscode.env.asExternalUri(vscode.Uri.parse(url));
      panel.webview.html = framed(outside.toString());
    }
  };
  served.stdout.on('data', hear);
  served.stderr.on('data', hear);
  served.on('error', (error) => vscode.window.showErrorMessage(`pnp: "${command()} serve" did not start (${error.message}).`));
  served.on('exit', (code) => {
    if (page === panel) {
      vscode.window.showErrorMessage(`pnp: "serve" has ended (${code}): ${said.trim().split('\n').slice(-5).join(' ')}`);
      panel.dispose();
    }
  });
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('pnp.showPage', showPage),
    vscode.commands.registerCommand('pnp.restart', restart),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration('pnp') && restart()),
    { dispose: () => page?.dispose() },
  );
  await start();
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
