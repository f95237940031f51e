"""All commands of the lab."""

from generator.cli import lab_skill
from generator.cli.experimenting import lab

__all__ = ["lab", "lab_skill"]
