"""Projects of other programs read: their kinds, fields, sizes, tables and pictures. Nothing of theirs is ever run."""
