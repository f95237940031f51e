"""The commands of the lab."""

from generator.lab.commands import experiment_kinds
from generator.lab.commands.lab_group import lab

__all__ = ["experiment_kinds", "lab"]
