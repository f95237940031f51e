"""Reports of the lab's findings, in words and charts, as pages and as a web page."""
