"""Client of the Odograph API. Standard library only; Python 3.9 or newer."""

from .client import Batch, Change, OdographClient
from .errors import OdographError

__all__ = ["Batch", "Change", "OdographClient", "OdographError"]
