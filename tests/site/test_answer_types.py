"""The types of the server's answers, answers.d.ts, compared with answers of running servers by the compiler (TypeScript)."""

import json
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from conftest import ROOT
from script_fixtures import ANSWERS
from serve_cases import Client, data_file, news, save, served
from table_cases import GAMES
from test_edit import send
from test_room import Guest
from tests_support import TinyProject

pytestmark = pytest.mark.slow

Recorded = dict[str, dict[str, list[Any]]]
"""Answers by interface of answers.d.ts and its key."""

TABLE = {"players": "3", "people": "1,2", "bots": "greedy", "seed": "1/0", "lang": "en", "moves": ""}

CHECKED = "type Recorded<T> = { [Key in keyof T]-?: [T[Key], ...T[Key][]] };\n"
"""Each key of an interface has answers. The compiler refuses literals that lack a key, or have one more."""


def post(client: Client, target: str, body: Any) -> Any:
    status, answer = send(client, "POST", target, body)
    assert status == 200, (target, status)
    return json.loads(answer)


def record_page(client: Client, found: Recorded) -> None:
    """Record what the workbench asks: about a readable game, then about a broken one."""
    routes, questions = found["Routes"], found["Questions"]
    for name in ("games.json", "papers.json", "edit.json"):
        routes[name].append(client.json(f"/{name}"))
    for name, target in {
        "game": "tiny", "faces": f"tiny?face={quote('en:front:card/one')}", "words": "tiny", "findings": "tiny?play=few",
        "boxes": "tiny/en/card%2Fone/front.json", "sheets": "tiny/en",
    }.items():  # fmt: skip
        routes[name].append(client.json(f"/{name}/{target}"))
    text = "kinds: "
    for name, *values in (
        ["files"], ["table", "data/tiny/cards.csv", ["en"]], ["use", "data/tiny/cards.csv", "card"],
        ["offers", "data/tiny/game.yaml", text, len(text), ["en"]], ["hint", "data/tiny/game.yaml", "title: T", 2, ["en"]],
    ):  # fmt: skip
        questions[name].append(post(client, "/ask", [name, *values]))
    (file, *_), box = routes["boxes"][0]["files"].items(), routes["boxes"][0]["boxes"][0]
    move = {name: [one["text"], float(one["text"]) + 1] for name, one in box["values"].items() if name == "x"}
    order = {
        "file": box["file"],
        "line": box["line"],
        "column": box["column"],
        "digest": file[1]["digest"],
        "values": move,
    }
    found["Orders"]["edit"] += [post(client, "/edit", order), post(client, "/edit", order)]
    note = {"game": "tiny", "about": "card/one", "text": "Why?", "author": "", "players": 2}
    found["Orders"]["note"] += [post(client, "/note", note), post(client, "/note", note | {"about": "card/none"})]


def record_news(client: Client, tiny: TinyProject, found: Recorded) -> None:
    """Record the events after a change, after a fault, and after a new game."""
    heard, text = news(client), data_file(tiny).read_text("utf-8")
    changes = {"faces": text.replace("title: One", "title: Other"), "game": f"{text}\nnone: 1\n"}
    for awaited in ("hello", "faces", "game", "games"):
        if awaited in changes:
            save(data_file(tiny), changes[awaited])
        elif awaited == "games":
            tiny.write("data/other/game.yaml", "")
        for name, said in heard:
            found["Events"][name].append(said)
            if name == awaited:
                break
    heard.close()
    found["Routes"]["game"] += [client.json("/game/tiny"), client.json("/game/other")]
    found["Routes"]["games.json"].append(client.json("/games.json"))


def record_tables(found: Recorded) -> None:
    """Record the table of each game: begun, and played to its end by bots."""
    tables = found["Tables"]
    with served(ROOT) as client:
        for name in GAMES:
            setup = client.json(f"/table/{name}/setup?lang=en")
            found["Begun"]["setup"].append(setup)
            asked = TABLE | {"players": str(setup["players"][0]), "people": "1"}
            tables["at"].append(client.json(f"/table/{name}/at?{urlencode(asked)}"))
            tables["hint"].append(client.json(f"/table/{name}/hint?{urlencode(asked | {'bot': 'greedy'})}"))
            tables["save"].append(client.json(f"/table/{name}/save?{urlencode(asked)}"))
            saved = urlencode({"saved": tables["save"][-1]["text"]})
            tables["resume"].append(client.json(f"/table/{name}/resume?{saved}"))
        tables["at"].append(client.json(f"/table/fortuna/at?{urlencode(TABLE | {'people': ''})}"))
        tables["at"].append(client.json(f"/table/fortuna/at?{urlencode(TABLE)}"))
        assert tables["at"][-2].get("over") and tables["at"][-1].get("call"), tables["at"][-2:]


def record_room(found: Recorded) -> None:
    with served(ROOT, "fortuna", seats="Anna,Ben,Cleo") as client:
        room = client.server.room
        assert room is not None
        client.home = f"/{room.host_key}"
        heard = news(client)
        assert next(heard)[0] == "hello"
        client.home = ""
        host, guest = Guest(client, room.host_key), Guest(client, room.invitation)
        found["Orders"]["order"] += [guest.order("take", seat=seat) for seat in (1, 2, 3, 1)]
        found["Begun"]["setup"].append(host.ask("setup"))
        found["Events"]["room"].append(next(said for name, said in heard if name == "room"))
        seats = [Guest(client, order["key"]) for order in found["Orders"]["order"][:3]]
        views = [one.ask() for one in seats]
        mover, view = next((one, view) for one, view in zip(seats, views, strict=True) if view["choices"])
        mover.order("move", number=view["room"]["number"], move=view["choices"][0]["move"])
        mover.order("undo", number=view["room"]["number"] + 1)
        found["Tables"]["at"] += [*views, host.ask()]
        assert found["Tables"]["at"][-1]["room"]["undo"] and found["Orders"]["order"][-1] == {"stale": True}


def list_type_faults(compiler: list[str], folder: Path, found: Recorded, more: Mapping[str, Any]) -> list[str]:
    """Return what the compiler says of the answers as values of their types; `more` are some by their type."""
    lines = [f"const all{one}: Recorded<Answer.{one}> = {json.dumps(answers)};" for one, answers in found.items()]
    lines += [f"const more{at}: Answer.{one} = {json.dumps(more[one])};" for at, one in enumerate(more)]
    (folder / "recorded.ts").write_text("\n".join([CHECKED, *lines, ""]), encoding="utf-8")
    shutil.copy(ANSWERS, folder)
    command = [*compiler[:2], "--noEmit", "--strict", "--target", "es2023", "recorded.ts", ANSWERS.name]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert bool(done.stdout) == bool(done.returncode), done.stderr
    return [line for line in done.stdout.splitlines() if "error TS" in line]


def test_answers_have_their_types(compiler: list[str], tiny: TinyProject, tmp_path: Path) -> None:
    """Each answer has the keys of its type and no others; one key more, one less and a null are found."""
    found: Recorded = defaultdict(lambda: defaultdict(list))
    tiny.write("data/tiny/cards.csv", "id,title\none,One\n")
    with served(tiny.root, editable=True) as client:
        record_page(client, found)
        record_news(client, tiny, found)
    record_tables(found)
    record_room(found)
    more = {"Setup[]": found.pop("Begun")["setup"]}
    assert list_type_faults(compiler, tmp_path, found, more) == []
    lists = [
        found["Routes"]["game"][0]["kinds"],
        found["Routes"]["boxes"][0]["boxes"],
        found["Tables"]["at"][0]["areas"],
    ]
    change: Callable[[dict[str, Any]], Any]
    for change in (
        lambda one: one | {"more": 1},
        lambda one: one | {"name": None},
        lambda one: one.pop("name") and one,
    ):
        for entries in lists:
            entries[0] = change(entries[0])
        faults = list_type_faults(compiler, tmp_path, found, more)
        assert len(faults) == len(lists), faults


def test_a_sites_description_has_its_type(compiler: list[str], site_folder: Path, tmp_path: Path) -> None:
    described = json.loads((site_folder / "games" / "site.json").read_text("utf-8"))
    assert list_type_faults(compiler, tmp_path, {}, {"Site": described}) == []
    assert list_type_faults(compiler, tmp_path, {}, {"Site": described | {"more": 1}}) != []
