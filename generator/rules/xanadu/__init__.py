"""The rules of Forwarder of Xanadu."""
