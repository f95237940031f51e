"""Tables: files of spreadsheet programs to the designs of a kind, whatever their form and their headings."""
