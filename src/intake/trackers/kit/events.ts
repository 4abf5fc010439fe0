/**
 * The names under which alarms of trackers are stored as events, for all families. The first eight raise an alert of that type;
 * the others are stored and shown. One name for one thing: look here before you add another.
 */
export type TrackerEvent =
  | "sos"
  | "crash"
  | "power_cut"
  | "tampering"
  | "jamming"
  | "harsh_acceleration"
  | "harsh_braking"
  | "harsh_cornering"
  | "power_restored"
  | "power_on"
  | "power_off"
  | "low_power"
  | "low_battery"
  | "towing"
  | "movement"
  | "vibration"
  | "fall_down"
  | "overspeed"
  | "low_speed"
  | "idling"
  | "parking"
  | "fatigue_driving"
  | "lane_change"
  | "high_rpm"
  | "geofence"
  | "geofence_enter"
  | "geofence_exit"
  | "ignition_on"
  | "ignition_off"
  | "door"
  | "bonnet"
  | "lock"
  | "unlock"
  | "foot_brake"
  | "fuel_leak"
  | "temperature"
  | "gps_antenna_cut"
  | "gps_lost"
  | "fault"
  | "general";

/** A table of the codes by which a protocol names an event: a row for each event, with all its codes. */
export function eventsByCode<Code>(
  rows: readonly (readonly [TrackerEvent, ...Code[]])[],
): ReadonlyMap<Code, TrackerEvent> {
  return new Map(rows.flatMap(([event, ...codes]) => codes.map((code) => [code, event] as const)));
}
