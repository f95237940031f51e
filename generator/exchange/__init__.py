"""Exchange: exports for other programs and translators, and imports of other programs' projects."""
