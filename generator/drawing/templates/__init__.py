"""Templates filled in with data: SVG and Markdown with Jinja2, within limits."""
