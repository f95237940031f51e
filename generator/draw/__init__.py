"""From templates and data to display lists, and from display lists to PDF and PNG."""
