"""The schema of experiments: it offers what the game has, takes what the lab takes, and refuses what it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Pnp
from urn_project import UrnProject

jsonschema = pytest.importorskip("jsonschema")
FILE = Path("data/urn/experiment.schema.json")

WHOLE: dict[str, Any] = {
    "format": 1, "game": "urn",
    "question": {"ja": "いくつ。", "en": "How many?"},
    "arms": {"as it is": {}, "more": {"rules": {"rounds": 5}, "readings": {"E1": "back"}}, "range": {"rules": {"rounds": "1..3"}, "components": {"ball.designs.*.count": "*1..2"}}},
    "players": [2],
    "bots": {"casual": "random", "two": ["greedy", {"search": 20}]},
    "seats": "rotate",
    "measures": {"length": "turns", "first": {"share of wins": "seat 1"}},
    "aims": {"length": {"between": [1, 3]}, "first": {"within": "2pp", "of": "fair"}},
    "decide": {"margin": {"first": "2pp"}, "confidence": "95%", "at most": "200 games"},
    "compare": "all against as it is", "run": 3,
}  # fmt: skip


@pytest.fixture
def schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp) -> Any:
    """What the command writes."""
    monkeypatch.chdir(UrnProject(tmp_path / "project").root)
    ran = pnp("lab", "schema", "urn", "--trust-rules")
    assert (ran.code, ran.out.split()) == (0, [str(FILE)])
    return json.loads(FILE.read_text(encoding="utf-8"))


def test_it_offers_what_the_game_has(schema: Any) -> None:
    """Readings with their ways, numbers with what they are now, counts, measures, bots."""
    arm, keys = schema["$defs"]["Arm"]["properties"], schema["properties"]
    assert list(arm["readings"]["properties"]) == ["E1", "ball", "E2", "first"]
    assert arm["readings"]["properties"]["E1"]["anyOf"][0] == {"enum": ["back", "away"]}
    assert arm["rules"]["properties"] == {
        name: {"description": f"now {now}", "type": ["number", "string", "boolean"]}
        for name, now in (("rounds", 3), ("idle", 4), ("curse", 0))
    }
    assert list(arm["components"]["properties"]) == ["ball.designs.red.count", "ball.designs.white.count"]
    assert {"turns", "win of seat 2"} <= set(keys["measures"]["anyOf"][1]["items"]["anyOf"][0]["enum"])
    assert keys["bots"]["additionalProperties"]["anyOf"][0]["enum"] == ["random", "greedy", "look-ahead"]
    assert all(key["description"] for key in keys.values())


def test_it_takes_what_the_lab_takes(schema: Any, pnp: Pnp) -> None:
    """A file that says all there is to say is right by both."""
    jsonschema.Draft202012Validator.check_schema(schema)
    assert not list(jsonschema.Draft202012Validator(schema).iter_errors(WHOLE))
    Path("e.yaml").write_text(json.dumps({**WHOLE, "bots": {"casual": "random"}}), encoding="utf-8")
    ran = pnp("lab", "run", "e.yaml", "--games", "2", "--trust-rules", "--executor", "processes:1", "--out", "out")
    assert ran.code == 0, ran.err


@pytest.mark.parametrize(
    "wrong",
    [
        {"format": 2},
        {"game": "other"},
        {"arms": {}},
        {"arms": {"a": {"reading": {}}}},
        {"arms": {"a": {"readings": {"E1": "gone"}}}},
        {"arms": {"a": {"rules": {"rounds": [1, 2]}}}},
        {"players": [3]},
        {"bots": {"a": 3}},
        {"seats": "free"},
        {"measures": {"a": 3}},
        {"aims": {"length": {"between": [3]}}},
        {"aims": {"length": {"within": "2pp"}}},
        {"decide": {"confidence": 95}},
        {"decide": {"at most": "many"}},
        {"compare": "a with b"},
        {"run": -1},
        {"runs": 1},
    ],
    ids=str,
)
def test_it_refuses_what_the_lab_refuses(schema: Any, wrong: dict[str, Any], pnp: Pnp) -> None:
    """One thing wrong in a file that was right."""
    assert list(jsonschema.Draft202012Validator(schema).iter_errors({**WHOLE, **wrong}))
    Path("e.yaml").write_text(json.dumps({**WHOLE, "bots": {"casual": "random"}, **wrong}), encoding="utf-8")
    ran = pnp("lab", "run", "e.yaml", "--games", "2", "--trust-rules", "--executor", "processes:1", "--out", "out")
    assert ran.code == 1


def test_it_is_no_data(schema: Any, pnp: Pnp) -> None:
    """Results stay what they are, whether it is there or not."""
    asked = ("lab", "report", "urn", "--games", "2", "--trust-rules", "--executor", "processes:1", "--out", "out")
    pnp(*asked)
    first = Path("out/urn/lab-report.json").read_bytes()
    FILE.unlink()
    pnp(*asked)
    assert schema
    assert Path("out/urn/lab-report.json").read_bytes() == first
    assert len(list(Path("out/urn").iterdir())) == 1
