"""The plan of the table that docs/rulebook.md shows, for the small game of rulebook_project."""

from conftest import ROOT

PLAN_FILE = "data/higher/tabletop.yaml"
PLAN = (ROOT / "docs/rulebook.md").read_text(encoding="utf-8").split("```yaml\ntabletop:")[1].split("```")[0]
PLAN = f"tabletop:{PLAN}"
