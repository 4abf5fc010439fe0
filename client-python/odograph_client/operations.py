"""Made from the description by scripts/python-client.ts: change the description instead."""

from typing import Any, Iterator, Mapping, Optional
from urllib.parse import quote

from .records import (
    Alert,
    AlertSettings,
    AssignedGeofence,
    Device,
    DeviceStatus,
    Geofence,
    GeofenceEvent,
    LatestPosition,
    MileageRow,
    Position,
    SensorKind,
    SensorReading,
    Severity,
    Stop,
    Trip,
    User,
)
from .transport import Time


class Operations:
    """A method for each operation; how a list or a single record is read, a subclass knows."""

    def list_devices(
        self,
        *,
        imei: Optional[str] = None,
        status: Optional[DeviceStatus] = None,
        search: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Device]:
        """List devices."""
        query = {
            "imei": imei,
            "status": status,
            "search": search,
            "limit": limit,
        }
        return self._list("/devices", query)

    def get_device(
        self,
        device_id: str,
    ) -> Device:
        """Get one device."""
        record: Device = self._single(_path("/devices/{device_id}", device_id=device_id))
        return record

    def get_device_alert_settings(
        self,
        device_id: str,
    ) -> AlertSettings:
        """Get a device's alert settings."""
        record: AlertSettings = self._single(_path("/devices/{device_id}/alert-settings", device_id=device_id))
        return record

    def list_device_geofences(
        self,
        device_id: str,
    ) -> Iterator[AssignedGeofence]:
        """List a device's geofences."""
        return self._list(_path("/devices/{device_id}/geofences", device_id=device_id), {})

    def list_latest_positions(
        self,
        *,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[LatestPosition]:
        """List live positions."""
        query = {
            "device_id": device_id,
            "imei": imei,
            "limit": limit,
        }
        return self._list("/positions/latest", query)

    def list_position_history(
        self,
        *,
        valid_only: Optional[bool] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Position]:
        """List stored positions."""
        query = {
            "valid_only": valid_only,
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
            "limit": limit,
        }
        return self._list("/positions/history", query)

    def list_trips(
        self,
        *,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Trip]:
        """List trips."""
        query = {
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
            "limit": limit,
        }
        return self._list("/trips", query)

    def list_stops(
        self,
        *,
        geofence_id: Optional[str] = None,
        min_duration_s: Optional[int] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Stop]:
        """List stops."""
        query = {
            "geofence_id": geofence_id,
            "min_duration_s": min_duration_s,
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
            "limit": limit,
        }
        return self._list("/stops", query)

    def list_alerts(
        self,
        *,
        acknowledged: Optional[bool] = None,
        severity: Optional[Severity] = None,
        alert_type: Optional[str] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Alert]:
        """List alerts."""
        query = {
            "acknowledged": acknowledged,
            "severity": severity,
            "alert_type": alert_type,
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
            "limit": limit,
        }
        return self._list("/alerts", query)

    def list_sensor_readings(
        self,
        kind: SensorKind,
        *,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
    ) -> Iterator[SensorReading]:
        """List sensor readings."""
        query = {
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
            "limit": limit,
        }
        return self._list(_path("/sensors/{kind}", kind=kind), query)

    def list_geofences(
        self,
        *,
        limit: Optional[int] = None,
    ) -> Iterator[Geofence]:
        """List geofences."""
        query = {
            "limit": limit,
        }
        return self._list("/geofences", query)

    def list_geofence_events(
        self,
        *,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
    ) -> Iterator[GeofenceEvent]:
        """List geofence crossings."""
        query = {
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
            "limit": limit,
        }
        return self._list("/geofence-events", query)

    def list_users(
        self,
        *,
        limit: Optional[int] = None,
    ) -> Iterator[User]:
        """List sub-accounts."""
        query = {
            "limit": limit,
        }
        return self._list("/users", query)

    def get_user(
        self,
        user_id: str,
    ) -> User:
        """Get one sub-account."""
        record: User = self._single(_path("/users/{user_id}", user_id=user_id))
        return record

    def report_mileage(
        self,
        *,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
    ) -> Iterator[MileageRow]:
        """Report mileage."""
        query = {
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
        }
        return self._list("/reports/mileage", query)

    def _list(self, path: str, query: Mapping[str, Any]) -> Iterator[Any]:
        raise NotImplementedError

    def _single(self, path: str) -> Any:
        raise NotImplementedError


def _path(template: str, **names: str) -> str:
    return template.format(**{key: quote(name, safe="") for key, name in names.items()})
