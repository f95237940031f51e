"""What data must look like: shapes that read values, tell all that is wrong with them, and describe them to editors."""
