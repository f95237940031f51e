"""The workbench's editor: CodeMirror's packages, and how they become scripts that a browser loads without more ado."""

import io
import json
import re
import tarfile
from collections.abc import Mapping
from typing import Any, NamedTuple

from generator.site.registry import Pinned

PACKAGES = tuple(
    Pinned(f"{name.lstrip('@').replace('/', '-')}-{version}.tgz", sha256, name, version)
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
"""Everything that the editor imports, by what it is called in npm's registry."""

_IMPORTED = re.compile(r"""^((?:import|export)\b[^'"\n]*?\bfrom\s*|import\s*)(['"])([^'"\n]+)\2""", re.MULTILINE)
"""A script's line that asks for another: packages are written so that each stands at the beginning of a line."""


class Script(NamedTuple):
    """A package as one script: its name, version and licence; the script's file, its text, the licence's."""

    name: str
    version: str
    licence: str
    file: str
    text: bytes
    terms: bytes


def scripts_of(packages: Mapping[Pinned, bytes]) -> tuple[Script, ...]:
    """The packages as scripts that lie in one folder and ask for each other by their files.

    LookupError for one that asks for what is not among them.
    """
    files = {pinned.name: f"{pinned.name.lstrip('@').replace('/', '-')}.js" for pinned in packages}
    return tuple(_script(pinned, data, files) for pinned, data in packages.items())


def _script(pinned: Pinned, data: bytes, files: Mapping[str, str]) -> Script:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as package:
        said: dict[str, Any] = json.loads(_member(package, "package.json"))
        text = _member(package, str(said["exports"]["import"]).removeprefix("./")).decode("utf-8")
        terms = _member(package, "LICENSE")
    text = _IMPORTED.sub(lambda found: f"{found[1]}{found[2]}./{files[found[3]]}{found[2]}", text)
    return Script(pinned.name, pinned.version, str(said["license"]), files[pinned.name], text.encode(), terms)


def _member(package: tarfile.TarFile, name: str) -> bytes:
    stream = package.extractfile(f"package/{name}")
    if stream is None:
        raise LookupError(name)
    return stream.read()
