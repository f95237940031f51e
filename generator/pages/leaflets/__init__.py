"""Books on few large pages: leaflets without a cover, and a whole book on one sheet."""
