"""All commands of the lab."""

from generator.cli import lab_skill, lab_sweep
from generator.cli.experimenting import lab

__all__ = ["lab", "lab_skill", "lab_sweep"]
