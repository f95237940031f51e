"""Files for other programs: online tables and spreadsheets."""
