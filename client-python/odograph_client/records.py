"""Made from the description by scripts/python-client.ts: change the description instead."""

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

#: How bad it is.
Severity = Literal["info", "warning", "critical"]


class _Alert(TypedDict):
    """What every Alert has."""

    #: Stays the same when the alert is derived again, unless it begins at another moment then.
    alert_id: str
    #: The device's id.
    device_id: str
    #: The tracker's IMEI, 14 to 16 digits.
    imei: str
    #: What it is about. At present one of `speeding`, `geofence_enter`, `geofence_exit`, `sos`, `crash`,
    #: `power_cut`, `tampering`, `jamming`, `harsh_acceleration`, `harsh_braking`, `harsh_cornering`,
    #: `towing`, `unauthorised_movement`, `idling`, `low_battery`, `low_external_voltage`, `fuel_drain`,
    #: `fuel_refill`, `temperature_high`, `temperature_low`, `tyre_pressure_low`, `tyre_temperature_high`,
    #: `gps_lost`, `device_offline`.
    alert_type: str
    #: How bad it is.
    severity: Severity
    #: The alert in words, for a person. The wording is not stable.
    message: str
    #: When it began.
    occurred_at: str
    #: When it was over; null while it lasts. What happens in a moment is over at once.
    ended_at: Optional[str]
    #: When the frame that raised it was received.
    received_at: str
    #: Where it began: WGS 84, in degrees. Null if not known.
    latitude: Optional[float]
    #: Where it began: WGS 84, in degrees. Null if not known.
    longitude: Optional[float]
    #: The vehicle's speed when it began, in kilometres per hour.
    speed_kmh: Optional[float]
    #: What was measured, in `unit`; null where there is nothing to measure.
    value: Optional[float]
    #: The limit that it was held against, in `unit`.
    threshold: Optional[float]
    #: The unit of `value` and `threshold`.
    unit: Optional[str]
    #: The geofence that it is about, or whose limit held.
    geofence_id: Optional[str]
    #: The trip during which it began.
    trip_id: Optional[str]
    #: Whether a user has acknowledged it.
    acknowledged: bool
    #: When it was acknowledged.
    acknowledged_at: Optional[str]
    #: The id of the user who acknowledged it.
    acknowledged_by: Optional[str]
    #: When it last changed: when the last frame that changed it was received, or when it was acknowledged.
    #: Null of one that a version before 1.2 derived from frames that are gone.
    updated_at: Optional[str]


class Alert(_Alert, total=False):
    """What a rule raised, or the tracker itself reported."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]
    #: The geofence's name, as it is now. Only with `include_names`.
    geofence_name: Optional[str]
    #: The person's name, for a key with the scope `users:read`. Only with `include_names`.
    user_name: Optional[str]


#: What has become of a record.
ChangeKind = Literal["put", "removed"]


class _AlertChange(TypedDict):
    """What every AlertChange has."""

    #: What the record is.
    type: Literal["alert"]
    #: `put`: this is the record now, new or changed. `removed`: there is no such record any more.
    change: ChangeKind
    #: The record's own id. Alert settings have their device's, mileage `device_id/date`, a driver that nobody
    #: has named the tag's, positions and readings a text that stays the same for the same one.
    id: str
    #: The device that it belongs to; null for geofences, users and drivers.
    device_id: Optional[str]
    #: When the change was stored.
    changed_at: str
    #: The record as its list shows it; null if it was removed.
    record: Optional[Alert]


class AlertChange(_AlertChange, total=False):
    """A change of a record of the type `alert`."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


class AlertRule(TypedDict):
    """When to raise an alert."""

    #: The alert that the rule raises. At present one of `speeding`, `geofence_enter`, `geofence_exit`, `sos`,
    #: `crash`, `power_cut`, `tampering`, `jamming`, `harsh_acceleration`, `harsh_braking`, `harsh_cornering`,
    #: `towing`, `unauthorised_movement`, `idling`, `low_battery`, `low_external_voltage`, `fuel_drain`,
    #: `fuel_refill`, `temperature_high`, `temperature_low`, `tyre_pressure_low`, `tyre_temperature_high`,
    #: `gps_lost`, `device_offline`.
    alert_type: str
    #: `set` by the owner, or the `default` of the type. Of several rules that apply, the last one counts.
    source: Literal["default", "set"]
    #: Whom it was set for: this `device`, the devices with a `tag`, or all devices of the `account`. Null for
    #: a default. For each type of alert, rules for the device come before those for its tags, and these
    #: before those for all.
    set_for: Literal["device", "tag", "account", None]
    #: The tag that it was set for; null unless `set_for` is `tag`.
    tag: Optional[str]
    #: Whether it is raised. The default of a type that needs a limit, and has none, is not.
    enabled: bool
    #: What the alerts have, however bad it gets; where none was set, what those of the type start with.
    severity: Severity
    #: The rule's own settings; what is left out is as by default. A default has all that it goes by.
    #: `limit_kmh` is held against the speeds that the tracker reports (the mean of several if they scatter),
    #: from 5 km/h above it on. If it reports none, against the speed by its positions over 40 to 60 s, from 9
    #: km/h above on. `times`: the rule holds only within these, in the account's time zone: `within` has
    #: `days` (`mon` to `sun`), `from` and `until` (`20:00`; at or before `from`: of the next day), on
    #: `dates_off` it holds all day.
    parameters: Dict[str, Any]
    #: The geofences that the rule is for, as far as the key sees them. None: it holds everywhere (a geofence
    #: alert: nowhere).
    geofence_ids: List[str]


class AlertSettings(TypedDict):
    """The alert rules in force for a device, as they are now."""

    #: The device's id.
    device_id: str
    #: The tracker's IMEI, 14 to 16 digits.
    imei: str
    #: First the defaults, without those that a rule replaces everywhere; then the rules that were set, for
    #: all devices, for tags and for this device. A key that sees none of a rule's geofences is not shown the
    #: rule.
    rules: List[AlertRule]
    #: When the rules last changed; null if none were ever set.
    updated_at: Optional[str]


class _AlertSettingsChange(TypedDict):
    """What every AlertSettingsChange has."""

    #: What the record is.
    type: Literal["alert_settings"]
    #: `put`: this is the record now, new or changed. `removed`: there is no such record any more.
    change: ChangeKind
    #: The record's own id. Alert settings have their device's, mileage `device_id/date`, a driver that nobody
    #: has named the tag's, positions and readings a text that stays the same for the same one.
    id: str
    #: The device that it belongs to; null for geofences, users and drivers.
    device_id: Optional[str]
    #: When the change was stored.
    changed_at: str
    #: The record as its list shows it; null if it was removed.
    record: Optional[AlertSettings]


class AlertSettingsChange(_AlertSettingsChange, total=False):
    """A change of a record of the type `alert_settings`."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


#: The shape of a geofence.
GeofenceShape = Literal["circle", "polygon", "corridor"]


class GeoJsonPoint(TypedDict):
    """The centre of a circle."""

    type: Literal["Point"]
    #: Longitude, latitude: WGS 84, in degrees.
    coordinates: List[float]


class GeoJsonPolygon(TypedDict):
    """The outline and, after it, any holes. Rings are closed."""

    type: Literal["Polygon"]
    coordinates: List[List[List[float]]]


class GeoJsonLineString(TypedDict):
    """The middle of a corridor."""

    type: Literal["LineString"]
    coordinates: List[List[float]]


#: GeoJSON (RFC 7946): longitude comes first.
GeofenceGeometry = Union[GeoJsonPoint, GeoJsonPolygon, GeoJsonLineString]


class _AssignedGeofence(TypedDict):
    """What every AssignedGeofence has."""

    #: The geofence's id.
    geofence_id: str
    #: What the fleet calls it.
    name: str
    #: More about it.
    description: Optional[str]
    #: A circle is a `Point`, a polygon a `Polygon`, a corridor a `LineString`.
    shape: GeofenceShape
    #: Where it is, as GeoJSON: longitude comes first.
    geometry: GeofenceGeometry
    #: Of a circle, in metres; null for the other shapes.
    radius_m: Optional[float]
    #: Of a corridor, from edge to edge, in metres; null for the other shapes.
    width_m: Optional[float]
    #: West, south, east, north, in degrees. West is greater than east across the antimeridian.
    bbox: List[float]
    #: To draw it with: `#rrggbb`, `#rgb` or a CSS name.
    color: Optional[str]
    #: When it was first loaded.
    created_at: str
    #: When it last changed.
    updated_at: str
    #: When it was assigned to the device.
    assigned_at: str
    #: Whether the device is inside; null while it has no position.
    inside: Optional[bool]


class AssignedGeofence(_AssignedGeofence, total=False):
    """A geofence with what it is to one device."""

    #: The geofence's name, as it is now. Only with `include_names`.
    geofence_name: Optional[str]


class CallerAccount(TypedDict):
    """The account that the key belongs to."""

    #: The account's id.
    account_id: str
    #: Its name.
    name: str
    #: The IANA time zone by which its days are counted; `UTC` unless it has one.
    time_zone: str


class CallerUser(TypedDict):
    """The user whose key it is: the key sees what they see."""

    #: The user's id.
    user_id: str
    #: Their name.
    name: str
    #: An owner sees all devices, a sub-account those assigned to it.
    role: Literal["owner", "sub_account"]


#: What a key may read.
Scope = Literal[
    "devices:read",
    "positions:read",
    "trips:read",
    "alerts:read",
    "sensors:read",
    "geofences:read",
    "users:read",
    "reports:read",
]


class CallerKey(TypedDict):
    """The key that calls."""

    #: The key's id.
    key_id: str
    #: What it was called when it was made.
    name: str
    #: How the key begins, by which people recognise it.
    prefix: str
    #: What it may read.
    scopes: List[Scope]
    #: When it ends; null: it does not.
    expires_at: Optional[str]


class CallerLimits(TypedDict):
    """How often the key may call, and what is left."""

    #: Requests allowed per second.
    per_second: int
    #: Requests allowed per UTC day, as in `X-RateLimit-Limit`.
    per_day: int
    #: Requests left today, after this one.
    remaining_today: int
    #: When the daily counter resets: the next midnight UTC.
    resets_at: str


class Caller(TypedDict):
    """Who calls, what they may read, and what is left of their limits."""

    #: The account.
    account: CallerAccount
    #: The user whose key it is.
    user: CallerUser
    #: The key; null only in the console of the reference, which has none.
    key: Optional[CallerKey]
    #: What is left. The `ETag` does not depend on it.
    limits: CallerLimits
    #: When the newest frame of the visible devices was received; null: none ever was.
    newest_frame_at: Optional[str]


#: What the fleet's owner says of a device.
DeviceStatus = Literal["active", "inactive", "blocked"]


class _Device(TypedDict):
    """What every Device has."""

    #: The device's id.
    device_id: str
    #: The tracker's IMEI, 14 to 16 digits.
    imei: str
    #: What the fleet calls it.
    name: str
    #: The vehicle's number plate.
    plate: Optional[str]
    #: As the fleet's owner has set it; it does not follow the tracker.
    status: DeviceStatus
    #: Vehicle identification number.
    vin: Optional[str]
    #: The vehicle's maker.
    vehicle_make: Optional[str]
    #: The vehicle's model.
    vehicle_model: Optional[str]
    #: The vehicle's model year.
    vehicle_year: Optional[int]
    #: Free text, such as `van`.
    vehicle_type: Optional[str]
    #: The tracker's maker and model.
    tracker_model: Optional[str]
    #: What the tracker's clock shows: an IANA time zone, or how far it is ahead of UTC (`+08:00`, `-360s`);
    #: null: UTC. Times of its frames are converted when they come in.
    tracker_clock: Optional[str]
    #: What the tracker calls itself if it does not use its IMEI: a phone number, or the digits of its id;
    #: null: its IMEI.
    tracker_id: Optional[str]
    #: The only protocol in which a tracker that calls the server itself may report as this device; null: any.
    tracker_protocol: Literal["gt06", "jt808", "h02", "gps103", "tk103", "teltonika", "queclink", "suntech", "meitrack", "wialon", "ruptela", "topflytech", "galileosky", None]
    #: Litres that the tank holds.
    fuel_tank_capacity_l: Optional[float]
    #: The fleet's own labels.
    tags: List[str]
    #: The device's names in other systems: the system's name, and the id there.
    external_ids: Dict[str, str]
    #: The odometer at the newest position, in kilometres.
    odometer_km: Optional[float]
    #: When a frame was last received, valid or not; null: never.
    last_seen_at: Optional[str]
    #: When the position that `/positions/latest` shows was recorded; null: none yet.
    last_position_at: Optional[str]
    #: When the device was first loaded.
    created_at: str
    #: When what its owner says of it last changed; frames do not change it.
    updated_at: str


class Device(_Device, total=False):
    """A vehicle with its tracker."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]


class _DeviceChange(TypedDict):
    """What every DeviceChange has."""

    #: What the record is.
    type: Literal["device"]
    #: `put`: this is the record now, new or changed. `removed`: there is no such record any more.
    change: ChangeKind
    #: The record's own id. Alert settings have their device's, mileage `device_id/date`, a driver that nobody
    #: has named the tag's, positions and readings a text that stays the same for the same one.
    id: str
    #: The device that it belongs to; null for geofences, users and drivers.
    device_id: Optional[str]
    #: When the change was stored.
    changed_at: str
    #: The record as its list shows it; null if it was removed.
    record: Optional[Device]


class DeviceChange(_DeviceChange, total=False):
    """A change of a record of the type `device`."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


#: Whose clock a time is by.
TimeSource = Literal["tracker", "receipt"]


class _Position(TypedDict):
    """What every Position has."""

    #: The device's id.
    device_id: str
    #: The tracker's IMEI, 14 to 16 digits.
    imei: str
    #: When the tracker recorded the frame.
    recorded_at: str
    #: When the frame was received. Long after `recorded_at` if the tracker was offline.
    received_at: str
    #: WGS 84, in degrees, north is positive. Null without a fix.
    latitude: Optional[float]
    #: WGS 84, in degrees, east is positive. Null without a fix.
    longitude: Optional[float]
    #: Metres above sea level, as the tracker reports them.
    altitude_m: Optional[float]
    #: Kilometres per hour, as the tracker reports them.
    speed_kmh: Optional[float]
    #: Direction of travel in degrees, clockwise from north.
    heading_deg: Optional[float]
    #: Radius, in metres, within which the tracker believes itself to be.
    accuracy_m: Optional[float]
    #: Satellites in use.
    satellites: Optional[int]
    #: Horizontal dilution of precision: the lower, the better.
    hdop: Optional[float]
    #: Whether the ignition is on; null if the tracker does not know.
    ignition: Optional[bool]
    #: The vehicle's or the tracker's odometer, in kilometres.
    odometer_km: Optional[float]
    #: Charge of the tracker's own battery.
    battery_percent: Optional[float]
    #: Voltage of the vehicle's supply, in volts.
    external_voltage_v: Optional[float]
    #: What made the tracker send the frame, such as `sos`.
    event: Optional[str]
    #: Whether the quality filter accepted the frame.
    valid: bool
    #: Why the frame was rejected; null if it is valid. One of `time_invalid`, `future_time`, `too_old`,
    #: `no_fix`, `out_of_range`, `zero_coordinates`, `approximate`, `low_satellites`, `low_precision`,
    #: `implausible_jump`, `spike`; others may be added.
    reject_reason: Optional[str]
    #: Whether the vehicle is believed to have been moved here, such as on a ferry: no distance is counted.
    discontinuity: bool
    #: What the driver's tag or card said, such as an iButton; of a trip, the first that was sent. Null if
    #: none was.
    driver_id: Optional[str]
    #: What the owner of the account calls this driver now; null if no driver is named.
    driver_name: Optional[str]
    #: Whose clock `recorded_at` is by: `tracker`; `receipt` where the message had no time, or an alarm none
    #: that can be read, so that it is when the frame was received.
    time_source: TimeSource


class Position(_Position, total=False):
    """A stored frame of a device. What a tracker did not report is null. Coordinates of a valid frame lie within
    ±90 and ±180 degrees.
    """

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


class _PositionChange(TypedDict):
    """What every PositionChange has."""

    #: What the record is.
    type: Literal["position"]
    #: `put`: this is the record now, new or changed. `removed`: there is no such record any more.
    change: ChangeKind
    #: The record's own id. Alert settings have their device's, mileage `device_id/date`, a driver that nobody
    #: has named the tag's, positions and readings a text that stays the same for the same one.
    id: str
    #: The device that it belongs to; null for geofences, users and drivers.
    device_id: Optional[str]
    #: When the change was stored.
    changed_at: str
    #: The record as its list shows it; null if it was removed.
    record: Optional[Position]


class PositionChange(_PositionChange, total=False):
    """A change of a record of the type `position`."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


class Place(TypedDict):
    """A place on the Earth."""

    #: WGS 84, in degrees, north is positive.
    latitude: float
    #: WGS 84, in degrees, east is positive.
    longitude: float


#: What ended a trip.
TripEndReason = Literal["ignition_off", "stationary", "gap", "discontinuity"]


#: A driver of a trip.
TripDriver = TypedDict(
    "TripDriver",
    {
        #: What the driver's tag or card said.
        "driver_id": str,
        #: What the owner of the account calls this driver now; null if no driver is named.
        "driver_name": Optional[str],
        #: Since when; of the first, the start of the trip.
        "from": str,
        #: Until when: the next one's `from`, or the end of the trip; null while in progress.
        "until": Optional[str],
    },
)


class _Trip(TypedDict):
    """What every Trip has."""

    #: Stays the same when the trip is derived again, unless it is first seen under way at another moment
    #: then.
    trip_id: str
    #: The device's id.
    device_id: str
    #: The tracker's IMEI, 14 to 16 digits.
    imei: str
    #: `in_progress` until the trip has ended.
    status: Literal["in_progress", "completed"]
    #: When the vehicle set off.
    started_at: str
    #: When it came to rest; null while the trip is in progress.
    ended_at: Optional[str]
    #: Where it set off.
    start: Place
    #: Where it came to rest; null while the trip is in progress.
    end: Optional[Place]
    #: Kilometres driven, along the valid positions.
    distance_km: float
    #: Whether the vehicle was moved without being driven: towed or on a ferry, say. Then `distance_km` is 0.
    is_carried: bool
    #: Kilometres that it was carried instead; null of a trip that a version before 2.0 derived from frames
    #: that are gone.
    carried_km: Optional[float]
    #: Seconds from the start to the end, or to the newest position while in progress.
    duration_s: float
    #: Seconds of these with the engine on and the vehicle at rest.
    idle_s: float
    #: The highest speed believed, in kilometres per hour. Where the tracker reports none, by its positions
    #: over 20 to 30 s.
    max_speed_kmh: Optional[float]
    #: `distance_km` over `duration_s`, rounded to 0.1 km/h; null for a duration of 0.
    avg_speed_kmh: Optional[float]
    #: The odometer at the start, in kilometres.
    start_odometer_km: Optional[float]
    #: The odometer at the end, in kilometres.
    end_odometer_km: Optional[float]
    #: Valid positions that the trip is made of.
    position_count: int
    #: Whether the tracker was silent for a part of the way.
    has_gap: bool
    #: What ended the trip; null while it is in progress.
    end_reason: Optional[TripEndReason]
    #: When the trip was known: when the frame was received from which on it is listed. Null of a trip that a
    #: version before 1.2 derived from frames that are gone.
    received_at: Optional[str]
    #: When the record last changed. Late frames can change a trip after its end.
    updated_at: str
    #: What the driver's tag or card said, such as an iButton; of a trip, the first that was sent. Null if
    #: none was.
    driver_id: Optional[str]
    #: What the owner of the account calls this driver now; null if no driver is named.
    driver_name: Optional[str]
    #: Who drove, first to last: more than one after a handover, none where no tag or card was sent.
    drivers: List[TripDriver]


class Trip(_Trip, total=False):
    """A drive from one stop to the next."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


class _TripChange(TypedDict):
    """What every TripChange has."""

    #: What the record is.
    type: Literal["trip"]
    #: `put`: this is the record now, new or changed. `removed`: there is no such record any more.
    change: ChangeKind
    #: The record's own id. Alert settings have their device's, mileage `device_id/date`, a driver that nobody
    #: has named the tag's, positions and readings a text that stays the same for the same one.
    id: str
    #: The device that it belongs to; null for geofences, users and drivers.
    device_id: Optional[str]
    #: When the change was stored.
    changed_at: str
    #: The record as its list shows it; null if it was removed.
    record: Optional[Trip]


class TripChange(_TripChange, total=False):
    """A change of a record of the type `trip`."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


class _Stop(TypedDict):
    """What every Stop has."""

    #: Stays the same when the stop is derived again, unless it follows a trip that is first seen under way at
    #: another moment then.
    stop_id: str
    #: The device's id.
    device_id: str
    #: The tracker's IMEI, 14 to 16 digits.
    imei: str
    #: `open` until the next trip has begun.
    status: Literal["open", "ended"]
    #: When the trip before it ended.
    started_at: str
    #: When the next trip started; null while the stop is open.
    ended_at: Optional[str]
    #: Seconds from the start to the end, or to the newest frame while it is open.
    duration_s: float
    #: WGS 84, in degrees, north is positive.
    latitude: float
    #: WGS 84, in degrees, east is positive.
    longitude: float
    #: The geofences that the vehicle was in, as they were then and as its crossings were found.
    geofence_ids: List[str]
    #: Seconds of these with the ignition on. Null if the tracker does not report it, or some frames of the
    #: stop are gone.
    ignition_on_s: Optional[float]
    #: The trip that ended here.
    trip_before_id: str
    #: The trip that began here; null while the stop is open.
    trip_after_id: Optional[str]
    #: When the record last changed. Late frames can change a stop after its end.
    updated_at: str


class Stop(_Stop, total=False):
    """Where a vehicle stood between two trips, or has stood since the last one."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]
    #: The names of these geofences, as they are now, without those that the key does not see. Only with
    #: `include_names`.
    geofence_names: List[str]


class _StopChange(TypedDict):
    """What every StopChange has."""

    #: What the record is.
    type: Literal["stop"]
    #: `put`: this is the record now, new or changed. `removed`: there is no such record any more.
    change: ChangeKind
    #: The record's own id. Alert settings have their device's, mileage `device_id/date`, a driver that nobody
    #: has named the tag's, positions and readings a text that stays the same for the same one.
    id: str
    #: The device that it belongs to; null for geofences, users and drivers.
    device_id: Optional[str]
    #: When the change was stored.
    changed_at: str
    #: The record as its list shows it; null if it was removed.
    record: Optional[Stop]


class StopChange(_StopChange, total=False):
    """A change of a record of the type `stop`."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


class _FuelReading(TypedDict):
    """What every FuelReading has."""

    #: The device's id.
    device_id: str
    #: The tracker's IMEI, 14 to 16 digits.
    imei: str
    #: What is measured.
    kind: Literal["fuel"]
    #: Which of the device's sensors of that kind.
    sensor: str
    #: When the tracker recorded the reading.
    recorded_at: str
    #: When it was received.
    received_at: str
    #: `level_percent`, or `volume_l` where only that is known.
    value: Optional[float]
    #: Of `value`: `%`, or `L` where only the volume is known.
    unit: Literal["%", "L"]
    #: WGS 84, in degrees, north is positive. Null without a fix.
    latitude: Optional[float]
    #: WGS 84, in degrees, east is positive. Null without a fix.
    longitude: Optional[float]
    #: How full the tank is.
    level_percent: Optional[float]
    #: Litres in the tank, as reported; where only the level is, that share of the device's
    #: `fuel_tank_capacity_l`.
    volume_l: Optional[float]


class FuelReading(_FuelReading, total=False):
    """What is in a tank."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


class _TemperatureReading(TypedDict):
    """What every TemperatureReading has."""

    #: The device's id.
    device_id: str
    #: The tracker's IMEI, 14 to 16 digits.
    imei: str
    #: What is measured.
    kind: Literal["temperature"]
    #: Which of the device's sensors of that kind.
    sensor: str
    #: When the tracker recorded the reading.
    recorded_at: str
    #: When it was received.
    received_at: str
    #: The same as `temperature_c`.
    value: Optional[float]
    #: Of `value`.
    unit: Literal["°C"]
    #: WGS 84, in degrees, north is positive. Null without a fix.
    latitude: Optional[float]
    #: WGS 84, in degrees, east is positive. Null without a fix.
    longitude: Optional[float]
    #: Degrees Celsius.
    temperature_c: Optional[float]
    #: Relative humidity.
    humidity_percent: Optional[float]


class TemperatureReading(_TemperatureReading, total=False):
    """How warm and damp it is at a sensor."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


class _TyreReading(TypedDict):
    """What every TyreReading has."""

    #: The device's id.
    device_id: str
    #: The tracker's IMEI, 14 to 16 digits.
    imei: str
    #: What is measured.
    kind: Literal["tyre"]
    #: Which of the device's sensors of that kind.
    sensor: str
    #: When the tracker recorded the reading.
    recorded_at: str
    #: When it was received.
    received_at: str
    #: The same as `pressure_kpa`.
    value: Optional[float]
    #: Of `value`.
    unit: Literal["kPa"]
    #: WGS 84, in degrees, north is positive. Null without a fix.
    latitude: Optional[float]
    #: WGS 84, in degrees, east is positive. Null without a fix.
    longitude: Optional[float]
    #: Counted from the front, from 1.
    axle: Optional[int]
    #: Counted from the left, from 1.
    wheel: Optional[int]
    #: Kilopascal; 100 kPa are 1 bar or 14.5 psi.
    pressure_kpa: Optional[float]
    #: Degrees Celsius inside the tyre.
    temperature_c: Optional[float]


class TyreReading(_TyreReading, total=False):
    """Pressure and warmth of a tyre."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


#: A reading of one sensor, as the tracker sent it. Each kind has keys of its own.
SensorReading = Union[FuelReading, TemperatureReading, TyreReading]


class _ReadingChange(TypedDict):
    """What every ReadingChange has."""

    #: What the record is.
    type: Literal["reading"]
    #: `put`: this is the record now, new or changed. `removed`: there is no such record any more.
    change: ChangeKind
    #: The record's own id. Alert settings have their device's, mileage `device_id/date`, a driver that nobody
    #: has named the tag's, positions and readings a text that stays the same for the same one.
    id: str
    #: The device that it belongs to; null for geofences, users and drivers.
    device_id: Optional[str]
    #: When the change was stored.
    changed_at: str
    #: The record as its list shows it; null if it was removed.
    record: Optional[SensorReading]


class ReadingChange(_ReadingChange, total=False):
    """A change of a record of the type `reading`."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


class _Geofence(TypedDict):
    """What every Geofence has."""

    #: The geofence's id.
    geofence_id: str
    #: What the fleet calls it.
    name: str
    #: More about it.
    description: Optional[str]
    #: A circle is a `Point`, a polygon a `Polygon`, a corridor a `LineString`.
    shape: GeofenceShape
    #: Where it is, as GeoJSON: longitude comes first.
    geometry: GeofenceGeometry
    #: Of a circle, in metres; null for the other shapes.
    radius_m: Optional[float]
    #: Of a corridor, from edge to edge, in metres; null for the other shapes.
    width_m: Optional[float]
    #: West, south, east, north, in degrees. West is greater than east across the antimeridian.
    bbox: List[float]
    #: To draw it with: `#rrggbb`, `#rgb` or a CSS name.
    color: Optional[str]
    #: When it was first loaded.
    created_at: str
    #: When it last changed.
    updated_at: str


class Geofence(_Geofence, total=False):
    """An area that crossings are recorded for, as it is now."""

    #: The geofence's name, as it is now. Only with `include_names`.
    geofence_name: Optional[str]


class _GeofenceChange(TypedDict):
    """What every GeofenceChange has."""

    #: What the record is.
    type: Literal["geofence"]
    #: `put`: this is the record now, new or changed. `removed`: there is no such record any more.
    change: ChangeKind
    #: The record's own id. Alert settings have their device's, mileage `device_id/date`, a driver that nobody
    #: has named the tag's, positions and readings a text that stays the same for the same one.
    id: str
    #: The device that it belongs to; null for geofences, users and drivers.
    device_id: Optional[str]
    #: When the change was stored.
    changed_at: str
    #: The record as its list shows it; null if it was removed.
    record: Optional[Geofence]


class GeofenceChange(_GeofenceChange, total=False):
    """A change of a record of the type `geofence`."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


class _GeofenceEvent(TypedDict):
    """What every GeofenceEvent has."""

    #: Stays the same when the crossing is derived again, unless it is found at another moment then.
    event_id: str
    #: The device's id.
    device_id: str
    #: The tracker's IMEI, 14 to 16 digits.
    imei: str
    #: The geofence that was crossed.
    geofence_id: str
    #: What it is called now.
    geofence_name: str
    #: Which way.
    event_type: Literal["enter", "exit"]
    #: When the line was crossed, between the two positions on either side of it.
    occurred_at: str
    #: WGS 84, in degrees, north is positive.
    latitude: float
    #: WGS 84, in degrees, east is positive.
    longitude: float
    #: The vehicle's speed, in kilometres per hour.
    speed_kmh: Optional[float]
    #: Whether the vehicle crossed the whole geofence between two positions, so that none lies inside.
    interpolated: bool
    #: Seconds by which the crossing may have been earlier; 0 where it is known.
    time_uncertainty_s: float
    #: Of an exit: seconds since the entry. Null on entering, or if that was not seen.
    dwell_s: Optional[float]
    #: When the crossing was known: when the frame that confirmed it was received. Null of one that a version
    #: before 1.2 derived from frames that are gone.
    received_at: Optional[str]
    #: When the last of the frames that it is made from was received: a late one can change a crossing. Null
    #: as `received_at` is.
    updated_at: Optional[str]


class GeofenceEvent(_GeofenceEvent, total=False):
    """A device's crossing of a geofence's line."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


class _GeofenceEventChange(TypedDict):
    """What every GeofenceEventChange has."""

    #: What the record is.
    type: Literal["geofence_event"]
    #: `put`: this is the record now, new or changed. `removed`: there is no such record any more.
    change: ChangeKind
    #: The record's own id. Alert settings have their device's, mileage `device_id/date`, a driver that nobody
    #: has named the tag's, positions and readings a text that stays the same for the same one.
    id: str
    #: The device that it belongs to; null for geofences, users and drivers.
    device_id: Optional[str]
    #: When the change was stored.
    changed_at: str
    #: The record as its list shows it; null if it was removed.
    record: Optional[GeofenceEvent]


class GeofenceEventChange(_GeofenceEventChange, total=False):
    """A change of a record of the type `geofence_event`."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


class _MileageRow(TypedDict):
    """What every MileageRow has."""

    #: The device's id.
    device_id: str
    #: The tracker's IMEI, 14 to 16 digits.
    imei: str
    #: The device's name, as it is now.
    name: str
    #: The number plate, as it is now.
    plate: Optional[str]
    #: The day.
    date: str
    #: The IANA time zone that the date is of: the account's, `UTC` unless it has one. Days whose positions
    #: were no longer stored when the account got another zone stay days of the earlier one.
    time_zone: str
    #: Kilometres driven on that day.
    distance_km: float
    #: `odometer` where the vehicle's own is plausible and agrees with the positions, else `gps`.
    distance_source: Literal["odometer", "gps"]
    #: The odometer at the day's first valid position, in kilometres.
    start_odometer_km: Optional[float]
    #: The odometer at the day's last valid position, in kilometres.
    end_odometer_km: Optional[float]
    #: Trips on that day.
    trip_count: int
    #: Seconds under way.
    driving_s: float
    #: Seconds at rest with the engine on.
    idle_s: float
    #: The highest speed believed, in kilometres per hour. Where the tracker reports none, by its positions
    #: over 20 to 30 s.
    max_speed_kmh: Optional[float]
    #: Of the distance, kilometres over which the tracker was silent.
    gap_distance_km: float
    #: Kilometres that the vehicle was moved without being driven: towed or on a ferry, say. No part of
    #: `distance_km`. Null of days that a version before 2.0 derived from frames that are gone.
    carried_km: Optional[float]
    #: When the row last changed. Late frames can change a day that is over.
    updated_at: str


class MileageRow(_MileageRow, total=False):
    """One device on one day of a time zone. A day without a valid position has no row."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]


class _MileageChange(TypedDict):
    """What every MileageChange has."""

    #: What the record is.
    type: Literal["mileage"]
    #: `put`: this is the record now, new or changed. `removed`: there is no such record any more.
    change: ChangeKind
    #: The record's own id. Alert settings have their device's, mileage `device_id/date`, a driver that nobody
    #: has named the tag's, positions and readings a text that stays the same for the same one.
    id: str
    #: The device that it belongs to; null for geofences, users and drivers.
    device_id: Optional[str]
    #: When the change was stored.
    changed_at: str
    #: The record as its list shows it; null if it was removed.
    record: Optional[MileageRow]


class MileageChange(_MileageChange, total=False):
    """A change of a record of the type `mileage`."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


class _User(TypedDict):
    """What every User has."""

    #: The sub-account's id.
    user_id: str
    #: The person's or the department's name.
    name: str
    #: What they sign in with.
    email: str
    #: Keys of a disabled user are refused.
    status: Literal["active", "disabled"]
    #: How many devices the sub-account sees.
    device_count: int
    #: When they last signed in to the portal; null: never.
    last_login_at: Optional[str]
    #: When the sub-account was first loaded.
    created_at: str
    #: When it last changed.
    updated_at: str


class User(_User, total=False):
    """A sub-account: a user who sees a part of the fleet."""

    #: The person's name, for a key with the scope `users:read`. Only with `include_names`.
    user_name: Optional[str]


class _UserChange(TypedDict):
    """What every UserChange has."""

    #: What the record is.
    type: Literal["user"]
    #: `put`: this is the record now, new or changed. `removed`: there is no such record any more.
    change: ChangeKind
    #: The record's own id. Alert settings have their device's, mileage `device_id/date`, a driver that nobody
    #: has named the tag's, positions and readings a text that stays the same for the same one.
    id: str
    #: The device that it belongs to; null for geofences, users and drivers.
    device_id: Optional[str]
    #: When the change was stored.
    changed_at: str
    #: The record as its list shows it; null if it was removed.
    record: Optional[User]


class UserChange(_UserChange, total=False):
    """A change of a record of the type `user`."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


class Driver(TypedDict):
    """A person whom the account named, or a driver's tag or card that nobody has named."""

    #: The person's id; null for a tag that nobody has named.
    id: Optional[str]
    #: What the owner of the account calls them; null for a tag that nobody has named.
    name: Optional[str]
    #: The ids of their tags and cards, as trackers send them: what `driver_id` is elsewhere. In ascending
    #: order.
    driver_ids: List[str]
    #: Until when they were last seen, by the trips and the live positions of vehicles in sight; null: never.
    last_seen_at: Optional[str]
    #: The vehicle in which that was; null if they were never seen.
    last_device_id: Optional[str]


class _DriverChange(TypedDict):
    """What every DriverChange has."""

    #: What the record is.
    type: Literal["driver"]
    #: `put`: this is the record now, new or changed. `removed`: there is no such record any more.
    change: ChangeKind
    #: The record's own id. Alert settings have their device's, mileage `device_id/date`, a driver that nobody
    #: has named the tag's, positions and readings a text that stays the same for the same one.
    id: str
    #: The device that it belongs to; null for geofences, users and drivers.
    device_id: Optional[str]
    #: When the change was stored.
    changed_at: str
    #: The record as its list shows it; null if it was removed.
    record: Optional[Driver]


class DriverChange(_DriverChange, total=False):
    """A change of a record of the type `driver`."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


#: A record that became known, was corrected or was withdrawn.
Change = Union[
    DeviceChange,
    PositionChange,
    TripChange,
    StopChange,
    AlertChange,
    ReadingChange,
    GeofenceChange,
    GeofenceEventChange,
    MileageChange,
    UserChange,
    AlertSettingsChange,
    DriverChange,
]


#: Stable: branch on it, never on the message.
ErrorCode = Literal[
    "INVALID_REQUEST",
    "INVALID_API_KEY",
    "INSUFFICIENT_SCOPE",
    "NOT_FOUND",
    "CURSOR_EXPIRED",
    "METHOD_NOT_ALLOWED",
    "BODY_TOO_LARGE",
    "RATE_LIMITED",
    "INTERNAL",
]


#: What a geofence is in GeoJSON.
GeometryForm = Literal["own", "area"]


class _LatestPosition(TypedDict):
    """What every LatestPosition has."""

    #: The device's id.
    device_id: str
    #: The tracker's IMEI, 14 to 16 digits.
    imei: str
    #: When the tracker recorded the frame.
    recorded_at: str
    #: When the frame was received. Long after `recorded_at` if the tracker was offline.
    received_at: str
    #: WGS 84, in degrees, north is positive.
    latitude: Optional[float]
    #: WGS 84, in degrees, east is positive.
    longitude: Optional[float]
    #: Metres above sea level, as the tracker reports them.
    altitude_m: Optional[float]
    #: Kilometres per hour, as the tracker reports them.
    speed_kmh: Optional[float]
    #: Direction of travel in degrees, clockwise from north.
    heading_deg: Optional[float]
    #: Radius, in metres, within which the tracker believes itself to be.
    accuracy_m: Optional[float]
    #: Satellites in use.
    satellites: Optional[int]
    #: Horizontal dilution of precision: the lower, the better.
    hdop: Optional[float]
    #: Whether the ignition is on; null if the tracker does not know.
    ignition: Optional[bool]
    #: The vehicle's or the tracker's odometer, in kilometres.
    odometer_km: Optional[float]
    #: Charge of the tracker's own battery.
    battery_percent: Optional[float]
    #: Voltage of the vehicle's supply, in volts.
    external_voltage_v: Optional[float]
    #: What made the tracker send the frame, such as `sos`.
    event: Optional[str]
    #: Always true: a rejected frame never becomes the live position.
    valid: Literal[True]
    #: Always null.
    reject_reason: Optional[str]
    #: Whether the vehicle is believed to have been moved here, such as on a ferry: no distance is counted.
    discontinuity: bool
    #: What the driver's tag or card said, such as an iButton; of a trip, the first that was sent. Null if
    #: none was.
    driver_id: Optional[str]
    #: What the owner of the account calls this driver now; null if no driver is named.
    driver_name: Optional[str]
    #: Whose clock `recorded_at` is by: `tracker`; `receipt` where the message had no time, or an alarm none
    #: that can be read, so that it is when the frame was received.
    time_source: TimeSource
    #: The device's name.
    name: str
    #: The vehicle's number plate.
    plate: Optional[str]
    #: Since when the ignition has been as it is.
    ignition_since: Optional[str]
    #: The trip under way; null while the vehicle is parked.
    trip_id: Optional[str]
    #: The geofences, of those assigned to the device, that it is inside of.
    geofence_ids: List[str]


class LatestPosition(_LatestPosition, total=False):
    """A device's newest valid frame. A device that never had one is not listed."""

    #: Metres from `near`, as the crow flies. Only if the request has `near`.
    distance_m: float
    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The names of these geofences, as they are now, without those that the key does not see. Only with
    #: `include_names`.
    geofence_names: List[str]


class _MileageSums(TypedDict):
    """What every MileageSums has."""

    #: The first day of the period that is in the window.
    period_start: str
    #: The day after the last one that is in the window.
    period_end: str
    #: The IANA time zone of the days: the account's.
    time_zone: str
    #: The device's id; null unless by device.
    device_id: Optional[str]
    #: The tracker's IMEI; null unless by device.
    imei: Optional[str]
    #: The device's name, as it is now; null unless by device.
    name: Optional[str]
    #: The number plate, as it is now; null unless by device.
    plate: Optional[str]
    #: The tag that the devices have now; null unless by tag, and for devices without any. A device with two
    #: tags counts in each.
    tag: Optional[str]
    #: The id of the driver's tag or card; null unless by driver, and for what was driven without one.
    driver_id: Optional[str]
    #: What the owner of the account calls this driver now; null if no driver is named.
    driver_name: Optional[str]
    #: Devices that have a row of mileage in the period.
    device_count: int
    #: Kilometres driven.
    distance_km: float
    #: Trips.
    trip_count: int
    #: Seconds under way.
    driving_s: float
    #: Seconds at rest with the engine on.
    idle_s: float
    #: The highest speed believed, in kilometres per hour.
    max_speed_kmh: Optional[float]
    #: Of the distance, kilometres over which trackers were silent.
    gap_distance_km: float
    #: Kilometres that vehicles were moved without being driven: towed or on a ferry, say. No part of
    #: `distance_km`, and no driver's. Null if a day of these is one that a version before 2.0 derived from
    #: frames that are gone.
    carried_km: Optional[float]


class MileageSums(_MileageSums, total=False):
    """What one device, the devices with a tag, one driver, or all devices drove in a period. A period without a
    row of mileage has none here.
    """

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]


class _PositionAt(TypedDict):
    """What every PositionAt has."""

    #: The device's id.
    device_id: str
    #: The tracker's IMEI, 14 to 16 digits.
    imei: str
    #: When the tracker recorded the frame.
    recorded_at: str
    #: When the frame was received. Long after `recorded_at` if the tracker was offline.
    received_at: str
    #: WGS 84, in degrees, north is positive.
    latitude: Optional[float]
    #: WGS 84, in degrees, east is positive.
    longitude: Optional[float]
    #: Metres above sea level, as the tracker reports them.
    altitude_m: Optional[float]
    #: Kilometres per hour, as the tracker reports them.
    speed_kmh: Optional[float]
    #: Direction of travel in degrees, clockwise from north.
    heading_deg: Optional[float]
    #: Radius, in metres, within which the tracker believes itself to be.
    accuracy_m: Optional[float]
    #: Satellites in use.
    satellites: Optional[int]
    #: Horizontal dilution of precision: the lower, the better.
    hdop: Optional[float]
    #: Whether the ignition is on; null if the tracker does not know.
    ignition: Optional[bool]
    #: The vehicle's or the tracker's odometer, in kilometres.
    odometer_km: Optional[float]
    #: Charge of the tracker's own battery.
    battery_percent: Optional[float]
    #: Voltage of the vehicle's supply, in volts.
    external_voltage_v: Optional[float]
    #: What made the tracker send the frame, such as `sos`.
    event: Optional[str]
    #: Always true.
    valid: Literal[True]
    #: Always null.
    reject_reason: Optional[str]
    #: Whether the vehicle is believed to have been moved here, such as on a ferry: no distance is counted.
    discontinuity: bool
    #: What the driver's tag or card said, such as an iButton; of a trip, the first that was sent. Null if
    #: none was.
    driver_id: Optional[str]
    #: What the owner of the account calls this driver now; null if no driver is named.
    driver_name: Optional[str]
    #: Whose clock `recorded_at` is by: `tracker`; `receipt` where the message had no time, or an alarm none
    #: that can be read, so that it is when the frame was received.
    time_source: TimeSource
    #: Seconds from `recorded_at` to the requested time.
    age_s: float
    #: Metres from `near`, as the crow flies; null without `near`.
    distance_m: Optional[float]


class PositionAt(_PositionAt, total=False):
    """A device's last valid frame at or before the requested time."""

    #: The vehicle's name, as it is now. Only with `include_names`.
    device_name: Optional[str]
    #: The vehicle's number plate, as it is now. Only with `include_names`.
    plate: Optional[str]


#: What a sensor measures.
SensorKind = Literal["fuel", "temperature", "tyre"]


#: How long the periods of sums are.
SumPeriod = Literal["day", "week", "month", "total"]
