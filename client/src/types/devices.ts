// Made from the description by scripts/client-types.ts: change the description instead.

/** List devices: what may be asked for. */
export interface ListDevicesQuery {
  /** Narrows to one device by its IMEI, as an alternative to `device_id`. An IMEI the key cannot see is 404, same as an unknown one and as a text that is none. Given both, they must name the same device. */
  imei?: string | undefined;
  /** Only devices of this status. */
  status?: DeviceStatus | undefined;
  /** Case-insensitive substring of name, IMEI or plate. Empty: as if left out. */
  search?: string | undefined;
  /** Only devices that have exactly this tag now. An unknown tag gives an empty page. */
  tag?: string | undefined;
  /** Rows per page. */
  limit?: number | undefined;
  /** Only these fields of each record, separated by commas. Fields that identify a row are always there: ids, and where they are the key, time, date, period, tag. A field that this answer cannot have is 400. Records then lack others that their schema requires: `/openapi.json?rows=any` describes them so. Omitted: all fields. */
  fields?: string | undefined;
  /** Adds names beside their ids: `device_name`, `plate`, `geofence_name`, `geofence_names`, `user_name`. Null: none, or not to be seen. */
  include_names?: boolean | undefined;
}

/** List drivers: what may be asked for. */
export interface ListDriversQuery {
  /** Rows per page. */
  limit?: number | undefined;
  /** Only these fields of each record, separated by commas. Fields that identify a row are always there: ids, and where they are the key, time, date, period, tag. A field that this answer cannot have is 400. Records then lack others that their schema requires: `/openapi.json?rows=any` describes them so. Omitted: all fields. */
  fields?: string | undefined;
  /** Adds names beside their ids: `device_name`, `plate`, `geofence_name`, `geofence_names`, `user_name`. Null: none, or not to be seen. */
  include_names?: boolean | undefined;
}

/** What the fleet's owner says of a device. */
export type DeviceStatus = "active" | "inactive" | "blocked";

/** A vehicle with its tracker. */
export interface Device {
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** What the fleet calls it. */
  name: string;
  /** The vehicle's number plate. */
  plate: string | null;
  /** As the fleet's owner has set it; it does not follow the tracker. */
  status: DeviceStatus;
  /** Vehicle identification number. */
  vin: string | null;
  /** The vehicle's maker. */
  vehicle_make: string | null;
  /** The vehicle's model. */
  vehicle_model: string | null;
  /** The vehicle's model year. */
  vehicle_year: number | null;
  /** Free text, such as `van`. */
  vehicle_type: string | null;
  /** The tracker's maker and model. */
  tracker_model: string | null;
  /** What the tracker's clock shows: an IANA time zone, or how far it is ahead of UTC (`+08:00`, `-360s`); null: UTC. Times of its frames are converted when they come in. */
  tracker_clock: string | null;
  /** What the tracker calls itself if it does not use its IMEI: a phone number, or the digits of its id; null: its IMEI. */
  tracker_id: string | null;
  /** The only protocol in which a tracker that calls the server itself may report as this device; null: any. */
  tracker_protocol:
    | "gt06"
    | "jt808"
    | "h02"
    | "gps103"
    | "tk103"
    | "teltonika"
    | "queclink"
    | "suntech"
    | "meitrack"
    | "wialon"
    | "ruptela"
    | "topflytech"
    | "galileosky"
    | null;
  /** Litres that the tank holds. */
  fuel_tank_capacity_l: number | null;
  /** The fleet's own labels. */
  tags: string[];
  /** The device's names in other systems: the system's name, and the id there. */
  external_ids: Record<string, string>;
  /** The odometer at the newest position, in kilometres. */
  odometer_km: number | null;
  /** When a frame was last received, valid or not; null: never. */
  last_seen_at: string | null;
  /** When the position that `/positions/latest` shows was recorded; null: none yet. */
  last_position_at: string | null;
  /** When the device was first loaded. */
  created_at: string;
  /** When what its owner says of it last changed; frames do not change it. */
  updated_at: string;
  /** The vehicle's name, as it is now. Only with `include_names`. */
  device_name?: string | null;
}

/** The alert rules in force for a device, as they are now. */
export interface AlertSettings {
  /** The device's id. */
  device_id: string;
  /** The tracker's IMEI, 14 to 16 digits. */
  imei: string;
  /** First the defaults, without those that a rule replaces everywhere; then the rules that were set, for all devices, for tags and for this device. A key that sees none of a rule's geofences is not shown the rule. */
  rules: AlertRule[];
  /** When the rules last changed; null if none were ever set. */
  updated_at: string | null;
}

/** When to raise an alert. */
export interface AlertRule {
  /** The alert that the rule raises. At present one of `speeding`, `geofence_enter`, `geofence_exit`, `sos`, `crash`, `power_cut`, `tampering`, `jamming`, `harsh_acceleration`, `harsh_braking`, `harsh_cornering`, `towing`, `unauthorised_movement`, `idling`, `low_battery`, `low_external_voltage`, `fuel_drain`, `fuel_refill`, `temperature_high`, `temperature_low`, `tyre_pressure_low`, `tyre_temperature_high`, `gps_lost`, `device_offline`. */
  alert_type: string;
  /** `set` by the owner, or the `default` of the type. Of several rules that apply, the last one counts. */
  source: "default" | "set";
  /** Whom it was set for: this `device`, the devices with a `tag`, or all devices of the `account`. Null for a default. For each type of alert, rules for the device come before those for its tags, and these before those for all. */
  set_for: "device" | "tag" | "account" | null;
  /** The tag that it was set for; null unless `set_for` is `tag`. */
  tag: string | null;
  /** Whether it is raised. The default of a type that needs a limit, and has none, is not. */
  enabled: boolean;
  /** What the alerts have, however bad it gets; where none was set, what those of the type start with. */
  severity: Severity;
  /** The rule's own settings; what is left out is as by default. A default has all that it goes by. `limit_kmh` is held against the speeds that the tracker reports (the mean of several if they scatter), from 5 km/h above it on. If it reports none, against the speed by its positions over 40 to 60 s, from 9 km/h above on. `times`: the rule holds only within these, in the account's time zone: `within` has `days` (`mon` to `sun`), `from` and `until` (`20:00`; at or before `from`: of the next day), on `dates_off` it holds all day. */
  parameters: Record<string, unknown>;
  /** The geofences that the rule is for, as far as the key sees them. None: it holds everywhere (a geofence alert: nowhere). */
  geofence_ids: string[];
}

/** How bad it is. */
export type Severity = "info" | "warning" | "critical";

/** A person whom the account named, or a driver's tag or card that nobody has named. */
export interface Driver {
  /** The person's id; null for a tag that nobody has named. */
  id: string | null;
  /** What the owner of the account calls them; null for a tag that nobody has named. */
  name: string | null;
  /** The ids of their tags and cards, as trackers send them: what `driver_id` is elsewhere. In ascending order. */
  driver_ids: string[];
  /** Until when they were last seen, by the trips and the live positions of vehicles in sight; null: never. */
  last_seen_at: string | null;
  /** The vehicle in which that was; null if they were never seen. */
  last_device_id: string | null;
}
