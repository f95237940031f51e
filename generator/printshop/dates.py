"""Dates as PDF writes them, read and written."""

import re
from datetime import UTC, datetime, timedelta, timezone

_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z.*|([-+])(\d\d)'?(\d\d)?'?)?")


def pdf_moment(said: str) -> datetime | None:
    """The moment of a PDF date (D:20260131, D:20260131120000+09'00'); without a zone UTC. None where it is no date."""
    match = _DATE.fullmatch(said)
    if not match:
        return None
    year, month, day, hour, minute, second, sign, hours, minutes = match.groups()
    away = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    try:
        zone = timezone(-away if sign == "-" else away) if away else UTC
        return datetime(
            int(year), int(month or 1), int(day or 1), int(hour or 0), int(minute or 0), int(second or 0), tzinfo=zone
        )
    except ValueError:  # the 31st of February, 25 o'clock
        return None


def pdf_date(moment: datetime) -> str:
    """A moment with its zone as PDF writes it: D:20260131120000+09'00'."""
    zone = f"{moment:%z}"
    return f"D:{moment.year:04d}{moment:%m%d%H%M%S}{zone[:3]}'{zone[3:5]}'"
