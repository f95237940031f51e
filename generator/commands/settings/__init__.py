"""What the user's settings folder keeps: printers, trusted projects."""
