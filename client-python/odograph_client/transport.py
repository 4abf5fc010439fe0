"""Calls the API, as often as it takes within the options."""

import gzip
import http.client
import json
import random
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import warnings
import zlib
from datetime import datetime, timezone
from email.message import Message
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Sequence, Union

from .errors import OdographError
from .quota import Quota, quota_of

#: ISO 8601 as a text (UTC where it has no offset), or a datetime (UTC where it has no zone).
Time = Union[str, datetime]
#: What went wrong, and the seconds until the next try.
OnWait = Callable[[Exception, float], None]

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 60.0


class Answer(NamedTuple):
    headers: Message
    #: None: nothing has changed since the answer that the tag names.
    body: Any


class Stopped(Exception):
    """The event that the caller gave was set."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Another address must not be sent the key."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    def __init__(self, url: str, key: str, retries: int, longest_wait_s: float, timeout_s: float) -> None:
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise ValueError("url: expected where the API is, with its version, as in https://fleet.example/v1")
        # Said here, and without the key: what an error of http.client says of it may end up in a log.
        if not key or not all("\x21" <= letter <= "\x7e" for letter in key):
            raise ValueError("key: expected an API key, without spaces")
        self._base = url.rstrip("/")
        self._key = key
        self._retries = retries
        self._longest_wait_s = longest_wait_s
        self._timeout_s = timeout_s
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._full_until = 0.0
        #: What the last answer said of the key's limits.
        self.quota: Optional[Quota] = None

    def send(
        self,
        path: str,
        query: Mapping[str, Any],
        *,
        fields: Sequence[str] = ("data",),
        etag: Optional[str] = None,
        on_wait: Optional[OnWait] = None,
        stop: Optional[threading.Event] = None,
    ) -> Answer:
        """
        With `on_wait` it waits for as long as it takes, whatever the options say. An answer without the `fields` is not
        the API's, and is tried again.
        """
        pause = stop or threading.Event()
        tries = 0
        while True:
            self._sleep(pause, self._full_until - time.monotonic())
            try:
                return self._attempt(path, query, fields, etag)
            except (OdographError, OSError, http.client.HTTPException) as error:
                wait_s = _pause_before(error, tries)
                if wait_s is None:
                    raise
                if on_wait is None and (tries >= self._retries or wait_s > self._longest_wait_s):
                    raise
                if on_wait is not None:
                    on_wait(error, wait_s)
            self._sleep(pause, wait_s)
            tries += 1

    def _sleep(self, pause: threading.Event, seconds: float) -> None:
        if pause.wait(max(0.0, seconds)):
            raise Stopped

    def _attempt(
        self, path: str, query: Mapping[str, Any], fields: Sequence[str], etag: Optional[str]
    ) -> Answer:
        words = {name: _word(value) for name, value in query.items() if value is not None}
        address = f"{self._base}{path}?{urllib.parse.urlencode(words)}".rstrip("?")
        headers: Dict[str, str] = {"Authorization": f"Bearer {self._key}", "Accept-Encoding": "gzip"}
        if etag is not None:
            headers["If-None-Match"] = etag
        try:
            with self._opener.open(urllib.request.Request(address, headers=headers), timeout=self._timeout_s) as found:
                self._heed(found.headers)
                ignored = found.headers.get("X-Ignored-Parameters")
                if ignored is not None:
                    warnings.warn(f"{path} has no parameter {ignored}: the server has ignored it", stacklevel=2)
                body = _read(_plain(found.headers, found.read()))
                if not isinstance(body, dict) or not all(field in body for field in fields):
                    raise OdographError(found.status, found.headers, b"")
                return Answer(found.headers, body)
        except urllib.error.HTTPError as failure:
            with failure:
                self._heed(failure.headers)
                if failure.code == 304:
                    return Answer(failure.headers, None)
                raise OdographError(failure.code, failure.headers, _plain(failure.headers, failure.read())) from None

    def _heed(self, headers: Message) -> None:
        self.quota = quota_of(headers) or self.quota
        if headers.get("X-RateLimit-Remaining-Second") == "0":
            self._full_until = time.monotonic() + 1.0


def _plain(headers: Message, body: bytes) -> bytes:
    if headers.get("Content-Encoding") != "gzip":
        return body
    try:
        return gzip.decompress(body)
    except (EOFError, OSError, zlib.error) as error:
        raise ConnectionError(f"the answer was cut off or damaged on its way: {error}") from error


def _read(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _pause_before(error: Exception, tries: int) -> Optional[float]:
    """None where waiting would be of no use. Calls that were refused together must not come back together."""
    pause_s: float = min(_FIRST_PAUSE_S * 2 ** min(tries, 10), _LONGEST_PAUSE_S) * (0.5 + random.random())
    if not isinstance(error, OdographError):
        return pause_s
    if error.status == 429:
        return (error.retry_after_s or 1) + _FIRST_PAUSE_S * random.random()
    # Below 300 something between answered in the API's place, such as a proxy whose server is being replaced.
    may_pass = error.status < 300 or error.status == 408 or error.status >= 500
    return max(pause_s, error.retry_after_s or 0) if may_pass else None


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return in_utc(value).isoformat()
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(value)
    return str(value)


def in_utc(value: Time) -> datetime:
    if isinstance(value, str):
        # Python before 3.11 knows no "Z".
        value = datetime.fromisoformat(value[:-1] + "+00:00" if value.endswith("Z") else value)
    return value.replace(tzinfo=timezone.utc) if value.tzinfo is None else value.astimezone(timezone.utc)
