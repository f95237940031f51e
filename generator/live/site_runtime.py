"""The site's runtime: downloads and verifies Python for browsers, libraries and the editor."""

import base64
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, locate_fault
from generator.base.files import is_file, is_folder, read_file, write_in_folder
from generator.base.output_files import open_delivery
from generator.base.processes import find_program

# They come through the registries' own clients, npm and pip, which know this machine's network settings.

RUNTIME_FOLDER = "site-runtime"
"""Folder of downloaded files in the cache."""

PYTHON = "3.14"
"""Version of the runtime's Python."""

PLATFORM = "pyemscripten_2026_0_wasm32"
"""Platform of its compiled libraries (PEP 783)."""

_PATIENCE = 600.0
"""Time limit for pip and npm (seconds)."""


class Pinned(NamedTuple):
    """A file to download: its file name, its SHA-256, and its name and version in the registry."""

    file: str
    sha256: str
    name: str
    version: str


def read_verified(path: Path, sha256: str) -> bytes:
    """Return a file's bytes. Raise InvalidInput if they have another hash."""
    data = read_file(path, "runtime")
    if hashlib.sha256(data).hexdigest() != sha256:
        raise InvalidInput("the file has the wrong content (sha256)", "delete it and run the command again")
    return data


def fetch_missing(cache: Path, pinned: Iterable[Pinned], progress: Callable[[str], None]) -> None:
    """Download the files that `cache` lacks from the registries into it. Raise ProblemsFound if that fails."""
    wanted = [one for one in pinned if not is_file(cache / one.file)]
    if not wanted:
        return
    with tempfile.TemporaryDirectory() as fresh, open_delivery() as files:
        packages = [one for one in wanted if one.file.endswith(".tgz")]
        if packages:
            progress(_format_titles(packages))
            _run_client(_make_npm_command(packages, fresh), packages)
        for one in wanted:
            if one not in packages:
                progress(_format_titles([one]))
                _run_client(_make_pip_command(one, Path(fresh)), [one])
            if is_file(Path(fresh, one.file)):
                files.put(cache / one.file, read_file(Path(fresh, one.file), "runtime"))
        files.hand_over()
    progress("")


def _format_titles(pinned: list[Pinned]) -> str:
    more = f" and {len(pinned) - 1} more" if len(pinned) > 1 else ""
    return f"{pinned[0].name} {pinned[0].version}{more}"


def _make_npm_command(pinned: list[Pinned], fresh: str) -> list[str]:
    npm = find_program("npm")
    if npm is None:
        what = f"npm, which gets {pinned[0].file} from its registry, is not installed"
        raise ProblemsFound([Problem(None, what, "install Node.js, or name a folder that has the file with --runtime")])
    return [npm, "pack", "--silent", *(f"{one.name}@{one.version}" for one in pinned), "--pack-destination", fresh]


def _make_pip_command(pinned: Pinned, fresh: Path) -> list[str]:
    line = f"{pinned.name}=={pinned.version} --hash=sha256:{pinned.sha256}\n"
    wanted = write_in_folder(fresh, "wanted.txt", line.encode())
    ask = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    target = ["--platform", PLATFORM, "--python-version", PYTHON, "--require-hashes"]
    return [*ask, *target, "--requirement", str(wanted), "--dest", str(fresh)]


def _run_client(command: list[str], pinned: list[Pinned]) -> None:
    """Run a registry's client (pip or npm) for these files. Raise ProblemsFound with its last message if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False)  # noqa: S603 - by whole path
    except (OSError, subprocess.TimeoutExpired) as error:
        said = str(error)
    else:
        if done.returncode == 0:
            return
        said = " ".join(done.stderr.decode("utf-8", "replace").split())[-300:]
    what = f"{_format_titles(pinned)} can't be downloaded: {said}"
    hint = "check your connection, or name a folder that has the file with --runtime"
    raise ProblemsFound([Problem(None, what, hint)])


def _pin_package(name: str, version: str, sha256: str) -> Pinned:
    return Pinned(f"{name.lstrip('@').replace('/', '-')}-{version}.tgz", sha256, name, version)


PACKAGES = tuple(
    _pin_package(name, version, sha256)
    for name, version, sha256 in (
        ("@codemirror/autocomplete", "6.20.4", "40b9657b137284426bcd829cdee7dc78a748337de997a12b10b5c725f67aa0d0"),
        ("@codemirror/commands", "6.11.1", "f477f46d8c00278e1b387baebd53bd6556fd5f3c7401ebe2a05543600fcbff0f"),
        ("@codemirror/lang-xml", "6.1.0", "33a5e3c44e1d469389dd645e8ac9d4e1324de846768de23dde1390ee8f9f4569"),
        ("@codemirror/lang-yaml", "6.1.3", "1ca03b21045ffbc35146ab068ca5c79b78da9197bdbfaa432718786563ac0712"),
        ("@codemirror/language", "6.13.1", "e711ec28da046f6c163e777c5466d8ac805ee9ef5f51c511e8729c6789be7f83"),
        ("@codemirror/lint", "6.9.8", "637290fb6a6633a1a08f44c721afb75e0387d86c9b7c42d723a00a974811aae8"),
        ("@codemirror/search", "6.7.2", "cea9bcf62e34f89f2a49bc5e37bcf6d4f32049892f5a0b1cbd0b8160094dec97"),
        ("@codemirror/state", "6.7.6", "91d75acc955ceeaf86af9396c11cda7694fe6222aac8427fa033d89eff5ac839"),
        ("@codemirror/streamparser", "6.0.0", "b4888c5ab40350e7a1747d765948a8fa45cfd127c479dd4cdef8097046efe14a"),
        ("@codemirror/view", "6.43.15", "f0d5921406f841d211fa0887aabf10626c47676bfc63a4abed2a4d207e27c5ac"),
        ("@lezer/common", "1.5.5", "ed93cee36403124f51eae638b8a032d6694914c19704de7610db7f2a9441c963"),
        ("@lezer/highlight", "1.2.5", "e349eec1ff4382439c1e6286ae937e0203a8349c5192e2e133863391775ac7ff"),
        ("@lezer/lr", "1.4.12", "64382ee7f144221e4c655f2034393c6be9cecaf5ea2ec1c1edeb99424defb272"),
        ("@lezer/xml", "1.0.6", "897c278f1f5c12e01f4b7cd00f03f9b5ae338277a8ce2004c8d9e62476fc03dd"),
        ("@lezer/yaml", "1.0.4", "6423ff4510ce7e573b5666b0025be6516709e6285ee07d781dffc3218093b009"),
        ("@marijn/find-cluster-break", "1.0.4", "5d12b770b64d46632c84fcd18e1d4c09f195ed0f5dbc71f94a41f0af333eaeae"),
        ("crelt", "1.0.7", "3542299c0278fdc26aceb2b13d31bffbcb89d7367706bbc457130e3fd103c03e"),
        ("style-mod", "4.1.5", "c4a44844213a141da55c51a2f81d701acdb9944465328b4a2a6b9626c6d9fc39"),
        ("w3c-keyname", "2.2.8", "05d21484026d1f2dd842c843181e391e66d60f1d5dff292d562c3f40302dab36"),
    )
)
"""The packages that the text editor consists of, by their names in npm's registry."""

_IMPORTED = re.compile(r"""^((?:import|export)\b[^'"\n]*?\bfrom\s*|import\s*)(['"])([^'"\n]+)\2""", re.MULTILINE)
"""Matches a JavaScript import or export from another package at the beginning of a line."""


class Script(NamedTuple):
    """A package of the editor as one script: name, version, licence, file name, text, and licence text."""

    name: str
    version: str
    licence: str
    file: str
    text: bytes
    terms: bytes


def make_scripts(packages: Mapping[Pinned, bytes]) -> tuple[Script, ...]:
    """Return packages as scripts that import each other as files in a folder. Raise LookupError if one is missing."""
    files = {pinned.name: f"{pinned.name.lstrip('@').replace('/', '-')}.js" for pinned in packages}
    return tuple(_make_script(pinned, data, files) for pinned, data in packages.items())


def _make_script(pinned: Pinned, data: bytes, files: Mapping[str, str]) -> Script:
    said: dict[str, Any] = json.loads(read_package_file(data, "package.json"))
    text = read_package_file(data, str(said["exports"]["import"]).removeprefix("./")).decode("utf-8")
    terms = read_package_file(data, "LICENSE")
    text = _IMPORTED.sub(lambda found: f"{found[1]}{found[2]}./{files[found[3]]}{found[2]}", text)
    return Script(pinned.name, pinned.version, str(said["license"]), files[pinned.name], text.encode(), terms)


def read_package_file(data: bytes, name: str) -> bytes:
    """Return a file of a package from npm. Raise LookupError if it has none of this name."""
    with tarfile.open(fileobj=io.BytesIO(data)) as package:
        stream = package.extractfile(f"package/{name}")
        if stream is None:
            raise LookupError(name)
        return stream.read()


RUNTIME = _pin_package("pyodide", "314.0.7", "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0")

WHEELS = tuple(
    Pinned(f"{name}-{version}-{tag}-{PLATFORM}.whl", sha256, name, version)
    for name, version, tag, sha256 in (
        ("uharfbuzz", "0.57.0", "cp311-abi3", "430b78efc0cff3365461ff79e0d0a944cda17253171d5a4f8cf4615ebde08541"),
        ("pypdfium2", "5.15.2", "py3-none", "51e380faf433899d3b07a40b3f6aa97b9ab61399e732280f4007dc7aa0d0694f"),
    )
)

DECODERS = {
    name.removeprefix("@cwasm/").removesuffix("-decompress"): _pin_package(name, version, sha256)
    for name, version, sha256 in (
        ("@cwasm/webp", "0.1.5", "3bf0444281f527e7fb02d111ddc450e493df0e80a6d3a123b6d81428bc9a79b5"),
        ("@cwasm/jpeg-turbo", "0.1.3", "0ab9fcd1134d1190d8188d1a4110843613b563864f26cd740f91092be5807c0b"),
        ("xz-decompress", "0.2.3", "b590b7ea774bd82e812d74c572d6c9fcd4abef4da752c974e8d335439f63e69c"),
    )
}
"""Compiled decoders: libwebp and libjpeg-turbo, as Pillow has them, and XZ Embedded for the site's own files."""

PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""Files of the runtime's package that a site needs."""

FURTHER = ("pillow", "pyyaml", "markupsafe")
"""Libraries with compiled parts that only the runtime's own distribution has; used if the folder contains them."""


class Runtime(NamedTuple):
    """The runtime's files by name, compiled libraries (name -> version and files by path), and the editor's scripts.

    Without scripts `lacking` states the reason.
    """

    parts: Mapping[str, bytes]
    libraries: Mapping[str, tuple[str, Mapping[str, bytes]]]
    editor: tuple[Script, ...] = ()
    lacking: str = ""


def load_runtime(folder: Path | None, cache: Path, progress: Callable[[str], None]) -> Runtime:
    """Return the runtime in `folder`, or the one in `cache` after downloading missing files.

    Raise ProblemsFound for files that are missing, unavailable, or have a wrong hash.
    """
    if folder is None:
        fetch_missing(cache, (RUNTIME, *WHEELS, *DECODERS.values()), progress)
    home = folder or cache
    found = _read_pinned(home, (RUNTIME, *WHEELS, *DECODERS.values()))
    parts = {name: read_package_file(found[RUNTIME], name) for name in PARTS}
    parts |= {name: _store_zip(data) for name, data in parts.items() if name.endswith(".zip")}
    parts |= {f"{name}.wasm": _read_decoder(found[pinned], name) for name, pinned in DECODERS.items()}
    libraries = {pinned.name: (pinned.version, _unpack_wheel(found[pinned])) for pinned in WHEELS}
    further = dict(_load_further(home, json.loads(parts["pyodide-lock.json"])["packages"]))
    return Runtime(parts, libraries | further, *load_editor(folder, home, progress))


def load_editor(folder: Path | None, home: Path, progress: Callable[[str], None]) -> tuple[tuple[Script, ...], str]:
    """Return the editor's scripts in `home`, or () with the reason. Download missing ones first if `folder` is None."""
    if folder is None:
        try:
            fetch_missing(home, PACKAGES, progress)
        except ProblemsFound as found:
            return (), str(found.problems[0])
    missing = [one.file for one in PACKAGES if not is_file(home / one.file)]
    if missing:
        return (), f"{home.as_posix()} has no {missing[0]}" + (f" and {len(missing) - 1} more" if missing[1:] else "")
    return make_scripts(_read_pinned(home, PACKAGES)), ""


def _read_pinned(home: Path, pinned: Iterable[Pinned]) -> dict[Pinned, bytes]:
    """Return the bytes of files in a folder. Raise ProblemsFound with all that are missing or have a wrong hash."""
    problems, found = [], {}
    for one in pinned:
        try:
            found[one] = read_verified(home / one.file, one.sha256)
        except InvalidInput as unfit:
            problems.append(Problem(Place((home / one.file).as_posix()), str(unfit), unfit.hint))
    if problems:
        raise ProblemsFound(problems)
    return found


def _load_further(
    home: Path, known: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, tuple[str, dict[str, bytes]]]]:
    """Yield (name, (version, files)) of each further library with a wheel in `home`, checked by its hash in `known`."""
    for name in FURTHER:
        path = home / known[name]["file_name"]
        if is_file(path):
            with locate_fault(Place(path.as_posix())):
                wheel = read_verified(path, known[name]["sha256"])
            yield name, (known[name]["version"], _unpack_wheel(wheel))


def _read_decoder(data: bytes, name: str) -> bytes:
    """Return the WebAssembly module in a decoder's npm package (`data`). In that of `xz` it is inside a script."""
    if name != "xz":
        return read_package_file(data, f"{name}.wasm")
    script = read_package_file(data, "dist/package/xz-decompress.min.js")
    return base64.b64decode(script.partition(b"data:application/wasm;base64,")[2].partition(b'"')[0])


def _store_zip(data: bytes) -> bytes:
    """Return a zip archive without its compression, so that it can be compressed as a whole."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(out, "w") as made:
        for one in archive.infolist():
            made.writestr(zipfile.ZipInfo(one.filename, one.date_time), archive.read(one))
    return out.getvalue()


def _unpack_wheel(wheel: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def open_runtime_folder(cache: Path) -> Path:
    """Return the folder for downloaded files; create it."""
    folder = cache / RUNTIME_FOLDER
    if not is_folder(folder):
        folder.mkdir(parents=True)
    return folder
