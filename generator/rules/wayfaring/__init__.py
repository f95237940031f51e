"""The rules of The Wayfaring Book."""
