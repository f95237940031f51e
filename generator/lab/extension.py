"""Registers the lab's commands and files with the program."""

from generator.base.extensions import Entry, Extension

EXTENSION = Extension(
    commands={
        "lab": Entry(
            "generator.lab.commands.lab_group:lab",
            "Simulate many games and compare rules, numbers and cards",
            "Experiment",
        )
    },
    durations={"lab": Entry("generator.lab.reports.result_report:find_duration")},
)
