"""All commands of the lab."""

from generator.cli import lab_cards
from generator.cli.experimenting import lab

__all__ = ["lab", "lab_cards"]
