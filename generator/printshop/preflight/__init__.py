"""Looks over a PDF as a print shop does: every finding with page and place."""
