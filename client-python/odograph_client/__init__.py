"""Client of the Odograph API. Standard library only; Python 3.9 or newer."""

from .client import Batch, Known, OdographClient
from .errors import OdographError
from .pages import Pages, Window
from .quota import Quota
from .records import Change

__all__ = ["Batch", "Change", "Known", "OdographClient", "OdographError", "Pages", "Quota", "Window"]
