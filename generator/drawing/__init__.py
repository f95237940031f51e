"""From a template to a drawing to a file: PDF, SVG, PNG."""
