"""Reads a fleet."""

import threading
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence

from .errors import OdographError
from .operations import Operations
from .pages import Pages
from .quota import Quota
from .records import Change, LatestPosition
from .transport import OnWait, Stopped, Time, Transport, in_utc
from .watch import watch_latest

#: A record of a list in the form of a change: `type`, `change` ("put"), `id`, `device_id` and `record`.
Known = Dict[str, Any]

_LARGEST_PAGE = 500
_CHANGES = ("data", "next_cursor", "resume_after")


class Batch(NamedTuple):
    #: In the order in which they were committed. May be empty.
    changes: List[Change]
    #: Store it when you have handled the batch, in the same transaction if you can.
    resume_after: str
    #: Following begins here, and nothing from before will come: read the past with `backfill()` or the lists now,
    #: before you store `resume_after`.
    is_start: bool


class OdographClient(Operations):
    """Reads a fleet. Methods have the names of the operations in the API's description."""

    def __init__(
        self, url: str, key: str, *, retries: int = 4, longest_wait_s: float = 60.0, timeout_s: float = 60.0
    ) -> None:
        """`url` is where the API is, with its version: `https://fleet.example/v1`."""
        self._transport = Transport(url, key, retries, longest_wait_s, timeout_s)

    @property
    def quota(self) -> Optional[Quota]:
        """What the last answer said of the key's limits; None before the first."""
        return self._transport.quota

    def watch_latest_positions(
        self,
        *,
        interval_s: float = 10.0,
        on_wait: Optional[OnWait] = None,
        stop: Optional[threading.Event] = None,
        **query: Any,
    ) -> Iterator[List[LatestPosition]]:
        """
        The live positions, at once and whenever they have changed, until the loop is left or `stop` is set.

        `query` is what `list_latest_positions()` takes. A look that finds nothing new is free of the day's requests. It
        waits for servers, networks and limits as `follow()` does.
        """
        latest = self.list_latest_positions(**query)
        return watch_latest(self._transport, latest.path, latest.query, interval_s, on_wait, stop)

    def list_changes(
        self,
        *,
        after: Optional[str] = None,
        types: Optional[Sequence[str]] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Pages[Change]:
        """
        Once through what has changed. Its `resume_after` is where to begin next time. To stay in step with a fleet, use
        `follow()`.
        """
        query = {"after": after, "types": types, "device_id": device_id, "imei": imei, "limit": limit}
        return self._list("/changes", query)

    def follow(
        self,
        *,
        after: Optional[str] = None,
        types: Optional[Sequence[str]] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
        limit: int = _LARGEST_PAGE,
        interval_s: float = 10.0,
        on_expired: str = "throw",
        on_wait: Optional[OnWait] = None,
        stop: Optional[threading.Event] = None,
    ) -> Iterator[Batch]:
        """
        What becomes known, is corrected or is withdrawn, in batches, until the loop is left or `stop` is set.

        Without `after` it begins now, with a batch that `is_start`. It never gives up on a server that may come back;
        `on_wait` is called before each wait. When `after` is older than what the service remembers, it raises an
        OdographError with the code `CURSOR_EXPIRED`, or, with `on_expired="restart"`, begins now. Nothing is skipped;
        a follower that begins again with a stored `resume_after` may get the last batch again.
        """
        if on_expired not in ("throw", "restart"):
            raise ValueError(f'on_expired: expected "throw" or "restart", got "{on_expired}"')
        named = {"types": types, "device_id": device_id, "imei": imei}
        filters = {**named, "fields": fields, "include_names": include_names, "limit": limit}
        pause = stop or threading.Event()
        after = after or None
        cursor: Optional[str] = None
        etag: Optional[str] = None
        report = on_wait or (lambda error, wait_s: None)
        while not pause.is_set():
            query = {**filters, "after": after, "cursor": cursor}
            try:
                answer = self._transport.send("/changes", query, fields=_CHANGES, etag=etag, on_wait=report, stop=pause)
            except Stopped:
                return
            except OdographError as error:
                if error.code != "CURSOR_EXPIRED" or on_expired == "throw" or after is None:
                    raise
                after = cursor = etag = None
                continue
            is_start = after is None
            page = answer.body
            if page is not None:
                if is_start or page["data"] or page["resume_after"] != after:
                    yield Batch(page["data"], page["resume_after"], is_start)
                cursor = page["next_cursor"]
                if cursor is not None:
                    continue
                etag = answer.headers.get("ETag") if page["resume_after"] == after else None
                after = page["resume_after"]
            if not is_start:
                pause.wait(interval_s)

    def backfill(
        self, *, from_: Time, types: Optional[Sequence[str]] = None, device_id: Optional[str] = None
    ) -> Iterator[Known]:
        """
        What the lists show since then, in the form of changes, without `changed_at`: for the start of `follow()`, and
        for a device that has come into sight. A record may come twice. Positions and readings have no id in their
        lists and are not among it.
        """
        since = in_utc(from_)
        sources: Dict[str, Callable[[], Iterator[Any]]] = {
            "user": lambda: self._unless_one_device("/users", device_id),
            "geofence": lambda: self._unless_one_device("/geofences", device_id),
            "driver": lambda: self._list("/drivers", {"limit": _LARGEST_PAGE}),
            "device": lambda: self._devices(device_id),
            "alert_settings": lambda: self._alert_settings(device_id),
            "trip": lambda: self._in_windows("/trips", since, 31, device_id),
            "stop": lambda: self._in_windows("/stops", since, 31, device_id),
            "geofence_event": lambda: self._in_windows("/geofence-events", since, 31, device_id),
            "alert": lambda: self._in_windows("/alerts", since, 31, device_id),
            "mileage": lambda: self._in_windows("/reports/mileage", since, 366, device_id),
        }
        for kind in types or ():
            if kind not in sources:
                raise ValueError(f'types: expected some of {", ".join(sources)}, got "{kind}"')
        for kind, read in sources.items():
            if types is not None and kind not in types:
                continue
            try:
                for record in read():
                    device = record.get("device_id")
                    yield {
                        "type": kind,
                        "change": "put",
                        "id": _id_of(kind, record),
                        "device_id": device,
                        "record": record,
                    }
            except OdographError as error:
                # A device that has gone out of sight meanwhile has no past either.
                if device_id is not None and error.code == "NOT_FOUND":
                    return
                # As with `follow()`: what is not asked for by name need not be granted.
                if types is not None or error.code != "INSUFFICIENT_SCOPE":
                    raise

    def _list(self, path: str, query: Mapping[str, Any]) -> Pages[Any]:
        return Pages(self._transport, path, query)

    def _single(self, path: str) -> Any:
        return self._transport.send(path, {}).body["data"]

    def _unless_one_device(self, path: str, device_id: Optional[str]) -> Iterator[Any]:
        return iter(()) if device_id is not None else self._list(path, {"limit": _LARGEST_PAGE})

    def _devices(self, device_id: Optional[str]) -> Iterator[Any]:
        return self.list_devices(limit=_LARGEST_PAGE) if device_id is None else iter([self.get_device(device_id)])

    def _alert_settings(self, device_id: Optional[str]) -> Iterator[Any]:
        """One call for each device."""
        for device in self._devices(device_id):
            try:
                settings = self.get_device_alert_settings(device["device_id"])
            except OdographError as error:
                if error.code != "NOT_FOUND":
                    raise
            else:
                yield settings

    def _in_windows(self, path: str, since: datetime, max_days: int, device_id: Optional[str]) -> Iterator[Any]:
        """Windows that are longer than allowed would be shortened, so the time is read window by window."""
        # The report of mileage, whose window is longest, has no pages.
        filters = {"device_id": device_id, "limit": _LARGEST_PAGE if max_days <= 31 else None}
        step = timedelta(days=max_days)
        while since + step < datetime.now(timezone.utc):
            yield from self._list(path, {**filters, "from": since, "to": since + step})
            since += step
        # To the moment at which it is read.
        yield from self._list(path, {**filters, "from": since})


def _id_of(kind: str, record: Mapping[str, Any]) -> str:
    if kind == "mileage":
        return f'{record["device_id"]}/{record["date"]}'
    if kind == "driver":
        # A tag that nobody has named is its own id.
        return str(record["id"] or record["driver_ids"][0])
    names = {"geofence_event": "event_id", "alert_settings": "device_id"}
    return str(record[names.get(kind, f"{kind}_id")])
