"""How the API says that it refuses a call, or has failed."""

import json
from email.message import Message
from typing import Any, List, Optional


class OdographError(Exception):
    """The API refused the call, or failed. Branch on `code`, never on the message."""

    #: What the API says, or `UNREADABLE` where something between, such as a proxy, answered in its place.
    code: str
    status: int
    #: Identifies the call, for support.
    request_id: Optional[str]
    #: Seconds to wait, where the answer names them.
    retry_after_s: Optional[int]
    #: With `INSUFFICIENT_SCOPE`: what the endpoint needs, and what the key holds.
    required_scopes: List[str]
    granted_scopes: List[str]

    def __init__(self, status: int, headers: Message, body: bytes) -> None:
        answer = _read(body)
        error = answer.get("error", {})
        super().__init__(error.get("message", f"the answer {status} is not the API's"))
        self.code = error.get("code", "UNREADABLE")
        self.status = status
        self.request_id = answer.get("request_id") or headers.get("X-Request-Id")
        wait = headers.get("Retry-After") or ""
        self.retry_after_s = int(wait) if wait.isdigit() else None
        self.required_scopes = error.get("required_scopes", [])
        self.granted_scopes = error.get("granted_scopes", [])


def _read(body: bytes) -> Any:
    try:
        answer = json.loads(body)
        return answer if isinstance(answer["error"]["code"], str) else {}
    except (ValueError, TypeError, KeyError):
        return {}
