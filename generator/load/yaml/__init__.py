"""How YAML is read: line by line where it is as plain as most, else by the events of a parser that knows all of it."""
