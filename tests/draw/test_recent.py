"""The memory of bounded size: keeps what is asked for, forgets the rest."""

from generator.base.cache import RecentValues


def test_keeps_at_least_the_latest() -> None:
    """The latest values are all there; what nobody asked for in a long while is gone."""
    memory: RecentValues[int, str] = RecentValues(3)
    for number in range(4):
        memory.put(number, str(number))
    assert [memory.get(number) for number in (1, 2, 3)] == ["1", "2", "3"]
    for number in range(10, 16):
        memory.put(number, str(number))
    assert memory.get(1) is None
    assert memory.get(15) == "15"


def test_what_is_asked_for_stays() -> None:
    memory: RecentValues[str, int] = RecentValues(3)
    memory.put("often", 1)
    for number in range(50):
        memory.put(str(number), number)
        assert memory.get("often") == 1
