"""Live positions, whenever they have changed."""

import threading
from typing import Any, Dict, Iterator, List, Mapping, Optional

from .records import LatestPosition
from .transport import OnWait, Stopped, Transport


def watch_latest(
    transport: Transport,
    path: str,
    query: Mapping[str, Any],
    interval_s: float,
    on_wait: Optional[OnWait],
    stop: Optional[threading.Event],
) -> Iterator[List[LatestPosition]]:
    pause = stop or threading.Event()
    # With it a call waits for as long as it takes, without a report.
    report = on_wait or (lambda error, wait_s: None)
    #: Each page with its tag, by the cursor that leads to it.
    known: Dict[Optional[str], Any] = {}
    while not pause.is_set():
        seen: Dict[Optional[str], Any] = {}
        cursor: Optional[str] = None
        try:
            while cursor not in seen:
                tag, page = known.get(cursor, (None, None))
                words = {**query, "cursor": cursor}
                fields = ("data", "next_cursor")
                answer = transport.send(path, words, fields=fields, etag=tag, on_wait=report, stop=pause)
                if answer.body is not None:
                    tag, page = answer.headers.get("ETag"), answer.body
                seen[cursor] = (tag, page)
                if page["next_cursor"] is None:
                    break
                cursor = page["next_cursor"]
        except Stopped:
            return
        if {key: id(page) for key, (_, page) in seen.items()} != {key: id(page) for key, (_, page) in known.items()}:
            yield [row for _, page in seen.values() for row in page["data"]]
        known = seen
        pause.wait(interval_s)
