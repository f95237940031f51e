"""How YAML is read: by the events of a parser, with places, and with words for the usual mistakes."""
