"""The rules of PDF/X-4 and PDF/X-1a:2003, each a small function, and what they read a file through."""
