"""The extension for Visual Studio Code: it can be packed, starts what there is, and the page may stand in its panel."""

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import ROOT
from tests_support import TinyProject

from generator.commands.command_line import pnp
from generator.game.project import find_project
from generator.live.gallery import Gallery
from generator.live.serve import PANELS, open_server

EXTENSION = ROOT / "editors" / "vscode"
FILES = ("package.json", "extension.js", "program.js", "test.js", "test-panel.js", "README.md", "LICENSE", ".vscodeignore")  # fmt: skip


def manifest() -> dict[str, object]:
    return dict(json.loads((EXTENSION / "package.json").read_text(encoding="utf-8")))


def test_the_extension_names_what_it_has() -> None:
    """Each command that it offers is there, each setting that it asks for too, and it starts commands that `pnp` has."""
    code = (EXTENSION / "extension.js").read_text(encoding="utf-8")
    offers = manifest()["contributes"]
    assert isinstance(offers, dict)

    assert set(re.findall(r"registerCommand\('([\w.]+)'", code)) == {one["command"] for one in offers["commands"]}
    asked = {f"pnp.{name}" for name in re.findall(r"getConfiguration\('pnp'\)\.get\('(\w+)'\)", code)}
    assert asked == set(offers["configuration"]["properties"])
    assert manifest()["license"] == "MIT"
    assert (EXTENSION / "LICENSE").read_text(encoding="utf-8") == (ROOT / "LICENSE").read_text(encoding="utf-8")
    options = re.findall(r"'(--[\w-]+)'", code)
    help_of_serve = CliRunner().invoke(pnp, ["serve", "--help"]).output
    assert options and all(option in help_of_serve for option in options)
    assert "language-server" in code and "language-server" in CliRunner().invoke(pnp, ["--help"]).output


@pytest.mark.slow
def test_a_panel_may_show_the_page_where_that_was_asked_for(tiny: TinyProject) -> None:
    """Then, and only then, the page may stand in a frame of the editor, and of nobody else on the net."""
    for in_panel in (False, True):
        with open_server(Gallery(find_project(tiny.root, tiny.root), ()), 0, in_panel=in_panel) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
            thread.start()
            line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            line.request("GET", "/")
            policy = line.getresponse().getheader("Content-Security-Policy") or ""
            line.close()
            server.shutdown()
            thread.join()
            framed = server.frame_policy("frame-ancestors 'self'")
        assert policy.endswith(f"frame-ancestors {PANELS}" if in_panel else "frame-ancestors 'none'")
        assert framed == (f"frame-ancestors 'self' {PANELS}" if in_panel else "frame-ancestors 'self'")


@pytest.mark.slow
def test_the_extension_runs_its_own_tests() -> None:
    """Which program is started, and what is taken from the words of `pnp serve`."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node here")
    done = subprocess.run([node, "--test", "test.js"], cwd=EXTENSION, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_extension_with_the_real_program(tiny: TinyProject, tool: Callable[[str], str], tmp_path: Path) -> None:
    """With a stand-in for the editor: it starts the server, and shows the page that `pnp serve` gives in one panel."""
    command = tmp_path / "pnp"
    command.write_text(
        f"#!/bin/sh\nPYTHONPATH='{ROOT}' exec '{sys.executable}' -m generator \"$@\"\n", encoding="utf-8"
    )
    command.chmod(0o755)
    environment = {**os.environ, "PNP_COMMAND": str(command), "PNP_FOLDER": str(tiny.root)}
    call = [tool("node"), "--test", "test-panel.js"]
    done = subprocess.run(
        call, cwd=EXTENSION, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_extension_can_be_packed(tmp_path: Path) -> None:
    """`npm install` and `npm run package`, as docs/editor.md says, make a file with the extension and what it needs."""
    npm = shutil.which("npm")
    if npm is None or not os.environ.get("CI"):
        pytest.skip("asks the registry of npm: in CI alone, where npm is there")
    for name in FILES:
        shutil.copy(EXTENSION / name, tmp_path)
    for command in (["install", "--no-audit", "--no-fund"], ["run", "package"]):
        done = subprocess.run([npm, *command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    packed = set(zipfile.ZipFile(tmp_path / "pnp-print-and-play.vsix").namelist())
    assert {"extension/package.json", "extension/extension.js", "extension/program.js"} <= packed
    assert any(name.startswith("extension/node_modules/vscode-languageclient/") for name in packed)
    assert not {"extension/test.js", "extension/test-panel.js"} & packed
