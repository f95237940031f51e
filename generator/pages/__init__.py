"""The page composer: blocks set as paragraphs, columns, tables and figures, chosen pages filled, written as HTML."""
