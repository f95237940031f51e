"""A project begun: from a starter, and the page that shows them."""
