"""Lists, page by page."""

from email.message import Message
from typing import Any, Generic, Iterator, List, Mapping, NamedTuple, Optional, TypeVar

from .transport import Transport

Row = TypeVar("Row")


class Window(NamedTuple):
    """The time that was read: from `from_`, included, to `to`, not included."""

    from_: str
    to: str
    #: Whether more was asked for than is allowed, so that `from_` was moved forward.
    is_clamped: bool


class Pages(Iterator[Row], Generic[Row]):
    """The rows of a list. The next page is read when the loop gets there."""

    def __init__(self, transport: Transport, path: str, query: Mapping[str, Any]) -> None:
        self._transport = transport
        #: Where the list is, and what it is asked.
        self.path = path
        self.query = query
        self._rows: List[Row] = []
        self._next_row = 0
        self._cursor: Optional[str] = None
        self._is_begun = False
        self._window: Optional[Window] = None
        self._resume_after: Optional[str] = None

    def __iter__(self) -> "Pages[Row]":
        return self

    def __next__(self) -> Row:
        while self._next_row == len(self._rows):
            if self._is_begun and self._cursor is None:
                raise StopIteration
            self._read()
        self._next_row += 1
        return self._rows[self._next_row - 1]

    def pages(self) -> Iterator[List[Row]]:
        """What is left of the list, page by page."""
        while not self._is_begun or self._cursor is not None or self._next_row < len(self._rows):
            if self._next_row == len(self._rows):
                self._read()
            rest, self._next_row = self._rows[self._next_row :], len(self._rows)
            yield rest

    @property
    def window(self) -> Optional[Window]:
        """The time that is read; None where the list has none. Reads the first page, unless that was done."""
        if not self._is_begun:
            self._read()
        return self._window

    @property
    def resume_after(self) -> Optional[str]:
        """Of changes: where to begin next time, once all pages are read. None for every other list, and before."""
        return self._resume_after

    def _read(self) -> None:
        words = self.query if self._cursor is None else {**self.query, "cursor": self._cursor}
        answer = self._transport.send(self.path, words, fields=("data", "next_cursor"))
        self._rows, self._next_row = answer.body["data"], 0
        self._cursor = answer.body["next_cursor"]
        self._resume_after = answer.body.get("resume_after")
        self._window = _window_of(answer.headers)
        self._is_begun = True


def _window_of(headers: Message) -> Optional[Window]:
    from_, to = headers.get("X-Window-From"), headers.get("X-Window-To")
    if from_ is None or to is None:
        return None
    return Window(from_, to, headers.get("X-Window-Clamped") == "true")
