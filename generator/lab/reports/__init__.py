"""Reports: what the lab found, in words and charts, as pages and as a web page."""
