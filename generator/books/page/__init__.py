"""Page layout: blocks become strips, columns and pages."""
