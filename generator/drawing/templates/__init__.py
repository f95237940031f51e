"""Templates filled in with the data: SVG and Markdown with Jinja2, within limits."""
