"""All commands of the lab."""

from generator.cli import lab_cards, lab_skill, lab_sweep
from generator.cli.experimenting import lab

__all__ = ["lab", "lab_cards", "lab_skill", "lab_sweep"]
