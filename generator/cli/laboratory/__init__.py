"""All commands of the lab."""

from generator.cli.laboratory import cards, skill, sweep, written
from generator.cli.laboratory.experiments import lab

__all__ = ["cards", "lab", "skill", "sweep", "written"]
