"""Reports of the lab's results, in words and charts, as PDF and as web page."""
