"""The commands `export ...`: one module a target."""
