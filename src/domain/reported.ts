/** The order in which fields are stored and shown. The event is last: it alone is a text and may contain a comma. */
export const reportedFields = [
  "latitude",
  "longitude",
  "altitude_m",
  "speed_kmh",
  "heading_deg",
  "accuracy_m",
  "satellites",
  "hdop",
  "ignition",
  "odometer_km",
  "battery_percent",
  "external_voltage_v",
  "event",
] as const;

/** What a tracker reports in a frame, in the API's names and units. Null: not reported. */
export type Reported = {
  readonly [Field in (typeof reportedFields)[number]]:
    | (Field extends "event" ? string : Field extends "ignition" ? boolean : number)
    | null;
};

/** As it is stored: a JSON array of the values alone. */
export function formatReported(reported: Reported): string {
  return `[${numberText(reported)},${reported.event === null ? "null" : JSON.stringify(reported.event)}]`;
}

/** Written by hand, as JSON would: turning numbers into text costs more than anything else in storing a frame. */
function numberText(r: Reported): string {
  return `${r.latitude},${r.longitude},${r.altitude_m},${r.speed_kmh},${r.heading_deg},${r.accuracy_m},${r.satellites},${r.hdop},${r.ignition},${r.odometer_km},${r.battery_percent},${r.external_voltage_v}`;
}

/** The reported values, from that array. */
export function parseReported(text: string): Reported {
  const values = JSON.parse(text) as unknown[];
  const [latitude, longitude, altitude_m, speed_kmh, heading_deg, accuracy_m, satellites] = values as number[];
  const [hdop, ignition, odometer_km, battery_percent, external_voltage_v, event] = values.slice(7);
  return {
    latitude,
    longitude,
    altitude_m,
    speed_kmh,
    heading_deg,
    accuracy_m,
    satellites,
    hdop,
    ignition,
    odometer_km,
    battery_percent,
    external_voltage_v,
    event,
  } as Reported;
}
