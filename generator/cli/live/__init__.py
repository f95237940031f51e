"""Commands that follow a project while it is made: in a browser, in an editor."""
