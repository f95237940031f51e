"""`pnp add` installs packs of looks, icons and presets, locks them, and rejects hostile ones; `pnp icons` searches signs."""

import hashlib
import io
import os
import stat
import subprocess
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT, Pnp

from generator.exchange.add_pack import open_source
from generator.game.load_game import load_game
from generator.game.packs import LAYOUT, LICENCES, STARTERS, read_pack
from generator.game.project import find_project
from generator.live.site import collect_game_files
from generator.versions.game_version import find_revision, read_revision

SHIPPED = sorted(path.parent.name for path in (ROOT / "packs").glob("*/pack.yaml"))
LOOKS = [name for name in SHIPPED if name not in ("signs", LAYOUT, *STARTERS)]
SIGN = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></svg>'
ICON = "templates/common/icons/ring.svg"


def written(files: dict[str, bytes], **changed: str) -> bytes:
    """Return a pack.yaml for the files; a keyword replaces the line of its key."""
    lines = {"name": "rings", "version": '"1.0"', "kind": "icons", "title": "Rings", "licence": "CC0-1.0"} | changed
    listed = "".join(f"  {name}: {hashlib.sha256(data).hexdigest()}\n" for name, data in sorted(files.items()))
    return ("".join(f"{key}: {value}\n" for key, value in lines.items()) + "files:\n" + listed).encode()


def write_pack(folder: Path, files: dict[str, bytes] | None = None, **changed: str) -> Path:
    files = {ICON: SIGN} if files is None else files
    for name, data in {**files, "pack.yaml": written(files, **changed)}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def write_zip(path: Path, entries: list[tuple[str, bytes]]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return path


@pytest.fixture
def deck(room: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one language whose table has its own headings."""
    pnp("new", "deck", "--from", "blank", "--lang", "en", code=0)
    monkeypatch.chdir(room / "deck")
    home = room / "deck/data/deck"
    (home / "components.yaml").write_text(
        "components:\n  card:\n    name: Card\n    size: jp-poker\n    front: card\n    fields:\n"
        "      heading: words\n      price: integer\n      strength: {type: integer, optional: true}\n"
        "    columns: {Card name: heading}\n    designs: cards.csv\n"
    )
    (home / "cards.csv").write_text("id,Card name,Price,Strength\nfox,The Fox,3,2\nowl,An Owl,12,\n")
    (room / "deck/templates/deck/card.svg").unlink()
    return room / "deck"


def snapshot(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_packs_are_sound(name: str) -> None:
    assert read_pack(ROOT / "packs" / name, name).pack.name == name


def test_there_are_five_looks_and_sixty_signs_on_one_grid() -> None:
    assert LOOKS == ["classic", "full-art", "minimal", "sci-fi", "storybook"]
    signs = read_pack(ROOT / "packs/signs", "signs")
    icons = [data.decode() for name, data in signs.contents.items() if name.endswith(".svg")]
    assert len(icons) == 60
    head = 'viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"'
    assert all(icon.count(head) == icon.count("stroke-width") == 1 for icon in icons)
    assert set(signs.pack.tags or {}) == {name.split("/")[-1][:-4] for name in signs.pack.files}


@pytest.mark.parametrize("look", LOOKS)
def test_a_look_shows_the_columns_of_a_table(deck: Path, pnp: Pnp, look: str) -> None:
    """Headings of the table are matched, what is not shown is reported, and every card can be drawn."""
    ran = pnp("add", look, "--to", "card", code=0)
    text = (deck / "templates/deck/card.svg").read_text()
    assert "{% set title = card.heading %}" in text and "{% set cost = card.price %}" in text
    assert "{% set art = none %}" in text
    assert "no fields for type (words), text (words), art (picture)" in ran.out
    assert "not on the card: strength" in ran.out
    pnp("validate", code=0)


def test_five_looks_are_plainly_different(deck: Path, pnp: Pnp) -> None:
    pictures = set()
    for look in LOOKS:
        pnp("add", look, "--to", "card", "--replace", code=0)
        pnp("images", "--dpi", "50", code=0)
        pictures.add((deck / "output/deck/images/card-fox.front.en.png").read_bytes())
    assert len(pictures) == 5


def test_a_value_that_no_field_fits_is_reported_with_its_place(deck: Path, pnp: Pnp) -> None:
    data = deck / "data/deck/components.yaml"
    data.write_text(data.read_text().replace("Card name: heading", "Card label: heading"))
    (deck / "data/deck/cards.csv").write_text("id,Card label,Price\nfox,The Fox,3\n")
    ran = pnp("add", "classic", "--to", "card", code=1)
    assert "data/deck/components.yaml:3:5: the look 'classic' needs 'title' (words)" in ran.err
    assert "--match title=FIELD` (fields: heading, price, strength)" in ran.err
    assert not (deck / "packs").exists(), "nothing is written"
    pnp("add", "classic", "--to", "card", "--match", "title=heading", code=0)
    assert "{% set title = card.heading %}" in (deck / "templates/deck/card.svg").read_text()
    ran = pnp("add", "classic", "--to", "card", "--match", "titel=heading", code=1)
    assert "the look has no 'titel'; did you mean 'title'?" in ran.err


def test_a_field_of_another_type_is_not_shown(deck: Path, pnp: Pnp) -> None:
    data = deck / "data/deck/components.yaml"
    data.write_text(data.read_text().replace("price: integer", "price: text"))
    out = pnp("add", "classic", "--to", "card", code=0).out
    assert "note: 'price' is of type text, but the look shows 'cost' as integer" in out
    assert "{% set cost = none %}" in (deck / "templates/deck/card.svg").read_text()


def test_a_look_needs_a_kind_of_the_game(deck: Path, pnp: Pnp) -> None:
    assert "note: `pnp add classic --to KIND` gives a kind this look" in pnp("add", "classic", code=0).out
    assert (
        "no game has the component kind 'cart'; did you mean 'card'?"
        in pnp("add", "classic", "--to", "cart", code=1).err
    )
    assert "add --to KIND" in pnp("add", "classic", "--match", "title=heading", code=2).err
    assert "holds icons, not a look" in pnp("add", "signs", "--to", "card", code=1).err


def test_a_template_of_the_user_is_not_overwritten(deck: Path, pnp: Pnp) -> None:
    template = deck / "templates/deck/card.svg"
    template.write_text("mine")
    ran = pnp("add", "classic", "--to", "card", code=1)
    assert "templates/deck/card.svg: this file exists already and differs; move it, or add --replace" in ran.err
    assert template.read_text() == "mine" and not (deck / "packs").exists()


def test_the_same_lock_file_gives_identical_bytes(deck: Path, pnp: Pnp, room: Path) -> None:
    pnp("add", "classic", "--to", "card", code=0)
    pnp("add", "signs", code=0)
    before, lock = snapshot(deck / "packs"), (deck / "packs/packs.lock").read_text()
    assert [line.split(":")[0].strip() for line in lock.splitlines()[1:]] == [
        "packs",
        '"classic"',
        '"signs"',
        "looks",
        "deck/card",
    ]
    (deck / "packs/classic/look.svg").unlink()
    assert "`pnp add classic --replace` installs it again" in pnp("validate", code=1).err
    pnp("add", "classic", "--replace", code=0)
    assert snapshot(deck / "packs") == before


def test_files_that_are_not_of_a_pack_are_never_deleted(deck: Path, pnp: Pnp) -> None:
    """A clone in the pack's place, and a link to the project's own data."""
    (deck / "packs/signs/.git").mkdir(parents=True)
    (deck / "packs/signs/.git/HEAD").write_text("ref")
    (deck / "packs/classic").symlink_to(deck / "data")
    for name, place in (("signs", "packs/signs/.git/HEAD"), ("classic", "packs/classic")):
        ran = pnp("add", name, "--replace", code=1)
        assert f"{place}: this file is not part of the pack; move it out of the pack's folder, or delete it" in ran.err
    assert (deck / "packs/signs/.git/HEAD").read_text() == "ref" and (deck / "data/deck/cards.csv").is_file()


def test_a_pack_may_have_a_name_that_yaml_reads_otherwise(deck: Path, pnp: Pnp, room: Path) -> None:
    pnp("add", str(write_pack(room / "odd", name='"null"')), code=0)
    pnp("list", code=0)
    assert '  "null": {"version": "1.0"' in (deck / "packs/packs.lock").read_text()


@pytest.mark.parametrize("command", ["validate", "build"])
def test_a_pack_that_differs_from_the_lock_is_refused(deck: Path, pnp: Pnp, command: str) -> None:
    pnp("add", "classic", "--to", "card", code=0)
    look = deck / "packs/classic/look.svg"
    look.write_text(look.read_text() + "<!-- -->")
    assert "the file 'look.svg' differs from its checksum" in pnp(command, code=1).err
    sealed = deck / "packs/classic/pack.yaml"
    sealed.write_bytes(sealed.read_bytes().replace(b"Classic frame", b"Another frame"))
    look.write_text(look.read_text().removesuffix("<!-- -->"))
    assert (
        "packs/packs.lock:3:" in (err := pnp(command, code=1).err)
        and "the pack 'classic' differs from packs.lock" in err
    )


def test_icons_of_a_pack_can_be_used_and_found(deck: Path, pnp: Pnp) -> None:
    assert "(pnp add signs)" in pnp("icons", "water", code=0).out
    pnp("add", "signs", code=0)
    out = pnp("icons", "water", code=0).out
    assert [line.split()[0] for line in out.splitlines()] == ["drop", "waves"] and "(pnp add" not in out
    assert pnp("icons", "サイコロ", code=0).out.count("die-") == 6
    assert "no icon is called 'xyz'" in pnp("icons", "xyz", code=1).err
    (deck / "templates/deck/card.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><rect x="-3" y="-3" width="69" height="94" fill="#ffffff"/>'
        '<use href="icons/drop.svg" x="20" y="20" width="20" height="20" color="ink"/></svg>'
    )
    pnp("images", code=0)


def test_presets_of_a_pack_are_listed_and_checked(deck: Path, pnp: Pnp, room: Path) -> None:
    paper = (
        b"id: club-a4\nkind: paper\nname: Club printer\nsource: measured\ndate: 2026-01-31\nverified: true\nsize: A4\n"
    )
    pack = write_pack(room / "club", {"presets/club-a4.yaml": paper}, kind="presets", name="club")
    pnp("add", str(pack), code=0)
    assert "club-a4: Club printer" in pnp("presets", "--kind", "paper", code=0).out
    broken = write_pack(room / "odd", {"presets/club-a4.yaml": paper + b"margin: 400\n"}, kind="presets", name="odd")
    assert "presets/club-a4.yaml:8:9: margins of 400 mm cover the whole paper" in pnp("add", str(broken), code=1).err


@pytest.mark.slow
def test_the_imprint_names_packs_that_a_game_uses(room: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    pnp("new", "kite", "--from", "cards", "--lang", "en", code=0)
    monkeypatch.chdir(room / "kite")
    pnp("add", "signs", code=0)
    pnp("add", "minimal", code=0)
    pnp("rulebook", code=0)
    text = (room / "kite/output/kite/rulebook.en.html").read_text()
    assert "Sixty signs 1.0: The print-and-play generator developers, CC0-1.0" in text
    assert "Minimal 1.0" not in text, "no kind of the game has this look"


def test_a_site_and_a_revision_carry_the_packs_of_a_project(deck: Path, pnp: Pnp, tmp_path: Path) -> None:
    pnp("add", "classic", "--to", "card", code=0)
    project = find_project(deck)
    files = dict(collect_game_files(project, [load_game(deck / "data/deck", project.resources)]))
    assert {"packs/packs.lock", "packs/classic/look.svg", "packs/classic/pack.yaml"} <= files.keys()
    commit_all(deck)
    (tmp_path / "old").mkdir()
    read_revision(deck, find_revision(deck, "HEAD")[0], tmp_path / "old")
    assert len(find_project(tmp_path / "old").resources.roots) == 3


def test_a_zip_may_have_one_folder_around_the_pack(deck: Path, pnp: Pnp, room: Path) -> None:
    files = {ICON: SIGN}
    write_zip(room / "rings.zip", [("rings-main/pack.yaml", written(files)), (f"rings-main/{ICON}", SIGN)])
    pnp("add", str(room / "rings.zip"), code=0)
    assert (deck / "packs/rings" / ICON).read_bytes() == SIGN
    assert '"source": "../rings.zip"' in (deck / "packs/packs.lock").read_text()
    assert "did you mean 'classic'?" in pnp("add", "clasic", code=1).err


def commit_all(folder: Path, *more: str) -> None:
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"], *([["tag", *more]] if more else [])):
        subprocess.run(["git", "-c", "user.name=me", "-c", "user.email=me@example.org", *words], cwd=folder, check=True)


def test_a_pack_comes_from_a_branch_or_tag_of_a_git_repository(deck: Path, pnp: Pnp, room: Path) -> None:
    """The lock names the address. An unknown tag, a missing repository and a protocol that runs programs are refused."""
    home = write_pack(room / "rings")
    commit_all(home, "v1")
    write_pack(home, {ICON: SIGN + b" "})
    commit_all(home)
    pnp("add", "git:../rings#v1", code=0)
    assert (deck / "packs/rings" / ICON).read_bytes() == SIGN
    assert '"source": "git:../rings#v1"' in (deck / "packs/packs.lock").read_text()
    pnp("add", "git:../rings", "--replace", code=0)
    assert (deck / "packs/rings" / ICON).read_bytes() == SIGN + b" "
    hint = "; check the address, the name after # and the network"
    for address in ("../rings#v2", "../none", "ext::touch ran", "--upload-pack=touch ran"):
        said = pnp("add", f"git:{address}", code=1).err
        assert said.startswith(f"git can't read {address.partition('#')[0]}: ")
        assert said.rstrip().endswith(hint)
    assert not (deck / "ran").exists()


def test_a_link_in_a_git_repository_is_refused(deck: Path, pnp: Pnp, room: Path) -> None:
    home = write_pack(room / "rings")
    (home / "more").symlink_to("/etc")
    commit_all(home)
    assert pnp("add", "git:../rings", code=1).err == "git:../rings/more: it is a link; replace it with the file\n"
    assert not (deck / "packs").exists()


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"licence": "CC-BY-ND-4.0"}, "pack.yaml:5:10: the licence CC-BY-ND-4.0 forbids changes"),
        ({"licence": "All rights reserved"}, "pack.yaml:5:10: pnp does not know the licence 'All rights reserved'"),
        ({"licence": "CC-BY-4.0"}, "asks for a credit, but 'credit' is missing"),
        ({"version": "[1]"}, "pack.yaml:2:10: version must be text"),
        ({"name": "../up"}, "pack.yaml:1:7: name is '../up', which is not valid"),
        ({"kind": "program"}, "pack.yaml:3:7: kind is 'program', which is not a valid choice"),
        ({"wants": "{title: words}"}, "only a look has 'wants'"),
        ({"surprise": "1"}, "surprise"),
    ],
)
def test_faults_of_pack_yaml_are_reported(
    deck: Path, pnp: Pnp, room: Path, changed: dict[str, str], expected: str
) -> None:
    write_pack(room / "rings", **changed)
    assert expected in pnp("add", "../rings", code=1).err
    assert not (deck / "packs").exists()


def test_all_faults_are_reported_at_once(deck: Path, pnp: Pnp, room: Path) -> None:
    files = {ICON: SIGN, "templates/common/icons/run.py": b"1", "data/x.yaml": b"a: 1"}
    folder = write_pack(room / "rings", files, licence="CC-BY-ND-4.0")
    (folder / ICON).write_bytes(b"changed")
    (folder / "templates/common/icons/more.svg").write_bytes(SIGN)
    err = pnp("add", "../rings", code=1).err
    for said in (
        "forbids changes",
        "'templates/common/icons/run.py' has no place",
        "'data/x.yaml' has no place",
        "differs from its checksum",
        "not listed",
    ):
        assert said in err


def test_a_licence_against_selling_is_a_warning(deck: Path, pnp: Pnp, room: Path) -> None:
    write_pack(room / "rings", licence="CC-BY-NC-4.0", credit="Ann")
    assert "warning: CC-BY-NC-4.0: you may not sell" in pnp("add", "../rings", code=0).out
    assert not any("ND" in licence.split("-") for licence in LICENCES)


def test_a_title_writes_nothing_into_the_data(deck: Path, pnp: Pnp, room: Path) -> None:
    """A line end in the title of a look is no new line of the data file, and can't end the template's comment."""
    look = (
        (ROOT / "packs/minimal/look.svg")
        .read_bytes()
        .replace(b"minimal_title", b"title")
        .replace(b"minimal_body", b"body")
    )
    look = (
        look.replace(b"minimal_accent", b"odd_accent")
        .replace(b"minimal_pale", b"odd_accent")
        .replace(b"minimal_grey", b"ink")
    )
    title = '"Odd #} {{ 1 / 0 }}\\u2028draft: 99\\nrules_module: run.py"'
    write_pack(
        room / "odd", {"look.svg": look}, name="odd", kind="look", title=title, palette='{odd_accent: "#aa3322"}'
    )
    sealed = room / "odd/pack.yaml"
    sealed.write_bytes(
        sealed.read_bytes() + b"wants: {title: words, cost: integer, type: {type: words, optional: true}, "
        b"text: {type: words, optional: true}, art: {type: picture, optional: true}}\ncolumns: {heading: title, price: cost}\n"
    )
    pnp("add", "../odd", "--to", "card", code=0)
    assert len((deck / "data/deck/look-odd.yaml").read_text().splitlines()) == 3
    pnp("images", code=0)


def test_two_packs_can_not_hold_the_same_file(deck: Path, pnp: Pnp, room: Path) -> None:
    write_pack(room / "rings")
    write_pack(room / "other", name="other")
    pnp("add", "../rings", code=0)
    before = snapshot(deck)
    assert f"the packs 'rings' and 'other' both contain {ICON}" in pnp("add", "../other", code=1).err
    assert snapshot(deck) == before


def test_names_that_differ_only_in_case_are_refused(deck: Path, pnp: Pnp, room: Path) -> None:
    write_pack(room / "rings", {ICON: SIGN, ICON.replace("ring", "Ring"): SIGN})
    assert "is given twice" in pnp("add", "../rings", code=1).err


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_in_a_folder_are_refused(deck: Path, pnp: Pnp, room: Path) -> None:
    folder = write_pack(room / "rings")
    (folder / ICON).unlink()
    (room / "secret.svg").write_bytes(SIGN)
    (folder / ICON).symlink_to(room / "secret.svg")
    assert f"../rings/{ICON}: this is a link, and packs hold none" in pnp("add", "../rings", code=1).err
    (folder / ICON).unlink()
    (folder / ICON).write_bytes(SIGN)
    (folder / "pack.yaml").rename(room / "pack.yaml")
    (folder / "pack.yaml").symlink_to(room / "pack.yaml")
    assert "../rings/pack.yaml: this is a link" in pnp("add", "../rings", code=1).err
    assert not (deck / "packs").exists()


def hostile_zip(name: str) -> list[tuple[str, bytes]]:
    files = {ICON: SIGN}
    return [("pack.yaml", written(files)), (ICON, SIGN), (name, b"x")]


@pytest.mark.parametrize("name", ["../outside.svg", "/etc/outside.svg", "C:/outside.svg", "a\\..\\outside.svg", "nul"])
def test_names_that_lead_out_of_a_zip_are_refused(deck: Path, pnp: Pnp, room: Path, name: str) -> None:
    write_zip(room / "bad.zip", hostile_zip(name))
    assert "../bad.zip/" in pnp("add", "../bad.zip", code=1).err
    assert not list(room.rglob("outside.svg")) and not (deck / "packs").exists()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_doubled_names_and_links_in_a_zip_are_refused(deck: Path, pnp: Pnp, room: Path) -> None:
    write_zip(room / "twice.zip", [*hostile_zip("preview.png"), (ICON, b"other")])
    assert "the archive has two files of this name" in pnp("add", "../twice.zip", code=1).err
    link = zipfile.ZipInfo(ICON)
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(room / "link.zip", "w") as archive:
        archive.writestr("pack.yaml", written({ICON: b"/etc/passwd"}))
        archive.writestr(link, "/etc/passwd")
    assert "it is a link" in pnp("add", "../link.zip", code=1).err


@pytest.mark.slow
def test_zip_bombs_are_refused(room: Path) -> None:
    bomb = b"\0" * (65 << 20)
    write_zip(room / "bomb.zip", [("pack.yaml", written({"preview.png": bomb})), ("preview.png", bomb)])
    assert (room / "bomb.zip").stat().st_size < 100_000
    out = room / "out"
    out.mkdir()
    with pytest.raises(Exception, match="at most 2,000 files and 64 MB"):
        open_source(str(room / "bomb.zip"), out)
    assert not (out / "preview.png").exists()
    (room / "broken.zip").write_bytes((room / "bomb.zip").read_bytes()[:200])
    with pytest.raises(Exception, match="not a readable zip"):
        open_source(str(room / "broken.zip"), out)


@pytest.mark.parametrize(("limit", "least"), [("MOST_BYTES", len(SIGN) - 1), ("MOST_FILES", 0)])
def test_too_large_folders_are_refused(
    deck: Path, pnp: Pnp, room: Path, monkeypatch: pytest.MonkeyPatch, limit: str, least: int
) -> None:
    monkeypatch.setattr(f"generator.game.packs.{limit}", least)
    write_pack(room / "rings")
    assert "../rings: a pack has at most" in pnp("add", "../rings", code=1).err


def test_a_yaml_bomb_is_refused(deck: Path, pnp: Pnp, room: Path) -> None:
    folder = write_pack(room / "rings")
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    (folder / "pack.yaml").write_text("\n".join(lines))
    assert "../rings/pack.yaml" in pnp("add", "../rings", code=1).err


def test_a_damaged_lock_is_reported(deck: Path, pnp: Pnp) -> None:
    pnp("add", "signs", code=0)
    (deck / "packs/packs.lock").write_text("packs:\n  signs: {version: '1.0'}\n")
    assert "packs/packs.lock:2:" in pnp("list", code=1).err
    assert io.StringIO(pnp("list", code=1).err).readline().startswith("packs/packs.lock:")


def test_a_value_of_a_look_has_a_name_that_templates_can_use(pnp: Pnp, deck: Path, room: Path) -> None:
    files = {"look.svg": b"<svg/>"}
    home = write_pack(room / "odd", files, kind="look\nwants: {art-work: picture}")
    said = pnp("add", str(home), code=1).err
    assert (
        "pack.yaml:4:9: 'art-work' can't be the name of a value; write letters, digits and _, also in look.svg" in said
    )


def test_hidden_files_of_a_clone_don_t_count(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.game.packs.MOST_FILES", 2)
    home = write_pack(room / "clone")
    for n in range(5):
        (home / ".git").mkdir(exist_ok=True)
        (home / ".git" / f"{n}").write_text("")
    assert read_pack(home, "clone").pack.name == "rings"
    (home / "README.md").write_text("")
    with pytest.raises(Exception, match="a pack has at most"):
        read_pack(home, "clone")


RULES = b"def rules():\n    return None\n"
STARTER = {
    "starter/data/game/components.yaml": b"components:\n  coin: {name: Coin, form: token, size: [20, 20], front: coin, designs: [{id: c, count: 1}]}\n",
    "starter/data/game/more.py": RULES,
    "starter/templates/game/coin.svg": b'<svg xmlns="http://www.w3.org/2000/svg"><text>@title@</text></svg>',
    "starter/.gitignore": b"output/\n",
}


def test_a_pack_adds_a_starter(deck: Path, pnp: Pnp, room: Path) -> None:
    """From a folder, and by name once it is installed. It has the files and guides of its base; its own take precedence."""
    home = write_pack(room / "coins", STARTER, name="coins", kind="starter\nbase: layout\nguides: [rules]")
    pnp("new", "one", "--from", "../coins", code=0)
    made = snapshot(deck / "one")
    assert made["data/one/components.yaml"] == STARTER["starter/data/game/components.yaml"]
    assert made["data/one/more.py"] == RULES and b">One<" in made["templates/one/coin.svg"]
    assert made[".gitignore"] == b"output/\n" and b"title" in made["data/one/game.yaml"]
    assert {"docs/rules.md", "docs/templates.md"} <= made.keys()
    assert "'coins' is not one of" in pnp("new", "two", "--from", "coins", code=2).err
    pnp("add", "../coins", code=0)
    pnp("new", "two", "--from", "coins", code=0)
    assert {path.replace("two", "one") for path in snapshot(deck / "two")} == made.keys()
    write_pack(room / "cups", STARTER, name="cups", kind="starter")
    pnp("add", "../cups", code=0)
    pnp("list", code=0)
    assert "data/deck/coin" not in pnp("list", code=0).out, "a starter is no part of the project"
    (deck / "packs/coins/starter/data/game/more.py").write_bytes(b"import os\n")
    assert "differs from its checksum" in pnp("new", "three", "--from", "packs/coins", code=1).err
    assert not (deck / "three").exists() and home.is_dir()


@pytest.mark.parametrize(
    ("files", "more", "said"),
    [
        (STARTER, {"kind": "starter\nbase: laiout"}, "pack.yaml:4:7: "),
        (STARTER, {"kind": "starter\nbase: laiout"}, "did you mean 'layout'?"),
        (STARTER, {"kind": "starter\nguides: [rules, ruler]"}, "pack.yaml:4:17: "),
        (STARTER, {"kind": "starter\nwants: {title: words}"}, "only a look has 'wants'; remove it"),
        (None, {"kind": "icons\nbase: layout"}, "pack.yaml:4:1: only a starter has 'base'; remove it"),
        (None, {}, "pack.yaml:3:7: this pack holds icons; name a starter's pack"),
        ({"starter/setup.py": RULES}, {"kind": "starter"}, "'starter/setup.py' has no place in a pack of kind starter; files belong in starter/"),
        ({"starter/data/../../x": RULES}, {"kind": "starter"}, "'starter/data/../../x'"),
    ],
)  # fmt: skip
def test_wrong_starters_are_explained(
    deck: Path, pnp: Pnp, room: Path, files: dict[str, bytes] | None, more: dict[str, str], said: str
) -> None:
    write_pack(room / "rings", files, **more)
    ran = pnp("new", "one", "--from", "../rings", code=1)
    assert said in ran.err, ran.err
    assert not (deck / "one").exists()
