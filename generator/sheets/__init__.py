"""Print sheets: pieces in, pages out; pure geometry without a drawing library."""
