"""Made from the description by scripts/python-client.ts: change the description instead."""

from typing import Any, Literal, Mapping, Optional
from urllib.parse import quote

from .pages import Pages
from .records import (
    Alert,
    AlertSettings,
    AssignedGeofence,
    Caller,
    Device,
    DeviceStatus,
    Driver,
    Geofence,
    GeofenceEvent,
    LatestPosition,
    MileageRow,
    MileageSums,
    Position,
    PositionAt,
    SensorKind,
    SensorReading,
    Severity,
    Stop,
    SumPeriod,
    Trip,
    User,
)
from .transport import Time


class Operations:
    """A method for each operation; how a list or a single record is read, a subclass knows."""

    def get_me(
        self,
    ) -> Caller:
        """Who calls."""
        record: Caller = self._single("/me")
        return record

    def list_devices(
        self,
        *,
        imei: Optional[str] = None,
        status: Optional[DeviceStatus] = None,
        search: Optional[str] = None,
        tag: Optional[str] = None,
        limit: Optional[int] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[Device]:
        """List devices."""
        query = {
            "imei": imei,
            "status": status,
            "search": search,
            "tag": tag,
            "limit": limit,
            "fields": fields,
            "include_names": include_names,
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
        *,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[AssignedGeofence]:
        """List a device's geofences."""
        query = {
            "fields": fields,
            "include_names": include_names,
        }
        return self._list(_path("/devices/{device_id}/geofences", device_id=device_id), query)

    def list_drivers(
        self,
        *,
        limit: Optional[int] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[Driver]:
        """List drivers."""
        query = {
            "limit": limit,
            "fields": fields,
            "include_names": include_names,
        }
        return self._list("/drivers", query)

    def list_latest_positions(
        self,
        *,
        tag: Optional[str] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        near: Optional[str] = None,
        radius_m: Optional[int] = None,
        limit: Optional[int] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[LatestPosition]:
        """List live positions."""
        query = {
            "tag": tag,
            "device_id": device_id,
            "imei": imei,
            "near": near,
            "radius_m": radius_m,
            "limit": limit,
            "fields": fields,
            "include_names": include_names,
        }
        return self._list("/positions/latest", query)

    def list_position_history(
        self,
        *,
        valid_only: Optional[bool] = None,
        tag: Optional[str] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[Position]:
        """List stored positions."""
        query = {
            "valid_only": valid_only,
            "tag": tag,
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
            "limit": limit,
            "fields": fields,
            "include_names": include_names,
        }
        return self._list("/positions/history", query)

    def list_positions_at(
        self,
        *,
        time: Time,
        max_age_s: Optional[int] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        tag: Optional[str] = None,
        near: Optional[str] = None,
        radius_m: Optional[int] = None,
        limit: Optional[int] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[PositionAt]:
        """List positions at a time."""
        query = {
            "time": time,
            "max_age_s": max_age_s,
            "device_id": device_id,
            "imei": imei,
            "tag": tag,
            "near": near,
            "radius_m": radius_m,
            "limit": limit,
            "fields": fields,
            "include_names": include_names,
        }
        return self._list("/positions/at", query)

    def list_trips(
        self,
        *,
        driver_id: Optional[str] = None,
        tag: Optional[str] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[Trip]:
        """List trips."""
        query = {
            "driver_id": driver_id,
            "tag": tag,
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
            "limit": limit,
            "fields": fields,
            "include_names": include_names,
        }
        return self._list("/trips", query)

    def list_stops(
        self,
        *,
        geofence_id: Optional[str] = None,
        min_duration_s: Optional[int] = None,
        tag: Optional[str] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[Stop]:
        """List stops."""
        query = {
            "geofence_id": geofence_id,
            "min_duration_s": min_duration_s,
            "tag": tag,
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
            "limit": limit,
            "fields": fields,
            "include_names": include_names,
        }
        return self._list("/stops", query)

    def list_alerts(
        self,
        *,
        acknowledged: Optional[bool] = None,
        severity: Optional[Severity] = None,
        alert_type: Optional[str] = None,
        min_value: Optional[float] = None,
        max_value: Optional[float] = None,
        tag: Optional[str] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[Alert]:
        """List alerts."""
        query = {
            "acknowledged": acknowledged,
            "severity": severity,
            "alert_type": alert_type,
            "min_value": min_value,
            "max_value": max_value,
            "tag": tag,
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
            "limit": limit,
            "fields": fields,
            "include_names": include_names,
        }
        return self._list("/alerts", query)

    def list_sensor_readings(
        self,
        kind: SensorKind,
        *,
        tag: Optional[str] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[SensorReading]:
        """List sensor readings."""
        query = {
            "tag": tag,
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
            "limit": limit,
            "fields": fields,
            "include_names": include_names,
        }
        return self._list(_path("/sensors/{kind}", kind=kind), query)

    def list_geofences(
        self,
        *,
        limit: Optional[int] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[Geofence]:
        """List geofences."""
        query = {
            "limit": limit,
            "fields": fields,
            "include_names": include_names,
        }
        return self._list("/geofences", query)

    def list_geofence_events(
        self,
        *,
        tag: Optional[str] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[GeofenceEvent]:
        """List geofence crossings."""
        query = {
            "tag": tag,
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
            "limit": limit,
            "fields": fields,
            "include_names": include_names,
        }
        return self._list("/geofence-events", query)

    def list_users(
        self,
        *,
        limit: Optional[int] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[User]:
        """List sub-accounts."""
        query = {
            "limit": limit,
            "fields": fields,
            "include_names": include_names,
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
        tag: Optional[str] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[MileageRow]:
        """Report mileage."""
        query = {
            "tag": tag,
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
            "fields": fields,
            "include_names": include_names,
        }
        return self._list("/reports/mileage", query)

    def report_mileage_sums(
        self,
        *,
        period: Optional[SumPeriod] = None,
        group_by: Optional[Literal["device", "tag", "driver", "fleet"]] = None,
        driver_id: Optional[str] = None,
        tag: Optional[str] = None,
        device_id: Optional[str] = None,
        imei: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
        fields: Optional[str] = None,
        include_names: Optional[bool] = None,
    ) -> Pages[MileageSums]:
        """Report sums of mileage."""
        query = {
            "period": period,
            "group_by": group_by,
            "driver_id": driver_id,
            "tag": tag,
            "device_id": device_id,
            "imei": imei,
            "from": from_,
            "to": to,
            "limit": limit,
            "fields": fields,
            "include_names": include_names,
        }
        return self._list("/reports/mileage/sums", query)

    def _list(self, path: str, query: Mapping[str, Any]) -> Pages[Any]:
        raise NotImplementedError

    def _single(self, path: str) -> Any:
        raise NotImplementedError


def _path(template: str, **names: str) -> str:
    return template.format(**{key: quote(name, safe="") for key, name in names.items()})
