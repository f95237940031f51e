"""SVG read as drawings: templates by strict rules, art files of other programs by lenient ones."""
