"""The laboratory: plays many games with bots to find the effect of a rule's reading, a number or a card."""
