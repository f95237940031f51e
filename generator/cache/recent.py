"""A memory of bounded size: what has not been asked for in a long while is forgotten."""

from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """Remembers at least the `most` latest values; what is not asked for in a long while is forgotten."""

    def __init__(self, most: int = 2_000):
        self._most = most
        self._new: dict[Key, Value] = {}
        self._old: dict[Key, Value] = {}

    def get(self, key: Key) -> Value | None:
        """The value, if it is remembered."""
        value = self._new.get(key)
        if value is None and self._old:
            value = self._old.get(key)
            if value is not None:
                self.keep(key, value)
        return value

    def keep(self, key: Key, value: Value) -> None:
        """Remember a value."""
        if len(self._new) >= self._most:
            self._old, self._new = self._new, {}
        self._new[key] = value
