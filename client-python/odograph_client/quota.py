"""What is left of a key's limits."""

from email.message import Message
from typing import NamedTuple, Optional


class Quota(NamedTuple):
    per_day: int
    left_today: int
    #: Seconds until the day's counter begins anew.
    reset_s: int
    per_second: int
    left_this_second: int


def quota_of(headers: Message) -> Optional[Quota]:
    """None where an answer does not say, such as one of a proxy."""
    names = ("Limit", "Remaining", "Reset", "Limit-Second", "Remaining-Second")
    figures = [headers.get(f"X-RateLimit-{name}") or "" for name in names]
    return Quota(*map(int, figures)) if all(figure.isdigit() for figure in figures) else None
